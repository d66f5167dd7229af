import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Address,
  canonical,
  isUnder,
  parts,
  rest,
  step,
  steps,
} from '../../src/specification/reading/address.ts';

const names = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a', '0', 'é_$-'),
);
const paths = fc.tuple(
  fc.constantFrom(...parts),
  fc.array(
    fc.oneof(
      names.filter((name) => name !== '*'),
      fc.nat(),
    ),
  ),
);
const written = ([part, further]: [string, (string | number)[]]): Address =>
  further.reduce<Address>(step, part);

describe('an address is the path to a point', () => {
  it.each([
    ['endpoints["POST /parcels"].response.status', ['endpoints', 'POST /parcels', 'response', 'status']],
    ['resources.Parcel.fields.weight.maximum', ['resources', 'Parcel', 'fields', 'weight', 'maximum']],
    ['resources.Parcel.fields.*', ['resources', 'Parcel', 'fields', '*']],
    [
      'states["Parcel.status"].transitions.pickUp.when',
      ['states', 'Parcel.status', 'transitions', 'pickUp', 'when'],
    ],
    ['errors.codes.parcel_unknown.status', ['errors', 'codes', 'parcel_unknown', 'status']],
    ['endpoints["GET /"].response[0].body', ['endpoints', 'GET /', 'response', 0, 'body']],
    ['resources.Ä.fields.naïve-$1', ['resources', 'Ä', 'fields', 'naïve-$1']],
    ['limits', ['limits']],
  ])('%s', (address, path) => {
    expect(steps(address)).toEqual(path);
    expect(canonical(address)).toBe(address);
  });

  it.each([
    '',
    'nothing',
    'Resources',
    'resources.',
    'resources..x',
    'resources.a b',
    'resources[a]',
    "resources['a']",
    'resources["a]',
    'resources["\\q"]',
    'resources[-1]',
    'resources.*.x',
    'resources.**',
    ' resources',
    'resources.a ',
    '.resources',
  ])('%j is none', (address) => {
    expect(steps(address)).toBeUndefined();
    expect(canonical(address)).toBeUndefined();
  });

  it('every path has one address, from which it is read again', () => {
    fc.assert(
      fc.property(paths, (path) => {
        expect(steps(written(path))).toEqual([path[0], ...path[1]]);
        expect(canonical(written(path))).toBe(written(path));
      }),
    );
  });

  it('however an address is written, it comes to the one', () => {
    fc.assert(
      fc.property(paths, fc.boolean(), ([part, further], isRest) => {
        const bracketed = further.map((name) => `[${JSON.stringify(name)}]`).join('');
        const expected = isRest ? rest(written([part, further])) : written([part, further]);
        expect(canonical(`${part}${bracketed}${isRest ? '.*' : ''}`)).toBe(expected);
      }),
    );
  });

  it('lies under itself, and under each address on the way to it', () => {
    fc.assert(
      fc.property(paths, fc.nat(), ([part, further], pick) => {
        const above = written([part, further.slice(0, pick % (further.length + 1))]);
        expect(isUnder(written([part, further]), above)).toBe(true);
      }),
    );
    expect(isUnder('resources.Todos', 'resources.Todo')).toBe(false);
    expect(isUnder('resources.Todo.*', 'resources.Todo')).toBe(true);
    expect(isUnder('resources', 'resources.Todo')).toBe(false);
  });
});
