import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { document, faults, words } from './documents.ts';

type Parts = Parameters<typeof document>[0];

const todo = 'Todo: { identifier: id, fields: { id: { type: string }, title: { type: string } } }';
const with_ = (further: Parts): string => document({ head: 'complete: true', resources: todo, ...further });

/** Each error: its code, the characters that it points at, and its hint. */
function hints(content: string): string[] {
  const errors = read('x.md', content).diagnostics.filter((one) => one.severity === 'error');
  return errors.map((one) => `${one.code} ${words(one.span)}: ${one.hint}`);
}

describe('a name that nobody has is refused, with the one that was meant', () => {
  it.each<[string, Parts, string]>([
    ['a resource', { endpoints: 'GET /: { does: list Tood }' }, 'unknown-name Tood: did you mean Todo?'],
    ['far from any', { endpoints: 'GET /: { does: list Parcel }' }, 'unknown-name Parcel: known: Todo'],
    ['a verb', { endpoints: 'GET /: { does: lits Todo }' }, 'unknown-verb lits: did you mean list?'],
    [
      'a transition',
      {
        states: 'Todo.title: { transitions: { finish: { from: a, to: b } } }',
        endpoints: 'GET /{id}: { does: finsh Todo }',
      },
      'unknown-verb finsh: did you mean finish?',
    ],
    [
      'a keyword that fails',
      { errors: 'codes: { a: { when: invalid requird } }' },
      'unknown-name invalid requird: did you mean required?',
    ],
    [
      'a body',
      { endpoints: 'POST /: { does: create Todo, request: { body: Toda } }' },
      'unknown-name Toda: did you mean Todo?',
    ],
    [
      'a member that a body requires',
      { endpoints: 'POST /: { request: { body: { fields: { name: {} }, required: [name, nam] } } }' },
      'unknown-name nam: did you mean name?',
    ],
    [
      'a member that a shape requires',
      { resources: `${todo}\nPlace: { identifier: (none), fields: { town: {} }, required: [twon] }` },
      'unknown-name twon: did you mean town?',
    ],
    [
      'a shape in a body',
      { endpoints: 'POST /: { request: { body: { type: array, items: Toda } } }' },
      'unknown-name Toda: did you mean Todo?',
    ],
    [
      'a field’s shape',
      { resources: `${todo.slice(0, -4)}, a: Addres } }\nAddress: { identifier: (none) }` },
      'unknown-name Addres: did you mean Address?',
    ],
    [
      'the identifier',
      { resources: todo.replace('identifier: id', 'identifier: ids') },
      'unknown-name ids: did you mean id?',
    ],
    [
      'what is required',
      { resources: `${todo.slice(0, -1)}, required: [titel] }` },
      'unknown-name titel: did you mean title?',
    ],
    [
      'what is unique',
      { resources: `${todo.slice(0, -1)}, unique: [[id, titel]] }` },
      'unknown-name titel: did you mean title?',
    ],
    [
      'what a view is of',
      { resources: `${todo}\nBrief: { of: Tood, shows: [id] }` },
      'unknown-name Tood: did you mean Todo?',
    ],
    [
      'a binding’s resource',
      { endpoints: 'GET /{id}: { does: read Todo, request: { path: { id: Tood.id } } }' },
      'unknown-name Tood.id: did you mean Todo?',
    ],
    [
      'a binding’s field',
      { endpoints: 'GET /{id}: { does: read Todo, request: { path: { id: Todo.idd } } }' },
      'unknown-name Todo.idd: did you mean id?',
    ],
    [
      'a parameter of the path',
      { endpoints: 'GET /{number}: { does: read Todo, request: { path: { nmber: Todo.id } } }' },
      'unknown-name nmber: did you mean number?',
    ],
    [
      'a code in the order',
      { errors: 'codes: { gone: { when: unknown, status: 410 } }\norder: [gnoe]' },
      'unknown-name gnoe: did you mean gone?',
    ],
    [
      'an operation of a row',
      {
        endpoints: 'GET /: { operation: listTodos }',
        errors: 'codes: { c: { when: malformed, operations: [listTodo] } }',
      },
      'unknown-name listTodo: did you mean listTodos?',
    ],
    [
      'an operation of a row, which alone tells what its expression may name',
      {
        endpoints: 'GET /{id}: { operation: readTodo, request: { path: { id: Todo.id as one } } }',
        errors: 'codes: { c: { when: "${one == null}", operations: [readTodos] } }',
      },
      'unknown-name readTodos: did you mean readTodo?',
    ],
    [
      'a condition',
      { errors: 'codes: { c: { when: unkown Todo } }' },
      'unknown-condition unkown Todo: conditions are: malformed, unknown path, method not allowed, version missing, version unknown, version retired, credential missing, credential wrong, rate exceeded, too large, timed out, unsupported media, not acceptable, unknown, gone, not authorized, invalid, key missing, key reused, key busy, precondition missing, precondition failed, range not satisfiable, wrong credentials, transition refused, guard refused, not unique, different, in use, invariant broken, quota exceeded, internal, not authenticated, ${ … }',
    ],
    [
      'a condition, nearly',
      { errors: 'codes: { c: { when: malformd } }' },
      'unknown-condition malformd: did you mean "malformed"?',
    ],
    [
      'what a condition is about',
      { errors: 'codes: { c: { when: unknown Tood } }' },
      'unknown-name unknown Tood: did you mean Todo?',
    ],
    [
      'the field that it is about',
      { errors: 'codes: { c: { when: invalid Todo.titel } }' },
      'unknown-name invalid Todo.titel: did you mean title?',
    ],
    [
      'what it conceals',
      { errors: 'codes: { c: { when: not authorized, as: unknown Tood } }' },
      'unknown-name unknown Tood: did you mean Todo?',
    ],
    [
      'a rate',
      { limits: 'rates: { desk: { allow: 1 } }', errors: 'codes: { c: { when: rate exceeded dsk } }' },
      'unknown-name rate exceeded dsk: did you mean desk?',
    ],
    [
      'a size',
      { errors: 'codes: { c: { when: too large pag } }' },
      'unknown-name too large pag: did you mean page?',
    ],
    [
      'a guard',
      {
        states: 'Todo.title: { transitions: { finish: { from: a, to: b } } }',
        errors: 'codes: { c: { when: guard refused Todo.finis } }',
      },
      'unknown-name guard refused Todo.finis: did you mean finish?',
    ],
    [
      'a condition about nothing',
      { errors: 'codes: { c: { when: internal Todo } }' },
      'unknown-condition internal Todo: internal is about nothing in particular',
    ],
    [
      'a place that cannot be read',
      { errors: 'codes: { c: { when: malformed bdy } }' },
      'unknown-name malformed bdy: did you mean body?',
    ],
    [
      'a keyword of messages',
      { errors: 'messages: { minLenght: x }' },
      'unknown-name minLenght: did you mean minLength?',
    ],
    [
      'a field of messages',
      { errors: 'messages: { Todo.titel: x }' },
      'unknown-name Todo.titel: did you mean title?',
    ],
    ['a machine', { states: 'Tood.title: { states: [a] }' }, 'unknown-name Tood.title: did you mean Todo?'],
    [
      'a state that a transition leads to',
      { states: 'Todo.title: { states: [open, done], transitions: { finish: { from: open, to: donne } } }' },
      'unknown-name donne: did you mean done?',
    ],
    [
      'a state that a transition comes from',
      {
        states:
          'Todo.title: { states: [open, done], transitions: { finish: { from: [open, opne], to: (none) } } }',
      },
      'unknown-name opne: did you mean open?',
    ],
    [
      'the first state',
      { states: 'Todo.title: { states: [open], initial: opn }' },
      'unknown-name opn: did you mean open?',
    ],
    [
      'a last state',
      { states: 'Todo.title: { states: [done], final: [doen] }' },
      'unknown-name doen: did you mean done?',
    ],
    [
      'an operation of part 5',
      { endpoints: 'GET /: { operation: listTodos }', authentication: 'authorization: { listTodo: anyone }' },
      'unknown-name listTodo: did you mean listTodos?',
    ],
    [
      'what emits',
      { endpoints: 'GET /: { operation: listTodos }', events: 'kinds: { listed: { by: [listTodo] } }' },
      'unknown-name listTodo: did you mean listTodos?',
    ],
    [
      'a type',
      { resources: 'Todo: { fields: { a: { type: strng } } }' },
      'unknown-type strng: did you mean string?',
    ],
    [
      'a format',
      { resources: 'Todo: { fields: { a: { format: uudi } } }' },
      'unknown-format uudi: did you mean uuid?',
    ],
    ['a word', { resources: 'Todo: { others: refuze }' }, 'unknown-word refuze: did you mean refuse?'],
    ['a key', { endpoints: 'GET /: { respons: 204 }' }, 'unknown-key respons: did you mean response?'],
    [
      'a keyword',
      { resources: 'Todo: { fields: { a: { maxLenght: 3 } } }' },
      'unknown-key maxLenght: did you mean maxLength?',
    ],
  ])('%s', (_what, further, expected) => {
    expect(hints(with_(further))).toEqual([expected]);
  });

  it('a key of a YAML or JSON file', () => {
    expect(read('x.yaml', 'endpoint: {}').diagnostics.map((one) => one.hint)).toEqual([
      'did you mean endpoints?',
    ]);
    expect(read('x.json', '{"title": "x"}').diagnostics.map((one) => one.hint)).toEqual([
      'known here: name, tacet, complete, open, let, service, resources, states, endpoints, authentication, events, errors, limits, versioning',
    ]);
  });

  it('and where a list has many, a handful of them', () => {
    const many = Array.from({ length: 40 }, (_, index) => `GET /${index}: { operation: operation${index}x }`);
    const content = with_({
      endpoints: many.join('\n'),
      errors: 'codes: { c: { when: malformed, operations: [none] } }',
    });
    expect(hints(content)[0]).toMatch(
      /^unknown-name none: known: operation0x, .*, operation11x and 28 more$/,
    );
  });
});

