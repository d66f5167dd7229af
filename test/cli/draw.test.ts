import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { petsDescription } from './pets.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { file, path } = temporaryFolder();
const document = file(
  'tasks.yaml',
  `
name: Tasks
resources:
  Task:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, status: { type: string } }
states:
  Task.status: { states: [todo, done], initial: (open) which?, transitions: { finish: { from: todo, to: done } } }
endpoints:
  GET /tasks/{id}: { does: read Task, response: { status: 200, body: Task } }
`,
);

describe('tacet draw', () => {
  it('lists the pictures, without a name or with --list', async () => {
    const listed = 'resources  map\nstates     Task.status\noperation  GET /tasks/{id}\n';
    for (const words of [[], ['--list']])
      expect(await tacet(['draw', document, ...words])).toEqual({ code: 0, out: listed, error: '' });
    const nothing = await tacet(['draw', file('nothing.yaml', 'name: Nothing')]);
    expect(nothing.out).toBe('the document has no resource, no states and no operation to draw\n');
  });

  it('prints Mermaid, or SVG, or writes either by the name of the file', async () => {
    const printed = await tacet(['draw', document, 'Task.status']);
    expect([printed.code, printed.error]).toEqual([0, '']);
    expect(printed.out).toMatch(/^stateDiagram-v2\n/);
    const picture = await tacet(['draw', document, 'Task.status', '--svg']);
    expect(picture.out).toMatch(/^<svg /);
    for (const [name, content] of [
      ['a.mmd', printed.out],
      ['a.svg', picture.out],
    ] as const) {
      const out = join(path, name);
      const written = await tacet(['draw', document, 'Task.status', '-o', out]);
      expect(written.out).toBe(`wrote ${out}\n`);
      expect(readFileSync(out, 'utf8')).toBe(content);
    }
  });

  it('draws an operation without a name by its key', async () => {
    const { out } = await tacet(['draw', document, 'GET /tasks/{id}']);
    expect(out).toContain('p0->>p1: GET /tasks/{id}');
  });

  it('takes what is assumed, and marks it', async () => {
    const ledger = file(
      'ledger.json',
      JSON.stringify([{ at: 'states["Task.status"].initial', value: 'todo' }]),
    );
    const { out } = await tacet(['draw', document, 'Task.status', '--assume', ledger]);
    expect(out).toContain('[*] --> n1 : todo (assumed)');
  });

  it('draws an OpenAPI description, with its guesses or without', async () => {
    const openapi = file('openapi.yaml', petsDescription);
    const guessed = await tacet(['draw', openapi, 'readPet']);
    expect(guessed.out).toContain('read Pet (assumed)');
    const { out } = await tacet(['draw', openapi, 'readPet', '--no-guesses']);
    expect(out).toContain('(open) what it does');
  });

  it.each([
    [
      ['Task.stats'],
      'there is no picture Task.stats; did you mean Task.status? there are map, Task.status, GET /tasks/{id}',
    ],
    [['zzz'], 'there is no picture zzz; there are map, Task.status, GET /tasks/{id}'],
    [['map', 'again'], 'one picture at a time, and again is a second one'],
    [['--svg'], 'name the picture to draw; there are map, Task.status, GET /tasks/{id}'],
    [['map', '-o', 'x.png'], 'a picture is written to a .svg or .mmd file, and x.png is neither'],
    [['map', '--svg', '-o', 'x.mmd'], '--svg goes with a file that ends in .svg, and x.mmd does not'],
  ])('refuses %j', async (words, message) => {
    const { code, out, error } = await tacet(['draw', document, ...words]);
    expect([code, out, error]).toEqual([2, '', `tacet: ${message}\nhelp: tacet draw --help\n`]);
  });

  it('writes over nothing, unless it is told to', async () => {
    const out = file('mine.svg', 'mine');
    expect((await tacet(['draw', document, 'map', '-o', out])).error).toContain('is there already; --force');
    expect((await tacet(['draw', document, 'map', '-o', out, '--force'])).code).toBe(0);
  });

  it('lists twenty names at most, and says how many more there are', async () => {
    const paths = Array.from(
      { length: 25 },
      (_, i) => `  GET /p${i}: { does: (none), response: 204 }\n`,
    ).join('');
    const many = file('many.yaml', `name: Many\nendpoints:\n${paths}`);
    expect((await tacet(['draw', many, 'zzz'])).error).toContain('GET /p19, and 5 more (--list)');
  });

  it('shows the errors of a document, and draws nothing', async () => {
    const wrong = file('wrong.yaml', 'name: Wrong\nresources: { a: {} }');
    const { code, out, error } = await tacet(['draw', wrong, 'map']);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('bad-name');
  });
});
