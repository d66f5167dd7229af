import { describe, expect, it } from 'vitest';
import { type Diff, diff } from '../../src/diff/diff.ts';
import { read, readFolder } from '../../src/specification/read.ts';
import { document, specification } from '../specification/documents.ts';

const told = ({ findings }: Diff): string[] =>
  findings.map(({ class: of, address, message }) => `${of}: ${address}: ${message}`);

const compare = (before: Parameters<typeof document>[0], after: Parameters<typeof document>[0]): Diff =>
  diff(specification(document(before)), specification(document(after)));

const closed = 'tacet: 1\ncomplete: true';
const get = 'GET /: { does: (none), response: { status: 200, body: hello } }';

describe('what is open, stated and left out', () => {
  it('a part that was open is told entry by entry, as a refinement', () => {
    const found = compare({}, { endpoints: `${get}\nGET /b: { does: (none) }` });
    expect(found.refinement).toBe(true);
    expect(told(found)).toEqual([
      'refinement: endpoints["GET /"]: was open, and is stated',
      'refinement: endpoints["GET /b"]: was open, and is stated',
    ]);
  });

  it('a part that was nothing changes, and what is nothing now does too', () => {
    const none = { endpoints: '(none)' };
    expect(told(compare(none, { endpoints: get }))).toEqual([
      'changed: endpoints["GET /"]: one more operation',
      'became open: endpoints.*: the list is complete no longer',
    ]);
    expect(told(compare({ endpoints: get }, none))).toEqual([
      'breaking: endpoints["GET /"]: its requests are refused now',
      'refinement: endpoints.*: the list is complete now',
    ]);
  });

  it('an absent entry of a closed list and (none) are the same, and of an open list are not', () => {
    const field = (more: string): string => `A: { identifier: id, fields: { id: { type: string${more} } } }`;
    expect(
      told(
        compare(
          { head: closed, resources: field('') },
          { head: closed, resources: field(', maxLength: (none)') },
        ),
      ),
    ).toEqual([]);
    expect(told(compare({ resources: field('') }, { resources: field(', maxLength: (none)') }))).toEqual([
      'refinement: resources.A.fields.id.maxLength: was open, and is stated',
    ]);
  });

  it('a question about an open point is no difference', () => {
    const asked = get.replace('200', '(open) 200 or 204?');
    expect(told(compare({ endpoints: asked }, { endpoints: get.replace('status: 200, ', '') }))).toEqual([]);
  });

  it('an entry that a closed list leaves out is open once somebody asks, and denied once nobody does', () => {
    const [without, asked] = [
      { head: closed, endpoints: get },
      { head: closed, endpoints: get.replace('}', '}, also: (open)') },
    ];
    expect(specification(document(asked)).points.get('endpoints["GET /"].also')?.state).toBe('open');
    expect(told(compare(without, asked))).toEqual([
      'became open: endpoints["GET /"].also: was stated, and is open',
    ]);
    expect(told(compare(asked, without))).toEqual([
      'refinement: endpoints["GET /"].also: was open, and is stated',
    ]);
  });

  it('lists under a list that is complete now go without saying', () => {
    const resources = 'A: { identifier: id, fields: { id: { type: string } } }';
    const found = compare({ resources }, { head: closed, resources });
    expect(found.refinement).toBe(true);
    expect(told(found)).toEqual(['refinement: resources.*: the list is complete now']);
    expect(
      told(compare({ head: closed, resources }, { head: 'complete: [resources.A.fields]', resources })),
    ).toEqual(['became open: resources.*: the list is complete no longer']);
  });

  it('a refinement can touch stored data, and breaks nobody', () => {
    const field = (more: string): string =>
      `A: { identifier: id, fields: { id: { type: string }, a: { type: string${more} } } }`;
    const endpoints =
      'POST /: { does: create A, request: { body: A, others: refuse }, response: { status: 201, body: A } }';
    const found = compare(
      { resources: field(''), endpoints },
      { resources: field(', maxLength: 3'), endpoints },
    );
    expect(found.refinement).toBe(true);
    expect(found.counts).toEqual({
      breaking: 0,
      'stored data': 1,
      changed: 0,
      'became open': 0,
      refinement: 1,
    });
  });

  it('what no operation takes or shows breaks no client', () => {
    const resources = (length: number): string =>
      `A: { identifier: id, fields: { id: { type: string, maxLength: ${length} } } }`;
    expect(compare({ resources: resources(5) }, { resources: resources(4) }).counts).toMatchObject({
      breaking: 0,
      'stored data': 1,
    });
  });
});

