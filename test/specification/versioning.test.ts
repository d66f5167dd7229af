import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { isNewer, rank } from '../../src/specification/reading/version.ts';
import { document, places, plain, points, specification, wholeDocument, words } from './documents.ts';

const parts = {
  resources:
    'Parcel: { identifier: id, fields: { id: { type: string }, weight: { type: integer, maximum: 9 }, note: {} } }',
  endpoints:
    'GET /parcels: { operation: list, does: list Parcel, response: { status: 200, body: { a: 1 } } }\nPUT /parcels/{id}: { does: update Parcel, response: 204 }',
  errors: 'payload: { body: { code: "${error.code}" } }\ncodes: { gone: { when: unknown, status: 410 } }',
};

const service = (versioning: string) => document({ ...parts, versioning });
const differing = (...lines: readonly string[]) =>
  service(
    ['versions:', '  "2": {}', '  "1":', '    differs:', ...lines.map((one) => `      ${one}`)].join('\n'),
  );

/** Each fault: its code, the characters that it points at, and its hint. */
function findings(content: string): string[] {
  return read('x.md', content).diagnostics.map((one) => `${one.code} ${words(one.span)}: ${one.hint}`);
}

/** What the version before the newest states. */
function first(content: string) {
  const [older] = specification(content).older.values();
  if (older === undefined) throw new Error('no version differs');
  return older;
}

describe('names and their place (language §9.1)', () => {
  it.each([
    ['number', '3', [3]],
    ['number', '0', [0]],
    ['number', 'v3', undefined],
    ['number', '3.1', undefined],
    ['number', '03', undefined],
    ['semver', '2', [2, 0, 0]],
    ['semver', '2.10', [2, 10, 0]],
    ['semver', '2.1.7', [2, 1, 7]],
    ['semver', '2.1.7.1', undefined],
    ['semver', '2.x', undefined],
    ['date', '2026-11-01', [Date.UTC(2026, 10, 1)]],
    ['date', '2026-02-30', undefined],
    ['date', '2026-11', undefined],
  ] as const)('%s: %s', (scheme, name, expected) => {
    expect(rank(name, scheme)).toEqual(expected);
  });

  it('are in order by their numbers, and not by their texts', () => {
    expect(isNewer([2, 10, 0], [2, 9, 0])).toBe(true);
    expect(isNewer([2, 9, 0], [2, 10, 0])).toBe(false);
    expect(isNewer([2, 0, 0], [2, 0, 0])).toBe(false);
  });

  it.each([
    ['{ header: Desk-Version }', { kind: 'header', name: 'Desk-Version' }],
    ['{ query: version }', { kind: 'query', name: 'version' }],
    ['{ media: v }', { kind: 'media', name: 'v' }],
    ['{ path: /v }', { kind: 'path', name: '/v' }],
  ])('place: %s', (yaml, expected) => {
    const found = specification(service(`place: ${yaml}`)).versioning;
    expect(stated(stated(found)?.place)).toMatchObject(expected);
  });

  it.each([
    ['place: header', 'wrong-kind header: null'],
    ['place: {}', 'wrong-kind {}: null'],
    ['place: { headr: V }', 'wrong-kind { headr: V }: null'],
    ['place: { header: V, query: v }', 'wrong-kind { header: V, query: v }: null'],
    ['place: { header: V, case: any }', 'unknown-key case: known here: header, query, media, path'],
    ['place: { header: Desk Version }', 'wrong-kind Desk Version: null'],
    ['place: { media: "v;" }', 'wrong-kind "v;": null'],
    ['place: { path: v }', 'wrong-kind v: null'],
    ['place: { path: "/{v}" }', 'wrong-kind "/{v}": null'],
    ['scheme: dates', 'unknown-word dates: did you mean date?'],
    ['versions: { "2": {} }\ndefault: "3"', 'unknown-name "3": known: 2'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(service(yaml))).toEqual([expected]);
  });

  it('a default may be an alias, and any name while the versions are open', () => {
    expect(findings(service('versions: { "2": { alias: [two] } }\ndefault: two'))).toEqual([]);
    expect(findings(service('default: two'))).toEqual([]);
  });
});

