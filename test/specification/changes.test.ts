import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings, pairs } from './findings.ts';

const resources = `Account:
  identifier: id
  fields:
    id: { type: string, set: { create: "\${uuid()}" } }
    name: { type: string, unique: true }
    password: { type: string, secret: hashed }
Article:
  identifier: slug
  fields:
    slug: { type: string }
    title: { type: string }
    author: { refers: Account, ifDeleted: delete }
    parent: { refers: Article, ifDeleted: clear }
    status: { enum: [draft, published] }
    words: { type: integer }
    openedAt: { type: string, format: date-time }
    tags: { type: array, items: { type: string } }
    address: { type: object, properties: { town: { type: string }, number: { type: integer } } }
    slow: { type: string, derived: "\${trim(string(this.title))}" }
    several: { derived: { a: "\${this.title}" } }
Like: { identifier: [article, by], fields: { article: { refers: Article, ifDeleted: delete }, by: { refers: Account, ifDeleted: delete } } }
Sum: { identifier: (none), type: object, properties: { words: { type: integer } } }
Brief: { of: Article, shows: [title] }`;

const states = `Article.status:
  states: [draft, published]
  initial: draft
  final: published
  transitions: { publish: { from: draft, to: published } }`;

/** A document of one endpoint, all of whose lists are closed. */
const endpoint = (keys: string, path = 'POST /articles/{slug}'): string =>
  document({
    head: 'complete: [resources, states]',
    resources,
    states,
    endpoints: `${path}: { ${keys} }`,
  });

describe('a qualifier that says nothing of its verb is told', () => {
  it.each<[string, string, string[]]>([
    [
      'what is set, of what is shown',
      'does: { read: Article, with: { words: 5 } }',
      ['idle with: with says nothing of read → take it out'],
    ],
    [
      'of what is deleted',
      'does: { delete: Article, with: { words: 5 } }',
      ['idle with: with says nothing of delete → take it out'],
    ],
    [
      'which one, of what is made',
      'does: { create: Article, where: "${true}" }',
      ['idle where: where says nothing of create → take it out'],
    ],
    [
      'what is there already, of a list',
      'does: { list: Article, present: keep }',
      ['idle present: present says nothing of list → take it out'],
    ],
    [
      'of an update',
      'does: { update: Article, present: keep }',
      ['idle present: present says nothing of update → take it out'],
    ],
    [
      'what it is to change nothing, of a creation that changes none',
      'does: { create: Article, present: keep, same: changed }',
      ['idle same: same says nothing of create without `present: update` or `replace` → take it out'],
    ],
    [
      'of a list, too',
      'does: { list: Article, same: changed }',
      ['idle same: same says nothing of list → take it out'],
    ],
    [
      'what is not there, of what is made',
      'does: { create: Article, absent: ignore }',
      ['idle absent: absent says nothing of create → take it out'],
    ],
    [
      'of a list',
      'does: { list: Article, absent: ignore }',
      ['idle absent: absent says nothing of list → take it out'],
    ],
    [
      'an order of one',
      'does: { read: Article, order: [title] }',
      ['idle order: order says nothing of read → take it out'],
    ],
    [
      'a condition of what is done first',
      'does: { update: Article, when: "${true}" }',
      ['idle when: when says nothing of update → take it out'],
    ],
    [
      'several of what is done first',
      'does: { create: Article, for: "${[1]}" }',
      ['idle for: for says nothing of create → take it out'],
    ],
    [
      'a name of a list',
      'does: { list: Article, as: one }',
      ['idle as: as says nothing of list → take it out'],
    ],
    [
      'what is compared, of an update',
      'does: { update: Article, by: { slug: "${request.body}" } }',
      ['idle by: by says nothing of update → take it out'],
    ],
    [
      'what a handler gives, of an update',
      'does: { update: Article, gives: Sum, may: [list Article] }',
      [
        'idle gives: gives says nothing of update → take it out',
        'idle may: may says nothing of update → take it out',
      ],
    ],
    [
      'what a handler sets',
      'does: { handled: h, with: { words: 5 } }',
      ['idle with: with says nothing of handled → take it out'],
    ],
    [
      'an order of a transition',
      'does: { publish: Article, order: [title] }',
      ['idle order: order says nothing of a transition → take it out'],
    ],
    [
      'what is there already, of a transition',
      'does: { publish: Article, present: keep }',
      ['idle present: present says nothing of a transition → take it out'],
    ],
    [
      'even where it is denied',
      'does: { read: Article, order: (none) }',
      ['idle order: order says nothing of read → take it out'],
    ],
    [
      'in what follows',
      'does: read Article, also: [{ delete: this, present: keep }]',
      ['idle present: present says nothing of delete → take it out'],
    ],
    [
      'every one, of what is made',
      'does: create every Article',
      ['idle every Article: every says nothing of create → take it out'],
    ],
    [
      'of what is shown',
      'does: read every Article',
      ['idle every Article: every says nothing of read → take it out'],
    ],
    [
      'of what is replaced',
      'does: replace every Article',
      ['idle every Article: every says nothing of replace → take it out'],
    ],
  ])('%s', (_, keys, expected) => {
    expect(findings(endpoint(keys))).toEqual(expected);
  });

  it.each<[string, string]>([
    ['of what is made', 'does: { create: Article, with: { words: 5 }, present: match, as: article }'],
    ['of a list', 'does: { list: Article, where: "${this.words > 5}", order: [-words, title] }'],
    [
      'of an update',
      'does: { update: Article, with: { words: 5 }, where: "${this.words > 5}", absent: ignore, as: article }',
    ],
    ['of several', 'does: { update: every Article, with: { words: 5 }, where: "${this.words > 5}" }'],
    ['of what is replaced', 'does: { replace: Article, absent: ignore, as: article }'],
    ['of what is deleted', 'does: { delete: every Article, where: "${this.author == actor}" }'],
    [
      'of what is shown',
      'does: { read: Article, where: "${this.author == actor}", absent: ignore, as: article }',
    ],
    [
      'of a transition',
      'does: { publish: Article, with: { words: 5 }, where: "${this.words > 5}", absent: ignore, as: article }',
    ],
    ['of a login', 'does: { authenticate: Account, by: [name, password], as: account }'],
    ['of a handler', 'does: { handled: h, gives: Sum, may: [list Article, publish Article] }'],
    [
      'in what follows',
      'does: read Article, also: [{ create: Like, for: "${request.body}", when: "${value != null}", with: { article: "${this}", by: "${value}" } }]',
    ],
    ['that is asked', 'does: { read: Article, order: (open) by what? }'],
  ])('and none that fits: %s', (_, keys) => {
    expect(findings(endpoint(keys))).toEqual([]);
  });
});