describe('as long as part 2 describes nothing and is open, a name is silence and no fault', () => {
  const endpoints =
    'POST /: { does: create Todo, request: { body: Todo }, response: { status: 201, body: Todo } }';

  it('in part 4 and in part 7', () => {
    expect(faults(document({ endpoints, errors: 'codes: { c: { when: unknown Todo } }' }))).toEqual([]);
  });

  it('but a fault once part 2 is closed, or describes others', () => {
    expect(faults(document({ endpoints, resources: '(none)' }))).toContain('unknown-name: Todo');
    expect(faults(document({ endpoints, resources: 'Other: {}' }))).toContain('unknown-name: Todo');
  });

  it('as long as a resource describes no field, and their list is open, so is one of its fields', () => {
    const naming = (fields: string) =>
      faults(document({ resources: `Todo: { identifier: id, ${fields} required: [b] }` }));
    expect(naming('')).toEqual([]);
    expect(naming('fields: { id: {} },')).toEqual(['undescribed-field: b']);
  });

  it('as may a transition, where part 3 is silent', () => {
    const moves = (states: Parts) =>
      faults(document({ resources: todo, endpoints: 'GET /{id}: { does: finish Todo }', ...states }));
    expect(moves({})).toEqual([]);
    expect(moves({ states: '(none)' })).toEqual(['unknown-verb: finish']);
  });
});

