import { describe, expect, it } from 'vitest';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf, start } from '../service/served.ts';
import { send } from './playing.ts';

const document = `
tacet: 1
complete: true
resources:
  Note:
    identifier: id
    fields:
      id:          { type: string }
      constructor: { type: string, maxLength: 3 }
      link:        { type: string, writable: true, shown: "\${Note(value)}" }
endpoints:
  protocol: RFC 9110
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note }, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { operation: change, does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
authentication: (none)
errors:
  payload: { body: { fields: "\${error.fields}" } }
  codes:
    failed: { when: internal, status: 500 }
    unfit: { when: invalid, status: 422 }
  messages: { maxLength: is too long }
  order: listed
`;
const specification = specificationOf(document);

function steps(
  name: string,
  content: Request['content'],
  of = specification,
  headers: Request['headers'] = {},
) {
  const operation = of.operations.find((each) => each.name === name) as Request['operation'];
  const usual = { query: {}, headers, credentials: [], url: 'http://a' };
  return step(new World(of), { ...usual, operation, path: { id: 'a' }, content });
}

function statuses(
  name: string,
  content: Request['content'],
  of = specification,
  headers: Request['headers'] = {},
): readonly (number | '?')[] {
  return steps(name, content, of, headers).flatMap(({ prediction: { status } }): readonly (number | '?')[] =>
    status instanceof Unknown ? ['?'] : status,
  );
}

describe('a request that is refused', () => {
  it('may be answered by a condition that no row lists, whatever the order of the codes is', () => {
    expect(statuses('change', { constructor: 'long' }).toSorted()).toEqual([404, 422]);
  });

  it('may be answered by a code that `errors.order` does not list, and by the first of those that it lists (rule 8)', () => {
    const some = specificationOf(
      document.replace(
        / {2}messages: .*\n {2}order: listed/,
        '    none: { when: unknown Note, status: 410 }\n    media: { when: unsupported media, status: 415 }\n  order: [none, unfit]',
      ),
    );
    const sent = { constructor: 'long' };
    const html = { 'content-type': 'text/html' };
    expect(statuses('change', sent, some)).toEqual([410]);
    expect(statuses('change', sent, some, html).toSorted()).toEqual([410, 415]);
  });

  it('is too large if its content has more bytes than part 8 allows (language §8.3)', () => {
    const small = specificationOf(`${document}limits: { sizes: { body: 21, operations: { change: 22 } } }\n`);
    expect(statuses('put', { constructor: 'abc' }, small)).toEqual([201]);
    expect(statuses('put', { constructor: 'abé' }, small)).toEqual([413]);
    expect(statuses('change', { constructor: 'abé' }, small)).not.toContain(413);
  });

  it('cannot be read if a text holds half of a surrogate pair (rule 9)', () => {
    expect(statuses('put', { constructor: '\ud834' })).toEqual([400]);
    expect(statuses('put', { constructor: '\u{1d11e}' })).toEqual([201]);
  });

  it('may fail where a member of its answer may not be computable', () => {
    expect(statuses('put', { link: 'b' }).toSorted()).toEqual([201, 500]);
    expect(statuses('put', { constructor: 'abc' })).toEqual([201]);
  });

  it('has a status of an error that no success has, if none is stated', () => {
    const silent = document
      .replace('protocol: RFC 9110', '')
      .replace('unfit: { when: invalid, status: 422 }', 'taken: { when: not unique, status: 409 }')
      .replace('status: 201', 'status: [201, 460]');
    const found = (content: Request['content']) => statuses('put', content, specificationOf(silent));
    expect(found({ constructor: 'abc' })).toEqual([201, 460]);
    const refused = found({ constructor: 'long' });
    expect([400, 422, 599].every((status) => refused.includes(status))).toBe(true);
    expect([201, 302, 460, '?' as const].some((status) => refused.includes(status))).toBe(false);
  });

  it('tells of fields that are named like something of every object', () => {
    const [only] = steps('put', { constructor: 'long' });
    expect(only?.prediction.body).toEqual({ fields: { constructor: ['is too long'] } });
  });
});

