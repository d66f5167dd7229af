import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import { type Message, received } from '../../src/semantics/message/message.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range, Unknown } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';
import { played, tally } from './playing.ts';

const parcels = readFileSync('test/semantics/parcels.yaml', 'utf8');
const specification = specificationOf(parcels);

/** Asks in order, in a world where every answer fits what it is given; the last answer is judged. */
class Asking {
  world: World;

  constructor(of = specification) {
    this.world = new World(of);
  }

  differences(
    version: string | null,
    name: string,
    given: Partial<Request>,
    answer: Answer,
  ): readonly string[] {
    const operation = this.world.specification.operations.find(
      (each) => each.name === name,
    ) as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const settled = judge(step(this.world, { ...usual, operation, version, ...given }), answer);
    this.world = settled.world ?? this.world;
    return settled.differences.map(({ at }) => at);
  }
}

function answer(status: number, body?: Json, headers: Record<string, string> = {}): Answer {
  return { status, headers, body };
}

const sunset = 'Tue, 01 Jan 2030 00:00:00 GMT';
const [a, b] = ['a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', 'b4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50'];
const made = { id: a, weight: 1500, note: 'new', size: { depth: 3 }, kind: 'huge', shade: 'grey' };
const rest = { given: '', family: '', status: 'registered' };

function withParcel(): Asking {
  const asking = new Asking();
  const content = { weight: 1500, size: { depth: 3 }, kind: 'huge' };
  expect(asking.differences('3', 'add', { content }, answer(201, { ...made, ...rest }))).toEqual([]);
  return asking;
}

describe('a request of a version (language §9)', () => {
  it('is judged by what the version states, over the same items', () => {
    const asking = withParcel();
    const path = { id: a };
    const old = { id: a, kilos: 1.5, size: { deep: 3 }, kind: 'huge', ...rest };
    expect(asking.differences('3', 'look', { path }, answer(200, { ...made, ...rest }))).toEqual([]);
    expect(asking.differences('1', 'look', { path }, answer(200, old))).toEqual([]);
    expect(asking.differences('1', 'look', { path }, answer(200, { ...made, ...rest }))).toEqual([
      'body.kilos',
      'body.size.deep',
      'body.size.depth',
      'body.weight',
      'body.note',
      'body.shade',
    ]);
    const { given, ...others } = rest;
    const oldest = { ...old, ...others, first: given, name: ' ' };
    expect(asking.differences('0', 'look', { path }, answer(200, { ...oldest, given: '' }))).toEqual([
      'body.given',
    ]);
  });

  it('is judged by the version that it names, though it was made up in the world of another', () => {
    const asking = withParcel();
    const older = specification.older.get('1')?.specification;
    asking.world = asking.world.in(older ?? specification);
    expect(asking.world.specification).not.toBe(asking.world.newest);
    const path = { id: a };
    expect(asking.differences('3', 'look', { path }, answer(200, { ...made, ...rest }))).toEqual([]);
    expect(asking.world.specification).toBe(asking.world.newest);
  });

  it('gives what it gives by the names of its version, and changes what is stored', () => {
    const asking = withParcel();
    const path = { id: a };
    const content = { parcel: { kilos: 2.25, size: { deep: 1 } } };
    const old = { id: a, kilos: 2.25, size: { deep: 1 }, kind: 'huge', ...rest };
    expect(asking.differences('1', 'change', { path, content }, answer(200, old))).toEqual([]);
    const now = { ...made, ...rest, weight: 2250, size: { depth: 1 } };
    expect(asking.differences('2', 'look', { path }, answer(200, now, { sunset }))).toEqual([]);
  });

  it.each<[Json, string, Json]>([
    [{ kilos: 41 }, 'heavy', { kilos: ['too heavy'] }],
    [{ kilos: 35 }, 'heavy', { kilos: ['too heavy'] }],
    [{ weight: 3 }, 'invalid', { weight: ['is not known'] }],
    [{ note: 'mine' }, 'invalid', { note: ['is not known'] }],
    [{ size: { depth: 3 } }, 'invalid', { 'size.depth': ['is not known'] }],
  ])('is told of %j by the names of its version', (parcel, code, fields) => {
    const asking = withParcel();
    const at = { heavy: 'maximum', invalid: 'others' }[code];
    const failures = Object.keys(fields as object).map((name) => `${name} ${at}`);
    const given = { path: { id: a }, content: { parcel } };
    expect(asking.differences('1', 'change', given, answer(422, { code, at: failures, fields }))).toEqual([]);
  });

  it('is made with what its version sets, and has no operation that its version lacks', () => {
    const asking = withParcel();
    const old = { id: b, kilos: 1, kind: 'large', ...rest };
    expect(asking.differences('1', 'add', { content: { kilos: 1 } }, answer(201, old))).toEqual([]);
    const kept = { id: b, weight: 1000, note: 'old', kind: 'large', shade: 'grey', ...rest };
    expect(asking.differences('3', 'look', { path: { id: b } }, answer(200, kept))).toEqual([]);
    const nowhere = { code: 'nowhere', at: [], fields: {} };
    expect(asking.differences('1', 'cancel', { path: { id: b } }, answer(404, nowhere))).toEqual([]);
  });

  it.each([
    [null, 200, { version: '3' }],
    ['current', 200, { version: '3' }],
    ['3.7', 200, { version: '3' }],
    ['3.1', 200, { version: '2' }],
    ['', 412, { code: 'missing', at: [], fields: {} }],
    ['4', 406, { code: 'unnamed', at: [], fields: {} }],
  ])('that is named %j is answered %i', (version, status, body) => {
    const headers: Record<string, string> = 'version' in body && body.version === '2' ? { sunset } : {};
    expect(new Asking().differences(version, 'vendors', {}, answer(status, body, headers))).toEqual([]);
  });

  it('may be one that cannot be read, whatever version it means', () => {
    const asking = new Asking(specificationOf(parcels.replace(/^ {2}order: .*$/m, '')));
    expect(asking.differences('9', 'add', { content: 'text' }, answer(400))).not.toContain('status');
    expect(asking.differences('9', 'add', { content: 'text' }, answer(406))).not.toContain('status');
    expect(asking.differences('9', 'add', { content: {} }, answer(400))).toContain('status');
  });

  it('tells by header fields that its version ends', () => {
    const body = { version: '2' };
    expect(new Asking().differences('2', 'vendors', {}, answer(200, body))).toEqual(['headers.sunset']);
    const none = { version: '0' };
    expect(new Asking().differences('0', 'vendors', {}, answer(200, none, { sunset }))).toEqual([
      'headers.sunset',
    ]);
  });
});

