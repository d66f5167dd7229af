import { describe, expect, it } from 'vitest';
import { answer, ask, start } from './served.ts';

const only = (endpoints: string, errors = ''): string => `
name: Things
resources: { Thing: { identifier: id, fields: { id: { type: string }, size: { type: integer } } } }
endpoints:
  others: refuse
${endpoints}
${errors}`;

const add = `  POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201 } }`;

describe('of a payload the service sends what is stated, and no more (language §H.3)', () => {
  it('so a member that is open, free or stated to be absent is left out, at any depth', async () => {
    const service = await start(
      only(
        '  GET /: { does: (none), response: { status: 200, body: { a: 1, b: (open) which?, c: [{ d: (any), e: (none), f: 2 }] } } }',
      ),
    );
    expect(await ask(service, 'GET /')).toEqual(answer(200, { a: 1, c: [{ f: 2 }] }));
    expect(service.heldUp).toEqual([]);
  });

  it('and one that reads what is stated to be free, where the service picks nothing', async () => {
    const service = await start(
      only(
        '  GET /things/{id}: { does: read Thing, response: { status: 200, body: Thing } }',
        'errors: { payload: { body: { code: "${error.code}", url: "${error.extra.url}" } }, codes: { gone: { when: unknown Thing, status: 404, extra: { url: (any) } } } }',
      ),
    );
    expect(await ask(service, 'GET /things/a')).toEqual(answer(404, { code: 'gone' }));
  });

  it('and in a text that is put together JSON escapes what it has to', async () => {
    const service = await start(`
name: Things
resources:
  Thing:
    identifier: id
    fields: { id: { type: string }, of: { type: string }, label: { type: string, derived: "\${'<' + this.of + '> ' + this.id}" } }
endpoints:
  others: refuse
  POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }
  GET /things: { does: list Thing, response: { status: 200, body: "\${Thing(page.items)}" } }`);
    const things = ['plain', 'a "quote"', 'a\\b', 'new\nline', 'é \u{1f600}', 'plain'].map((of, index) => ({
      id: `${index}"`,
      of,
      label: `<${of}> ${index}"`,
    }));
    for (const { id, of, label } of things)
      expect(await ask(service, 'POST /things', { id, of })).toEqual(answer(201, { id, of, label }));
    expect(await ask(service, 'GET /things')).toEqual(answer(200, things));
  });

  it('and a member of an item alone is written as it is with the whole item, secrets never', async () => {
    const service = await start(`
name: Things
resources:
  Maker: { identifier: id, fields: { id: { type: string }, name: { type: string } } }
  Thing:
    identifier: [maker, no]
    fields:
      maker: { refers: Maker }
      no: { type: integer }
      text: { type: string }
      many: { type: array }
      any: {}
      double: { type: integer, derived: "\${this.no * 2}" }
      word: { type: string, secret: hashed }
endpoints:
  others: refuse
  POST /makers: { does: create Maker, request: { body: Maker }, response: { status: 201 } }
  POST /things:
    does: create Thing
    request: { body: Thing }
    response: { status: 201, body: { whole: "\${Thing(this)}", maker: "\${this.maker}", no: "\${this.no}", text: "\${this.text}", many: "\${this.many}", any: "\${this.any}", double: "\${this.double}", word: "\${this.word}", of: "\${this.maker.name}" } }`);
    await ask(service, 'POST /makers', { id: 'é', name: 'a "maker"' });
    const things = [
      { text: 'a "quote"\n\\', many: [1, { a: '}' }, 'é \u{1f600}'], any: { text: 'no' } },
      { text: '', many: [], any: null },
      { any: 1.5e21 },
    ];
    for (const [no, thing] of things.entries()) {
      const whole = { maker: 'é', no, ...thing, double: no * 2 };
      const alone = { ...whole, word: null, of: 'a "maker"' };
      expect(await ask(service, 'POST /things', { maker: 'é', no, ...thing, word: 'secret' })).toEqual(
        answer(201, { whole, ...alone }),
      );
    }
  });

  it('and a list shows its items as they are shown alone, whoever puts them together', async () => {
    const service = await start(`
name: Things
resources:
  Thing:
    identifier: [shelf, slot]
    fields:
      shelf: { type: string }
      slot: { type: string, readable: false }
      path: { type: string, derived: "\${service.url + '/' + this.shelf + '?' + this.slot}" }
      note: {}
      size: { type: integer }
endpoints:
  others: refuse
  POST /things: { does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }
  GET /things: { does: list Thing, request: { query: { size: { type: integer, filter: "\${this.size >= request.query.size}" } } }, response: { status: 200, body: "\${Thing(page.items)}" } }`);
    const odd = ['a', '"', '\\', '\u0001\b\n\u007f', '\u2028é\u{1f600}', '{}', "'"];
    const made = [];
    for (const [index, text] of odd.entries()) {
      const rest = index % 2 === 0 ? {} : { note: { [text]: [text, null] }, size: index };
      made.push((await ask(service, 'POST /things', { shelf: text, slot: `${text}${text}`, ...rest })).body);
    }
    expect(made[3]).toMatchObject({ shelf: odd[3], path: `${service.address}/${odd[3]}?${odd[3]}${odd[3]}` });
    expect((await ask(service, 'GET /things')).body).toEqual(made);
    expect(await (await fetch(`${service.address}/things`)).text()).toBe(JSON.stringify(made));
    expect((await ask(service, 'GET /things?size=4')).body).toEqual([made[5]]);
  });

  it('and with a shape alone the status, and no content', async () => {
    const service = await start(
      only('  GET /: { does: (none), response: { status: 200, shape: { type: object, required: [a] } } }'),
    );
    expect(await ask(service, 'GET /')).toEqual(answer(200));
  });
});

