import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { command } from '../../src/cli/dev.ts';
import { main } from '../../src/cli/main.ts';
import { temporaryFolder } from '../cli/terminal.ts';

const page = readFileSync('docs/console.md', 'utf8');
const { file } = temporaryFolder();

describe('docs/console.md', () => {
  it('names the options that tacet dev has for its console', () => {
    const named = [...page.matchAll(/^\| `(--console \S+)`/gm)].map(([, option]) => option as string);
    expect(named).toEqual(['--console PORT', '--console no']);
    for (const option of named) expect(command.help).toContain(option);
  });

  it('shows the line that tacet dev prints last', async () => {
    const shown = /^```\n(console .*)\n```$/m.exec(page)?.[1] as string;
    const ended = new AbortController();
    let printed = '';
    const document = file('notes.md', '# Notes\n');
    await main(['dev', document, '--port', '0', '--data', `${document}.sqlite`], {
      out: (text) => {
        printed += text;
        if (text.startsWith('console')) ended.abort();
      },
      error: (text) => {
        printed += text;
      },
      environment: {},
      colours: false,
      ended: ended.signal,
    });
    const last = printed.trimEnd().split('\n').at(-1) as string;
    expect(last.replace(/:\d+\//, ':41234/').replace(/=.+$/, '=…')).toBe(shown);
  });
});
