import { describe, expect, it } from 'vitest';
import { read } from '../../../src/specification/read.ts';
import { answer, ask, start } from '../served.ts';

/** Owners, each with a plan, and their notes; a note can make a draft. */
const notes = (quotas: string) => `name: notes
complete: true
resources:
  Owner:
    identifier: name
    fields: { name: { type: string }, plan: { type: integer, default: 2 }, gone: { type: boolean, default: false } }
    required: [name]
  Note:
    identifier: id
    fields:
      id: { type: string }
      owner: { refers: Owner, ifDeleted: delete }
      size: { type: integer, default: 1 }
      hidden: { type: boolean, default: false }
      half: { type: integer, derived: "\${this.size / 2}" }
    required: [id]
  Draft:
    identifier: id
    fields: { id: { type: string } }
endpoints:
  others: refuse
  POST /owners: { does: create Owner, request: { body: Owner }, response: 201 }
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
  POST /several:
    does: (none)
    also: [{ create: Note, for: "\${request.body.notes}", with: { id: "\${value.id}", owner: "\${value.owner}" } }]
    request: { body: { fields: { notes: { type: array, maxItems: 9 } } } }
    response: 204
  POST /copies: { does: create Note, also: { create: Draft, with: { id: "\${this.id}" } }, request: { body: Note }, response: 201 }
  PUT /notes/{id}: { does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  PATCH /notes/{id}: { does: update Note, request: { body: Note, media: application/merge-patch+json }, response: 204 }
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  DELETE /notes: { does: delete every Note, response: 204 }
errors:
  payload: { body: { code: "\${error.code}", limit: "\${error.extra.limit}", used: "\${error.extra.used}" } }
  codes:
    full: { when: quota exceeded, status: 409, extra: { limit: "\${quota.limit}", used: "\${quota.used}" } }
    invalid: { when: invalid, status: 400 }
limits: { quotas: { ${quotas} } }
`;

const merge = ['Content-Type: application/merge-patch+json'];
const full = (limit: number, used: number) => answer(409, { code: 'full', limit, used });

async function served(quotas: string, data?: string) {
  const service = await start(notes(quotas), data === undefined ? {} : { data });
  const done = async (what: string, body?: object): Promise<unknown> =>
    ask(service, what, body, what.startsWith('PATCH') ? merge : []);
  const each = async (...all: readonly (readonly [string, object?])[]): Promise<void> => {
    for (const [what, body] of all)
      expect([what, await done(what, body)]).toEqual([
        what,
        expect.objectContaining({ status: /POST \/(owners|notes|copies)$/.test(what) ? 201 : 204 }),
      ]);
  };
  return { service, done, each };
}