describe('versions (language §9.2)', () => {
  it('each key is read as what it is', () => {
    const found = specification(
      service(
        'versions: { "2": {}, "1": { alias: ["1.0", "1.*"], deprecated: 2026-01-01, sunset: 2026-02-01, retired: 2026-03-01, headers: (none) } }',
      ),
    ).versioning;
    const version = stated(stated(stated(found)?.versions)?.get('1'));
    expect(stated(version?.alias)?.map((one) => one.text)).toEqual(['1.0', '1.*']);
    expect(stated(version?.deprecated)).toEqual({ text: '2026-01-01', beginsMs: Date.UTC(2026, 0, 1) });
    expect(stated(version?.sunset)).toEqual({ text: '2026-02-01', beginsMs: Date.UTC(2026, 1, 1) });
    expect(stated(version?.retired)).toEqual({ text: '2026-03-01', beginsMs: Date.UTC(2026, 2, 1) });
    expect(version?.headers.kind).toBe('none');
  });

  it.each([
    [
      'scheme: number\nversions: { v2: {} }',
      'bad-version v2: number: 3; semver: 2.1 or 2.1.0; date: 2026-11-01',
    ],
    [
      'scheme: number\nversions: { "9": {}, "10": {} }',
      'version-order "10": list the versions newest first, each once',
    ],
    [
      'scheme: semver\nversions: { "2": {}, "2.0": {} }',
      'version-order "2.0": list the versions newest first, each once',
    ],
    [
      'scheme: date\nversions: { 2026-01-15: {}, 2026-11-01: {} }',
      'version-order 2026-11-01: list the versions newest first, each once',
    ],
    ['versions: { "2": { alias: ["1"] }, "1": {} }', 'key-twice "1": keep one of them'],
    ['versions: { "2": { alias: [a, a] } }', 'key-twice a: keep one of them'],
    ['versions: { "2": { deprecated: soon } }', 'bad-date soon: write it as 2026-11-01'],
    ['versions: { "2": { deprecated: 2026-02-30 } }', 'bad-date 2026-02-30: write it as 2026-11-01'],
    ['versions: { "2": { deprecated: 2026-1-1 } }', 'bad-date 2026-1-1: write it as 2026-11-01'],
    ['versions: { "2": { headers: none } }', 'unknown-word none: null'],
    ['versions: { "2": { sunst: 2026-01-01 } }', 'unknown-key sunst: did you mean sunset?'],
    [
      'versions: { "2": { deprecated: 2026-02-01, sunset: 2026-01-01 } }',
      'dates-order 2026-01-01: a version is deprecated first, then its sunset comes, then it is retired',
    ],
    [
      'versions: { "2": { deprecated: 2026-02-01, retired: 2026-01-31 } }',
      'dates-order 2026-01-31: a version is deprecated first, then its sunset comes, then it is retired',
    ],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(service(yaml))).toEqual([expected]);
  });

  it('days that are the same are in order, and names without a scheme are only names', () => {
    expect(findings(service('versions: { a: { sunset: 2026-01-01, retired: 2026-01-01 }, z: {} }'))).toEqual(
      [],
    );
  });

  it('a fault points at what it contradicts, too', () => {
    const { diagnostics } = read('x.md', service('scheme: number\nversions: { "1": {}, "2": {} }'));
    expect(diagnostics.map((one) => one.related.map(words))).toEqual([['"1"']]);
    expect(places(service('scheme: number\nversions: { "1": {}, "2": {} }'))).toEqual([
      '27:22 version-order',
    ]);
  });
});