describe('`absent()` leaves a member out (language §G.4)', () => {
  const body = (template: string): string =>
    only(
      `${add}\n  GET /things/{id}: { does: read Thing, response: { status: 200, headers: { X-Size: "<\${this.size > 1 ? 'large' : absent()}>" }, body: ${template} } }`,
    );
  const shown = async (template: string): Promise<unknown[]> => {
    const service = await start(body(template));
    await ask(service, 'POST /things', { id: 'small', size: 1 });
    await ask(service, 'POST /things', { id: 'large', size: 2 });
    const bodies = [];
    for (const id of ['small', 'large']) bodies.push((await ask(service, `GET /things/${id}`)).body);
    return bodies;
  };

  it('of a payload, by one choice or several', async () => {
    expect(await shown('{ id: "${this.id}", size: "${this.size > 1 ? this.size : absent()}" }')).toEqual([
      { id: 'small' },
      { id: 'large', size: 2 },
    ]);
    expect(await shown(`{ a: "\${this.size > 5 ? 'huge' : this.size > 1 ? 'large' : absent()}" }`)).toEqual([
      {},
      { a: 'large' },
    ]);
  });

  it('of a map in an expression', async () => {
    expect(await shown(`"\${[1, 2].map(n, { 'n': n, 'size': n == this.size ? n : absent() })}"`)).toEqual([
      [{ n: 1, size: 1 }, { n: 2 }],
      [{ n: 1 }, { n: 2, size: 2 }],
    ]);
  });

  it('and is null anywhere else, and nothing within text', async () => {
    expect(
      await shown(
        `{ list: ["\${absent()}"], items: "\${[absent()]}", is: "\${absent() == null}", text: "<\${absent()}>" }`,
      ),
    ).toEqual(Array(2).fill({ list: [null], items: [null], is: true, text: '<>' }));
  });

  it('and takes no value', async () => {
    await expect(shown('{ a: "${absent(1)}" }')).rejects.toThrow('absent takes 0 values, and 1 are given');
  });
});

describe('of several statuses the service sends the first (language §F.1)', () => {
  it('in an answer, without content where it has none', async () => {
    const service = await start(
      only(
        `  GET /: { does: (none), response: { status: [203, 200], body: yes } }\n  GET /bare: { does: (none), response: { status: [204, 200], body: yes } }`,
      ),
    );
    expect(await ask(service, 'GET /')).toMatchObject({ status: 203, body: 'yes' });
    expect(await ask(service, 'GET /bare')).toEqual(answer(204));
  });

  it('and in a row, as error.status', async () => {
    const service = await start(
      only(
        '  GET /things/{id}: { does: read Thing, response: { status: 200, body: Thing } }',
        'errors: { payload: { body: { status: "${error.status}" } }, codes: { gone: { when: unknown Thing, status: [410, 404] } } }',
      ),
    );
    expect(await ask(service, 'GET /things/a')).toEqual(answer(410, { status: 410 }));
  });
});
