import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Sent, statusesOf, walk } from './walking.ts';

const boxes = readFileSync(new URL('../conformance/documents/boxes.yaml', import.meta.url), 'utf8');

const media = { 'content-type': 'application/json' };
const put = (id: string, content = {}): Sent => ['putBox', { path: { id }, headers: media, content }];
const on = (operation: string, id: string): Sent => [operation, { path: { id } }];

describe('what a change is about (language §H.2, rules 1 to 3)', () => {
  it('is the very item that a name means', async () => {
    const shut = [put('a'), on('shutBox', 'a'), on('shutBox', 'a'), on('shutBox', 'b')];
    expect(await statusesOf(boxes, shut)).toEqual([201, 200, 409, 404]);
  });

  it('is the very item that an expression is, or none', async () => {
    const [outer, within] = [put('a'), put('b', { within: 'a' })];
    const shut = [outer, on('shutOuter', 'a'), within, on('shutOuter', 'b'), on('shutOuter', 'b')];
    expect(await statusesOf(boxes, shut)).toEqual([201, 204, 201, 200, 409]);
  });

  it('is each item that `where` admits, as it is by then', async () => {
    const two = [put('a'), on('shutBox', 'a'), put('b')];
    expect(await statusesOf(boxes, [...two, ['openAll'], ['shutAll'], ['shutAll']])).toEqual([
      ...[201, 200, 201],
      ...[200, 204, 409],
    ]);
    const labelled = await walk(boxes, [...two, ['labelAll', { path: { label: 'new' } }], ['listBoxes']]);
    expect(labelled.at(-1)).toMatchObject({ differences: [], undetermined: 0 });
    expect(labelled.at(-1)?.answer.body).toMatchObject([
      { id: 'a', label: '', moves: 1 },
      { id: 'b', label: 'new', moves: 1 },
    ]);
  });

  it('is unchanged if none of its items was changed', async () => {
    const label: Sent = ['labelAll', { path: { label: 'new' } }];
    expect(await statusesOf(boxes, [label, put('a'), label])).toEqual([202, 201, 204]);
  });
});