describe('what differs is laid over the newer version (language §9.3)', () => {
  it('key by key, and no deeper', () => {
    const { specification: found } = first(
      differing(
        'resources.Parcel.fields.weight: { type: number }',
        'endpoints["GET /parcels"].response: { body: { b: 2 } }',
      ),
    );
    const weight = found.resourcesByName.get('Parcel')?.fields.get('weight')?.shape.keywords;
    expect([...(weight ?? [])].map(([name, said]) => [name, stated(said)])).toEqual([
      ['type', 'number'],
      ['maximum', 9],
    ]);
    const [answer] = stated(found.operations[0]?.response) ?? [];
    expect(stated(answer?.status)).toEqual([200]);
    expect(stated(answer?.body)?.template).toEqual({
      kind: 'object',
      members: new Map([['b', { kind: 'literal', value: 2 }]]),
      rest: 'endpoints["GET /parcels"].response.body.*',
    });
  });

  it('and leaves open what was open beside it', () => {
    const field = 'resources.Parcel.fields.weight';
    const closed = (statement: string): string =>
      differing(`${field}: { type: number }`)
        .replace('{ type: integer, maximum: 9 }', statement)
        .replace('# Service\n', '# Service\n\n```yaml\ncomplete: true\n```\n');
    const rest = (content: string) => first(content).specification.points.get(`${field}.*`)?.state;
    expect(rest(closed('(open)'))).toBe('open');
    expect(rest(closed('{ type: integer }'))).toBe('stated');
  });

  it('with its notation spelled out, whatever stands around it', () => {
    const { specification: found } = first(
      differing('endpoints["GET /parcels"].response: 203', 'errors.payload.body: { error: "${error.code}" }'),
    );
    const [answer] = stated(found.operations[0]?.response) ?? [];
    expect(stated(answer?.status)).toEqual([203]);
    expect(stated(answer?.body)?.template.kind).toBe('object');
    const row = stated(stated(stated(found.errors)?.codes)?.get('gone'));
    expect(plain(stated(row?.body)?.template)).toMatchObject({ members: { map: [['error', {}]] } });
  });

  it('and takes away, brings in, and opens', () => {
    const { specification: found } = first(
      differing(
        'endpoints["PUT /parcels/{id}"]: (none)',
        'endpoints["POST /parcels"]: { operation: add, does: create Parcel, response: 201 }',
        'endpoints["GET /parcels"].response.status: (open) which?',
      ),
    );
    expect(found.operations.map((one) => one.name)).toEqual(['list', 'add']);
    expect(stated(found.operations[0]?.response)?.[0]?.status.kind).toBe('open');
  });

  it('each version over the next newer one, which stays as it was', () => {
    const content = service(
      [
        'versions:',
        '  "4": {}',
        '  "3": { differs: { resources.Parcel.fields.weight.maximum: 8 } }',
        '  "2": {}',
        '  "1": { differs: { resources.Parcel.fields.weight.type: number } }',
      ].join('\n'),
    );
    const found = specification(content);
    const weight = (of: typeof found | undefined) =>
      ['type', 'maximum'].map((name) =>
        stated(of?.resourcesByName.get('Parcel')?.fields.get('weight')?.shape.keywords.get(name)),
      );
    expect(weight(found)).toEqual(['integer', 9]);
    expect([...found.older].map(([name, one]) => [name, weight(one.specification)])).toEqual([
      ['3', ['integer', 8]],
      ['2', ['integer', 8]],
      ['1', ['number', 8]],
    ]);
    expect(found.older.get('2')).toBe(found.older.get('3'));
  });

  it('and costs nothing where nothing does', () => {
    expect(specification(service('versions: { "2": {}, "1": {} }')).older.size).toBe(0);
  });

  it('a field says what it was called then, and that it was not there', () => {
    const { was, specification: found } = first(
      differing(
        'resources.Parcel.fields.weight: { was: kilos, type: number, shown: "${value / 2}" }',
        'resources.Parcel.fields.note: { was: (none), taken: "${null}" }',
      ),
    );
    expect([...was]).toEqual([
      ['resources.Parcel.fields.weight', 'kilos'],
      ['resources.Parcel.fields.note', null],
    ]);
    expect([...(found.resourcesByName.get('Parcel')?.fields.keys() ?? [])]).toEqual(['id', 'weight', 'note']);
  });

  it('a name goes on being what it was, and may pass from one field to another', () => {
    const content = service(
      [
        'versions:',
        '  "3": {}',
        '  "2": { differs: { resources.Parcel.fields.weight: { was: kilos } } }',
        '  "1": { differs: { resources.Parcel.fields.note: { was: weight } } }',
      ].join('\n'),
    );
    expect([...(specification(content).older.get('1')?.was ?? [])].map(([, name]) => name)).toEqual([
      'kilos',
      'weight',
    ]);
  });

  it('the points of a difference stand under it', () => {
    const found = specification(
      differing(
        'resources.Parcel.fields.weight: { was: kilos, type: (open) in what unit? }',
        'endpoints["PUT /parcels/{id}"]: (none)',
        'endpoints["POST /parcels"]: { does: create Parcel }',
      ),
    );
    const under = 'versioning.versions.1.differs';
    const shown = points(found, under);
    expect(shown[`${under}["resources.Parcel.fields.weight"].was`]).toBe('stated');
    expect(shown[`${under}["resources.Parcel.fields.weight"].type`]).toBe('open: in what unit?');
    expect(shown[`${under}["resources.Parcel.fields.weight"].maximum`]).toBeUndefined();
    expect(shown[`${under}["endpoints[\\"PUT /parcels/{id}\\"]"]`]).toBe('stated');
    expect(shown[`${under}["endpoints[\\"POST /parcels\\"]"].does.create`]).toBe('stated');
    expect(shown[`${under}["endpoints[\\"POST /parcels\\"]"].response`]).toBe('open');
    expect(shown[`${under}.*`]).toBe('open');
  });

  it('an assumption may answer one of them', () => {
    const at = 'versioning.versions.1.differs["resources.Parcel.fields.weight"].type';
    const content = differing('resources.Parcel.fields.weight: { was: kilos, type: (open) }');
    const found = specification(content, [{ at, value: 'number' }]);
    expect(points(found, at)).toEqual({ [at]: 'assumed' });
  });
});

