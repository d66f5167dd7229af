import { describe, expect, it } from 'vitest';
import { itemSeen } from '../../src/conformance/item.ts';
import {
  absent,
  absentOrNull,
  anything,
  hole,
  type Item,
  item,
  type Partly,
} from '../../src/conformance/partly.ts';
import { type Names, workOut } from '../../src/conformance/solve.ts';
import { fitsField, shownAs, unify } from '../../src/conformance/unify.ts';
import { typeOf } from '../../src/expression/check.ts';
import { expressionsIn, parseText, type Template } from '../../src/expression/template.ts';
import { type Type, timestamp } from '../../src/expression/type.ts';
import { read } from '../../src/specification/read.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { scope } from '../expression/scope.ts';

const { specification } = read(
  'things.yaml',
  `
resources:
  Thing:
    identifier: id
    fields:
      id:   { type: string, readable: false, set: { create: "\${uuid()}" } }
      rank: { type: integer, readable: false }
      name: { type: string }
      note: { type: string }
      url:  { type: string, derived: "\${service.url + '/' + this.id}" }
      tag:  { type: string, derived: "rank \${this.rank}" }
`,
);
const thing = specification.resourcesByName.get('Thing') as Resource;

function template(text: string): Template {
  const parsed = parseText(text);
  if ('message' in parsed) throw new Error(parsed.message);
  return parsed;
}

function value(text: string, names: Record<string, Partly> = {}): Partly {
  const all: Names = new Map(Object.entries({ service: { url: 'http://here' }, ...names }));
  return workOut(template(text), all);
}

const bare: Item = item(thing, [], []);