describe('a version that ends (language §9.2)', () => {
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
  const at = (ms: number) => ({ at: new Range(ms, ms + 1000), offMs: 3_600_000 });
  const asked = (ms: number) => {
    const operation = specification.operations.find(({ name }) => name === 'vendors') as Request['operation'];
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    const steps = step(new World(specification), { ...usual, operation, version: '1' }, at(ms));
    return steps.map(({ prediction: { status, headers } }) => [
      status,
      headers['deprecation'] instanceof Unknown ? '?' : headers['deprecation'],
    ]);
  };

  it.each([
    [day('2026-06-01') - 7_200_000, [[[200], null]]],
    [day('2026-06-01'), [[[200], '?']]],
    [day('2026-06-01') + 7_200_000, [[[200], '@1780272000']]],
    [
      day('2095-01-01'),
      [
        [[410], '@1780272000'],
        [[200], '@1780272000'],
      ],
    ],
    [day('2095-01-01') + 7_200_000, [[[410], '@1780272000']]],
  ])('is served so at %i', (ms, expected) => {
    expect(asked(ms)).toEqual(expected);
  });
});

describe('a message names its version (language §9.1)', () => {
  const of = (place: string, usual = 'current') =>
    specificationOf(
      parcels.replace('{ header: Version }', place).replace('default: current', `default: ${usual}`),
    );
  const message = (target: string, headers: Record<string, string> = {}): Message => ({
    ...{ method: 'GET', target, headers, body: '' },
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['{ header: Version }', '/vendors', { version: ' 2 ' }, '2'],
    ['{ query: v }', '/vendors?v=2', {}, '2'],
    ['{ media: v }', '/vendors', { accept: 'text/html, application/json; v="2"' }, '2'],
    ['{ media: v }', '/vendors', { 'content-type': 'application/json;v=2' }, '2'],
    ['{ path: /v }', '/v2/vendors', {}, '2'],
  ])('%s: %s', (place, target, headers, version) => {
    expect(received(message(target, headers), 'http://a', of(place))).toMatchObject({
      kind: 'request',
      request: { version, query: {}, operation: { name: 'vendors' } },
    });
  });

  it.each([
    ['/v9/vendors', 'version unknown'],
    ['/v9/nowhere', 'unknown path'],
    ['/v/vendors', 'version missing'],
    ['/v3/parcels/a/cancellation', 'method not allowed'],
    ['/v1/parcels/a/cancellation', 'unknown path'],
  ])('%s is refused: %s', (target, condition) => {
    const found = received(message(target), 'http://a', of('{ path: /v }'));
    expect(found).toMatchObject({ kind: 'refused', refusal: { condition } });
  });

  it('names none in a path that only begins alike', () => {
    const found = received(message('/vendors'), 'http://a', of('{ path: /v }', '(none)'));
    expect(found).toMatchObject({ kind: 'refused', refusal: { condition: 'version missing' } });
    expect(received(message('/vendors'), 'http://a', of('{ path: /v }'))).toMatchObject({
      request: { version: null },
    });
  });

  it('is unknown without a name, while it is open which version is meant', () => {
    const open = specificationOf(
      parcels
        .replace('{ header: Version }', '{ path: /v }')
        .replace('complete: true', '')
        .replace('default: current', ''),
    );
    expect(received(message('/vendors'), 'http://a', open)).toBeInstanceOf(Unknown);
  });
});

describe('what a document with versions says is what the service does', () => {
  it.each(['{ query: v }', '{ media: v }', '{ path: /v }'])('with place: %s', async (place) => {
    const text = parcels.replace('{ header: Version }', place);
    for (let seed = 1; seed <= 3; seed++) expect(await played(text, seed, 30, tally())).toBeNull();
  });
});