describe('things that stand twice point at each other', () => {
  it.each<[string, Parts, string]>([
    [
      'operations',
      { endpoints: 'GET /: { operation: one }\nGET /a: { operation: one }' },
      'operation-twice: one',
    ],
    ['paths', { endpoints: 'GET /{a}: {}\nGET /{b}: {}' }, 'path-twice: GET /{b}'],
    ['parameters of a path', { endpoints: 'GET /{a}/{a}: {}' }, 'parameter-twice: GET /{a}/{a}'],
    [
      'rows',
      { errors: 'codes: { a: { when: malformed }, b: { when: malformed } }' },
      'condition-twice: malformed',
    ],
    [
      'rows, by another word',
      { errors: 'codes: { a: { when: not authenticated }, b: { when: credential wrong } }' },
      'condition-twice: credential wrong',
    ],
    ['required fields', { resources: 'Todo: { fields: { a: {} }, required: [a, a] }' }, 'key-twice: a'],
  ])('%s', (_what, further, expected) => {
    const found = read('x.md', document(further)).diagnostics;
    expect(found.map((one) => `${one.code}: ${words(one.span)}`)).toEqual([expected]);
    if (!expected.startsWith('parameter')) expect(found[0]?.related).toHaveLength(1);
  });

  it('and what only looks alike does not', () => {
    expect(
      faults(
        document({
          endpoints: 'GET /x/{a}: {}\nPUT /x/{b}: {}\nGET /a: {}\nGET /{a}/b/c: {}\nGET /a/: {}',
          errors:
            'codes: { a: { when: invalid }, b: { when: invalid body }, c: { when: invalid, operations: [GET /a] } }',
        }),
      ),
    ).toEqual([]);
  });
});