describe('an expression of which not everything is known', () => {
  it('is worked out where what it reads is known', () => {
    expect(value("${1 + 2 * 3 == 7 && 'b' in ['a', 'b']}")).toBe(true);
    expect(value("${[3, 1].map(x, string(x * 2)).join('-')}")).toBe('6-2');
    expect(value("${body.name == null ? 'none' : body.name}", { body: {} })).toBe('none');
    expect(value('at ${service.url}!')).toBe('at http://here!');
    expect(value("${split(replace('a.b', '.', ' '), ' ').join('') + substring('xyz', -1)}")).toBe('abz');
  });

  it.each<[string, unknown]>([
    ["${at == timestamp('2026-01-01T11:00:00Z')}", true],
    ["${at < timestamp('2026-01-01T11:30:00Z')}", true],
    ["${at + duration('PT1H')}", '2026-01-01T12:00:00.000000Z'],
    ["${[at, timestamp('2026-01-01T11:30:00Z')].max()}", '2026-01-01T11:30:00Z'],
    ['${later - at}', hole()],
    ['${7 / 2}', 3],
  ])('reckons with times and whole numbers by their types: %s', (text, expected) => {
    const parsed = template(text);
    const names = new Map<string, Type>([
      ['at', timestamp],
      ['later', timestamp],
    ]);
    for (const { syntax } of expressionsIn(parsed)) typeOf(syntax, { ...scope, names }, () => undefined);
    expect(workOut(parsed, new Map([['at', '2026-01-01T12:00:00+01:00']]))).toEqual(expected);
  });

  it.each([
    ["${now > timestamp('2026-01-01T09:59:59Z')}", true],
    ["${now > timestamp('2026-01-01T10:30:00Z')}", null],
    ["${now <= timestamp('2026-01-01T11:00:00Z')}", true],
    ["${now < timestamp('2026-01-01T11:00:00Z')}", null],
    ["${timestamp('2026-01-01T12:00:00Z') < now}", false],
    ["${now == timestamp('2026-01-01T12:00:00Z')}", false],
    ["${now != timestamp('2026-01-01T12:00:00Z')}", true],
    ["${now == timestamp('2026-01-01T10:30:00Z')}", null],
    ["${now + duration('PT1H') >= timestamp('2026-01-01T11:00:00Z')}", true],
    ["${now + duration('PT1H') >= timestamp('2026-01-01T12:00:00Z')}", null],
    ["${timestamp('2026-01-02T11:00:00Z') - now >= duration('P1D')}", true],
    ["${timestamp('2026-01-02T11:00:00Z') - now > duration('P1D')}", null],
    ["${timestamp('2026-01-02T11:00:00Z') - now < duration('P1D')}", false],
    ["${string(now) < '2026-01-01T09'}", false],
    ["${substring(string(now), 0, 10) == '2026-01-01'}", true],
    ["${substring(string(now), 0, 13) == '2026-01-01T10'}", null],
    ["${substring(string(now), 0, 13) < '2026-01-01T12'}", true],
    ["${substring(string(now), 11, 13) == '12'}", null],
    ['${int(now) > 1767000000}', true],
    ['${now == null}', false],
    ["${now == timestamp('2026-01-01T16:00:00+05:30')}", null],
    ["${now != timestamp('2026-01-01T16:00:00+05:30')}", null],
    ["${string(timestamp('2026-01-02T09:30:00Z') - now) == 'P1D'}", null],
    ["${string(int(now) - 1767261600) < '5'}", null],
  ])('of a time between 10 and 11 it is told whether %s: %s', (text, expected) => {
    const parsed = template(text);
    const names = new Map<string, Type>([['now', timestamp]]);
    for (const { syntax } of expressionsIn(parsed)) typeOf(syntax, { ...scope, names }, () => undefined);
    const now = hole({ picks: /^/, between: ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z'] });
    expect(workOut(parsed, new Map([['now', now]]))).toEqual(expected ?? hole());
  });

  it.each([
    ['${true || unknown.x}', true],
    ['${unknown.x || true}', true],
    ['${false && unknown.x}', false],
    ['${unknown.x && false}', false],
    ['${[1, unknown.x].exists(x, x == 1)}', true],
    ['${[1, unknown.x].all(x, x == 2)}', false],
  ])('%s is %s, whatever the unknown is', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it.each([
    '${unknown.x}',
    '${unknown.x == 1}',
    '${unknown.x ? 1 : 2}',
    '${unknown.x + 1}',
    '${size(unknown.x)}',
    '${split(unknown.x, " ")}',
    '${split(null, " ")}',
    '${substring("abc", null)}',
    '${lower(null)}',
  ])('%s is unknown', (text) => {
    expect(shownAs(value(text))).toBe('(any value)');
  });

  it('carries the open points that it hangs on', () => {
    const names = { error: { message: hole({ points: ['errors.codes.a.message'] }) } };
    const { truth } = unify(value('${error.message.size() > 3}', names), true);
    expect(truth).toMatchObject({ value: null, points: ['errors.codes.a.message'] });
  });

  it('claims nothing of what cannot be worked out', () => {
    expect(unify(value('${1 / 0}'), 'anything').truth.value).toBeNull();
  });
});

describe('an observed value', () => {
  const url = value('${this.url}', { this: bare });

  it('tells the one thing that is unknown in a text', () => {
    expect(shownAs(url)).toBe('"http://here/" + (this.id)');
    expect(unify(url, 'http://here/abc')).toMatchObject({
      truth: { value: true },
      learned: [{ field: 'id', value: 'abc' }],
    });
  });

  it.each(['http://there/abc', '/abc', 'http://here', 'http://here/', 5, null, undefined])(
    'that does not begin or end as stated does not fit: %s',
    (observed) => {
      expect(unify(url, observed)).toMatchObject({ truth: { value: false }, learned: [] });
    },
  );

  it('is of the type of the member that it tells', () => {
    expect(unify(value('${this.tag}', { this: bare }), 'rank 12').learned).toMatchObject([
      { field: 'rank', value: 12 },
    ]);
  });

  it('tells nothing where two things are unknown, but must have what is known', () => {
    const both = value('${this.id}:${this.rank}', { this: bare });
    expect(unify(both, 'a:1').truth.value).toBeNull();
    expect(unify(both, 'a-1').truth.value).toBe(false);
  });

  it('must be what a function can make', () => {
    expect(unify(value('${uuid()}'), '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d').truth.value).toBe(true);
    expect(unify(value('${uuid(7)}'), '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d').truth.value).toBe(false);
    expect(unify(value('n_${random(4)}'), 'n_aB3x').truth.value).toBe(true);
    expect(unify(value('n_${random(4)}'), 'n_aB3').truth.value).toBe(false);
  });

  it('fits a payload member by member, and has no other', () => {
    const payload: Partly = { code: 'gone', message: anything, field: absent, hint: absentOrNull };
    expect(unify(payload, { code: 'gone', message: 'whatever' }).truth.value).toBe(true);
    expect(unify(payload, { code: 'gone', message: 'x', hint: null }).truth.value).toBe(true);
    expect(unify(payload, { code: 'gone', message: 'x', field: null }).truth.value).toBe(false);
    expect(unify(payload, { code: 'gone' }).truth.value).toBe(true);
    expect(unify(payload, { message: 'x' }).truth.value).toBe(false);
    expect(unify(payload, { code: 'gone', message: 'x', extra: 1 }).truth.value).toBe(false);
    expect(unify(payload, ['gone']).truth.value).toBe(false);
  });

  it('of a header field is text, and null sends none', () => {
    expect(fitsField(value('${2 + 3}'), '5').truth.value).toBe(true);
    expect(fitsField(null, undefined).truth.value).toBe(true);
    expect(fitsField(null, '').truth.value).toBe(false);
  });
});

describe('an item that was seen', () => {
  const names: Names = new Map<string, Partly>([['service', { url: 'http://here' }]]);
  const location = template('${this.url}');

  it('is known by what is shown, and by what a derived member gives away', () => {
    const seen = itemSeen(thing, { name: 'a', url: 'http://here/x1' }, undefined, names, []);
    expect([...seen.known]).toEqual([
      ['name', 'a'],
      ['id', 'x1'],
    ]);
    expect([...seen.absent]).toEqual(['note']);
  });

  it('is known by a header field where the content does not show it', () => {
    const seen = itemSeen(thing, undefined, undefined, names, [[location, 'http://here/x2']]);
    expect([...seen.known]).toEqual([['id', 'x2']]);
  });

  it('is not known by a header field that is not as stated', () => {
    expect(itemSeen(thing, undefined, undefined, names, [[location, '/x2']]).known.size).toBe(0);
  });

  it('keeps what is never shown from before, and from what was given', () => {
    const before = item(thing, [['id', 'x3']], []);
    const seen = itemSeen(thing, { name: 'b' }, before, names, [], { rank: 4 });
    expect(Object.fromEntries(seen.known)).toEqual({ id: 'x3', rank: 4, name: 'b' });
  });
});