describe('names that are words of the language elsewhere', () => {
  it.each(['pattern', 'required', 'constructor', '__proto__', 'others', 'description'])(
    'a field %s is a field',
    (name) => {
      const field = (more: string) => ({
        head: closed,
        resources: `A: { identifier: id, fields: { id: { type: string }${more} } }`,
        endpoints: 'GET /: { does: list A, response: { status: 200, body: "${A(page.items)}" } }',
      });
      const [without, with_] = [field(''), field(`, ${name}: { type: string }`)];
      const address = `resources.A.fields.${name}`;
      expect(told(compare(without, with_))).toEqual([
        `changed: ${address}: one more member; required tells whether it must be given`,
      ]);
      expect(told(compare(with_, without))).toEqual([
        `breaking: ${address}: the member is shown no longer`,
        `stored data: ${address}: what is kept of it has no place any more`,
      ]);
    },
  );
});

describe('what notation copies', () => {
  it('is told once, with the other addresses', () => {
    const endpoints = (life: string): string =>
      `every POST: { idempotency: { header: Key, required: false, life: ${life}, per: actor, remembers: all } }\nPOST /a: { does: (none) }\nPOST /b: { does: (none) }`;
    expect(
      compare({ endpoints: endpoints('PT1H') }, { endpoints: endpoints('PT2H') }).findings,
    ).toMatchObject([
      { address: 'endpoints["POST /a"].idempotency.life', also: ['endpoints["POST /b"].idempotency.life'] },
    ]);
  });

  it('is no difference where it is written out', () => {
    const cors = 'cors: { origins: any }';
    expect(
      told(compare({ endpoints: `${cors}\n${get}` }, { endpoints: get.replace('does', `${cors}, does`) })),
    ).toEqual([]);
  });
});

describe('places', () => {
  it('are those of the two documents, or of where it could be stated', () => {
    const [without, with_] = [`{ ${get} }`, `{ ${get}, GET /b: { does: (none) } }`].map((endpoints) =>
      specification(document({ endpoints })),
    );
    const [finding] = diff(without as never, with_ as never).findings;
    expect(finding).toMatchObject({
      before: { state: 'open', at: 'x.md:3:1', value: null },
      after: { state: 'stated', at: 'x.md:6:76', value: '{"does":"(none)"}' },
    });
  });

  it('of a long value show its beginning', () => {
    const purpose = (text: string) => ({ service: `purpose: ${text}` });
    const [finding] = compare(purpose('a'), purpose('b'.repeat(100))).findings;
    expect(finding?.after.value).toBe(`"${'b'.repeat(58)}…`);
  });

  it('of a folder name the document', () => {
    const part = (name: string, status: number) => ({
      file: `api/${name}`,
      content: `## Endpoints\n\n\`\`\`yaml\n${get.replace('200', String(status))}\n\`\`\`\n`,
    });
    const before = readFolder('api', [
      part('a.md', 200),
      { file: 'api/z.md', content: '# Z\n' },
    ]).specification;
    const after = readFolder('api', [
      part('b.md', 201),
      { file: 'api/z.md', content: '# Z\n' },
    ]).specification;
    expect(diff(before, after)).toMatchObject({
      before: 'api',
      findings: [{ before: { at: 'api/a.md:4:44' }, after: { at: 'api/b.md:4:44' } }],
    });
  });
});

