import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Answer } from './client.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bench = join(root, 'bench');

/** Something that serves a list of to-dos. */
export interface Contestant {
  readonly name: string;
  /** The arguments of Node that start it, on a port, over a folder to keep its data in. */
  readonly args: (port: number, folder: string) => readonly string[];
  /** Lays out a new folder, where it needs more than an empty one. */
  readonly layOut?: (folder: string) => void;
  /** The path of the list, to which a new to-do is posted. */
  readonly list: string;
  /** The path of a to-do, from the answer to the request that made it. */
  readonly pathOf: (made: Answer) => string;
  /** How much of the service it is: the whole of it; to-dos with identifiers of its own; or examples. */
  readonly serves: 'the whole' | 'items of its own' | 'examples';
}

/** Makes a new folder for a contestant to run over. */
export type Place = (contestant: Contestant) => string;

/** What is measured, and beside what. */
export interface Contest {
  readonly tacet: Contestant;
  /** tacet as a checkout runs it, types stripped as it loads: only its start differs. */
  readonly fromSources: Contestant;
  readonly others: readonly Contestant[];
  /** tacet, serving another document. */
  readonly serving: (document: string) => Contestant;
  /** tacet, keeping its data elsewhere; a contestant written here likewise. */
  readonly keeping: (name: string, data: (folder: string) => readonly string[]) => Contestant;
  readonly written: (name: string, file: string, data: (folder: string) => string) => Contestant;
}

/** The names that ratios are given targets by. */
export const names = {
  transactions: 'Fastify, a transaction each',
  grouped: 'Fastify, group commit',
  ceiling: 'node:http, group commit',
  postgres: 'Fastify and node-postgres',
  withoutParts: 'the same without parts 5, 6 and 8',
  jsonServer: 'json-server',
  prism: 'Prism',
} as const;

export const example = join(root, 'examples', 'todo.md');

/** Installs the peers as their lock file says, if that was not done yet. */
export function install(): void {
  const lock = join(bench, 'package-lock.json');
  const installed = join(bench, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: bench,
    stdio: 'inherit',
  });
}

/** Lays out tacet as its package carries it, and the contestants written here likewise, as JavaScript. */
export function build(folder: string): Contest {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const carried = ['package.json', ...files].filter(
    (name) => name !== 'dist' && existsSync(join(root, name)),
  );
  for (const name of carried) cpSync(join(root, name), join(folder, name), { recursive: true });
  run('rolldown/bin/cli.mjs', '--config', '--dir', join(folder, 'dist'));
  // It emits without checking: whether the types agree is `npm run types`' to say.
  const asJavaScript = ['--noCheck', '--noEmit', 'false', '--rewriteRelativeImportExtensions'];
  run('typescript/bin/tsc', '-p', 'bench', ...asJavaScript, '--outDir', join(folder, 'bench'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'bench'), { recursive: true });
  symlinkSync(join(bench, 'node_modules'), join(folder, 'bench', 'node_modules'));
  return contest(folder);
}

/** Runs a program of the packages that are installed; what it says is no part of the results. */
function run(program: string, ...args: readonly string[]): void {
  const file = join(root, 'node_modules', program);
  execFileSync(process.execPath, [file, ...args], {
    cwd: root,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
}

function contest(built: string): Contest {
  const file = (folder: string): string => join(folder, 'todo.sqlite');
  const tacet = (
    name: string,
    program: string,
    document: string,
    data = (folder: string): readonly string[] => ['--data', file(folder)],
  ): Contestant => ({
    name,
    args: (port, folder) => [
      join(program, 'bin', 'tacet.js'),
      'serve',
      document,
      '--port',
      String(port),
      ...data(folder),
    ],
    ...whole,
  });
  const written = (
    name: string,
    program: string,
    data: (folder: string) => string,
    ...more: readonly string[]
  ): Contestant => ({
    name,
    args: (port, folder) => [
      join(built, 'bench', 'contestants', program),
      '--port',
      String(port),
      '--data',
      data(folder),
      ...more,
    ],
    ...whole,
  });
  return {
    tacet: tacet('tacet', built, example),
    fromSources: tacet('tacet, from its sources', root, example),
    others: [
      written(names.transactions, 'fastify.js', file),
      written(names.grouped, 'fastify.js', file, '--group-commit'),
      written(names.ceiling, 'node-http.js', file),
      jsonServer,
      prism,
    ],
    serving: (document) => tacet('tacet', built, document),
    keeping: (name, data) => tacet(name, built, example, data),
    written,
  };
}

const whole = {
  list: '/',
  pathOf: (made: Answer) => new URL(memberOf(made, 'url')).pathname,
  serves: 'the whole',
} as const;

const peer = (name: string, file: string): string => join(bench, 'node_modules', ...name.split('/'), file);

const jsonServer: Contestant = {
  name: names.jsonServer,
  args: (port, folder) => [
    peer('json-server', 'lib/cli/bin.js'),
    '--quiet',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    join(folder, 'todos.json'),
  ],
  layOut: (folder) => writeFileSync(join(folder, 'todos.json'), '{ "todos": [] }\n'),
  list: '/todos',
  pathOf: (made) => `/todos/${memberOf(made, 'id')}`,
  serves: 'items of its own',
};

const prism: Contestant = {
  name: names.prism,
  args: (port) => [
    peer('@stoplight/prism-cli', 'dist/index.js'),
    'mock',
    '--verboseLevel',
    'silent',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    join(bench, 'contestants', 'todo.openapi.yaml'),
  ],
  list: '/',
  pathOf: whole.pathOf,
  serves: 'examples',
};

function memberOf({ body }: Answer, name: string): string {
  return String((body as Record<string, unknown> | undefined)?.[name]);
}
