import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachMember, memberIn } from '../../../src/service/resource/text.ts';

const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a', 'b', '"', '\\', '\\"', '__proto__', ''),
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('"', '\\', '\\\\"', '},{', '":', '[{"a":"]"}]', [['}']], { b: '{' }),
);
const object = fc.dictionary(name, value, { noNullPrototype: true });

describe('the JSON text of an object, gone through member by member', () => {
  it('has the members that it was made of, in their order', () => {
    fc.assert(
      fc.property(object, (members) => {
        const text = JSON.stringify(members);
        const found: [string, string][] = [];
        eachMember(text, (one, from, to) => {
          found.push([one, text.slice(from, to)]);
          return false;
        });
        expect(found).toEqual(Object.entries(members).map(([one, of]) => [one, JSON.stringify(of)]));
      }),
      { numRuns: 2000, seed: 20_261_151 },
    );
  });

  it('gives one of them as it is parsed, and undefined where there is none', () => {
    fc.assert(
      fc.property(object, name, (members, other) => {
        const text = JSON.stringify(members);
        for (const one of [...Object.keys(members), other]) {
          const expected = Object.hasOwn(members, one) ? members[one] : undefined;
          expect(JSON.stringify(memberIn(text, one))).toBe(JSON.stringify(expected));
        }
      }),
      { numRuns: 2000, seed: 20_261_152 },
    );
  });

  it('is refused where it is written in another way', () => {
    for (const text of ['{"a" : 1}', '{"a', '{"a":', '{"a":1', '{"a":"x'])
      expect(() => memberIn(text, 'b')).toThrow(TypeError);
  });
});
