import { load, test as tested, violationsIn } from 'tacet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notes } from './notes.js';

const server = notes();
let url;
beforeAll(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
afterAll(() => server.close());

test('the notes do what notes.md states', { timeout: 120_000 }, async () => {
  const report = await tested(load('../notes.md'), { url, searchMs: 3000 });
  expect(violationsIn(report)).toEqual([]);
  expect(report.inOrder).toBe(true);
});