describe('an invariant that depends on who asks (language §2.1, rule 6)', () => {
  const owned = specificationOf(`
tacet: 1
complete: true
resources:
  Account: { identifier: name, fields: { name: { type: string } }, items: [{ name: ann }, { name: bob }] }
  Note:
    identifier: id
    fields: { id: { type: string }, owner: { refers: Account, ifDeleted: delete } }
    invariants: { everybody owns what they write: "\${this.owner == actor}" }
endpoints:
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note }, request: { body: Note }, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Account.name }, actor: Account, wrong: refuse } }
  otherwise: known
errors: { codes: { broken: { when: invariant broken, status: 409 } } }
`);
  const operation = owned.operations[0] as Request['operation'];
  const put = (world: World, id: string, name: string, owner: string) =>
    step(world, {
      ...{ operation, path: { id }, query: {}, headers: {}, url: 'http://a' },
      ...{ credentials: [{ scheme: 'key', value: name }], content: { owner } },
    });

  it('is judged only for what is written', () => {
    const [first] = put(new World(owned), 'a', 'ann', 'ann');
    expect(first?.prediction.status).toEqual([204]);
    const statuses = (owner: string) =>
      put(first?.world as World, 'b', 'bob', owner).map(({ prediction }) => prediction.status);
    expect(statuses('bob')).toEqual([[204]]);
    expect(statuses('ann')).toEqual([[409]]);
  });
});

describe('the failures of one request (language §H.4, rule 5)', () => {
  const noted = specificationOf(`
tacet: 1
complete: true
resources:
  Kind: { identifier: name, fields: { name: { type: string } } }
  Note:
    identifier: id
    fields: { id: { type: string }, title: { type: string, maxLength: 3 }, kind: { refers: Kind, ifDeleted: delete } }
    required: [title]
endpoints:
  protocol: RFC 9110
  others: refuse
  PUT /notes/{id}:
    operation: put
    does: { create: Note }
    request: { query: { wait: { type: integer, maximum: 9 } }, body: Note }
    response: 204
authentication: (none)
errors:
  payload: { body: { code: "\${error.code}", failures: "\${error.failures.map(f, f.field + ' ' + f.keyword)}" } }
  codes:
    unfit: { when: invalid, status: 422 }
    long:  { when: invalid Note.title.maxLength, status: 400 }
  order: listed
`);
  const operation = noted.operations[0] as Request['operation'];
  const put = (query: Request['query'], content: Request['content']) =>
    step(new World(noted), {
      ...{ operation, path: { id: 'a' }, query, headers: {}, url: 'http://a', credentials: [], content },
    }).map(({ prediction: { body } }) => body);

  it('are listed together, those of the parameters before or after those of the body', () => {
    expect(put({ wait: 10 }, { no: 1 })).toEqual([
      { code: 'unfit', failures: ['wait maximum', 'title required', 'no others'] },
      { code: 'unfit', failures: ['title required', 'no others', 'wait maximum'] },
    ]);
  });

  it('are answered by the row that errors.order puts first, if several rows fit them', () => {
    expect(put({}, { title: 'long' })).toEqual([{ code: 'long', failures: ['title maxLength'] }]);
    const bodies = put({ wait: 10 }, { title: 'long' });
    expect(bodies).toContainEqual({ code: 'unfit', failures: ['wait maximum'] });
    expect(bodies).not.toContainEqual(expect.objectContaining({ code: 'long' }));
  });

  it('have no references to nothing, unless everything else fits (rule 12)', () => {
    expect(put({}, { title: 'a', kind: 'none' })).toEqual([{ code: 'unfit', failures: ['kind refers'] }]);
    expect(put({ wait: 10 }, { title: 'a', kind: 'none' })).toEqual([
      { code: 'unfit', failures: ['wait maximum'] },
    ]);
  });
});

