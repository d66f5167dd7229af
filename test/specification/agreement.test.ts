import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings, pairs } from './findings.ts';

const shape = (keywords: string): string =>
  document({ resources: `Parcel: { identifier: id, fields: { id: ${keywords} } }` });

describe('a shape that contradicts itself is told, with both of the words', () => {
  it.each<[string, string, string[]]>([
    [
      'bounds',
      '{ type: number, minimum: 5, maximum: 3 }',
      ['contradiction maximum: minimum 5 and maximum 3 leave no value → take one of the two out, or mend it'],
    ],
    [
      'a bound that is left out, and the same as the other',
      '{ type: number, exclusiveMinimum: 3, maximum: 3 }',
      [
        'contradiction maximum: exclusiveMinimum 3 and maximum 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'the other bound left out',
      '{ type: number, minimum: 3, exclusiveMaximum: 3 }',
      [
        'contradiction exclusiveMaximum: minimum 3 and exclusiveMaximum 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'both left out',
      '{ type: number, exclusiveMinimum: 3, exclusiveMaximum: 3 }',
      [
        'contradiction exclusiveMaximum: exclusiveMinimum 3 and exclusiveMaximum 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'lengths',
      '{ type: string, minLength: 4, maxLength: 3 }',
      [
        'contradiction maxLength: minLength 4 and maxLength 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'lengths of a list',
      '{ type: array, minItems: 4, maxItems: 3 }',
      [
        'contradiction maxItems: minItems 4 and maxItems 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'how often something is in a list',
      '{ type: array, contains: true, minContains: 4, maxContains: 3 }',
      [
        'contradiction maxContains: minContains 4 and maxContains 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'how many members',
      '{ type: object, minProperties: 4, maxProperties: 3 }',
      [
        'contradiction maxProperties: minProperties 4 and maxProperties 3 leave no value → take one of the two out, or mend it',
      ],
    ],
    [
      'deep within a shape',
      '{ type: array, items: { type: integer, minimum: 4, maximum: 3 } }',
      ['contradiction maximum: minimum 4 and maximum 3 leave no value → take one of the two out, or mend it'],
    ],
  ])('%s', (_, keywords, expected) => {
    expect(findings(shape(keywords))).toEqual(expected);
  });

  it('the upper bound, and beside it the lower one', () => {
    expect(pairs(shape('{ maximum: 3, minimum: 5 }'))).toEqual(['contradiction maximum ~ minimum']);
  });
});

describe('a default that the shape around it refuses is told', () => {
  it.each<[string, string, string[]]>([
    [
      'none of the values',
      '{ enum: [small, large], default: medium }',
      ['bad-keyword medium: default takes a value that enum beside it admits, and this is medium → null'],
    ],
    [
      'not the one value',
      '{ const: small, default: large }',
      ['bad-keyword large: default takes a value that const beside it admits, and this is large → null'],
    ],
    [
      'below',
      '{ type: integer, minimum: 5, default: 4 }',
      ['bad-keyword 4: default takes a value that minimum beside it admits, and this is 4 → null'],
    ],
    [
      'above',
      '{ type: integer, maximum: 5, default: 6 }',
      ['bad-keyword 6: default takes a value that maximum beside it admits, and this is 6 → null'],
    ],
    [
      'at a bound that is left out below',
      '{ type: integer, exclusiveMinimum: 5, default: 5 }',
      ['bad-keyword 5: default takes a value that exclusiveMinimum beside it admits, and this is 5 → null'],
    ],
    [
      'at a bound that is left out above',
      '{ type: integer, exclusiveMaximum: 5, default: 5 }',
      ['bad-keyword 5: default takes a value that exclusiveMaximum beside it admits, and this is 5 → null'],
    ],
    [
      'too short',
      '{ type: string, minLength: 2, default: a }',
      ['bad-keyword a: default takes a value that minLength beside it admits, and this is a → null'],
    ],
    [
      'too long',
      '{ type: string, maxLength: 2, default: abc }',
      ['bad-keyword abc: default takes a value that maxLength beside it admits, and this is abc → null'],
    ],
    [
      'not of the pattern',
      '{ type: string, pattern: "^[a-z]+$", default: A1 }',
      ['bad-keyword A1: default takes a value that pattern beside it admits, and this is A1 → null'],
    ],
    [
      'not of the format',
      '{ type: string, format: uuid, default: abc }',
      ['bad-keyword abc: default takes a value that format beside it admits, and this is abc → null'],
    ],
    [
      'too few',
      '{ type: array, minItems: 1, default: [] }',
      ['bad-keyword []: default takes a value that minItems beside it admits, and this is a list → null'],
    ],
    [
      'too many',
      '{ type: array, maxItems: 1, default: [1, 2] }',
      ['bad-keyword [1, 2]: default takes a value that maxItems beside it admits, and this is a list → null'],
    ],
    [
      'null, which is no value of the list',
      '{ type: [string, "null"], enum: [a, b], default: null }',
      ['bad-keyword null: default takes a value that enum beside it admits, and this is null → null'],
    ],
  ])('%s', (_, keywords, expected) => {
    expect(findings(shape(keywords))).toEqual(expected);
  });
});

describe('a keyword that says nothing of the stated type is told', () => {
  it.each<[string, string, string[]]>([
    [
      'a length of a number',
      '{ type: integer, maxLength: 5 }',
      [
        'idle-keyword maxLength: maxLength says nothing of a value of type integer → take it out, or state the type that it is about',
      ],
    ],
    [
      'a bound of text',
      '{ type: string, minimum: 5 }',
      [
        'idle-keyword minimum: minimum says nothing of a value of type string → take it out, or state the type that it is about',
      ],
    ],
    [
      'a format of a number',
      '{ type: number, format: date }',
      [
        'idle-keyword format: format says nothing of a value of type number → take it out, or state the type that it is about',
      ],
    ],
    [
      'elements of an object',
      '{ type: object, items: { type: string } }',
      [
        'idle-keyword items: items says nothing of a value of type object → take it out, or state the type that it is about',
      ],
    ],
    [
      'members of a list',
      '{ type: array, properties: { a: { type: string } } }',
      [
        'idle-keyword properties: properties says nothing of a value of type array → take it out, or state the type that it is about',
      ],
    ],
    [
      'of several types none',
      '{ type: [boolean, "null"], pattern: a, minItems: 1 }',
      [
        'idle-keyword pattern: pattern says nothing of a value of type boolean or null → take it out, or state the type that it is about',
        'idle-keyword minItems: minItems says nothing of a value of type boolean or null → take it out, or state the type that it is about',
      ],
    ],
  ])('%s', (_, keywords, expected) => {
    expect(findings(shape(keywords))).toEqual(expected);
  });

  it('and so of a parameter that is text because it states no type', () => {
    const endpoints = 'GET /: { does: (none), request: { query: { size: { maximum: 5 } } } }';
    expect(findings(document({ endpoints }))).toEqual([
      'idle-keyword maximum: maximum says nothing of a value of type string → take it out, or state the type that it is about',
    ]);
  });
});

describe('a shape that agrees with itself is not told', () => {
  it.each<[string, string]>([
    ['bounds that meet', '{ type: integer, minimum: 3, maximum: 3, default: 3 }'],
    ['bounds of which one is open', '{ type: integer, minimum: (open) 5?, maximum: 3 }'],
    ['bounds of which one is denied', '{ type: integer, minimum: 5, maximum: (none) }'],
    ['a bound of an integer, or of text', '{ type: [integer, string], maximum: 3, maxLength: 3 }'],
    [
      'keywords of several types, where none is stated',
      '{ maximum: 3, maxLength: 3, items: { type: string } }',
    ],
    ['a value that may be null', '{ type: [string, "null"], enum: [a, null], default: null }'],
    ['a default that is the text of a marker', `{ enum: ['\${"(none)"}', b], default: '\${"(none)"}' }`],
    ['a default of 3.0 for an integer', '{ type: integer, enum: [3, 4], default: 3.0 }'],
    ['a default of code points', '{ type: string, maxLength: 2, default: 𝒳𝒴 }'],
    ['a default of another type', '{ minimum: 3, default: a }'],
    ['a default that only a named shape could refuse', '{ allOf: [{ minimum: 3 }], default: 1 }'],
    ['an object by default', '{ type: object, minProperties: 0, default: {} }'],
    ['a choice of shapes', '{ oneOf: [{ const: a }, { type: string, minLength: 3 }], default: a }'],
  ])('%s', (_, keywords) => {
    expect(findings(shape(keywords))).toEqual([]);
  });
});

it('a type that is none is told alone', () => {
  const content = document({
    resources: 'T: { identifier: (none), type: [string, { a: b }], format: uri, maximum: 3 }',
  });
  expect(findings(content)).toEqual([expect.stringContaining('unknown-type')]);
});
