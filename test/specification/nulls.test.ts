import { describe, expect, it } from 'vitest';
import { document, faults } from './documents.ts';

const resources = [
  'Account: { identifier: name, fields: { name: { type: string }, mail: { type: string } } }',
  'Todo:',
  '  identifier: id',
  '  fields:',
  '    id: { type: integer, set: { create: "${sequence()}" } }',
  '    title: { type: string }',
  '    note: { type: string }',
  '    weight: { type: integer }',
  '    made: { type: string, format: date-time, set: { create: "${now}" } }',
  '    kind: { type: string, default: plain }',
  '    floor: { type: [integer, "null"], default: 0 }',
  '    tags: { type: array, items: { type: string } }',
  '    sure: { type: array, items: { type: string } }',
  '    by: { refers: Account, ifDeleted: delete }',
  '    after: { refers: Todo, ifDeleted: clear }',
  '    boss: { refers: Account, ifDeleted: keep }',
  '    loud: { type: string, derived: "${this.note}" }',
  '    heavy: { type: integer, derived: "${this.weight != null ? this.weight * 2 : 0}" }',
  '  required: [title, sure, by]',
].join('\n');

const making =
  'POST /todos: { does: create Todo, request: { body: Todo, query: { n: { type: integer }, m: { type: integer, default: 1 } } }, response: 201 }';

/** What is reported of an expression in an answer to reading an item. */
function inAnswer(expression: string, further = ''): string[] {
  const read = `GET /todos/{id}: { does: read Todo, request: { query: { q: { type: string }, r: { type: string, required: true } } }, response: { status: 200, body: { a: '\${${expression}}' } } }`;
  return faults(document({ resources, endpoints: `others: refuse\n${making}\n${read}${further}` }));
}

const warned = (words: string): string[] => [`may-be-null: ${words}`];

