import { createInterface } from 'node:readline';
import { Refused } from '../load/refused.ts';
import { version } from '../load/version.ts';
import { nearest } from '../specification/reading/nearest.ts';
import { type Command, type ExitCode, parse, type Terminal, UsageError } from './command.ts';

/** The commands, each in a file of its own that is loaded when it is asked for. */
const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  check: () => import('./check.ts'),
  explain: () => import('./explain.ts'),
  status: () => import('./status.ts'),
  next: () => import('./next.ts'),
  assume: () => import('./assume.ts'),
  serve: () => import('./serve.ts'),
  events: () => import('./events.ts'),
  backup: async () => ({ command: (await import('./copies.ts')).backup }),
  restore: async () => ({ command: (await import('./copies.ts')).restoring }),
  move: async () => ({ command: (await import('./copies.ts')).moving }),
  test: () => import('./test.ts'),
  judge: () => import('./judge.ts'),
  proxy: () => import('./proxy.ts'),
  why: () => import('./why.ts'),
  diff: () => import('./diff.ts'),
  draw: () => import('./draw.ts'),
  docs: () => import('./docs.ts'),
  types: () => import('./types.ts'),
  import: () => import('./import.ts'),
  export: () => import('./export.ts'),
  init: () => import('./init.ts'),
  dev: () => import('./dev.ts'),
  lsp: () => import('./lsp.ts'),
  mcp: () => import('./mcp.ts'),
  completions: () => import('./completions.ts'),
};

/** Runs the command line. Gives the exit code: 0 all is well, 1 findings, 2 wrong use or a crash, 3 nothing exercised. */
export async function main(
  argv: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<ExitCode> {
  const [name, ...rest] = argv;
  try {
    if (name === '--version' || name === '-v') {
      terminal.out(`${version()}\n`);
      return 0;
    }
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const [about] = name === 'help' ? rest : [];
      terminal.out(about === undefined ? await overview() : (await commandOf(about)).help);
      return name === undefined ? 2 : 0;
    }
    const command = await commandOf(name);
    const given = parse(command, rest);
    if (given.values['help'] === true) {
      terminal.out(command.help);
      return 0;
    }
    return await command.run(given, terminal, every);
  } catch (error) {
    if (error instanceof Refused) {
      const known = name !== undefined && Object.hasOwn(commands, name);
      terminal.error(`tacet: ${error.message}\nhelp: tacet ${known ? `${name} ` : ''}--help\n`);
    } else
      terminal.error(`tacet: this is a fault of tacet itself\n${(error as Error).stack ?? String(error)}\n`);
    return 2;
  }
}

async function commandOf(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return (await load()).command;
  const names = Object.keys(commands);
  const close = nearest(name, names);
  throw new UsageError(
    `there is no command ${name}; ${close ? `did you mean ${close}?` : `there are ${names.join(', ')}`}`,
  );
}

async function every(): Promise<Command[]> {
  return Promise.all(Object.values(commands).map(async (load) => (await load()).command));
}

async function overview(): Promise<string> {
  const lines = [
    'tacet: builds, tests and reports a service from its specification\n\nusage: tacet COMMAND …\n\n',
  ];
  const widest = Math.max(...Object.keys(commands).map((name) => name.length));
  for (const { name, summary } of await every()) lines.push(`  ${name.padEnd(widest)}  ${summary}\n`);
  lines.push('\ntacet COMMAND --help tells more; tacet --version tells which tacet this is\n');
  return lines.join('');
}

function processTerminal(): Terminal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort(signal));
  // Whoever reads the output may stop reading it, as `head` does; that is no fault.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const { env } = process;
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    environment: env,
    ...(process.stdin.isTTY === true && { lines: () => typed(ended.signal) }),
    ...(process.stdout.isTTY === true &&
      env['TERM'] !== 'dumb' && { columns: () => process.stdout.columns ?? 80 }),
    colours: process.stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    ended: ended.signal,
    leave: (code) => process.exit(code),
  };
}

/** The lines that a person types; until the process is asked to end, or nobody asks for more. */
async function* typed(ended: AbortSignal): AsyncIterable<string> {
  const lines = createInterface({ input: process.stdin, signal: ended });
  try {
    yield* lines;
  } finally {
    lines.close();
  }
}
