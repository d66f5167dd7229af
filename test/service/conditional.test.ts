import { describe, expect, it } from 'vitest';
import { type Answer, ask, type Served, start } from './served.ts';

const notes = `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      title: { type: string }
      text: { type: string }
      extra: {}
      hidden: { type: string, readable: false }
      at: { type: string, format: date-time, set: { create: "\${now}" } }
    required: [title]
endpoints:
  others: refuse
  POST /notes:
    does: create Note
    request: { body: Note }
    response: { status: 201, body: Note }
    conditional: { etag: strong }
  GET /notes:
    does: { list: Note }
    response: { status: 200, body: { notes: "\${Note(page.items)}" } }
    conditional: { etag: weak, ifMatch: allowed, ifNoneMatch: allowed }
  GET /notes/{id}:
    does: read Note
    response: { status: 200, headers: { Cache-Control: no-cache, X-Other: "1" }, body: { note: "\${Note(this)}" } }
    conditional: { etag: strong, ifMatch: allowed, ifNoneMatch: allowed }
  PATCH /notes/{id}:
    operation: mend
    does: update Note
    request: { media: application/merge-patch+json, body: Note }
    response: [{ when: changed, status: 200, body: Note }, { status: 204 }]
    conditional: { etag: strong, ifMatch: required }
  DELETE /notes/{id}:
    does: delete Note
    response: 204
    conditional: { etag: strong, ifMatch: allowed, ifNoneMatch: allowed }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    no_note: { when: unknown Note, status: 404 }
    tag_needed: { when: precondition missing, status: 428 }
    changed_since: { when: precondition failed, status: 412 }
    locked: { when: "\${this.title == 'locked'}", operations: [mend], status: 423 }
`;

const merge = 'Content-Type: application/merge-patch+json';