describe('what a change is about is told where there is no such thing', () => {
  it.each<[string, string, string[]]>([
    [
      'a resource',
      'does: read Artcle',
      ['unknown-name Artcle: Artcle is not the name of a resource → did you mean Article?'],
    ],
    [
      'a shape, which is not kept',
      'does: read Sum',
      ['unknown-name Sum: Sum is not the name of a resource that is kept → known: Account, Article, Like'],
    ],
    [
      'a view, which is not kept',
      'does: create Brief',
      [
        'unknown-name Brief: Brief is not the name of a resource that is kept → known: Account, Article, Like',
      ],
    ],
    [
      'a name that nothing has',
      'does: read Article, also: [{ delete: artcle }]',
      ['unknown-name artcle: artcle is not the name of a resource or an item → did you mean Article?'],
    ],
    [
      'a name that comes after',
      'does: read Article, also: [{ delete: like }, { create: Like, as: like }]',
      ['unknown-name like: like is not the name of a resource or an item → did you mean Like?'],
    ],
    [
      'an expression that is no item',
      'does: read Article, also: [{ delete: "${this.title}" }]',
      ['wrong-kind "${this.title}": one item is wanted here, and this is text → null'],
    ],
    [
      'a slip in an expression',
      'does: read Article, also: [{ delete: "${this.autor}" }]',
      ['expression-type this.autor: an item of Article has no autor; did you mean author? → null'],
    ],
    [
      'a transition of another resource',
      'does: publish Like',
      [
        'unknown-verb publish: publish is neither a verb nor a transition of this resource → verbs are: create, read, list, update, replace, delete, authenticate, revoke, handled, run',
      ],
    ],
    [
      'a transition of what an expression is',
      'does: read Article, also: [{ publish: "${this.author}" }]',
      [
        'unknown-verb publish: publish is neither a verb nor a transition of this resource → verbs are: create, read, list, update, replace, delete, authenticate, revoke, handled, run',
      ],
    ],
    [
      'a slip in a verb',
      'does: { publsh: Article }',
      [
        'unknown-verb publsh: publsh is neither a verb nor a transition of this resource → did you mean publish?',
      ],
    ],
    ['a scheme to revoke', 'does: revoke tokn', []],
    [
      'what a handler gives',
      'does: { handled: h, gives: Sm }',
      ['unknown-name Sm: Sm is not the name of a shape → did you mean Sum?'],
    ],
    [
      'of what it may do',
      'does: { handled: h, may: [list Artcle] }',
      ['unknown-name list Artcle: Artcle is not the name of a resource → did you mean Article?'],
    ],
    [
      'what it may do',
      'does: { handled: h, may: [publsh Article] }',
      [
        'unknown-verb publsh Article: publsh is neither a verb nor a transition of this resource → did you mean publish?',
      ],
    ],
  ])('%s', (_, keys, expected) => {
    expect(findings(endpoint(keys))).toEqual(expected);
  });

  it('a scheme, where part 5 states some', () => {
    const authentication = 'schemes: { token: { type: http, scheme: bearer, credentials: operator } }';
    const content = document({ resources, endpoints: 'DELETE /: { does: revoke tokn }', authentication });
    expect(findings(content)).toEqual([
      'unknown-name tokn: tokn is not the name of a scheme → did you mean token?',
    ]);
  });

  it.each<[string, string]>([
    [
      'by expression',
      'does: read Article, also: [{ update: "${this.author}", with: { name: a } }, { publish: "${this.parent}" }]',
    ],
    ['by name', 'does: { create: Like, as: like }, also: [{ delete: like }, { update: this }]'],
    ['by who asks', 'does: { update: "${actor}", with: { name: a } }'],
    ['by what may be any item', 'does: { publish: "${actor}" }'],
  ])('and what is one is not: %s', (_, keys) => {
    expect(findings(endpoint(keys))).toEqual([]);
  });
});

