import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, places, plain, points, specification, words } from './documents.ts';

const parts = {
  resources: 'Parcel: { identifier: id, fields: { id: { type: string }, note: {} } }',
  endpoints:
    'GET /parcels: { operation: list, does: list Parcel, response: 200 }\nGET /parcels/{id}: { operation: show, does: read Parcel, response: 200 }',
};

const service = (limits: string, head?: string) =>
  document({ ...(head === undefined ? {} : { head }), ...parts, limits });

/** Each fault: its code, the characters that it points at, and its hint. */
function findings(limits: string, head?: string): string[] {
  return read('x.md', service(limits, head)).diagnostics.map(
    (one) => `${one.code} ${words(one.span)}: ${one.hint}`,
  );
}

function limits(yaml: string) {
  const found = stated(specification(service(yaml)).limits);
  if (found === undefined) throw new Error('nothing is stated');
  return found;
}

const duration = 'write it as ISO 8601 does: PT30S, PT15M, P14D';
const size = 'a whole number of bytes, or one with a unit: 64 KiB; units are B, kB, MB, GB, KiB, MiB, GiB';

describe('rates (language §8.1)', () => {
  it('each key is read as what it is', () => {
    const rate = stated(
      stated(
        limits(
          'rates: { desk: { allow: 100, every: PT1M, per: actor, operations: [list], window: bucket, headers: { X-Left: "${rate.remaining}" } } }',
        ).rates,
      )?.get('desk'),
    );
    expect(stated(rate?.allow)).toBe(100);
    expect(stated(rate?.every)).toBe(60_000);
    expect(stated(rate?.per)).toEqual({ kind: 'actor' });
    expect(stated(rate?.operations)?.map((one) => one.text)).toEqual(['list']);
    expect(stated(rate?.window)).toBe('bucket');
    expect(plain(stated(rate?.headers))).toMatchObject({ kind: 'fields', fields: { map: [['X-Left', {}]] } });
  });

  it.each([
    ['per: address', { kind: 'address' }],
    ['per: "${request.headers[\'Origin\']}"', { kind: 'expression' }],
  ])('%s', (yaml, expected) => {
    const rate = stated(stated(limits(`rates: { a: { ${yaml} } }`).rates)?.get('a'));
    expect(stated(rate?.per)).toMatchObject(expected);
  });

  it('all requests may be counted together, and told by a draft of the IETF’s', () => {
    const rate = stated(stated(limits('rates: { a: { per: (none), headers: draft-10 } }').rates)?.get('a'));
    expect(rate?.per.kind).toBe('none');
    expect(stated(rate?.headers)).toEqual({ kind: 'draft-10' });
  });

  it('some requests alone may be counted, by who asks and what for', () => {
    const rate = stated(
      stated(limits('rates: { a: { when: "${actor == null && request.method == \'GET\'}" } }').rates)?.get(
        'a',
      ),
    );
    expect(rate?.when).toMatchObject({ kind: 'stated', address: 'limits.rates.a.when' });
    expect(stated(rate?.when as never)).toMatchObject({ template: { kind: 'expression' } });
  });

  it.each([
    ['PT0.25S', 250],
    ['PT1H30M', 5_400_000],
    ['P1DT1S', 86_401_000],
    ['P2W', 1_209_600_000],
  ])('every: %s', (written, ms) => {
    expect(stated(stated(stated(limits(`rates: { a: { every: ${written} } }`).rates)?.get('a'))?.every)).toBe(
      ms,
    );
  });

  it.each([
    ['allow: 0', 'wrong-kind 0: null'],
    ['allow: 1.5', 'wrong-kind 1.5: null'],
    ['allow: many', 'wrong-kind many: null'],
    ['every: 60', `bad-duration 60: ${duration}`],
    ['every: 1 minute', `bad-duration 1 minute: ${duration}`],
    ['every: PT', `bad-duration PT: ${duration}`],
    ['every: []', 'wrong-kind []: null'],
    [
      'every: P1M',
      'bad-duration P1M: years and months vary in length: write weeks, days, hours, minutes or seconds',
    ],
    [
      'every: P1Y',
      'bad-duration P1Y: years and months vary in length: write weeks, days, hours, minutes or seconds',
    ],
    ['every: PT0S', 'bad-duration PT0S: write one that is longer than nothing'],
    ['per: acter', 'unknown-word acter: did you mean actor?'],
    ['per: "${this.id}"', 'expression-type this: null'],
    ['per: "${request.query}"', 'expression-type "${request.query}": null'],
    ['when: often', 'not-an-expression often: write ${ … }'],
    ['when: "${this.id == 1}"', 'expression-type this: null'],
    ['when: "${request.query}"', 'expression-type request.query: null'],
    ['window: slidng', 'unknown-word slidng: did you mean sliding?'],
    ['headers: draft-9', 'unknown-word draft-9: did you mean draft-10?'],
    [
      'headers: { "X Left": x }',
      'bad-field-name "X Left": a name is letters, digits and hyphens (RFC 9110 §5.1)',
    ],
    ['headers: { X-Left: "${rate.left}" }', 'expression-type rate.left: null'],
    ['headers: { X-Left: "${this}" }', 'expression-type this: null'],
    ['headers: { X-Left: "${[rate.limit]}" }', 'expression-type [rate.limit]: null'],
    ['operations: [lst]', 'unknown-name lst: did you mean list?'],
    ['alow: 3', 'unknown-key alow: did you mean allow?'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(`rates: { a: { ${yaml} } }`)).toEqual([expected]);
  });

  it('a name is one', () => {
    expect(findings('rates: { a b: {} }')).toHaveLength(1);
    expect(findings('rates: { a b: {} }')[0]).toMatch(/^bad-name a b: /);
  });
});

