import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings, pairs } from './findings.ts';

const account = `Account:
  identifier: id
  fields:
    id: { type: string }
    name: { type: string, unique: caseless }
    mail: { type: string }
    region: { type: string }
    number: { type: integer }
    role: { type: string, unique: false }
  unique: [[region, number]]`;

/** A document of Account and of one field of another resource; what is closed stands in its head. */
const field = (keys: string, complete = 'true'): string =>
  document({
    head: `complete: ${complete}`,
    resources: `${account}\nParcel: { identifier: id, fields: { id: { type: string }, weight: { type: integer }, one: ${keys} } }`,
  });

describe('a reference is the key of one item', () => {
  it.each<[string, string, string[]]>([
    [
      'a resource',
      '{ refers: Acount }',
      ['unknown-name Acount: Acount is not the name of a resource → did you mean Account?'],
    ],
    [
      'a field',
      '{ refers: Account.nam }',
      ['unknown-name Account.nam: nam is not the name of a field → did you mean name?'],
    ],
    [
      'a field that several may share',
      '{ refers: Account.mail }',
      [
        'bad-reference Account.mail: "Account.mail" is no key of an item → write RESOURCE.field, the field being its identifier or unique',
      ],
    ],
    [
      'part of a key',
      '{ refers: Account.region }',
      [
        'bad-reference Account.region: "Account.region" is no key of an item → write RESOURCE.field, the field being its identifier or unique',
      ],
    ],
    [
      'no resource',
      '{ refers: account.id }',
      [
        'bad-reference account.id: "account.id" is no key of an item → write RESOURCE.field, the field being its identifier or unique',
      ],
    ],
    [
      'what becomes of it, where it is none',
      '{ type: string, ifDeleted: keep }',
      ['idle ifDeleted: ifDeleted says nothing of a field that refers to nothing → take it out'],
    ],
    [
      'and where it is denied',
      '{ refers: (none), ifDeleted: keep }',
      ['idle ifDeleted: ifDeleted says nothing of a field that refers to nothing → take it out'],
    ],
  ])('told: %s', (_, keys, expected) => {
    expect(findings(field(keys))).toEqual(expected);
  });

  it('a field that says that several may share it, though nothing is closed', () => {
    expect(findings(field('{ refers: Account.role }', '[service]'))).toEqual([
      'bad-reference Account.role: "Account.role" is no key of an item → write RESOURCE.field, the field being its identifier or unique',
    ]);
  });

  it.each<[string, string]>([
    ['its identifier', '{ refers: Account, ifDeleted: delete }'],
    ['its identifier by name', '{ refers: Account.id, ifDeleted: clear }'],
    ['a unique field', '{ refers: Account.name, ifDeleted: refuse }'],
    ['itself', '{ refers: Parcel, ifDeleted: keep }'],
    ['that is derived', '{ refers: Account, derived: "${actor}" }'],
    ['that is asked', '{ refers: (open) whose?, ifDeleted: keep }'],
  ])('not told: %s', (_, keys) => {
    expect(findings(field(keys))).toEqual([]);
  });

  it.each<[string, string]>([
    ['nothing is closed', field('{ refers: Account.mail }', '[service]')],
    [
      'only the field is',
      field('{ refers: Account.mail }', '[resources.Account.fields]').replace(
        '\n  unique: [[region, number]]',
        '',
      ),
    ],
    [
      'uniqueness is asked',
      field('{ refers: Account.mail }').replace(
        'mail: { type: string }',
        'mail: { type: string, unique: (open) }',
      ),
    ],
    [
      'the field is asked',
      field('{ refers: Account.mail }').replace('mail: { type: string }', 'mail: (open)'),
    ],
    [
      'the identifier is open',
      field('{ refers: Account.mail }').replace('identifier: id', 'identifier: (open)'),
    ],
    ['nothing becomes of it yet', field('{ type: string, ifDeleted: keep }', '[service]')],
  ])('not told where %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});

describe('what is derived is neither set nor given', () => {
  it.each<[string, string, string[]]>([
    [
      'a default',
      'default: 5',
      [
        'contradiction default: one is derived, and default speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'set on creation',
      'set: { create: 5 }',
      [
        'contradiction create: one is derived, and set speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'set at any change',
      'set: { update: 5 }',
      [
        'contradiction update: one is derived, and set speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'taken in',
      'taken: "${value}"',
      [
        'contradiction taken: one is derived, and taken speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'secret',
      'secret: hashed',
      [
        'contradiction secret: one is derived, and secret speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'unique',
      'unique: caseless',
      [
        'contradiction unique: one is derived, and unique speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'written',
      'writable: true',
      [
        'contradiction writable: one is derived, and writable speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
    [
      'written once',
      'writable: once',
      [
        'contradiction writable: one is derived, and writable speaks of a value that is given or kept → take one of the two out, or mend it',
      ],
    ],
  ])('%s', (_, key, expected) => {
    expect(findings(field(`{ derived: "\${this.weight + 1}", ${key} }`))).toEqual(expected);
  });

  it.each(['identifier: two', 'identifier: id, unique: [[id, two]]'])('nor known by it: %s', (keys) => {
    const fields = `{ id: { type: string }, two: { derived: "\${this.id + 'x'}" } }`;
    const content = document({ resources: `Parcel: { ${keys}, fields: ${fields} }` });
    expect(findings(content)).toEqual([
      'contradiction two: two is derived, and no item is known by a value that is not kept → take one of the two out, or mend it',
    ]);
  });

  it('and beside it, that it is derived', () => {
    expect(pairs(field('{ derived: "${this.weight}", set: { update: 5 } }'))).toEqual([
      'contradiction update ~ derived',
    ]);
  });

  it.each<[string, string]>([
    ['shown in another way', 'shown: "${value + 1}"'],
    ['read by some', 'readable: "${actor != null}"'],
    ['not written', 'writable: false'],
    ['what is asked', 'set: (open), taken: (open)'],
  ])('but: %s', (_, key) => {
    expect(findings(field(`{ derived: "\${this.weight + 1}", ${key} }`))).toEqual([]);
  });
});

describe('a view shows fields that are there to be shown', () => {
  const view = (keys: string): string =>
    document({
      head: 'complete: true',
      resources: `${account.replace('mail: {', 'mail: { readable: false,')}\nSum: { identifier: (none), type: string }\nCard: { ${keys} }`,
    });
  it.each<[string, string, string[]]>([
    [
      'of what is not there',
      'of: Acount, shows: [id]',
      ['unknown-name Acount: Acount is not the name of a resource → did you mean Account?'],
    ],
    [
      'of what is not kept',
      'of: Sum, shows: [id]',
      ['unknown-name Sum: Sum is not the name of a resource that is kept → known: Account'],
    ],
    [
      'of a view',
      'of: Card, shows: [id]',
      ['unknown-name Card: Card is not the name of a resource that is kept → known: Account'],
    ],
    [
      'a field that it shows',
      'of: Account, shows: [id, nam]',
      ['unknown-name nam: nam is not the name of a field → did you mean name?'],
    ],
    [
      'a field that it omits',
      'of: Account, omits: [nam]',
      ['unknown-name nam: nam is not the name of a field → did you mean name?'],
    ],
    [
      'a field that nobody reads',
      'of: Account, shows: [id, mail]',
      [
        'contradiction mail: mail is not readable, and this view shows it → take one of the two out, or mend it',
      ],
    ],
    [
      'both',
      'of: Account, shows: [id], omits: [name]',
      ['contradiction omits: a view either shows fields or omits some → take one of the two out, or mend it'],
    ],
    [
      'a field of its own that is not worked out',
      'of: Account, shows: [id], fields: { initial: { type: string } }',
      [
        'contradiction initial: initial is a field of a view alone, so it has to be derived → give it derived, or make it a field of the resource',
      ],
    ],
    [
      'and one that is said not to be',
      'of: Account, shows: [id], fields: { initial: { derived: (none) } }',
      [
        'contradiction initial: initial is a field of a view alone, so it has to be derived → give it derived, or make it a field of the resource',
      ],
    ],
    [
      'a slip in one',
      'of: Account, shows: [id], fields: { big: { derived: "${upper(this.nmae)}" } }',
      ['expression-type this.nmae: an item of Account has no nmae; did you mean name? → null'],
    ],
    [
      'a shape that is not there',
      'of: Account, shows: [id], fields: { big: { derived: "${this.name}", items: Smu } }',
      ['unknown-name Smu: Smu is not the name of a shape → did you mean Sum?'],
    ],
  ])('told: %s', (_, keys, expected) => {
    expect(findings(view(keys))).toEqual(expected);
  });

  it.each<[string, string]>([
    ['some fields', 'of: Account, shows: [id, name]'],
    ['all but a few', 'of: Account, omits: [mail, role]'],
    [
      'fields of its own',
      'of: Account, shows: [id, big], fields: { big: { derived: "${upper(this.name)}" }, parts: { derived: { a: "${this.id}", b: [5, "${random(4)}"] } } }',
    ],
    [
      'one that hides another',
      'of: Account, shows: [id, name], fields: { name: { derived: "${upper(this.name)}" } }',
    ],
    ['one that is asked', 'of: Account, shows: [id], fields: { big: (open) how?, sum: { derived: (open) } }'],
  ])('not told: %s', (_, keys) => {
    expect(findings(view(keys))).toEqual([]);
  });

  it('not told: one that is open', () => {
    const resources = `${account}\nCard: { of: Account, shows: [id], fields: { big: { type: string } } }`;
    expect(findings(document({ resources }))).toEqual([]);
  });
});

describe('what a field says by expressions is checked', () => {
  it.each<[string, string, string[]]>([
    [
      'set to another kind',
      '{ type: integer, set: { create: "${now}" } }',
      ['expression-type now: this is a time, and an integer is wanted → null'],
    ],
    [
      'set to none of its values',
      '{ enum: [small, large], set: { create: medium } }',
      ['wrong-kind medium: one of small, large is wanted here, and this is medium → null'],
    ],
    [
      'set at a change to another kind',
      '{ type: boolean, set: { update: "${old.weight}", create: 5 } }',
      [
        'expression-type old.weight: this is an integer, and true or false is wanted → null',
        'wrong-kind 5: true or false is wanted here, and this is a number → null',
      ],
    ],
    [
      'taken in as another kind',
      '{ type: integer, taken: "${string(value)}" }',
      ['expression-type string(value): this is text, and an integer is wanted → null'],
    ],
    [
      'who reads it',
      '{ readable: "${this.weight}" }',
      ['expression-type this.weight: this is an integer, and true or false is wanted → null'],
    ],
    [
      'who writes it',
      '{ writable: "${5}" }',
      ['expression-type 5: this is an integer, and true or false is wanted → null'],
    ],
    [
      'what holds of it',
      '{ holds: { it is small: "${this.weight}" } }',
      ['expression-type this.weight: this is an integer, and true or false is wanted → null'],
    ],
    [
      'made where it is derived',
      '{ derived: "${uuid()}" }',
      [
        'expression-type uuid(): uuid() makes something new, and may stand only in set, with, an answer, or a view → null',
      ],
    ],
    [
      'of itself',
      '{ derived: "${this.one}" }',
      [
        'circle "${this.one}": these need one another without end: Parcel.one → Parcel.one → take one of them out of the circle',
      ],
    ],
    [
      'of itself, whenever the item changes',
      '{ type: integer, set: { create: 0, update: "${this.one + 1}" } }',
      [
        'circle "${this.one + 1}": these need one another without end: Parcel.one → Parcel.one → old.one is the value before',
      ],
    ],
    [
      'of itself by way of what is derived, whenever the item changes',
      '{ type: integer, set: { update: "${this.two + 1}" } }, two: { derived: "${this.one}" }',
      [
        'circle "${this.two + 1}": these need one another without end: Parcel.one → Parcel.two → Parcel.one → old.one is the value before',
      ],
    ],
  ])('told: %s', (_, keys, expected) => {
    expect(findings(field(keys))).toEqual(expected);
  });

  it('nothing of a field that is set at a change by what it was, or by another that is not', () => {
    expect(
      findings(
        field('{ type: integer, set: { create: "${this.weight}", update: "${old.one + this.weight}" } }'),
      ),
    ).toEqual([]);
  });

  it('what always holds, and can be asked of a store', () => {
    const invariants = (rule: string): string =>
      field('{ type: string }').replace(
        'fields: { id: { type: string }, weight',
        `invariants: { it holds: "\${${rule}}" }, fields: { id: { type: string }, weight`,
      );
    expect(findings(invariants('this.weight'))).toEqual([
      'expression-type this.weight: this is an integer, and true or false is wanted → null',
    ]);
    expect(findings(invariants("trim(this.one) == 'a'"))).toEqual([
      'not-storable trim(this.one): trim(…) cannot be worked out where rows are found or counted → keep what it comes to in a field that is set, and compare that',
    ]);
    expect(
      findings(invariants('this.weight > 5 && !Parcel.exists(p, p != this && p.one == this.one)')),
    ).toEqual([]);
  });

  it('an item that is known by several fields, which a store finds in no list of values', () => {
    const told = (rule: string): string[] =>
      findings(
        document({
          resources: [
            'Pair: { identifier: [a, b], fields: { a: { type: string }, b: { type: string, unique: true } } }',
            `Parcel: { identifier: id, invariants: { it holds: "\${${rule}}" }, fields: { id: { type: string },`,
            '  tags: { type: array }, one: { refers: Pair, ifDeleted: keep }, two: { refers: Pair.b, ifDeleted: keep } } }',
          ].join('\n'),
        }),
      );
    expect(told('this.one in this.tags')).toEqual([
      'not-storable this.one in this.tags: an item that is known by several fields is not looked for in a list → compare it with each of them, or their fields one by one',
    ]);
    expect(told('this.two in this.tags || this in this.tags || this.one in [this.two]')).toEqual([]);
  });

  it.each<[string, string]>([
    ['a time as text', '{ type: string, format: date, set: { create: "${now}" } }'],
    ['a duration', '{ type: string, format: duration, set: { create: "${duration(\'P1D\')}" } }'],
    ['of several types', '{ type: [string, integer], set: { create: 5 } }'],
    ['that may be null', '{ type: [string, "null"], enum: [a, null], set: { create: null } }'],
    ['of a named shape', '{ allOf: [{ type: integer }], set: { create: "${this.weight}" } }'],
    [
      'a template of several values',
      '{ type: object, derived: { a: "${this.weight}", b: [1, "${this.id}"] } }',
    ],
    ['counted', '{ type: integer, set: { create: 0, update: "${old.one + 1}" } }'],
    [
      'handlers',
      '{ readable: { handled: a }, writable: { handled: b }, holds: { it: { handled: c } }, taken: { handled: d }, shown: { handled: e } }',
    ],
  ])('not told: %s', (_, keys) => {
    expect(findings(field(keys))).toEqual([]);
  });
});

it('what a view derives is of the kind that its field states', () => {
  const view = (derived: string): string =>
    document({
      resources: `${account}\nBrief: { of: Account, shows: [id], fields: { size: { type: integer, derived: ${derived} } } }`,
    });
  expect(findings(view('"${size(this.mail)}"'))).toEqual([]);
  expect(findings(view('"${this.mail}"'))).toEqual([
    'expression-type this.mail: this is text, and an integer is wanted → null',
  ]);
});
