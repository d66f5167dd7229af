import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder } = temporaryFolder();

it.each([
  ['serve', 1],
  ['check', 0],
])('tacet %s bounds how far the heap grows %i time(s)', async (command, times) => {
  const set = vi.spyOn(process.getBuiltinModule('node:v8'), 'setFlagsFromString').mockReturnValue();
  onTestFinished(() => set.mockRestore());
  const data = command === 'serve' ? ['--port', '0', '--data', join(folder, 'x.sqlite')] : [];
  await tacet([command, 'examples/todo.md', ...data]);
  expect(set.mock.calls).toEqual(Array.from({ length: times }, () => ['--heap-growing-percent=100']));
});
