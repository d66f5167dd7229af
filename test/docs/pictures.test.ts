import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from '../cli/terminal.ts';

const page = readFileSync('docs/pictures.md', 'utf8');
const { file, path } = temporaryFolder();

const [, name = '', content = ''] = /^````markdown (\S+)\n([\s\S]*?)^````$/m.exec(page) ?? [];
file(name, content);

/** Blocks of a command and what it prints. */
const blocks = [...page.matchAll(/^```console\n\$ npx tacet (.*)\n([\s\S]*?)^```$/gm)].map(
  ([, command = '', printed]) => [command, printed] as const,
);

describe('docs/pictures.md', () => {
  it('has an example of each kind of picture, and of the page', () => expect(blocks).toHaveLength(5));

  it.each(blocks)('shows what is printed: %s', async (command, printed) => {
    const words = command.split(' ').map((word) => (/^lots\./.test(word) ? join(path, word) : word));
    const { code, out, error } = await tacet(words);
    expect([code, out.replaceAll(`${path}/`, ''), error]).toEqual([0, printed, '']);
  });

  it('has a document with errors nowhere', async () => {
    expect((await tacet(['check', join(path, name)])).code).toBe(0);
  });
});