describe('concurrency (language §8.2)', () => {
  it('is read as a rate without a time', () => {
    const share = stated(
      stated(limits('concurrency: { all: { allow: 2, per: address, operations: show } }').concurrency)?.get(
        'all',
      ),
    );
    expect(stated(share?.allow)).toBe(2);
    expect(stated(share?.per)).toEqual({ kind: 'address' });
    expect(stated(share?.operations)?.map((one) => one.text)).toEqual(['show']);
  });

  it.each([
    ['concurrency: 2', 'wrong-kind 2: null'],
    ['concurrency: { a: { every: PT1S } }', 'unknown-key every: known here: allow, per, operations, when'],
    ['concurrency: { a: { operations: [shw] } }', 'unknown-name shw: did you mean show?'],
    ['concurrency: { a: { per: "${[1]}" } }', 'expression-type "${[1]}": null'],
    ['rates: { a: {} }\nconcurrency: { a: {} }', 'key-twice a: keep one of them'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(yaml)).toEqual([expected]);
  });

  it('a row of part 7 may name one', () => {
    const errors = 'codes: { busy: { when: rate exceeded all, status: 429 } }';
    const content = document({ ...parts, errors, limits: 'concurrency: { all: { allow: 1 } }' });
    expect(read('x.md', content).diagnostics).toEqual([]);
  });
});