describe('a later condition whose row errors.order puts first (language §H.4, rule 8)', () => {
  const text = `
tacet: 1
complete: true
resources:
  Account:
    identifier: name
    fields: { name: { type: string }, pin: { type: string, secret: hashed } }
    items: [{ name: ann, pin: right }]
  Note: { identifier: id, fields: { id: { type: string }, title: { type: string, maxLength: 3, unique: true } } }
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /sessions:
    operation: logIn
    does: { authenticate: Account, by: [name, pin] }
    request: { body: { fields: { name: { type: string }, pin: { type: string } }, required: [name, pin] } }
    response: 204
  PUT /notes/{id}:
    operation: put
    does: { update: Note }
    conditional: { etag: strong, ifMatch: required, ifNoneMatch: allowed }
    request: { query: { mode: { type: string } }, body: Note }
    response: 204
authentication: (none)
errors:
  codes:
    bad_login: { when: wrong credentials, status: 401 }
    moved:     { when: precondition failed, status: 412 }
    modeless:  { when: "\${request.query.mode == 'no'}", operations: [put], status: 403 }
    about_it:  { when: "\${this.title == null}", operations: [put], status: 418 }
    taken:     { when: not unique, status: 409 }
    unfit:     { when: invalid, status: 422 }
    unknown:   { when: unknown, status: 404 }
  order: listed
`;
  const sessions = specificationOf(text);
  /** The statuses that the semantics expect, once the service answers with one of them. */
  const sent = async (name: string, content: Request['content'], more: Partial<Request> = {}) => {
    const operation = sessions.operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' };
    const request: Request = { ...usual, operation, content, ...more };
    const expected = step(new World(sessions), request).map(({ prediction: { status } }) => status);
    const { address: url, close } = await start(text);
    const { status } = await send({ ...request, url }, sessions);
    await close();
    expect(expected.flat()).toContain(status);
    return expected;
  };

  it('answers a body that does not fit, if it holds', async () => {
    expect(await sent('logIn', { name: 'ann', pin: 16 })).toEqual([[401]]);
    expect(await sent('logIn', { name: 'ann' })).toEqual([[401]]);
    expect(await sent('logIn', { name: 'ann', pin: 'right', more: 1 })).toEqual([[422]]);
  });

  it('answers where there is no item, unless it is about the item or its change', async () => {
    const path = { id: 'none' };
    expect(await sent('put', { title: 'a' }, { path })).toEqual([[404]]);
    expect(await sent('put', { title: 'long' }, { path })).toEqual([[422]]);
    expect(await sent('put', { title: 'a' }, { path, headers: { 'if-match': '"a"' } })).toEqual([[412]]);
    expect(await sent('put', { title: 'long' }, { path, query: { mode: 'no' } })).toEqual([[403]]);
  });
});

describe('what a request may not have, and what only its change would tell (language §H.4, rule 8)', () => {
  const queue = specificationOf(`
complete: true
resources:
  Call:
    identifier: id
    fields: { id: { type: string }, note: { type: string, maxLength: 3 }, status: { type: string }, scan: { type: string, format: binary } }
states:
  Call.status: { states: [open, done], initial: done, transitions: { finish: { from: open, to: done } } }
endpoints:
  others: refuse
  POST /calls: { operation: add, does: create Call, request: { body: Call }, response: 201 }
  POST /calls/{id}/end: { operation: end, does: finish Call, request: { body: { fields: { note: { type: string, maxLength: 3 } } } }, response: 204 }
errors:
  codes:
    done: { when: transition refused, status: 409 }
    unfit: { when: invalid, status: 422 }
    unknown: { when: unknown, status: 404 }
  payload: { body: { keywords: "\${error.failures.map(f, f.keyword)}" } }
  order: listed
`);
  const ask = (world: World, name: string, request: Partial<Request>) => {
    const operation = queue.operations.find((each) => each.name === name) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    return step(world, { ...usual, operation, ...request });
  };
  const made = (): World => ask(new World(queue), 'add', { content: { id: 'a' } }).at(-1)?.world as World;
  const end = (request: Partial<Request>): readonly unknown[] =>
    ask(made(), 'end', { path: { id: 'a' }, ...request }).flatMap<unknown>(({ prediction }) =>
      [prediction.status].flat(),
    );

  it('is told by the order of the codes, if a parameter does not fit', () => {
    expect(end({ content: {} })).toEqual([409]);
    expect(end({ content: {}, query: { unstated: 'x' } })).toEqual([409]);
  });

  it('is not judged of the change, if the body does not fit', () => {
    expect(end({ content: { note: 'long' } })).toEqual([422]);
  });

  it('is a member that is bytes, if the content is JSON', () => {
    const [{ prediction }] = ask(new World(queue), 'add', { content: { id: 'a', scan: null } }) as [
      ReturnType<typeof step>[number],
    ];
    expect(prediction.body).toEqual({ keywords: ['others'] });
  });
});