function field({ fields }: Answer, name: string): string | undefined {
  return fields.find((one) => one.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
}

/** A service with one note, and the note's address. */
async function withNote(
  members: object = { title: 'one' },
  text = notes,
): Promise<{ service: Served; path: string; etag: string }> {
  const service = await start(text);
  const made = await ask(service, 'POST /notes', members);
  const path = `/notes/${(made.body as { id: string }).id}`;
  return { service, path, etag: field(made, 'etag') ?? '' };
}

describe('the tag of an item', () => {
  it('is the same in every answer about it, whatever that shows', async () => {
    const { service, path, etag } = await withNote();
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(field(await ask(service, `GET ${path}`), 'etag')).toBe(etag);
    expect(field(await ask(service, `HEAD ${path}`), 'etag')).toBe(etag);
    const unchanged = await ask(service, `PATCH ${path}`, {}, [merge, `If-Match: ${etag}`]);
    expect([unchanged.status, field(unchanged, 'etag')]).toEqual([204, etag]);
    const changed = await ask(service, `PATCH ${path}`, { title: 'two' }, [merge, `If-Match: ${etag}`]);
    expect(changed.status).toBe(200);
    expect(field(changed, 'etag')).not.toBe(etag);
    expect(field(await ask(service, `GET ${path}`), 'etag')).toBe(field(changed, 'etag'));
  });

  it('changes with what is shown and not with what is hidden, and comes back with it', async () => {
    const { service, path, etag } = await withNote();
    const patch = async (members: object): Promise<string | undefined> =>
      field(await ask(service, `PATCH ${path}`, members, [merge, 'If-Match: *']), 'etag');
    expect(await patch({ hidden: 'x' })).toBe(etag);
    expect(await patch({ text: 'more' })).not.toBe(etag);
    expect(await patch({ text: null })).toBe(etag);
  });

  it('is not sent with what shows no item, nor with a refusal', async () => {
    const { service, path } = await withNote();
    const gone = await ask(service, `DELETE ${path}`);
    expect([gone.status, field(gone, 'etag')]).toEqual([204, undefined]);
    const unknown = await ask(service, `GET ${path}`);
    expect([unknown.status, field(unknown, 'etag')]).toEqual([404, undefined]);
  });

  it('is weak where that is stated, and of the value: the order of members makes no other', async () => {
    const first = await withNote({ title: 'one', extra: { a: 1, b: 2 } });
    const weak = async (): Promise<string | undefined> =>
      field(await ask(first.service, 'GET /notes'), 'etag');
    const before = await weak();
    expect(before).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    const patch = (extra: object) =>
      ask(first.service, `PATCH ${first.path}`, { extra }, [merge, 'If-Match: *']);
    await patch({ c: 3, a: null, b: null });
    expect(await weak()).not.toBe(before);
    await patch({ c: null, b: 2 });
    await patch({ a: 1 });
    expect(await weak()).toBe(before);
  });
});

/** The notes, with tags that the document makes itself, and a comparison of its choice. */
const tagged = (etag: string, more = ''): string =>
  notes
    .replaceAll('conditional: { etag: strong', `conditional: { etag: ${etag}`)
    .replace('ifMatch: required }', `ifMatch: required${more} }`);

describe('the tag of an expression', () => {
  it('is its text in quotation marks, whatever is shown', async () => {
    const { service, path, etag } = await withNote(
      { title: 'one', text: 'a' },
      tagged('"${this.title + \'.1\'}"'),
    );
    expect(etag).toBe('"one.1"');
    expect(field(await ask(service, `GET ${path}`), 'etag')).toBe(etag);
    const patch = (members: object, ...fields: string[]) =>
      ask(service, `PATCH ${path}`, members, [merge, ...fields]);
    const same = await patch({ text: 'b' }, `If-Match: ${etag}`);
    expect([same.status, field(same, 'etag')]).toEqual([200, '"one.1"']);
    const changed = await patch({ title: 'two' }, `If-Match: ${etag}`);
    expect([changed.status, field(changed, 'etag')]).toEqual([200, '"two.1"']);
    expect((await patch({ text: 'c' }, `If-Match: ${etag}`)).status).toBe(412);
    expect((await ask(service, `GET ${path}`, undefined, ['If-None-Match: "two.1"'])).status).toBe(304);
  });

  it('is none where a tag cannot hold it', async () => {
    const { service, path, etag } = await withNote({ title: 'a "b"' }, tagged('"${this.title}"'));
    expect(etag).toBe('');
    const patch = (match: string) =>
      ask(service, `PATCH ${path}`, { text: 'b' }, [merge, `If-Match: ${match}`]);
    expect((await patch('"a"')).status).toBe(412);
    expect((await patch('*')).status).toBe(200);
  });

  it('(any) is a tag of our choice', async () => {
    const { service, path, etag } = await withNote({ title: 'one' }, tagged('(any)'));
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(field(await ask(service, `GET ${path}`), 'etag')).toBe(etag);
  });
});

describe('compare: weak', () => {
  it.each(['strong', 'weak'])('takes weak tags in If-Match, where the tag is %s', async (strength) => {
    const { service, path, etag } = await withNote({ title: 'one' }, tagged(strength, ', compare: weak'));
    const bare = etag.replace('W/', '');
    const patch = (match: string) => ask(service, `PATCH ${path}`, {}, [merge, `If-Match: ${match}`]);
    expect((await patch(`W/${bare}`)).status).toBe(204);
    expect((await patch(bare)).status).toBe(204);
    expect((await patch('W/"other"')).status).toBe(412);
  });
});

describe('If-None-Match to GET', () => {
  it('is answered 304 without content where it names the tag, with the fields that caches need', async () => {
    const { service, path, etag } = await withNote();
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(await ask(service, `GET ${path}`, undefined, [`If-None-Match: ${value}`])).toEqual({
        status: 304,
        fields: ['Cache-Control: no-cache', 'Date: *', `ETag: ${etag}`],
        body: '',
      });
    expect((await ask(service, `HEAD ${path}`, undefined, [`If-None-Match: ${etag}`])).status).toBe(304);
  });

  it('is answered in full where it names another, or is no list of tags', async () => {
    const { service, path, etag } = await withNote();
    for (const value of ['"other"', 'nothing', etag.slice(1, -1), ''])
      expect((await ask(service, `GET ${path}`, undefined, [`If-None-Match: ${value}`])).status).toBe(200);
  });

  it('goes for a list as well, until it changes', async () => {
    const { service, path } = await withNote();
    const etag = field(await ask(service, 'GET /notes'), 'etag');
    const again = () => ask(service, 'GET /notes', undefined, [`If-None-Match: ${etag}`]);
    expect((await again()).status).toBe(304);
    await ask(service, `DELETE ${path}`);
    expect((await again()).status).toBe(200);
  });

  it('goes for a list of more items than are read at once', async () => {
    const service = await start(notes);
    for (let i = 0; i < 300; i += 1) await ask(service, 'POST /notes', { title: 'x'.repeat(900) });
    const whole = await ask(service, 'GET /notes');
    expect((whole.body as { notes: unknown[] }).notes.length).toBe(300);
    const known = await ask(service, 'GET /notes', undefined, [`If-None-Match: ${field(whole, 'etag')}`]);
    expect(known.status).toBe(304);
  });
});

describe('If-Match', () => {
  it('is needed where it is required', async () => {
    const { service, path } = await withNote();
    const refused = await ask(service, `PATCH ${path}`, { title: 'two' }, [merge]);
    expect([refused.status, refused.body]).toEqual([428, { code: 'tag_needed' }]);
    expect((await ask(service, 'PATCH /notes/x', { title: 'two' }, [merge])).body).toEqual({
      code: 'no_note',
    });
    expect(((await ask(service, `GET ${path}`)).body as { note: { title: string } }).note.title).toBe('one');
  });

  it('is not needed if there is no item, whatever the order of the codes is', async () => {
    const { service } = await withNote({ title: 'one' }, `${notes}  order: [tag_needed, no_note]\n`);
    expect((await ask(service, 'PATCH /notes/x', { title: 'two' }, [merge])).body).toEqual({
      code: 'no_note',
    });
  });

  it('refuses where it does not name the tag, by the strong comparison, and changes nothing', async () => {
    const { service, path, etag } = await withNote();
    for (const value of ['"other"', `W/${etag}`, 'nothing', etag.slice(0, -1), '']) {
      const refused = await ask(service, `PATCH ${path}`, { title: 'two' }, [merge, `If-Match: ${value}`]);
      expect([value, refused.status, refused.body]).toEqual([value, 412, { code: 'changed_since' }]);
    }
    expect(field(await ask(service, `GET ${path}`), 'etag')).toBe(etag);
    for (const value of [etag, '*', `"other", ${etag}`])
      expect((await ask(service, `PATCH ${path}`, {}, [merge, `If-Match: ${value}`])).status).toBe(204);
  });

  it('lets one of several through that have seen the same', async () => {
    const { service, path, etag } = await withNote();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(service, `PATCH ${path}`, { title: `by ${index}` }, [merge, `If-Match: ${etag}`]),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('is judged for GET too, of an item and of a list', async () => {
    const { service, path, etag } = await withNote();
    for (const line of [`GET ${path}`, 'GET /notes']) {
      expect((await ask(service, line, undefined, ['If-Match: "other"'])).status).toBe(412);
      expect((await ask(service, line, undefined, ['If-Match: *'])).status).toBe(200);
    }
    expect((await ask(service, `GET ${path}`, undefined, [`If-Match: ${etag}`])).status).toBe(200);
    // A weak tag matches nothing by the strong comparison (RFC 9110 §8.8.3.2).
    const weak = field(await ask(service, 'GET /notes'), 'etag');
    expect((await ask(service, 'GET /notes', undefined, [`If-Match: ${weak}`])).status).toBe(412);
  });

  it('goes before If-None-Match, and both before an expression of one’s own', async () => {
    const { service, path, etag } = await withNote({ title: 'locked' });
    const send = (...fields: string[]) => ask(service, `PATCH ${path}`, { title: 'two' }, [merge, ...fields]);
    expect((await send('If-Match: "other"')).body).toEqual({ code: 'changed_since' });
    expect((await send(`If-Match: ${etag}`)).body).toEqual({ code: 'locked' });
    const both = [`If-Match: ${etag}`, `If-None-Match: ${etag}`];
    expect((await ask(service, `GET ${path}`, undefined, both)).status).toBe(304);
    expect((await ask(service, `GET ${path}`, undefined, ['If-Match: "x"', both[1] as string])).status).toBe(
      412,
    );
  });

  it('stands elsewhere in the order where `errors.order` says so', async () => {
    const { service, path } = await withNote({ title: 'locked' }, `${notes}  order: [locked, tag_needed]\n`);
    expect((await ask(service, `PATCH ${path}`, {}, [merge])).body).toEqual({ code: 'locked' });
  });
});

describe('If-None-Match to what changes an item', () => {
  it('refuses where it names the tag', async () => {
    const { service, path, etag } = await withNote();
    for (const value of [etag, `W/${etag}`, '*'])
      expect((await ask(service, `DELETE ${path}`, undefined, [`If-None-Match: ${value}`])).status).toBe(412);
    expect((await ask(service, `DELETE ${path}`, undefined, ['If-None-Match: "other"'])).status).toBe(204);
  });

  it('lets nothing be made in place of what is there', async () => {
    const service = await start(`
name: Boxes
resources: { Box: { identifier: id, fields: { id: { type: string }, size: { type: integer } } } }
endpoints:
  others: refuse
  PUT /boxes/{id}:
    does: { create: Box, present: replace }
    request: { body: Box }
    response: [{ when: created, status: 201, body: Box }, { status: 200, body: Box }]
    conditional: { etag: strong, ifMatch: allowed, ifNoneMatch: allowed }
`);
    const put = (size: number, ...fields: string[]) => ask(service, 'PUT /boxes/a', { size }, fields);
    expect((await put(1, 'If-Match: *')).status).toBe(412);
    expect((await put(1, 'If-None-Match: *')).status).toBe(201);
    expect((await put(2, 'If-None-Match: *')).status).toBe(412);
    expect((await put(2, 'If-Match: *')).status).toBe(200);
  });
});

describe('an answer to PUT', () => {
  const shelf = (shown: string): string => `
name: Boxes
resources: { Box: { identifier: id, fields: { id: { type: string }, size: { type: integer, default: 3 } }, required: [size] } }
endpoints:
  others: refuse
  POST /boxes: { does: create Box, request: { body: Box }, response: { status: 201, body: Box } }
  GET /boxes/{id}: { does: read Box, response: { status: 200, body: ${shown} }, conditional: { etag: strong } }
  PUT /boxes/{id}:
    does: update Box
    request: { body: Box }
    response: 204
    conditional: { etag: strong, ifMatch: allowed }
`;

  it('has a tag where what was sent is what is shown, and else none (RFC 9110 §9.3.4)', async () => {
    const sent = { size: 4 };
    const same = await start(shelf('{ size: "${this.size}" }'));
    await ask(same, 'POST /boxes', { id: 'a', size: 1 });
    const kept = await ask(same, 'PUT /boxes/a', sent);
    expect(field(kept, 'etag')).toBe(field(await ask(same, 'GET /boxes/a'), 'etag'));
    const other = await start(shelf('Box'));
    await ask(other, 'POST /boxes', { id: 'a', size: 1 });
    expect(field(await ask(other, 'PUT /boxes/a', sent), 'etag')).toBeUndefined();
  });
});

describe('times in place of tags, or beside them', () => {
  const timed = (conditional: string): string =>
    notes
      .replace(
        /(POST .*\n(?: {4}.*\n)*?) {4}conditional: .*\n/,
        '$1    conditional: { lastModified: "${this.at}" }\n',
      )
      .replace(/(GET \/notes:\n(?: {4}.*\n)*?) {4}conditional: .*\n/, '$1')
      .replaceAll(
        /conditional: \{ etag.*\}/g,
        `conditional: { lastModified: "\${this.at}", ${conditional} }`,
      );
  const at = Date.UTC(1994, 10, 6, 8, 49, 37, 750);
  const [same, before, after] = [37, 36, 38].map((second) => `Sun, 06 Nov 1994 08:49:${second} GMT`);
  const served = async (conditional: string): Promise<{ service: Served; path: string }> => {
    const service = await start(timed(conditional), { milliseconds: () => at });
    const made = await ask(service, 'POST /notes', { title: 'one' });
    expect(field(made, 'last-modified')).toBe(same);
    return { service, path: `/notes/${(made.body as { id: string }).id}` };
  };

  it('answer 304 to who has it since, in whole seconds, rounded down', async () => {
    const { service, path } = await served('ifModifiedSince: allowed');
    const status = async (value: string | undefined) =>
      (await ask(service, `GET ${path}`, undefined, [`If-Modified-Since: ${value}`])).status;
    expect(await Promise.all([before, same, after].map(status))).toEqual([200, 304, 304]);
    expect(await Promise.all(['soon', '1994', `${same}, ${same}`].map(status))).toEqual([200, 200, 200]);
    const known = await ask(service, `GET ${path}`, undefined, [`If-Modified-Since: ${same}`]);
    expect(known).toEqual({
      status: 304,
      fields: ['Cache-Control: no-cache', 'Date: *', `Last-Modified: ${same}`],
      body: '',
    });
  });

  it('refuse who has it from before, and need a time that can be read where it is required', async () => {
    const { service, path } = await served('ifUnmodifiedSince: required');
    const status = async (...fields: string[]) =>
      (await ask(service, `PATCH ${path}`, {}, [merge, ...fields])).status;
    expect(await status()).toBe(428);
    expect(await status('If-Unmodified-Since: soon')).toBe(428);
    expect(await status(`If-Unmodified-Since: ${before}`)).toBe(412);
    expect(await status(`If-Unmodified-Since: ${same}`)).toBe(204);
    expect(await status(`If-Unmodified-Since: ${after}`)).toBe(204);
  });

  it('are passed over where tags are asked for as well', async () => {
    const { service, path } = await served(
      'etag: strong, ifMatch: allowed, ifNoneMatch: allowed, ifModifiedSince: allowed, ifUnmodifiedSince: allowed',
    );
    const etag = field(await ask(service, `GET ${path}`), 'etag');
    const status = async (method: string, ...fields: string[]) =>
      (await ask(service, `${method} ${path}`, method === 'PATCH' ? {} : undefined, [merge, ...fields]))
        .status;
    expect(await status('GET', 'If-None-Match: "x"', `If-Modified-Since: ${after}`)).toBe(200);
    expect(await status('GET', `If-None-Match: ${etag}`, `If-Modified-Since: ${before}`)).toBe(304);
    expect(await status('PATCH', `If-Match: ${etag}`, `If-Unmodified-Since: ${before}`)).toBe(204);
    expect(await status('PATCH', 'If-Match: "x"', `If-Unmodified-Since: ${after}`)).toBe(412);
    // With a tag there is no need of the time (RFC 9110 §15.4.5).
    const known = await ask(service, `GET ${path}`, undefined, [`If-None-Match: ${etag}`]);
    expect(field(known, 'last-modified')).toBeUndefined();
    // What makes no difference to a method is ignored (RFC 9110 §13.1.3).
    expect(await status('PATCH', `If-Modified-Since: ${after}`)).toBe(204);
  });
});

describe('what is not stated of preconditions', () => {
  it('is not looked at', async () => {
    const { service, path, etag } = await withNote(undefined, notes.replaceAll(/, if(None)?Match: \w+/g, ''));
    const fields = [
      'If-Match: "x"',
      `If-None-Match: ${etag}`,
      'If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT',
    ];
    expect((await ask(service, `GET ${path}`, undefined, fields)).status).toBe(200);
    expect((await ask(service, `PATCH ${path}`, {}, [merge, ...fields])).status).toBe(204);
  });

  it('holds up those requests alone that it would take to answer', async () => {
    const open = notes.replaceAll('etag: strong', 'etag: (open) strong or weak?');
    const { service, path, etag } = await withNote(undefined, open);
    expect(etag).toBe('');
    expect((await ask(service, `GET ${path}`)).status).toBe(200);
    expect((await ask(service, `GET ${path}`, undefined, ['If-None-Match: "x"'])).status).toBe(501);
    expect((await ask(service, `PATCH ${path}`, {}, [merge, 'If-Match: "x"'])).status).toBe(501);
    expect((await ask(service, `PATCH ${path}`, {}, [merge, 'If-Match: *'])).status).toBe(204);
    expect(service.heldUp).toEqual([
      ['endpoints["GET /notes/{id}"].conditional.etag'],
      ['endpoints["PATCH /notes/{id}"].conditional.etag'],
    ]);
  });
});
