import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { described } from '../../../src/cli/mcp/described.ts';

const notes = `# Notes

\`\`\`yaml
tacet: 1
\`\`\`

## Resources and their fields

\`\`\`yaml
Note:
  identifier: id
  fields:
    id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
    text: { type: string, maxLength: 100 }
  required: [text]
  others: refuse
\`\`\`

## Endpoints

\`\`\`yaml
GET /notes: { does: list Note, response: { status: 200, body: { notes: "\${Note(page.items)}" } } }
POST /notes:
  does: create Note
  request: { body: Note }
  response: { status: (open) 200 or 201?, body: Note }
\`\`\`

## Authentication

\`\`\`yaml
schemes: (none)
authorization: { "GET /notes": anyone, "POST /notes": anyone }
\`\`\`
`;

const outside = mkdtempSync(join(tmpdir(), 'tacet-outside-'));
const folder = mkdtempSync(join(tmpdir(), 'tacet-mcp-'));
const tacet = fileURLToPath(new URL('../../../bin/tacet.js', import.meta.url));
const client = new Client({ name: 'a test', version: '1' });

beforeAll(async () => {
  writeFileSync(join(folder, 'notes.md'), notes);
  writeFileSync(join(outside, 'secret.md'), notes);
  mkdirSync(join(folder, 'linked'));
  symlinkSync(join(outside, 'secret.md'), join(folder, 'linked', 'a.md'));
  symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'));
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });
  git('init');
  git('add', 'notes.md');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-m', 'notes');
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [tacet, 'mcp'], cwd: folder }),
  );
});

afterAll(async () => {
  await client.close();
  for (const path of [folder, outside]) rmSync(path, { recursive: true, force: true });
});

/** What a tool answers, and whether it says that it was used wrongly. */
async function call(name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: { document: 'notes.md', ...given } });
  const [first] = content as readonly { readonly text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
}

describe('tacet mcp', () => {
  it('lists at most ten tools, in less than 3,000 tokens', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(described.map(({ name }) => name));
    expect(tools.length).toBeLessThanOrEqual(10);
    // No tokenizer takes more than one token for three characters of such text.
    expect(JSON.stringify(tools).length / 3).toBeLessThan(3000);
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(['assume', 'send', 'test']);
  });

  it('tells the status', async () => {
    const { text } = await call('status');
    expect(text).toContain('1 of 2 operations can be carried out');
    expect(text).toContain('endpoints["POST /notes"].response.status');
  });

  it('reads a point: what is stated, and what could be', async () => {
    expect((await call('point', { address: 'resources.Note.identifier' })).text).toContain(
      'notes.md:11:   identifier: id',
    );
    const { text } = await call('point', { address: 'endpoints["POST /notes"].response.status' });
    expect(text).toContain('asks: 200 or 201?');
    expect(text).toMatch(/1 {2}201/);
  });

  it('checks, and shows faults as an answer', async () => {
    expect((await call('check')).text).toContain('no error, 2 operations');
    writeFileSync(join(folder, 'wrong.md'), notes.replace('does: list Note', 'does: list Nota'));
    const { text, isError } = await call('check', { document: 'wrong.md' });
    expect(text).toContain('did you mean Note?');
    expect([text.endsWith('(exit code 1)\n'), isError]).toEqual([true, false]);
  });

  it('lists the open points, with offers', async () => {
    const { text } = await call('open_points');
    expect(text).toContain('holds up POST /notes');
  });

  it('tells why, and sends nothing', async () => {
    const { text } = await call('why', { request: 'POST /notes', body: {} });
    expect(text).toMatch(/refuses +invalid Note +endpoints\["POST \/notes"\]\.request\.body/);
  });

  it('assumes, sends a request to the service that follows from it, and keeps what is stored', async () => {
    const before = await call('send', { request: 'POST /notes', body: { text: 'milk' } });
    expect(before.text).toMatch(/^501 /);
    const { text } = await call('assume', {
      address: 'endpoints["POST /notes"].response.status',
      value: '201',
      because: 'the author said so',
    });
    expect(text).toContain('2 of 2 operations can be carried out');
    expect(JSON.parse(readFileSync(join(folder, 'notes.assumptions.json'), 'utf8'))).toMatchObject([
      { value: 201, why: 'the author said so', who: 'an agent' },
    ]);
    expect((await call('send', { request: 'POST /notes', body: { text: 'milk' } })).text).toMatch(/^201 /);
    expect((await call('send', { request: 'GET /notes' })).text).toMatch(/^200 .*"text":"milk"/s);
  });

  it('tests the service of the document, and writes nothing', async () => {
    const { text } = await call('test', { only: ['POST /notes'] });
    expect(text).toMatch(/conform/);
    expect(readdirSync(folder).sort()).toEqual([
      '.git',
      'link.md',
      'linked',
      'notes.assumptions.json',
      'notes.md',
      'wrong.md',
    ]);
  });

  it('shows differences from a revision', async () => {
    writeFileSync(join(folder, 'notes.md'), notes.replace('maxLength: 100', 'maxLength: 10'));
    expect((await call('diff')).text).toMatch(/maxLength/);
    writeFileSync(join(folder, 'notes.md'), notes);
  });

  it('exports', async () => {
    expect((await call('export')).text).toMatch(/^openapi: 3\.1/);
  });

  it.each([
    ['a path that leads out', 'status', { document: '../secret.md' }, /lies outside of the folder/],
    ['a path from the root', 'status', { document: '/etc/hosts' }, /lies outside of the folder/],
    ['a link that leads out', 'status', { document: 'link.md' }, /lies outside of the folder/],
    ['a link in a folder that leads out', 'check', { document: 'linked' }, /leads outside of the folder/],
    ['a file that is not there', 'status', { document: 'other.md' }, /there is no file other\.md/],
    ['a member too many', 'status', { assume: 'x' }, /must NOT have additional properties/],
    ['a member too few', 'point', {}, /must have required property 'address'/],
    ['a revision that is a path', 'diff', { revision: '../secret.md' }, /is no revision/],
    ['an option for a revision', 'diff', { revision: '--output=x' }, /is no revision/],
    ['a request that is none', 'send', { request: 'notes' }, /is no request/],
    [
      'a scheme that is not there',
      'send',
      { request: 'GET /notes', as: 'token' },
      /gives no credential of token/,
    ],
    ['a tool that is not there', 'write', {}, /there is no tool write/],
  ])('refuses %s', async (_what, tool, given, why) => {
    const { text, isError } = await call(tool, given);
    expect(text).toMatch(why);
    expect(isError).toBe(true);
  });
});
