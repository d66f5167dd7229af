import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nextOf, withAwaited } from '../../../src/conformance/search/awaited.ts';
import { beginsMs, begunWorld } from '../../../src/conformance/search/simulate.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { specificationOf } from '../../service/served.ts';

it('a planned request keeps how its credential is written, and that it is made up', () => {
  const specification = specificationOf(readFileSync('examples/ledger.md', 'utf8'));
  const world = begunWorld(specification);
  const operation = specification.operations[0] as Request['operation'];
  const credentials = [{ scheme: 'login', value: 'a', password: 'b', word: 'Bearer', isMadeUp: true }];
  const request = { operation, path: {}, query: {}, headers: {}, credentials, content: undefined, url: '' };
  const planned = withAwaited([request], [world, world], new Set());
  const playing = { url: 'http://a', beganMs: beginsMs, fresh: (text: string): string => text };
  expect(nextOf(planned, [world], playing)?.credentials).toEqual(credentials);
});

it('a date of a header field is as far from the start of the walk as planned', () => {
  const specification = specificationOf(readFileSync('examples/ledger.md', 'utf8'));
  const world = begunWorld(specification);
  const operation = specification.operations[0] as Request['operation'];
  const headers = { 'if-modified-since': new Date(beginsMs + 4000).toUTCString() };
  const request = { operation, path: {}, query: {}, headers, credentials: [], content: undefined, url: '' };
  const planned = withAwaited([request], [world, world], new Set());
  const playing = { url: 'http://a', beganMs: beginsMs + 60_000, fresh: (text: string): string => text };
  expect(nextOf(planned, [world], playing)?.headers).toEqual({
    'if-modified-since': new Date(beginsMs + 64_000).toUTCString(),
  });
});

it('a date near the start of the walk is as many days from the day of the run', () => {
  const specification = specificationOf(readFileSync('examples/ledger.md', 'utf8'));
  const world = begunWorld(specification);
  const operation = specification.operations[0] as Request['operation'];
  const dayMs = 86_400_000;
  const dateOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const query = { from: dateOf(beginsMs), to: dateOf(beginsMs + dayMs), born: '1970-01-01' };
  const request = { operation, path: {}, query, headers: {}, credentials: [], content: undefined, url: '' };
  const planned = withAwaited([request], [world, world], new Set());
  const beganMs = beginsMs + 70.9 * dayMs;
  const playing = { url: 'http://a', beganMs, fresh: (text: string): string => text };
  expect(nextOf(planned, [world], playing)?.query).toEqual({
    from: dateOf(beganMs),
    to: dateOf(beganMs + dayMs),
    born: '1970-01-01',
  });
});