describe('a quota of all items of a resource (language §8.4)', () => {
  const two = 'notes: { of: Note, allow: 2 }';

  it('refuses the item that is one too many, until another goes', async () => {
    const { done, each, service } = await served(two);
    await each(['POST /notes', { id: 'a' }], ['POST /notes', { id: 'b' }]);
    expect(await done('POST /notes', { id: 'c' })).toEqual(full(2, 2));
    await each(['PUT /notes/a', {}], ['PATCH /notes/b', { size: 7 }], ['DELETE /notes/a']);
    await each(['POST /notes', { id: 'c' }]);
    expect(await done('PUT /notes/d', {})).toEqual(full(2, 2));
    expect(service.faults).toEqual([]);
  });

  it('holds whoever creates at once', async () => {
    const { done } = await served('notes: { of: Note, allow: 3 }');
    const all = await Promise.all([...'abcdefgh'].map((id) => done('POST /notes', { id })));
    const statuses = all.map((one) => (one as { readonly status: number }).status);
    expect(statuses.sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  });

  it('is judged at the end of a request, and undoes all of it', async () => {
    const { service, done, each } = await served('drafts: { of: Draft, allow: 1 }');
    await each(['POST /copies', { id: 'a' }]);
    const before = await service.rows();
    expect(await done('POST /copies', { id: 'b' })).toEqual(full(1, 1));
    expect(await service.rows()).toEqual(before);
  });

  it('lets items change where there are more than it allows by now', async () => {
    const first = await served(two);
    await first.each(['POST /notes', { id: 'a' }], ['POST /notes', { id: 'b' }]);
    await first.service.close();
    const { done, each } = await served('notes: { of: Note, allow: 1 }', first.service.data);
    await each(['PUT /notes/a', { size: 3 }]);
    expect(await done('POST /notes', { id: 'c' })).toEqual(full(1, 2));
    await each(['DELETE /notes'], ['POST /notes', { id: 'c' }]);
  });

  it('can allow nothing, counts nothing while it is open, and is not asked of a body that does not fit', async () => {
    const none = await served('notes: { of: Note, allow: 0 }');
    expect(await none.done('POST /notes', { id: 'a' })).toEqual(full(0, 0));
    expect(await none.done('POST /notes', {})).toMatchObject({ status: 400 });
    const open = await served('notes: { of: Note, allow: (open) how many? }');
    await open.each(['POST /notes', { id: 'a' }]);
  });
});

describe('a quota of groups of items', () => {
  it('counts the items of each owner, as many as the plan of the owner allows', async () => {
    const { done, each } = await served(
      'notes: { of: Note, per: "${this.owner}", allow: "${this.owner.plan}" }',
    );
    await each(['POST /owners', { name: 'ann' }], ['POST /owners', { name: 'bob', plan: 1 }]);
    await each(['POST /notes', { id: 'a', owner: 'ann' }], ['POST /notes', { id: 'b', owner: 'bob' }]);
    expect(await done('POST /notes', { id: 'c', owner: 'bob' })).toEqual(full(1, 1));
    await each(
      ['POST /notes', { id: 'c', owner: 'ann' }],
      ['POST /notes', { id: 'd' }],
      ['POST /notes', { id: 'e' }],
    );
    expect(await done('PATCH /notes/b', { owner: 'ann' })).toEqual(full(2, 2));
    await each(['PATCH /notes/a', { owner: null }], ['PATCH /notes/b', { owner: 'ann' }]);
    expect(await done('PATCH /notes/a', { owner: 'ann' })).toEqual(full(2, 2));
    await each(['POST /notes', { id: 'f', owner: 'bob' }]);
  });

  it('adds up what it states, of the items that it states', async () => {
    const { done, each } = await served(
      'space: { of: Note, per: "${this.owner}", sum: "${this.size}", allow: 10, when: "${!this.hidden}" }',
    );
    await each(['POST /owners', { name: 'ann' }], ['POST /notes', { id: 'a', owner: 'ann', size: 9 }]);
    expect(await done('POST /notes', { id: 'b', owner: 'ann', size: 2 })).toEqual(full(10, 9));
    await each(['POST /notes', { id: 'b', owner: 'ann', size: 8, hidden: true }]);
    expect(await done('PATCH /notes/b', { hidden: false })).toEqual(full(10, 9));
    expect(await done('PATCH /notes/a', { size: 11 })).toEqual(full(10, 9));
    await each(['PATCH /notes/a', { size: 2 }], ['PATCH /notes/b', { hidden: false }]);
    const several = { notes: [{ id: 'x', owner: 'ann' }] };
    expect(await done('POST /several', several)).toEqual(full(10, 10));
  });
});

describe('tacet check, of quotas', () => {
  const found = (quotas: string, of = notes(quotas)) =>
    read('notes.yaml', of).diagnostics.map(({ code, message }) => `${code}: ${message}`);

  it('takes what is stored with the item, and nothing that another item could change', () => {
    const quota = (more: string): string => `notes: { of: Note, allow: 2, ${more} }`;
    expect(found(quota('per: "${this.owner}", sum: "${this.size}"'))).toEqual([]);
    expect(found(quota('when: "${!this.owner.gone}"'))).toEqual([
      expect.stringContaining('this.owner.gone is none'),
    ]);
    expect(found(quota('sum: "${this.half}"'))).toEqual([expect.stringContaining('this.half is none')]);
    expect(found(quota('when: "${now > timestamp(\'2026-01-01T00:00:00Z\')}"'))).toEqual([
      expect.stringContaining('now is none'),
    ]);
    expect(found(quota('sum: "${this.id}"'))).toEqual([expect.stringContaining('expression-type')]);
  });

  it('knows the quotas that a row of part 7 can name', () => {
    const quotas = 'notes: { of: Note, allow: 2 }';
    const named = (name: string): string => notes(quotas).replace('quota exceeded', `quota exceeded ${name}`);
    expect(found('', named('notes'))).toEqual([]);
    expect(found('', named('note'))).toEqual(['unknown-name: note is not the name of a quota']);
    expect(found('', notes(quotas).replace(/limits: .*/, 'limits: (none)'))).toEqual([
      expect.stringContaining('never-refused'),
    ]);
  });
});