describe('what a change sets is told where it does not fit', () => {
  it.each<[string, string, string[]]>([
    [
      'a field',
      '{ titel: a }',
      ['unknown-name titel: titel is not the name of a field → did you mean title?'],
    ],
    ['a number for text', '{ title: 5 }', ['wrong-kind 5: text is wanted here, and this is a number → null']],
    [
      'text for a number',
      '{ words: many }',
      ['wrong-kind many: an integer is wanted here, and this is text → null'],
    ],
    [
      'a time for a number',
      '{ words: "${now}" }',
      ['expression-type now: this is a time, and an integer is wanted → null'],
    ],
    [
      'part of a number for a whole one',
      '{ words: "${double(this.words) / 2.0}" }',
      ['expression-type double(this.words) / 2.0: this is a number, and an integer is wanted → null'],
    ],
    [
      'a quotient of what may be whole',
      '{ words: "${request.body.words / 2}" }',
      ['expression-type request.body.words / 2: this is a number, and an integer is wanted → null'],
    ],
    [
      'a word that is none of a few',
      '{ status: publishd }',
      [
        'wrong-kind publishd: one of draft, published is wanted here, and this is publishd → did you mean published?',
      ],
    ],
    [
      'a slip',
      '{ title: "${this.titel}" }',
      ['expression-type this.titel: an item of Article has no titel; did you mean title? → null'],
    ],
    ['elements', '{ tags: [a, 5] }', ['wrong-kind 5: text is wanted here, and this is a number → null']],
    [
      'a list of others',
      '{ tags: "${[1, 2]}" }',
      ['expression-type [1, 2]: this is a list of an integer, and a list of text is wanted → null'],
    ],
    [
      'a member',
      '{ address: { number: one } }',
      ['wrong-kind one: an integer is wanted here, and this is text → null'],
    ],
    [
      'what is no map',
      '"${this.title}"',
      ['expression-type this.title: this is text, and an object is wanted → null'],
    ],
    [
      'one of several',
      '["${request.body}", { words: many }]',
      ['wrong-kind many: an integer is wanted here, and this is text → null'],
    ],
    [
      'a list of an item',
      '{ author: "${[actor]}" }',
      ['expression-type [actor]: this is a list of any value, and an item of Account is wanted → null'],
    ],
  ])('%s', (_, given, expected) => {
    expect(findings(endpoint(`does: { update: Article, with: ${given} }`))).toEqual(expected);
  });

  it.each<[string, string]>([
    ['an item, by itself or its key', '{ author: "${actor}", parent: my-article }'],
    ['another item of the same', '{ parent: "${this}" }'],
    ['a time', '{ openedAt: "${now}" }'],
    ['a time as text', '{ openedAt: "2026-11-01T00:00:00Z" }'],
    ['a time for text', '{ title: "${now}" }'],
    ['null', '{ words: null, title: "${null}" }'],
    ['text around an expression', '{ title: "by ${this.author.name}" }'],
    ['what is typed elsewhere', '{ words: "${request.body.words}", tags: "${request.body.tags}" }'],
    ['what may be whole', '{ words: "${request.body.words - 1 + 2 * request.body.more % 5}" }'],
    ['elements and members', '{ tags: [a, "${this.title}"], address: { town: a, number: 5, more: x } }'],
    ['what the service makes', '{ title: "${uuid()}", words: "${sequence()}" }'],
    ['handlers', '{ title: { handled: h } }'],
  ])('and what fits is not: %s', (_, given) => {
    expect(findings(endpoint(`does: { update: Article, with: ${given} }`))).toEqual([]);
  });

  it('and what each of several items has may be read by the name that as gives it', () => {
    const every = (as: string) =>
      endpoint(`does: { update: every Article, ${as}with: { title: "\${it.title + '!'}" } }`);
    expect(findings(every('as: it, '))).toEqual([]);
    expect(findings(every(''))).toEqual([
      expect.stringContaining('expression-type it: nothing is called it'),
    ]);
  });

  it('a field that is named here and described nowhere is, though their list is open', () => {
    const content = document({
      resources,
      endpoints: 'POST /: { does: { create: Article, with: { comments: a } } }',
    });
    expect(findings(content)).toEqual([
      'undescribed-field comments: comments is named here, and no field of Article is described by that name → describe it in part 2, if only by its name; or was another one meant?',
    ]);
  });
});

