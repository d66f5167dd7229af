import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings } from './findings.ts';

type Parts = Parameters<typeof document>[0];

const resources = `Account:
  identifier: id
  fields: { id: { type: string }, name: { type: string } }
Article:
  identifier: slug
  fields:
    slug: { type: string }
    title: { type: string }
    words: { type: integer }
    author: { refers: Account }
    at: { type: string, format: date-time }
Draft: { identifier: (none), type: object, properties: { title: { type: string }, words: { type: integer }, inner: Draft } }
Card: { of: Account, shows: [name] }`;
const whole = (parts: Parts): string => document({ head: 'complete: true', resources, ...parts });
const endpoint = (keys: string, path = 'POST /articles/{slug}', more: Parts = {}): string =>
  whole({ endpoints: `${path}: { ${keys} }`, ...more });

describe('an expression names what there is where it stands, and nothing else', () => {
  it.each<[string, string, string[]]>([
    [
      'no item before one is made',
      endpoint('does: { create: Article, with: { title: "${this.slug}" } }'),
      ['expression-type this: nothing is called this here; known here: service, now, request, actor → null'],
    ],
    [
      'no item of a list',
      endpoint('does: list Article, response: { status: 200, body: "${this.title}" }'),
      [
        'expression-type this: nothing is called this here; known here: service, now, request, actor, outcome, page → null',
      ],
    ],
    [
      'no page of one',
      endpoint('does: read Article, response: { status: 200, body: "${page.items}" }'),
      [
        'expression-type page: nothing is called page here; known here: service, now, request, actor, old, outcome, this → null',
      ],
    ],
    [
      'no outcome before it',
      endpoint('does: { update: Article, with: { title: "${outcome}" } }'),
      [
        'expression-type outcome: nothing is called outcome here; known here: service, now, request, actor, this → null',
      ],
    ],
    [
      'nothing before a change, of what only is read',
      endpoint('does: { list: Article, where: "${old.words > 5}" }'),
      [
        'expression-type old: nothing is called old here; known here: service, now, request, actor, this → null',
      ],
    ],
    [
      'no result but a handler’s',
      endpoint('does: read Article, response: { status: 200, body: "${result}" }'),
      [
        'expression-type result: nothing is called result here; known here: service, now, request, actor, old, outcome, this → null',
      ],
    ],
    [
      'no value but of several',
      endpoint('does: read Article, also: [{ create: Account, with: { name: "${value}" } }]'),
      [
        'expression-type value: nothing is called value here; known here: service, now, request, actor, old, outcome, this → null',
      ],
    ],
    [
      'no name before it is bound',
      endpoint(
        'does: { update: Article, as: one }, also: [{ update: "${two}" }, { create: Account, as: two }]',
      ),
      [
        'expression-type two: nothing is called two here; known here: service, now, request, actor, old, outcome, this, one → null',
      ],
    ],
    [
      'no error in an answer',
      endpoint('does: read Article, response: { status: 200, body: "${error.code}" }'),
      [
        'expression-type error: nothing is called error here; known here: service, now, request, actor, old, outcome, this → null',
      ],
    ],
    [
      'no item in an order',
      endpoint('does: { list: Article, order: "${this.title}" }'),
      ['expression-type this: nothing is called this here; known here: service, now, request, actor → null'],
    ],
    [
      'no path parameter that there is not',
      endpoint('does: { read: Article, where: "${this.slug == request.path.slugg}" }'),
      ['expression-type request.path.slugg: an object has no slugg; did you mean slug? → null'],
    ],
    [
      'no member that a name lacks',
      endpoint(
        'does: { create: Account, with: { name: "${article.titel}" } }, request: { path: { slug: Article.slug as article } }',
      ),
      ['expression-type article.titel: an item of Article has no titel; did you mean title? → null'],
    ],
    [
      'nothing new where rows are found',
      endpoint('does: { list: Article, where: "${this.slug == uuid()}" }'),
      [
        'expression-type uuid(): uuid() makes something new, and may stand only in set, with, an answer, or a view → null',
      ],
    ],
    [
      'no item in a message',
      whole({ errors: 'messages: { minLength: "${this.title}" }' }),
      [
        'expression-type this: nothing is called this here; known here: service, now, request, actor, value, error → null',
      ],
    ],
    [
      'no page in an error',
      whole({ errors: 'payload: { body: { a: "${page.total}" } }' }),
      [
        'expression-type page: nothing is called page here; known here: service, now, request, actor, error, rate, quota, this → null',
      ],
    ],
    [
      'no member that errors lack',
      whole({ errors: 'payload: { body: { a: "${error.mesage}" } }' }),
      ['expression-type error.mesage: an object has no mesage; did you mean message? → null'],
    ],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it.each<[string, string]>([
    [
      'a page',
      endpoint(
        'does: list Article, response: { status: 200, headers: { Link: "${page.links}" }, body: { items: "${page.items.map(a, a.title)}", n: "${page.total + page.size + page.offset + page.number}", p: "${page.next} ${page.previous}" } }',
        'GET /articles',
      ),
    ],
    [
      'an item, and what it was',
      endpoint(
        'does: update Article, response: { status: 200, body: { now: "${this.words}", then: "${old.words}", came: "${outcome}" } }',
      ),
    ],
    [
      'what follows',
      endpoint(
        'does: { update: Article, as: one }, also: [{ create: Account, for: "${[1, 2]}", with: { id: "${string(value)}", name: "${one.title}${old.title}${outcome}" }, when: "${outcome == \'changed\' && value > 1}", as: two }, { delete: every Article, where: "${this.author in two && old.words > 5}" }], response: { status: 200, body: { two: "${two.map(t, t.name)}" } }',
      ),
    ],
    [
      'a handler’s result',
      endpoint('does: { handled: h }, response: { status: 200, body: "${result.rows}" }'),
    ],
    [
      'whatever is open',
      endpoint('response: { status: 200, body: ["${this.a}", "${page.items}", "${result}", "${old.b}"] }'),
    ],
    [
      'a name that the path binds',
      endpoint(
        'does: { create: Account, with: { name: "${article.title}" } }, request: { path: { slug: Article.slug as article } }, response: { status: 201, body: { of: "${article.author.name}" } }',
      ),
    ],
    [
      'who asks, and when',
      endpoint(
        'does: { update: Article, with: { author: "${actor}", at: "${now}", title: "${request.method}${request.url}${request.version}${service.url}" } }',
      ),
    ],
    [
      'an own condition',
      endpoint('operation: change, does: update Article', 'PUT /articles/{slug}', {
        errors:
          'codes: { long: { when: "${this.words > 5 && request.path.slug != \'x\'}", operations: [change], status: 400, message: "${error.operation}" } }',
      }),
    ],
    [
      'a view',
      endpoint('does: read Article, response: { status: 200, body: { by: "${Card(this.author)}" } }'),
    ],
  ])('but: %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});

describe('a request is typed by its parameters and its body', () => {
  const reads = (request: string, expression: string): string =>
    endpoint(`does: { update: Article, with: { words: "\${${expression}}" } }, request: ${request}`);
  it.each<[string, string, string[]]>([
    [
      'a parameter of the query is text',
      reads('{ query: { n: {} } }', 'request.query.n'),
      ['expression-type request.query.n: this is text, and an integer is wanted → null'],
    ],
    [
      'or of its type',
      reads('{ query: { n: { type: boolean } } }', 'request.query.n'),
      ['expression-type request.query.n: this is true or false, and an integer is wanted → null'],
    ],
    [
      'a header field too',
      reads('{ headers: { X-N: {} } }', "request.headers['X-N']"),
      ["expression-type request.headers['X-N']: this is text, and an integer is wanted → null"],
    ],
    [
      'a parameter of the path is text',
      reads('{}', 'request.path.slug'),
      ['expression-type request.path.slug: this is text, and an integer is wanted → null'],
    ],
    [
      'one that is bound to nothing',
      endpoint('does: { update: Article, with: { words: "${request.path.n}" } }', 'PUT /{slug}/{n}'),
      ['expression-type request.path.n: this is text, and an integer is wanted → null'],
    ],
    [
      'or of the field that it is bound to',
      endpoint(
        'does: { create: Article, with: { words: "${request.path.slug}" } }, request: { path: { slug: Article.at } }',
      ),
      ['expression-type request.path.slug: this is a time, and an integer is wanted → null'],
    ],
    [
      'a parameter that there is not',
      reads('{ query: { number: {} } }', 'request.query.nmber'),
      [
        'unknown-parameter request.query.nmber: no request has a query parameter nmber: it is not declared → did you mean number?',
      ],
    ],
    [
      'a header field that there is not',
      reads('{ headers: { X-N: {} } }', "request.headers['X-M'] == null ? 1 : 2"),
      [
        "unknown-parameter request.headers['X-M']: no request has a header field X-M: it is not declared → did you mean X-N?",
      ],
    ],
    [
      'a parameter of an operation that declares none',
      endpoint('does: { update: Article, with: { words: "${has(request.query.n) ? 1 : 2}" } }'),
      [
        'unknown-parameter request.query.n: no request has a query parameter n: it is not declared → declare it: request: { query: { n: … } }',
      ],
    ],
    [
      'a body of a shape',
      reads('{ body: { type: object, properties: { words: { type: string } } } }', 'request.body.words'),
      ['expression-type request.body.words: this is text, and an integer is wanted → null'],
    ],
    [
      'a slip in one',
      reads('{ body: { type: object, properties: { words: { type: integer } } } }', 'request.body.wrods'),
      ['expression-type request.body.wrods: an object has no wrods; did you mean words? → null'],
    ],
    [
      'a body of a named shape',
      reads('{ body: Draft }', 'request.body.title'),
      ['expression-type request.body.title: this is text, and an integer is wanted → null'],
    ],
    [
      'within it',
      reads('{ body: Draft }', 'request.body.inner.inner.title'),
      ['expression-type request.body.inner.inner.title: this is text, and an integer is wanted → null'],
    ],
    [
      'a body of a resource',
      reads('{ body: Article }', 'request.body.title'),
      ['expression-type request.body.title: this is text, and an integer is wanted → null'],
    ],
    [
      'a list',
      reads('{ body: { type: array, items: Draft } }', 'request.body[0].title'),
      ['expression-type request.body[0].title: this is text, and an integer is wanted → null'],
    ],
  ])('told: %s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it.each<[string, string]>([
    ['whole numbers', reads('{ query: { n: { type: integer, required: true } } }', 'request.query.n + 1')],
    ['text made a number', reads('{ query: { n: { required: true } } }', 'int(request.query.n)')],
    [
      'a member that nobody states',
      reads('{ body: { type: object, properties: { words: { type: integer } } } }', 'request.body.count'),
    ],
    [
      'another header field',
      reads('{ headers: { X-N: {} } }', "request.headers['If-Match'] == null ? 1 : 2"),
    ],
    ['a body that nobody describes', reads('{}', 'request.body.words')],
    [
      'a choice of shapes',
      reads('{ body: { oneOf: [Draft, { type: array, items: Draft }] } }', 'request.body.words'),
    ],
    [
      'values that are given or not',
      reads(
        '{ body: { type: [object, "null"], properties: { words: { type: [integer, "null"] } } } }',
        'request.body.words',
      ),
    ],
    [
      'without end',
      reads('{ body: Draft }', 'request.body.inner.inner.inner.inner.inner.inner.inner.inner.words'),
    ],
  ])('not told: %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });

  const search = (request: string, head = ''): string[] => {
    const endpoints = `GET /: { does: { list: Article, where: "\${this.title == request.query.search}" }, ${request} }`;
    return findings(document({ head, resources, endpoints })).map((one) => one.split(':')[0] as string);
  };

  it('a parameter that is not declared is told, although the list may hold more', () => {
    expect(search('request: { query: { n: {} } }')).toEqual(['unknown-parameter request.query.search']);
  });

  it('it is not told where somebody asks what else a request may bring', () => {
    for (const request of ['request: (open)', 'request: { query: (open) which? }'])
      expect(search(request)).toEqual([]);
    const head = 'open: { \'endpoints["GET /"].request.query\': which? }';
    expect(search('request: { query: { n: {} } }', head)).toEqual([]);
  });
});

describe('an expression of several operations', () => {
  const endpoints = `
GET /a: { operation: a, does: (none), request: { query: { x: {} }, headers: { X-A: {} } }, response: 204 }
GET /b: { operation: b, does: (none), idempotency: { header: X-Again, life: P1D, per: key }, response: 204 }`;
  const shared = (parts: Parts): string[] =>
    findings(document({ resources, endpoints, ...parts })).map((one) => one.split(':')[0] as string);
  const row = (when: string, more = '') =>
    shared({ errors: `codes: { e: { when: "\${${when}}", ${more} } }` });

  it('reads what one of them declares, in any case of a header field', () => {
    expect(row("request.query.x == 'a' && request.headers['x-a'] == 'b'", 'status: 400')).toEqual([]);
    expect(row("request.query.y == 'a'", 'status: 400')).toEqual(['unknown-parameter request.query.y']);
    expect(row("request.query.x == 'a'", 'operations: [b], status: 400')).toEqual([
      'unknown-parameter request.query.x',
    ]);
    const limits = (operation: string) =>
      `rates: { r: { allow: 1, every: PT1M, per: "\${request.headers['X-A']}", operations: [${operation}] } }`;
    expect(shared({ limits: limits('a') })).toEqual([]);
    expect(shared({ limits: limits('b') })).toEqual(["unknown-parameter request.headers['X-A']"]);
  });

  it('a rule for all the others reads what one of them declares; the rule of an operation, its own', () => {
    const rule = '"${request.query.x == null}"';
    expect(shared({ authentication: `otherwise: ${rule}` })).toEqual([]);
    expect(shared({ authentication: `authorization: { a: ${rule}, b: known }` })).toEqual([]);
    expect(shared({ authentication: `authorization: { a: known, b: ${rule} }` })).toEqual([
      'unknown-parameter request.query.x',
    ]);
  });

  it('reads the fields that the language, or another part, names', () => {
    const reads = (name: string): string[] => row(`request.headers['${name}'] == null`, 'status: 400');
    for (const name of ['authorization', 'If-Match', 'Content-Type', 'X-Again'])
      expect(reads(name)).toEqual([]);
    expect(reads('X-Key')).toEqual(["unknown-parameter request.headers['X-Key']"]);
    const authentication = 'schemes: { s: { type: apiKey, in: header, name: X-Key } }';
    const errors = `codes: { e: { when: "\${request.headers['x-key'] == null}", status: 400 } }`;
    expect(shared({ authentication, errors })).toEqual([]);
  });
});

describe('what is compared may be equal', () => {
  const where = (rule: string): string =>
    endpoint(
      `does: { list: Article, where: "\${${rule}}" }, request: { query: { by: {}, n: { type: integer }, all: { type: array, items: { type: string } } } }`,
      'GET /articles',
    );
  it.each<[string, string[]]>([
    [
      'this.words == request.query.by',
      ['expression-type this.words == request.query.by: an integer and text are never equal → null'],
    ],
    [
      'this.author == this',
      [
        'expression-type this.author == this: an item of Account and an item of Article are never equal → null',
      ],
    ],
    [
      'this.author == true',
      ['expression-type this.author == true: an item of Account and true or false are never equal → null'],
    ],
    [
      'this.words in request.query.all',
      ['expression-type this.words in request.query.all: an integer is never among a list of text → null'],
    ],
    [
      'this.at < request.query.by',
      ['expression-type this.at < request.query.by: a time and text have no order → null'],
    ],
  ])('told: %s', (rule, expected) => {
    expect(findings(where(rule))).toEqual(expected);
  });

  it.each([
    'this.author == actor',
    'this.author == request.query.by',
    'this.author != request.query.n',
    'this.author in request.query.all',
    'request.query.by in [this.author, actor]',
    'this.author == null',
  ])('not told: %s', (rule) => {
    expect(findings(where(rule))).toEqual([]);
  });

  it('a filter by a reference', () => {
    const keys =
      'does: list Article, request: { query: { author: { filter: author }, n: { type: integer, filter: words } } }';
    expect(findings(endpoint(keys, 'GET /articles'))).toEqual([]);
  });
});

describe('a name that is bound is one of its own', () => {
  it.each<[string, string, string[]]>([
    [
      'this',
      endpoint('does: { update: Article, as: this }'),
      ['bad-name this: this cannot be a name here → it stands for something else in every expression'],
    ],
    [
      'a word of CEL',
      endpoint('does: { update: Article, as: for }'),
      ['bad-name for: for cannot be a name here → it stands for something else in every expression'],
    ],
    [
      'of a parameter',
      endpoint('does: (none), request: { path: { slug: Article.slug as actor } }'),
      [
        'bad-name Article.slug as actor: actor cannot be a name here → it stands for something else in every expression',
      ],
    ],
    [
      'what is no word',
      endpoint('does: { update: Article, as: "a b" }'),
      [
        'bad-name "a b": a b cannot be a name here → resources, shapes and views begin with a capital letter; other names with a letter; then letters and digits',
      ],
    ],
  ])('%s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });
});

describe('what a parameter does is checked', () => {
  const list = (query: string, does = 'list Article'): string =>
    endpoint(`does: ${does}, request: { query: { ${query} } }`, 'GET /articles');
  it.each<[string, string, string[]]>([
    [
      'a filter of one',
      list('q: { filter: title }', 'create Article'),
      ['idle filter: filter says nothing of create → take it out'],
    ],
    [
      'an order of one',
      list('q: { sort: [title] }', 'create Article'),
      ['idle sort: sort says nothing of create → take it out'],
    ],
    [
      'a page that is counted in text',
      list('q: { page: size, type: string }'),
      [
        'contradiction size: the size of a page is counted, and this parameter is no integer → take one of the two out, or mend it',
      ],
    ],
    [
      'a page of what is made',
      list('q: { page: cursor }', 'create Article'),
      ['idle page: page says nothing of create → take it out'],
    ],
    [
      'a filter that is no truth',
      list('q: { filter: "${this.words}" }'),
      ['expression-type this.words: this is an integer, and true or false is wanted → null'],
    ],
    [
      'a filter that no store works out',
      list('q: { filter: "${trim(this.title) == request.query.q}" }'),
      [
        'not-storable trim(this.title): trim(…) cannot be worked out where rows are found or counted → keep what it comes to in a field that is set, and compare that',
      ],
    ],
    [
      'a filter with a slip',
      list('q: { filter: titel }'),
      ['expression-type titel: an item of Article has no titel; did you mean title? → null'],
    ],
    [
      'an order with a slip',
      list('q: { sort: [title, wrods] }'),
      ['unknown-name wrods: wrods is not the name of a field → did you mean words?'],
    ],
    [
      'the same of a page, twice',
      list('a: { page: cursor }, b: { page: cursor }'),
      [
        'contradiction cursor: two parameters say the cursor of the page → take one of the two out, or mend it',
      ],
    ],
    [
      'how it is taken in',
      list('q: { taken: "${vale}" }'),
      [
        'expression-type vale: nothing is called vale here; known here: service, now, request, actor, value → null',
      ],
    ],
  ])('told: %s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it.each<[string, string]>([
    [
      'filters',
      list(
        'a: { filter: "${lower(this.title).contains(lower(request.query.a))}" }, b: { type: array, items: { type: integer }, filter: "${this.words in request.query.b}" }',
      ),
    ],
    ['orders', list('sort: { sort: [title, words], default: -title, taken: "${trim(value)}" }')],
    ['pages', list('a: { page: after }, b: { page: before }, n: { page: size, type: integer, default: 5 }')],
    [
      'of a handler',
      list('q: { filter: { handled: h } }, p: { page: number, type: integer }', '{ handled: h }'),
    ],
    ['of what is open', list('q: { filter: "${this.title == request.query.q}" }', '(open)')],
  ])('not told: %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});

describe('what a resource or view shows has the types of its readable members (language §G.4)', () => {
  const answer = (body: string): string =>
    endpoint(`does: read Article, response: { status: 200, body: "\${${body}}" }`, 'GET /articles/{slug}');

  it.each<[string, string, string[]]>([
    ['a member', 'Article(this).words + 1', []],
    ['a key in the place of an item', "Article(this).author + '!'", []],
    ['through merge and pick', "pick(merge(Card(this.author), {'n': 1}), ['name', 'n']).n + 1", []],
    ['a null item', 'merge(Card(this.author), {}).name', []],
    [
      'what a view leaves out',
      'Card(this.author).id',
      ['expression-type Card(this.author).id: an object has no id; it has name → null'],
    ],
    [
      'another type',
      "Article(this).words + 'a'",
      ["expression-type Article(this).words + 'a': an integer and text cannot be added → null"],
    ],
    [
      'a list of items',
      'merge(Article)',
      ['expression-type Article: this is the items of Article, and an object is wanted → null'],
    ],
  ])('%s', (_, body, expected) => {
    expect(findings(answer(body))).toEqual(expected);
  });
});