describe('spelling', () => {
  it.each([
    [
      'resources',
      'A: { identifier: id, fields: { id: { type: string, readOnly: true } } }',
      'A: { fields: { id: { writable: false, type: string, readable: true } }, identifier: [id] }',
    ],
    [
      'resources',
      'A: { identifier: (none), enum: [b, a], type: string }',
      'A: { type: [string], enum: [a, b], identifier: (none), description: of two kinds }',
    ],
    [
      'endpoints',
      'POST /: { does: create A, request: { body: A } }',
      'POST /: { does: { create: A, with: "${request.body}" }, request: { body: { of: A }, media: [application/json] } }',
    ],
    [
      'endpoints',
      'GET /: { does: list A, request: { query: { b: { filter: b } } } }',
      'GET /: { does: { list: A }, request: { query: { b: { type: string, filter: "${ this.b == request.query.b }" } } } }',
    ],
    [
      'endpoints',
      'GET /: { does: read A, response: { status: 200, body: A } }',
      'GET /: { response: [{ body: "${A(this)}", status: 200 }], does: read A }',
    ],
  ] as const)('of %s is no difference: %s', (part, before, after) => {
    const around =
      part === 'endpoints'
        ? { resources: 'A: { identifier: id, fields: { id: { type: string }, b: { type: string } } }' }
        : {};
    expect(told(compare({ ...around, [part]: before }, { ...around, [part]: after }))).toEqual([]);
  });

  it.each([
    ['the type of a literal', 'A: { identifier: (none), const: "5" }', 'A: { identifier: (none), const: 5 }'],
    [
      'the order of a literal list',
      'A: { identifier: (none), const: [1, 2] }',
      'A: { identifier: (none), const: [2, 1] }',
    ],
    [
      'a description in a literal',
      'A: { identifier: (none), const: { description: a } }',
      'A: { identifier: (none), const: { description: b } }',
    ],
    [
      'a field of that name',
      'A: { identifier: (none), fields: { description: { type: string } } }',
      'A: { identifier: (none), fields: { description: { type: integer } } }',
    ],
  ])('does not hide %s', (_what, before, after) => {
    expect(compare({ resources: before }, { resources: after }).findings).toHaveLength(1);
  });
});

describe('a change with a version of its own (language §9)', () => {
  const resources = (type: string): string =>
    `A: { identifier: id, fields: { id: { type: string }, size: { type: ${type} } } }`;
  const endpoints = 'GET /: { does: list A, response: { status: 200, body: "${A(page.items)}" } }';
  const versioning = (versions: string): string =>
    `scheme: number\nplace: { header: V }\ndefault: "1"\nversions: ${versions}`;
  const before = { resources: resources('integer'), endpoints, versioning: versioning('{ "1": {} }') };

  it('breaks nobody where the older version keeps what it was', () => {
    const after = {
      resources: resources('string'),
      endpoints,
      versioning: versioning(
        '{ "2": {}, "1": { differs: { resources.A.fields.size: { type: integer, shown: "${int(value)}" } } } }',
      ),
    };
    const { specification: found, diagnostics } = read('x.md', document(after));
    expect(diagnostics.filter((one) => one.severity === 'error')).toEqual([]);
    expect(
      told(diff(specification(document(before)), found)).filter((one) => one.includes('size.type')),
    ).toEqual(['stored data: resources.A.fields.size.type: kept values may not fit']);
  });

  it('breaks clients where it does not', () => {
    const after = {
      resources: resources('string'),
      endpoints,
      versioning: versioning('{ "2": {}, "1": {} }'),
    };
    expect(told(compare(before, after)).slice(0, 1)).toEqual([
      'breaking: resources.A.fields.size.type: values can be shown that could not be before',
    ]);
  });
});