describe('sizes, times and defaults (language §8.3)', () => {
  it.each([
    ['65536', 65_536],
    ['0', 0],
    ['7 B', 7],
    ['64 KiB', 65_536],
    ['64KiB', 65_536],
    ['1 kB', 1000],
    ['1 MB', 1_000_000],
    ['1 MiB', 1_048_576],
    ['2 GB', 2_000_000_000],
    ['2 GiB', 2_147_483_648],
  ])('body: %s', (written, bytes) => {
    const sizes = stated(limits(`sizes: { body: ${written} }`).sizes);
    expect(sizes && stated(sizes.body)).toBe(bytes);
  });

  it('a page is counted in items', () => {
    const sizes = stated(limits('sizes: { page: 100 }').sizes);
    expect(sizes && stated(sizes.page)).toBe(100);
  });

  it('a quota allows a number of items, a size, or what an expression gives', () => {
    const quota = (allow: string) => {
      const [one] =
        stated(limits(`quotas: { parcels: { of: Parcel, allow: ${allow} } }`).quotas)?.values() ?? [];
      const found = stated(one && stated(one)?.allow);
      return typeof found === 'object' ? found.template.kind : found;
    };
    expect(['100', '1 GiB', '"${2 * 50}"'].map(quota)).toEqual([100, 1_073_741_824, 'expression']);
  });

  it.each([
    ['sizes: { body: 64 KB }', `bad-size 64 KB: did you mean 64 kB?`],
    ['sizes: { body: 64 blocks }', `bad-size 64 blocks: ${size}`],
    ['sizes: { body: 1.5 MB }', `bad-size 1.5 MB: ${size}`],
    ['sizes: { body: -1 }', `bad-size -1: ${size}`],
    ['sizes: { body: 9999999999 GiB }', `bad-size 9999999999 GiB: ${size}`],
    ['sizes: { body: 1 constructor }', `bad-size 1 constructor: ${size}`],
    ['sizes: { body: true }', 'wrong-kind true: null'],
    ['sizes: { body: [] }', 'wrong-kind []: null'],
    ['sizes: { page: 0 }', 'wrong-kind 0: null'],
    ['sizes: { page: 1 kB }', 'wrong-kind 1 kB: null'],
    [
      'sizes: { Parcel: 1 }',
      'removed-word Parcel: write quotas: { parcels: { of: Parcel, allow: … } } beside sizes; tacet check --fix does it',
    ],
    ['sizes: { bdy: 1 }', 'unknown-key bdy: did you mean body?'],
    ['quotas: { all: { of: Parcl, allow: 1 } }', 'unknown-name Parcl: did you mean Parcel?'],
    ['quotas: { all: { of: Parcel, allow: -1 } }', `bad-size -1: ${size}`],
    ['sizes: 1', 'wrong-kind 1: null'],
    ['times: { request: soon }', `bad-duration soon: ${duration}`],
    ['times: { operations: { shw: PT1S } }', 'unknown-name shw: did you mean show?'],
    ['times: { operations: { show: PT0S } }', 'bad-duration PT0S: write one that is longer than nothing'],
    ['times: { requests: PT1S }', 'unknown-key requests: did you mean request?'],
    ['defaults: 20', 'wrong-kind 20: null'],
    [
      'defaults: { resources.Parcel: 20 }',
      'unknown-key resources.Parcel: a shape holds the keywords of JSON Schema 2020-12',
    ],
    ['rate: {}', 'unknown-key rate: did you mean rates?'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(yaml)).toEqual([expected]);
  });

  it('times are in milliseconds', () => {
    const times = stated(limits('times: { request: PT10S, operations: { show: PT0.5S } }').times);
    expect(stated(times?.request)).toBe(10_000);
    expect(stated(stated(times?.operations)?.get('show'))).toBe(500);
  });

  it('a fault stands where it is written', () => {
    expect(places(service('sizes: { body: 64 KB }'))).toEqual(['19:16 bad-size']);
  });
});

describe('what is open of limits', () => {
  const yaml =
    'rates: { desk: { allow: (open) how many? } }\nsizes: { body: (none) }\ntimes: { request: PT1S }\nconcurrency: { all: {} }';

  it('each point is listed, and the rest of each list', () => {
    expect(points(specification(service(yaml)), 'limits')).toEqual({
      'limits.rates.desk.allow': 'open: how many?',
      'limits.rates.desk.every': 'open',
      'limits.rates.desk.per': 'open',
      'limits.rates.desk.*': 'open',
      'limits.rates.*': 'open',
      'limits.sizes.body': 'stated',
      'limits.sizes.*': 'open',
      'limits.times.request': 'stated',
      'limits.times.*': 'open',
      'limits.concurrency.all.allow': 'open',
      'limits.concurrency.all.per': 'open',
      'limits.concurrency.all.*': 'open',
      'limits.concurrency.*': 'open',
      'limits.*': 'open',
    });
  });

  it('and a closed list denies what it does not name, but not a value', () => {
    const found = points(specification(service(yaml, 'complete: true')), 'limits');
    expect(Object.entries(found).filter(([, state]) => state !== 'stated')).toEqual([
      ['limits.rates.desk.allow', 'open: how many?'],
      ['limits.rates.desk.every', 'open'],
      ['limits.rates.desk.per', 'open'],
      ['limits.concurrency.all.allow', 'open'],
      ['limits.concurrency.all.per', 'open'],
    ]);
  });

  it('as long as part 4 lists nothing and is open, an operation is silence and no fault', () => {
    const yaml = 'rates: { a: { operations: [anything] } }\ntimes: { operations: { anything: PT1S } }';
    expect(read('x.md', document({ limits: yaml })).diagnostics).toEqual([]);
    expect(read('x.md', document({ limits: yaml, endpoints: '(none)' })).diagnostics).toHaveLength(2);
  });
});
