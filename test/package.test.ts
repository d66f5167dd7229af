import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as Agent } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Client as Editor } from './editor/client.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The environment without what an npm that runs this test says of its own project. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(package|lifecycle|config_local_prefix|config_prefix)|^NODE_OPTIONS$|^VITEST/.test(name),
  ),
);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  try {
    const ended = await promisify(execFile)(command, [...args], { cwd, env: environment });
    return { code: 0, ...ended };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended & { code: unknown };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const ended = await run(command, args, cwd);
  if (ended.code !== 0) throw new Error(`${command} ${args.join(' ')}\n${ended.stdout}\n${ended.stderr}`);
  return ended.stdout;
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tacet-package-'));
}

describe('the packed package, installed elsewhere', () => {
  const folder = temporaryFolder();
  const installed = join(folder, 'node_modules', 'tacet');
  const tacet = join(installed, 'bin', 'tacet.js');
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    await succeed('npm', ['pack', '--pack-destination', folder], root);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const tarball = `./tacet-${version}.tgz`;
    await succeed('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', tarball], folder);
  }, 300_000);

  afterEach(async () => {
    for (const child of running.splice(0)) await stop(child);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts `tacet serve`; resolves to the address that it prints. */
  function serve(...args: readonly string[]): Promise<string> {
    return started(['serve', ...args], /http:\/\/127\.0\.0\.1:[1-9][0-9]*(?=\D)/);
  }

  /** Starts a command; resolves to the first address of a form that it prints. */
  function started(args: readonly string[], form: RegExp): Promise<string> {
    const child = spawn(process.execPath, [tacet, ...args], { cwd: folder, env: environment });
    running.push(child);
    let printed = '';
    return new Promise((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        printed += chunk.toString();
        const address = form.exec(printed)?.[0];
        if (address !== undefined) resolve(address);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => reject(new Error(`ended with ${code} before it served:\n${printed}`)));
    });
  }

  function stop(child: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  }

  it('carries what runs and what is read, and no source', () => {
    const names = readdirSync(installed);
    expect(names).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'llms.txt',
        'bin',
        'console',
        'dist',
        'examples',
        'package.json',
      ]),
    );
    expect(names.filter((name) => ['src', 'test', 'bench', 'node_modules'].includes(name))).toEqual([]);
  });

  it('carries the licence of each package that it is made of', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const licences = readFileSync(join(installed, 'dist', 'LICENCES'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) \d\S* \(\S+\)$/gm)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(['markdown-it', 're2js', 'yaml']));
    expect(named.filter((name) => (name as string) in manifest.dependencies)).toEqual([]);
  });

  it('says its version', async () => {
    expect(await run(process.execPath, [tacet, '--version'], folder)).toEqual({
      code: 0,
      stdout: expect.stringContaining(version),
      stderr: '',
    });
  });

  it('says how it is used', async () => {
    expect(await run(process.execPath, [tacet, '--help'], folder)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ {2}serve /m),
      stderr: '',
    });
  });

  it('explains a code from the pages that it carries', async () => {
    expect(await run(process.execPath, [tacet, 'explain', 'key-twice'], folder)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^key-twice \(error\)\n/),
      stderr: '',
    });
  });

  it('can be imported', async () => {
    const script = "await import('tacet')";
    expect(await run(process.execPath, ['--input-type=module', '-e', script], folder)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('serves an example that it carries', async () => {
    const example = join(installed, 'examples', 'todo.md');
    const address = await serve(example, '--port', '0', '--data', join(folder, 'todo.sqlite'));
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
  });

  it('answers an editor, which reads in a thread of the bundle', async () => {
    const child = spawn(process.execPath, [tacet, 'lsp'], { cwd: folder, env: environment });
    running.push(child);
    const editor = new Editor(child);
    await editor.initialize();
    const example = join(installed, 'examples', 'todo.md');
    const text = await editor.open(example, readFileSync(example, 'utf8').replace('list Todo', 'list Tood'));
    const [fault] = await editor.diagnostics(text.uri);
    expect(fault?.code).toBe('unknown-name');
    expect(existsSync(new URL(fault?.codeDescription?.href ?? ''))).toBe(true);
    expect(await editor.end()).toBe(0);
  });

  it('answers an agent', async () => {
    copyFileSync(join(installed, 'examples', 'todo.md'), join(folder, 'todo.md'));
    const agent = new Agent({ name: 'a test', version: '1' });
    const parameters = { command: process.execPath, args: [tacet, 'mcp'], cwd: folder };
    await agent.connect(new StdioClientTransport(parameters));
    const { content } = await agent.callTool({ name: 'check', arguments: { document: 'todo.md' } });
    expect(content).toMatchObject([{ text: expect.stringContaining('no error') }]);
    await agent.close();
  });

  it('opens the console with the page that it carries, and the licences of what that is made of', async () => {
    const example = join(installed, 'examples', 'todo.md');
    const args = ['dev', example, '--port', '0', '--data', join(folder, 'dev.sqlite')];
    const page = await (await fetch(await started(args, /http:\/\/\S+(?=\/#token=\S+\n)/))).text();
    expect(page).toContain('<title>tacet</title>');
    const licences = readFileSync(join(installed, 'console', 'LICENCES'), 'utf8');
    expect(licences).toMatch(/^svelte \d/m);
    expect(licences).toMatch(/^@codemirror\/view \d/m);
  });
});

describe('on a Node that is too old', () => {
  const folder = temporaryFolder();
  const tacet = join(folder, 'bin', 'tacet.js');
  const asOld = join(folder, 'as-old.cjs');

  beforeAll(() => {
    mkdirSync(join(folder, 'bin'));
    copyFileSync(join(root, 'bin', 'tacet.js'), tacet);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(
      asOld,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: process.env.AS_NODE } });\n`,
    );
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Lays a program beside the command that says so when it is loaded. */
  function layProgram(path: string): void {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), "console.log('loaded');\nexport const main = async () => 0;\n");
  }

  /** A Node on PATH, outside this checkout, that really is too old. */
  async function oldNode(): Promise<{ path: string; version: string } | undefined> {
    for (const directory of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(directory, 'node');
      if (directory.includes('node_modules') || !existsSync(path)) continue;
      const version = (await run(path, ['-p', 'process.versions.node'], folder)).stdout.trim();
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major < 22 || (major === 22 && minor < 18)) return { path, version };
    }
    return undefined;
  }

  function runAs(node: string): Promise<Ended> {
    environment.AS_NODE = node;
    return run(process.execPath, ['-r', asOld, tacet, 'check', 'x.md'], folder);
  }

  const refusal = (node: string, advice: string): Ended => ({
    code: 2,
    stdout: '',
    stderr: `tacet needs Node 22.18 or later, and this is Node ${node}: ${advice}.\n`,
  });

  it('an installed package says so in one line, and loads nothing', async () => {
    layProgram('dist/cli/main.js');
    for (const node of ['12.22.12', '20.20.2', '22.17.1']) {
      expect(await runAs(node)).toEqual(refusal(node, 'install a later Node'));
    }
    expect(await runAs('22.18.0')).toEqual({ code: 0, stdout: 'loaded\n', stderr: '' });
  });

  it('a checkout says so in one line, names the pinned Node, and loads nothing', async () => {
    layProgram('src/cli/main.ts');
    const advice = 'run "npm ci" once, then "npx tacet" or an npm script, which use the Node pinned here';
    expect(await runAs('20.20.2')).toEqual(refusal('20.20.2', advice));
    expect(await runAs('26.0.0')).toEqual({ code: 0, stdout: 'loaded\n', stderr: '' });
    const old = await oldNode();
    if (old !== undefined) {
      expect(await run(old.path, [tacet], folder)).toEqual(refusal(old.version, advice));
    }
  });
});
