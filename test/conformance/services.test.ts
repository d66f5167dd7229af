import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a fault of a service that OpenAPI describes is found, and the right service is not blamed', async () => {
  const words = ['chores', '--tester', 'tacet', '--fault', 'patch-replaces', '--quick'];
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/testers/services/run.ts', ...words]);
  // Found by what is stated, and by guesses, too; false alarms.
  expect(
    stdout
      .trim()
      .split('\n')
      .at(-1)
      ?.replaceAll(/ \(\d+ s\)/g, ''),
  ).toBe('| chores | 1 | 0, 0 | 1, 0 |');
});
