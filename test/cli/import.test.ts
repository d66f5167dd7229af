import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { passingService } from '../../src/cli/serve/passing-service.ts';
import { readSpecification } from '../../src/load/document.ts';
import { serve } from '../../src/service/service.ts';
import { readerLimits } from '../../src/source/yaml.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { file, path } = temporaryFolder();
const page = readFileSync('docs/openapi.md', 'utf8');
const [, example = ''] = /```yaml openapi\n([\s\S]*?)\n```/.exec(page) ?? [];
const description = file('tasks.yaml', example);

describe('tacet import', () => {
  it('writes a document and its ledger, which are read without a fault', async () => {
    const out = join(path, 'tasks.md');
    const { code, out: said } = await tacet(['import', description, '-o', out]);
    expect(code).toBe(0);
    expect(said).toContain('and 19 guesses in');
    const checked = await tacet(['check', out, '--assume', join(path, 'tasks.assumptions.json')]);
    expect([checked.code, checked.error]).toEqual([0, '']);
  });

  it('writes over nothing, unless it is told to', async () => {
    const out = file('there.md', 'mine');
    const refused = await tacet(['import', description, '-o', out]);
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('is there already; --force')]);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect(existsSync(join(path, 'there.assumptions.json'))).toBe(false);
    expect((await tacet(['import', description, '-o', out, '--force', '--no-guesses'])).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('that is asked here.');
  });

  it('lists what was lost', async () => {
    const lossy = file('lossy.yaml', example.replace('in: query, schema', 'in: cookie, schema'));
    const { out } = await tacet(['import', lossy, '-o', join(path, 'lossy.md'), '--losses']);
    expect(out).toContain('1  gap        a parameter in a cookie  /paths/~1tasks/get/parameters/0');
  });

  it('leaves texts for people out of a document that would be larger than what is read', async () => {
    const long = example.replace(
      /type: boolean/,
      `type: boolean, example: ${'x'.repeat(readerLimits.bytes)}`,
    );
    const [source, written] = [file('examples.yaml', long), join(path, 'examples.md')];
    const { out } = await tacet(['import', source, '-o', written, '--losses']);
    expect(out).toContain(
      'examples.md would be too large to be read: descriptions of header fields, examples of content, examples in shapes are left out\n',
    );
    expect(out).toContain('1  dropped    examples in shapes, since the document would be too large');
    expect((await tacet(['check', written])).code).toBe(0);
  });

  it('tells of a document that holds more than what is read', async () => {
    const names = Array.from({ length: readerLimits.nodes / 3 }, (_, index) => `f${index}: {type: string}`);
    const schemas = `schemas:\n    Many: { properties: { ${names.join(', ')} } }\n`;
    const [source, written] = [
      file('many.yaml', example.replace('schemas:\n', schemas)),
      join(path, 'many.md'),
    ];
    const { out } = await tacet(['import', source, '-o', written]);
    expect(out).toMatch(
      /many\.md holds more keys and values than are read of a document \(200000\): name the description itself/,
    );
    expect((await tacet(['check', written])).error).toContain('too-many-values');
  });

  it('tells of a document that is larger than what is read', async () => {
    const long = example.replace('Keep a list of tasks.', 'x'.repeat(readerLimits.bytes));
    const { code, out } = await tacet(['import', file('long.yaml', long), '-o', join(path, 'long.md')]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /long\.md has \d+ bytes, and 4194304 are read of a document: name the description itself/,
    );
    expect((await tacet(['check', join(path, 'long.md')])).error).toContain('too-large');
  });

  it.each([
    [[description], 'name the document to write: -o service.md'],
    [
      [file('other.yaml', 'a: 1'), '-o', 'x.md'],
      'is no OpenAPI or AsyncAPI description: it has no key openapi',
    ],
    [[file('old.yaml', 'swagger: "1.2"'), '-o', 'x.md'], 'old.yaml:1:10 OpenAPI 1.2 is not read'],
  ])('refuses %j', async (words, message) => {
    const { code, error } = await tacet(['import', ...words]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a description as a document', () => {
  it('is read by other commands, which point into its lines', async () => {
    const { code, out } = await tacet(['status', description, '--no-guesses']);
    expect(code).toBe(0);
    expect(out).toMatch(/endpoints\["GET \/tasks"\]\.does {2}\S+tasks\.yaml:7:7\n/);
    expect(out).toContain('asks: list Task?');
    expect((await tacet(['check', description])).code).toBe(0);
  });

  it('is known for one, however much stands before its version', async () => {
    const content = JSON.stringify({
      ...{ info: { title: 'Tasks', version: '1', description: 'a '.repeat(700_000) }, openapi: '3.1.0' },
      paths: { '/a': { get: { operationId: 'a', responses: { 204: { description: 'done' } } } } },
    });
    const { code, out } = await tacet(['status', file('late.json', content)]);
    expect(code).toBe(0);
    expect(out).toContain('endpoints["GET /a"].does');
  });

  it('is a service that keeps what is created', async () => {
    const { specification } = readSpecification(description, [], 'all');
    const { url, close } = await serve(specification, { data: join(path, 'tasks.sqlite') });
    onTestFinished(close);
    const headers = { 'content-type': 'application/json' };
    const made = await fetch(`${url}/v1/tasks`, { method: 'POST', headers, body: '{"title":"wash up"}' });
    const task = (await made.json()) as { id: string };
    expect([made.status, task]).toEqual([201, { id: expect.any(String), title: 'wash up' }]);
    expect(await (await fetch(`${url}/v1/tasks/${task.id}`)).json()).toEqual(task);
    expect(await (await fetch(`${url}/v1/tasks?done=true`)).json()).toEqual([]);
    expect((await fetch(`${url}/v1/tasks/4d0ea1ab-9a2f-4b66-9d50-f0a2bd4c9d4b`)).status).toBe(404);
  });

  it('may have parts in files of its folder, and in none elsewhere', () => {
    const outside = mkdtempSync(join(tmpdir(), 'tacet-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    writeFileSync(join(outside, 'secret.yaml'), 'get: { responses: { "204": { description: it } } }\n');
    mkdirSync(join(path, 'paths'), { recursive: true });
    writeFileSync(join(path, 'paths/a.yaml'), 'get: { responses: { "204": { description: it } } }\n');
    symlinkSync(join(outside, 'secret.yaml'), join(path, 'paths/linked.yaml'));
    const of = (ref: string): string =>
      file(
        'several.yaml',
        `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: { /a: { $ref: ${ref} } }\n`,
      );
    expect(readSpecification(of('paths/a.yaml'), [], 'all').specification.operations).toHaveLength(1);
    expect(() => readSpecification(of('paths/linked.yaml'), [], 'all')).toThrow(/there is no file/);
    expect(() => readSpecification(of('../secret.yaml'), [], 'all')).toThrow(/leads out of the folder/);
  });

  it.each([
    ['{ type: http, scheme: bearer }', /curl -H 'authorization: bearer [0-9a-f]{24}'/i],
    ['{ type: http, scheme: basic }', /curl -u caller:[0-9a-f]{24}/],
    ['{ type: apiKey, in: query, name: apikey }', /curl with \?apikey=[0-9a-f]{24}/],
    ['{ type: apiKey, in: cookie, name: session }', /curl -b 'session=[0-9a-f]{24}'/],
  ])('tells how to send the credential of %s', (scheme, line) => {
    const secured = file(
      'sent.yaml',
      `${example}\n  securitySchemes: { key: ${scheme} }\nsecurity: [{ key: [] }]`,
    );
    const reader = readSpecification(secured, [], 'all');
    const served = passingService({ values: {}, positionals: [secured] }, reader, {
      environment: {},
    } as never);
    served.close();
    expect(served.lines.join('')).toMatch(line);
  });

  it('tells of guesses exactly if there are some', () => {
    const served = (takesGuesses: boolean): string => {
      const reader = readSpecification(description, [], takesGuesses ? 'all' : 'none');
      const { lines, close } = passingService({ values: {}, positionals: [description] }, reader, {
        environment: {},
      } as never);
      close();
      return lines.join('');
    };
    expect(served(true)).toContain('guessed  what operations do');
    expect(served(false)).not.toContain('guessed');
  });

  it('is served with a credential for each scheme, and forgotten when the service ends', () => {
    const secured = file(
      'secured.yaml',
      `${example}\n  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }\nsecurity: [{ key: [] }]`,
    );
    const reader = readSpecification(secured, [], 'all');
    const terminal = { environment: {} } as never;
    const served = passingService({ values: {}, positionals: [secured] }, reader, terminal);
    const folder = join(String(served.given.values['data']), '..');
    expect(existsSync(folder)).toBe(true);
    const { key } = JSON.parse(served.terminal.environment['TACET_CREDENTIALS'] ?? '{}') as {
      key: { caller: string };
    };
    expect(served.lines.join('')).toContain(`secret   key: curl -H 'x-key: ${key.caller}'`);
    served.close();
    expect(existsSync(folder)).toBe(false);
    const own = passingService(
      { values: { data: 'x', credentials: 'y' }, positionals: [] },
      reader,
      terminal,
    );
    expect([own.given.values['data'], own.terminal.environment['TACET_CREDENTIALS']]).toEqual([
      'x',
      undefined,
    ]);
  });
});

describe('an AsyncAPI description', () => {
  const [, events = ''] =
    /```yaml asyncapi\n([\s\S]*?)\n```/.exec(readFileSync('docs/asyncapi.md', 'utf8')) ?? [];
  const asyncapi = file('events.yaml', events);

  it('is read by other commands, which point into its lines', async () => {
    const { code, out } = await tacet(['status', asyncapi, '--asked']);
    expect(code).toBe(0);
    expect(out).toContain('which OrderPlaced does it tell?');
    expect(out).toMatch(/events\.kinds\["order\.placed"\]\.body {2}\S+events\.yaml:23:9\n/);
    expect(await tacet(['check', asyncapi])).toMatchObject({ code: 0, error: '' });
    const changed = file('changed.yaml', events.replace('minimum: 0', 'minimum: 1'));
    const { out: differences } = await tacet(['diff', asyncapi, changed]);
    expect(differences).toMatch(/OrderPlaced\.fields\.total\.minimum[\s\S]*changed\.yaml:27:18/);
    const testing = ['test', asyncapi, '--url', 'http://127.0.0.1:1', '--search', 'PT0S'];
    const tested = await tacet(testing, { ended: new AbortController().signal });
    expect([tested.error, tested.code, tested.out]).toEqual([
      '',
      3,
      expect.stringContaining('nothing was exercised'),
    ]);
  });

  it('is a service of no operation', async () => {
    const { specification } = readSpecification(asyncapi, [], 'all');
    const { url, close } = await serve(specification, { data: join(path, 'events.sqlite') });
    onTestFinished(close);
    expect((await fetch(`${url}/orders`)).status).toBe(404);
  });

  it('is imported alone, or with an OpenAPI description in any order', async () => {
    const alone = join(path, 'alone.md');
    expect(await tacet(['import', asyncapi, '-o', alone])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`next: tacet status ${alone}\n`),
    });
    expect((await tacet(['check', alone])).code).toBe(0);
    const out = join(path, 'both.md');
    const { code, out: said } = await tacet(['import', asyncapi, description, '-o', out, '--losses']);
    expect(code).toBe(0);
    expect(said).toMatch(/1 {2}gap {8}a server {2}\S+events\.yaml#\/servers\/main/);
    const both = readFileSync(out, 'utf8');
    expect(both).toContain('# Tasks\n\nFrom `tasks.yaml` (OpenAPI 3.1.0) and `events.yaml` (AsyncAPI 3.0.0)');
    expect(both).toContain('POST /tasks:');
    expect(both).toContain('order.placed:');
    const checked = await tacet(['check', out, '--assume', join(path, 'both.assumptions.json')]);
    expect([checked.code, checked.error]).toEqual([0, '']);
  });

  it.each([
    [[description, description], 'one OpenAPI description at a time, and '],
    [[], 'name the description'],
    [[asyncapi, file('none.yaml', 'a: 1')], 'none.yaml is no OpenAPI or AsyncAPI description'],
    [[file('future.yaml', 'asyncapi: 4.0.0')], 'future.yaml:1:11 AsyncAPI 4.0.0 is not read'],
    [[file('future.yaml', 'asyncapi: 4.0.0')], '[description-version]\nhelp: convert the description'],
  ])('refuses %j', async (files, message) => {
    const { code, error } = await tacet(['import', ...files, '-o', join(path, 'refused.md')]);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});