describe('an order is told where rows cannot be put in it', () => {
  it.each<[string, string, string[]]>([
    [
      'a field that is not there',
      'order: [-wrods]',
      ['unknown-name -wrods: wrods is not the name of a field → did you mean words?'],
    ],
    [
      'a derived field that no store works out',
      'order: [title, slow]',
      [
        'not-storable slow: no rows can be put in order by slow: trim(…) cannot be worked out where rows are found or counted → keep what it comes to in a field that is set, and compare that',
      ],
    ],
    [
      'a derived field of several values',
      'order: [-several]',
      [
        'not-storable -several: no rows can be put in order by several: it is a template of several values → say it with what §G.5 lists, or keep the value in a field that is set',
      ],
    ],
    [
      'an expression that is no text',
      'order: "${5}"',
      ['expression-type 5: this is an integer, and text is wanted → null'],
    ],
  ])('%s', (_, order, expected) => {
    expect(findings(endpoint(`does: { list: Article, ${order} }`, 'GET /articles'))).toEqual(expected);
  });

  it('by an expression for a text', () => {
    const keys = 'does: { list: Article, order: "${request.query.sort}" }, request: { query: { sort: {} } }';
    expect(findings(endpoint(keys, 'GET /articles'))).toEqual([]);
  });
});

describe('an answer that is never sent is told', () => {
  const answers = (does: string, ...list: string[]): string =>
    endpoint(`does: ${does}, response: [${list.join(', ')}]`);
  it.each<[string, string, string[]]>([
    [
      'what is made is never changed',
      answers('create Article', '{ when: created, status: 201 }', '{ when: changed, status: 200 }'),
      ['never-sent changed: this answer is never sent: create does not come to changed → take it out'],
    ],
    [
      'nor unchanged, where nothing is kept',
      answers('create Article', '{ when: unchanged, status: 200 }', '201'),
      ['never-sent unchanged: this answer is never sent: create does not come to unchanged → take it out'],
    ],
    [
      'nor changed, where it is kept',
      answers(
        '{ create: Article, present: keep }',
        '{ when: [created], status: 201 }',
        '{ when: changed, status: 200 }',
      ),
      ['never-sent changed: this answer is never sent: create does not come to changed → take it out'],
    ],
    [
      'what is shown comes to nothing',
      answers('read Article', '{ when: changed, status: 200 }', '201'),
      ['never-sent changed: this answer is never sent: read does not come to changed → take it out'],
    ],
    [
      'a list comes to nothing',
      answers('list Article', '{ when: created, status: 200 }', '201'),
      ['never-sent created: this answer is never sent: list does not come to created → take it out'],
    ],
    [
      'a login comes to nothing',
      answers('{ authenticate: Account, by: [name] }', '{ when: created, status: 200 }', '201'),
      ['never-sent created: this answer is never sent: authenticate does not come to created → take it out'],
    ],
    [
      'what is deleted is not changed',
      answers('delete Article', '{ when: [changed, unchanged], status: 200 }', '204'),
      [
        'never-sent [changed, unchanged]: this answer is never sent: delete does not come to changed, unchanged → take it out',
      ],
    ],
    [
      'what is updated is not made',
      answers('update Article', '{ when: created, status: 201 }', '204'),
      ['never-sent created: this answer is never sent: update does not come to created → take it out'],
    ],
    [
      'a transition changes',
      answers('publish Article', '{ when: unchanged, status: 200 }', '204'),
      ['never-sent unchanged: this answer is never sent: publish does not come to unchanged → take it out'],
    ],
    [
      'nothing is done',
      answers('(none)', '{ when: created, status: 201 }', '204'),
      [
        'never-sent created: this answer is never sent: an operation that does nothing does not come to created → take it out',
      ],
    ],
    [
      'an earlier one is for it',
      answers(
        'update Article',
        '{ when: [changed, unchanged], status: 200 }',
        '{ when: changed, status: 204 }',
      ),
      ['never-sent changed: this answer is never sent: an earlier answer is for changed → take it out'],
    ],
    [
      'an earlier one is for all',
      answers('update Article', '200', '{ when: changed, status: 204 }', '202'),
      [
        'never-sent changed: this answer is never sent: the one before it is sent whenever this one could be → take it out',
        'never-sent 202: this answer is never sent: the one before it is sent whenever this one could be → take it out',
      ],
    ],
    [
      'an earlier one has no when',
      answers('update Article', '{ when: (none), status: 200 }', '{ when: changed, status: 204 }'),
      [
        'never-sent changed: this answer is never sent: the one before it is sent whenever this one could be → take it out',
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it('and the one that is sent instead', () => {
    const content = answers(
      'update Article',
      '{ when: changed, status: 200 }',
      '{ when: changed, status: 204 }',
    );
    expect(pairs(content)).toEqual(['never-sent changed ~ changed']);
  });

  it.each<[string, string]>([
    [
      'each that making comes to',
      answers(
        '{ create: Article, present: update }',
        '{ when: created, status: 201 }',
        '{ when: changed, status: 200 }',
        '{ when: unchanged, status: 204 }',
      ),
    ],
    [
      'what is made, or is there',
      answers('{ create: Article, present: match }', '{ when: unchanged, status: 200 }', '201'),
    ],
    [
      'what is deleted, or is not there',
      answers(
        '{ delete: Article, absent: ignore }',
        '{ when: deleted, status: 200 }',
        '{ when: unchanged, status: 204 }',
      ),
    ],
    [
      'what is shown, or is not there',
      answers('{ read: Article, absent: ignore }', '{ when: unchanged, status: 204 }', '200'),
    ],
    [
      'a transition of what is not there',
      answers(
        '{ publish: Article, absent: ignore }',
        '{ when: changed, status: 200 }',
        '{ when: unchanged, status: 204 }',
      ),
    ],
    ['a credential that ends', answers('revoke token', '{ when: deleted, status: 204 }')],
    [
      'whatever a handler does',
      answers('{ handled: h }', '{ when: created, status: 201 }', '{ when: deleted, status: 204 }'),
    ],
    [
      'whatever is open',
      answers('(open)', '{ when: created, status: 201 }', '{ when: deleted, status: 204 }'),
    ],
    [
      'by expressions',
      answers(
        'read Article',
        '{ when: "${this.words > 5}", status: 200 }',
        '{ when: { handled: h }, status: 203 }',
        '204',
      ),
    ],
    [
      'when is asked',
      answers(
        'update Article',
        '{ when: (open) when?, status: 200 }',
        '{ when: changed, status: 204 }',
        '202',
      ),
    ],
    [
      'one of several outcomes is left',
      answers(
        'update Article',
        '{ when: changed, status: 200 }',
        '{ when: [changed, unchanged], status: 204 }',
      ),
    ],
  ])('and one that may be is not: %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});