describe('null that can reach a function or operator that does not take it is a warning', () => {
  it.each([
    ['lower(null)', 'null'],
    ['lower(this.note)', 'this.note'],
    ['this.note.upper()', 'this.note'],
    ['this.weight + 1', 'this.weight'],
    ['-this.weight', 'this.weight'],
    ['size(this.tags)', 'this.tags'],
    ['this.tags.exists(t, t == "a")', 'this.tags'],
    ['this.floor * 2', 'this.floor'],
    ['this.after.title + "!"', 'this.after.title'],
    ['this.boss.name + "!"', 'this.boss.name'],
    ['this.loud.size()', 'this.loud'],
    ['this.sure[0].lower()', 'this.sure[0]'],
    ['(this.title == "a" ? this.note : "b").lower()', 'this.title == "a" ? this.note : "b"'],
    [
      'Todo.filter(t, t.by == this.by).map(t, t.weight).max() + 1',
      'Todo.filter(t, t.by == this.by).map(t, t.weight).max()',
    ],
    ['request.query.q.lower()', 'request.query.q'],
    ['this.note != null || this.note.size() > 1', 'this.note'],
    ['Todo.filter(t, t.id > 1).map(t, t.weight + 1)', 't.weight'],
    ['has(this.note) || this.note.contains("x")', 'this.note'],
  ])('%s', (expression, words) => {
    expect(inAnswer(expression)).toEqual(warned(words));
  });

  it.each([
    'this.note',
    'this.note == this.title',
    'this.weight > 3',
    'string(this.note)',
    'lower(this.title)',
    'this.kind.upper()',
    'this.made - duration("PT1H")',
    'this.sure.size() > 0 && this.sure[0].lower() == "a"',
    'this.by.name + "!"',
    'this.heavy + 1',
    'this.note != null ? this.note.lower() : ""',
    'this.note == null ? 0 : size(this.note)',
    'this.note != null && this.note.contains("x")',
    'this.note == null || this.note.contains("x")',
    '!(this.note == null) && this.note.contains("x")',
    'has(this.note) && this.note.contains("x")',
    'this.weight > 3 ? this.weight - 3 : 0',
    'this.note == "a" ? this.note + "b" : ""',
    'this.after != null && this.after.title == "x" && this.after.title.size() > 0',
    'Todo.filter(t, t.weight != null).map(t, t.weight + 1)',
    'Todo.filter(t, t.id > 1).map(t, t.weight).sum()',
    '[this.weight, 0].max() + 1',
    'type(this.note) == "string" ? this.note.lower() : ""',
    'request.query.r.lower()',
    'this.title.split("-")[0].upper()',
    'merge(null, {"a": 1})',
  ])('and not where null cannot reach it: %s', (expression) => {
    expect(inAnswer(expression)).toEqual([]);
  });

  it('not in a text, where null is written as nothing', () => {
    const read =
      'GET /todos/{id}: { does: read Todo, response: { status: 200, body: { a: "a ${this.note}" } } }';
    expect(faults(document({ resources, endpoints: `others: refuse\n${making}\n${read}` }))).toEqual([]);
  });

  it('in `set`, `with` and `derived`', () => {
    const field = (rest: string): string[] =>
      faults(
        document({
          resources: `${resources}\nLog: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, n: { type: integer }, m: { type: integer, ${rest} } } }`,
          endpoints: `others: refuse\n${making}\nPOST /logs: { does: create Log, request: { body: Log }, response: 201 }`,
        }),
      );
    expect(field('set: { create: "${this.n + 1}" }')).toEqual(warned('this.n'));
    expect(field('derived: "${this.n + 1}"')).toEqual(warned('this.n'));
    const also = (change: string): string[] =>
      faults(
        document({
          resources,
          endpoints: `others: refuse\n${making.replace('response: 201', `also: [${change}], response: 201`)}`,
        }),
      );
    const counted = 'update: this, with: { weight: "${this.weight + 1}" }';
    expect(also(`{ ${counted} }`)).toEqual(warned('this.weight'));
    expect(also(`{ ${counted}, when: "\${this.weight != null}" }`)).toEqual([]);
    expect(also('{ update: this, with: { weight: "${request.query.n + 1}" } }')).toEqual(
      warned('request.query.n'),
    );
    expect(also('{ update: this, with: { weight: "${request.query.m + 1}" } }')).toEqual([]);
  });

  it('not where an answer’s `when`, an earlier one, or a row of part 7 says that it is there', () => {
    const answers = (response: string, errors?: string): string[] =>
      faults(
        document({
          resources,
          endpoints: `others: refuse\n${making}\nGET /todos/{id}: { operation: one, does: read Todo, response: ${response} }`,
          ...(errors && { errors }),
        }),
      );
    const body = 'status: 200, body: { a: "${this.note.lower()}" }';
    expect(answers(`{ ${body} }`)).toEqual(warned('this.note'));
    expect(answers(`[{ when: "\${this.note != null}", ${body} }, { status: 204 }]`)).toEqual([]);
    expect(answers(`[{ when: "\${this.note == null}", status: 204 }, { ${body} }]`)).toEqual([]);
    expect(
      answers(
        `{ ${body} }`,
        'codes: { none: { when: "${this.note == null}", operations: [one], status: 404 } }',
      ),
    ).toEqual([]);
  });

  it('of the cursors and addresses of a page, which there may not be', () => {
    const list = (expression: string): string[] =>
      faults(
        document({
          resources,
          endpoints: `others: refuse\n${making}\nGET /todos: { does: list Todo, request: { query: { at: { page: cursor }, size: { page: size } } }, response: { status: 200, body: { next: '\${${expression}}' } } }`,
        }),
      );
    expect(list('service.url + page.url.next')).toEqual(warned('page.url.next'));
    expect(list('"/todos?at=" + page.next')).toEqual(warned('page.next'));
    expect(list('page.next != null ? "/todos?at=" + page.next : null')).toEqual([]);
    expect(list('page.total + 1')).toEqual([]);
  });

  it('of `old`, by its fields, and of an item that is new', () => {
    const answered = (expression: string, does = 'update Todo', when = ''): string[] =>
      faults(
        document({
          resources,
          endpoints: `others: refuse\n${making}\nPUT /todos/{id}: { does: ${does}, request: { body: Todo }, response: { ${when}status: 200, body: { a: '\${${expression}}' } } }`,
        }),
      );
    expect(answered('old.note.size()')).toEqual(warned('old.note'));
    expect(answered('old.title.size()')).toEqual([]);
    expect(answered('old.note != null ? old.note.size() : 0')).toEqual([]);
    const upsert = '{ create: Todo, present: update }';
    expect(answered('old.title.size()', upsert)).toEqual(warned('old.title'));
    expect(answered('old != null ? old.title.size() : 0', upsert)).toEqual([]);
    expect(answered('outcome == "created" ? 0 : old.title.size()', upsert)).toEqual([]);
    expect(answered('old.title.size()', upsert, 'when: [changed, unchanged], ')).toEqual([]);
  });

  const accounts =
    'schemes: { key: { type: http, scheme: bearer, credentials: operator, actor: Account.name } }';

  it('of `actor`, where somebody unknown is let in, and of what its items lack', () => {
    const asked = (expression: string, rule: string): string[] =>
      faults(
        document({
          resources: `${resources}\nLog: { identifier: id, fields: { id: { type: string }, mail: { refers: Account } } }`,
          endpoints: `others: refuse\n${making}\nPUT /accounts/{name}: { operation: enter, does: create Account, request: { body: { of: Account, omits: [mail] } }, response: 201 }\nGET /me: { operation: me, does: (none), response: { status: 200, body: { a: '\${${expression}}' } } }`,
          authentication: `${accounts}\nauthorization: { me: ${rule} }\notherwise: known`,
        }),
      );
    expect(asked('actor.name + "!"', 'anyone')).toEqual(warned('actor.name'));
    expect(asked('actor.name + "!"', '"${request.headers.origin == \'a\'}"')).toEqual(warned('actor.name'));
    expect(asked('actor != null ? actor.name + "!" : ""', 'anyone')).toEqual([]);
    expect(asked('actor.name + "!"', 'known')).toEqual([]);
    expect(asked('actor.name + "!"', '"${actor.name == \'a\'}"')).toEqual([]);
    expect(asked('actor.mail + "!"', 'known')).toEqual(warned('actor.mail'));
    expect(asked('actor.mail == null ? "" : actor.mail + "!"', 'known')).toEqual([]);
  });

  it('in `where`, and in the rows of part 7', () => {
    const list = (where: string): string[] =>
      faults(
        document({
          resources,
          endpoints: `others: refuse\n${making}\nGET /todos: { does: { list: Todo, where: '\${${where}}' }, request: { query: { q: { type: string } } }, response: 200 }`,
        }),
      );
    expect(list('lower(this.note) == "a"')).toEqual(warned('this.note'));
    expect(list('this.title.contains(request.query.q)')).toEqual(warned('request.query.q'));
    expect(list('this.note != null && lower(this.note) == "a"')).toEqual([]);
    expect(list('request.query.q == null || this.title.contains(request.query.q)')).toEqual([]);
    const row = (message: string): string[] =>
      faults(
        document({
          resources,
          endpoints: `others: refuse\n${making}`,
          errors: `codes: { none: { when: unknown, status: 404, message: '\${${message}}' } }`,
        }),
      );
    expect(row('Todo.filter(t, t.id > 1).map(t, t.weight).max() + 1')).toEqual(
      warned('Todo.filter(t, t.id > 1).map(t, t.weight).max()'),
    );
    expect(row('Todo.filter(t, t.id > 1).size() + 1')).toEqual([]);
    expect(row('error.message + "!"')).toEqual([]);
  });
});
