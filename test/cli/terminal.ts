import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { ExitCode, Terminal } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';

export interface Printed {
  readonly code: ExitCode;
  readonly out: string;
  readonly error: string;
}

/** Runs the command line with a stand-in terminal. A test searches in memory only where it says so: that takes seconds. */
export async function tacet(argv: readonly string[], with_: Partial<Terminal> = {}): Promise<Printed> {
  let out = '';
  let error = '';
  const isSearch = argv.some((word) => ['--search', '--plan'].includes(word));
  const words = argv[0] === 'test' && !isSearch ? [...argv, '--search', 'PT0S'] : argv;
  const code = await main(words, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    environment: {},
    colours: false,
    ended: AbortSignal.abort(),
    ...with_,
  });
  return { code, out, error };
}

/** The same from within another folder. */
export async function tacetIn(
  folder: string,
  argv: readonly string[],
  with_: Partial<Terminal> = {},
): Promise<Printed> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await tacet(argv, with_);
  } finally {
    process.chdir(before);
  }
}

/** A folder that lasts as long as the tests of one file, and a way to put files into it. */
export function temporaryFolder(): {
  path: string;
  file: (name: string, content: string | Buffer) => string;
} {
  const path = mkdtempSync(join(tmpdir(), 'tacet-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file: (name, content) => {
      const at = join(path, name);
      writeFileSync(at, content);
      return at;
    },
  };
}
