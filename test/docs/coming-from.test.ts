import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { tacet } from '../cli/terminal.ts';
import { filesOf } from './console-blocks.ts';

const names = readdirSync('docs/coming-from').sort();

describe.each(names)('docs/coming-from/%s', (name) => {
  const page = readFileSync(`docs/coming-from/${name}`, 'utf8');

  it('names commands and options that there are', async () => {
    for (const [, command = '', rest = ''] of page.matchAll(/\bnpx tacet ([a-z]+)([^`\n]*)/g)) {
      const { code, out } = await tacet([command, '--help']);
      expect([command, code]).toEqual([command, 0]);
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(out).toContain(option);
    }
  });

  it('shows documents without an error or a warning', () => {
    for (const { name: file, content } of filesOf(page))
      expect([file, read(file, content).diagnostics]).toEqual([file, []]);
  });
});