describe('a fault in a difference points into the difference', () => {
  it.each([
    [
      'an address that is none',
      'endpoint["GET /"].does: x',
      'bad-address endpoint["GET /"].does: an address begins with the key of a part: endpoints["GET /"].response.status',
    ],
    [
      'the rest of a list',
      'resources.Parcel.fields.*: x',
      'bad-address resources.Parcel.fields.*: an address begins with the key of a part: endpoints["GET /"].response.status',
    ],
    ['a part that is one for all', 'events.source: x', 'bad-difference events.source: null'],
    ['what emits', 'events.kinds.a.by: [x]', 'bad-difference events.kinds.a.by: null'],
    ['versions themselves', 'versioning.default: x', 'bad-difference versioning.default: null'],
    ['notation', 'endpoints.others: keep', 'bad-difference endpoints.others: null'],
    ['notation for several', 'endpoints["every GET"]: {}', 'bad-difference endpoints["every GET"]: null'],
    [
      'nothing to take away',
      'resources.Parcl: (none)',
      'bad-difference resources.Parcl: did you mean Parcel?',
    ],
    [
      'nothing to hold it',
      'resources.Parcl.fields.weight: { type: number }',
      'bad-difference resources.Parcl.fields.weight: null',
    ],
    [
      'one address written in two ways',
      'resources.Parcel.fields.note: {}\n      resources["Parcel"].fields.note: {}',
      'key-twice resources["Parcel"].fields.note: keep one of them',
    ],
    [
      'a value of another kind',
      'endpoints["GET /parcels"].response.status: 99',
      'bad-status 99: a status is a number from 200 to 599',
    ],
    ['a keyword', 'resources.Parcel.fields.weight: { tpe: number }', 'unknown-key tpe: did you mean type?'],
    [
      'a name that nobody has',
      'endpoints["GET /parcels"].does: list Parcl',
      'unknown-name Parcl: did you mean Parcel?',
    ],
    [
      'a name of another field',
      'resources.Parcel.fields.weight: { was: note }',
      'key-twice note: keep one of them',
    ],
    ['a name that is none', 'resources.Parcel.fields.weight: { was: {} }', 'wrong-kind {}: null'],
    ['was of what is no field', 'errors.codes.gone: { was: x }', 'unknown-key was: did you mean as?'],
  ])('%s', (_what, line, expected) => {
    expect(findings(differing(line))).toEqual([expected]);
  });

  it('in a path that it brings in and that ties with another', () => {
    expect(findings(differing('endpoints["PUT /parcels/{name}"]: { response: 204 }'))).toEqual([
      'path-twice endpoints["PUT /parcels/{name}"]: two paths may differ in literal segments, not in the names of their parameters alone',
    ]);
  });

  it('or at what it contradicts, and then to the difference as well', () => {
    const content = document({
      ...parts,
      errors: 'codes: { gone: { when: unknown, status: 410 }, unreadable: { when: malformed, status: 400 } }',
      versioning: 'versions: { "2": {}, "1": { differs: { errors.codes.gone.when: malformed } } }',
    });
    const found = read('x.md', content).diagnostics;
    expect(found.map((one) => [one.code, words(one.span), one.related.map(words)])).toEqual([
      ['condition-twice', 'malformed', ['malformed']],
    ]);
  });

  it('and not at what refers to what the version does not have', () => {
    const content = document({
      ...parts,
      errors: 'codes: { c: { when: malformed, operations: [list] } }',
      versioning:
        'versions:\n  "2": {}\n  "1":\n    differs:\n      endpoints["GET /parcels"]: (none)\n      resources.Parcel.fields.note: (none)',
    });
    expect(findings(content)).toEqual([]);
  });

  it('the newest version cannot differ from what the parts say', () => {
    const content = service(
      'versions: { "2": { differs: { resources.Parcel.fields.weight.type: number } } }',
    );
    expect(findings(content)).toEqual([
      'bad-difference { resources.Parcel.fields.weight.type: number }: null',
    ]);
  });

  it('and versions that are too many to be read are refused', () => {
    const fields = Array.from({ length: 9_000 }, (_, index) => `f${index}: { type: string }`).join(', ');
    const versions = Array.from(
      { length: 60 },
      (_, index) => `v${index}: { differs: { resources.T.fields.f${index}.type: integer } }`,
    );
    const content = document({
      resources: `T: { fields: { ${fields} } }`,
      versioning: `versions: { v: {}, ${versions.join(', ')} }`,
    });
    expect(findings(content).map((one) => one.split(' ')[0])).toEqual(['too-many-values']);
  });
});

it('the parcel desk weighed in kilograms before', () => {
  const { older } = specification(wholeDocument('parcel-desk'));
  expect([...older.keys()]).toEqual(['2026-01-15']);
  const then = older.get('2026-01-15');
  expect([...(then?.was ?? [])]).toEqual([['resources.Parcel.fields.weight', 'mass']]);
  expect(then?.specification.operations.map((one) => one.name)).not.toContain('cancelParcel');
});
