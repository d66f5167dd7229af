import { expect, it } from 'vitest';
import { temporaryFolder } from '../cli/terminal.ts';
import { entered, notes, opened } from './opened.ts';

const folder = temporaryFolder();

it('compresses long answers, and short ones not', async () => {
  const one = await opened(folder.file('notes.md', `${notes}\n${'A line of prose.\n'.repeat(2000)}`));
  const headers = { Cookie: (await entered(one))['Cookie'] ?? '', 'Accept-Encoding': 'gzip' };
  const get = (path: string) => fetch(`http://127.0.0.1:${one.port}/api/${path}`, { headers });
  const [long, short] = [await get('texts'), await get('time')];
  expect([long, short].map((answer) => answer.headers.get('content-encoding'))).toEqual(['gzip', null]);
  expect(JSON.stringify(await long.json())).toContain('A line of prose.');
  await one.console.close();
});
