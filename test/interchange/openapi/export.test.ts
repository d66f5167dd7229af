import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { afterAll, describe, expect, it } from 'vitest';
import { exportOpenApi } from '../../../src/interchange/openapi/export/export.ts';
import { openApiVersions } from '../../../src/interchange/openapi/export/version.ts';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { serve } from '../../../src/service/service.ts';
import { type Json, json } from '../../../src/source/node.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { read, readOutlined } from '../../../src/specification/read.ts';
import { specificationOf } from '../../service/served.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tacet-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Whole documents: the examples, and those that the tests of reading take for sound. */
const documents = [
  'examples',
  'test/documents/sound',
  'test/documents/valid',
  'test/documents/events',
].flatMap((under) =>
  readdirSync(join(root, under))
    .filter((name) => /\.(md|yaml)$/.test(name))
    .map((name) => `${under}/${name}`),
);
const examples = documents.filter((file) => file.startsWith('examples/'));

/** Each document is read once. */
const known = new Map<string, Specification>();

function specificationIn(file: string): Specification {
  const { specification } = known.has(file)
    ? { specification: known.get(file) as Specification }
    : read(file, readFileSync(join(root, file), 'utf8'));
  known.set(file, specification);
  return specification;
}

/** What a description comes to when it is read again: what is stated, and the errors. */
function again(description: Json) {
  const imported = importOpenApi('again.json', JSON.stringify(description));
  const { specification, diagnostics } = readOutlined('again.json', outlined(imported));
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return { specification, errors, guesses: imported.guesses };
}

/** The description with all that only tacet reads taken out. */
function withoutExtensions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !name.startsWith('x-tacet-'));
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutExtensions(inner as Json)]));
}

describe('an exported description', () => {
  it.each(documents)('of %s is the same specification when it is read again', (file) => {
    const specification = specificationIn(file);
    const found = again(exportOpenApi(specification, '3.1').description);
    expect(found.errors).toEqual([]);
    expect(json(found.specification.tree)).toEqual(json(specification.tree));
    expect(found.specification.name).toBe(specification.name);
    expect(found.specification.completeness.closedLists.map(({ above }) => above).toSorted()).toEqual(
      specification.completeness.closedLists.map(({ above }) => above).toSorted(),
    );
    expect(found.guesses).toEqual([]);
  });

  it.each(examples)('of %s says shapes, statuses, parameters and schemes in words of OpenAPI', (file) => {
    const specification = specificationIn(file);
    const { description } = exportOpenApi(specification, '3.2');
    const found = again(withoutExtensions(description));
    expect(found.errors).toEqual([]);
    const seen = overview(found.specification);
    const meant = overview(specification);
    expect(seen.operations).toEqual(meant.operations);
    expect(seen.schemes).toEqual(meant.schemes);
    expect(seen.shapes).toEqual(expect.arrayContaining(meant.shapes));
  });

  it.each(examples)('of %s is one by the rules of two validators', async (file) => {
    const config = await createConfig({ extends: ['recommended'] });
    const specification = specificationIn(file);
    for (const version of openApiVersions) {
      // One of the validators ends with an error of its own at this member of OpenAPI 3.2.
      const isKnown = (name: string): boolean => name !== 'deviceAuthorization';
      const source = JSON.stringify(exportOpenApi(specification, version).description, (name, value) =>
        isKnown(name) ? value : undefined,
      );
      const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ message }) => message)).toEqual([]);
    }
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']] });
    const found = await spectral.run(exportOpenApi(specification, '3.1').description);
    expect(found.filter(({ severity }) => severity === 0).map(({ message }) => message)).toEqual([]);
  });

  it('hides no part whole in one extension', () => {
    const { description } = exportOpenApi(specificationIn('examples/parcel-desk.md'), '3.1');
    const parts = ['resources', 'states', 'endpoints', 'authentication', 'events', 'errors', 'limits'];
    expect(parts.filter((part) => `x-tacet-${part}` in description)).toEqual([]);
    expect(description).toHaveProperty([
      'components',
      'schemas',
      'Parcel',
      'properties',
      'id',
      'x-tacet-set',
    ]);
  });

  it('states nothing that is open', () => {
    const specification = specificationOf(`
      resources: { Box: { identifier: id, fields: { id: { type: string }, what: (open) } } }
      endpoints:
        GET /boxes: { operation: list, does: (open) all of them?, response: (open) }`);
    const { description } = exportOpenApi(specification, '3.1');
    expect(description['info']).toEqual({ title: expect.any(String), version: 'not stated' });
    // What OpenAPI takes to be said where nothing is, and a list that says nothing.
    expect(description['servers']).toEqual([{ url: '/' }]);
    expect(description['security']).toEqual([]);
    expect(description['paths']).toEqual({
      '/boxes': {
        get: {
          operationId: 'list',
          summary: 'List',
          responses: {},
          'x-tacet-does': '(open) all of them?',
          'x-tacet-response': '(open)',
        },
      },
    });
  });

  it('tells what an operation is for in a summary and a description', () => {
    const told = (operation: string, description: string): Json => {
      const specification = specificationOf(
        `{ endpoints: { GET /boxes: { ${operation}, description: ${JSON.stringify(description)} } } }`,
      );
      const exported = exportOpenApi(specification, '3.1').description;
      expect(json(again(exported).specification.tree)).toEqual(json(specification.tree));
      const { get } =
        (exported['paths'] as Record<string, Record<string, Record<string, Json>>>)['/boxes'] ?? {};
      return [get?.['summary'] ?? null, get?.['description'] ?? null];
    };
    const name = 'operation: listHTTPBoxes';
    expect(told(name, 'All boxes')).toEqual(['List HTTP boxes', 'All boxes']);
    expect(told(name, 'All boxes\n\nThe newest come first.')).toEqual([
      'All boxes',
      'The newest come first.',
    ]);
    expect(told(name, 'They are listed.\n\nThe newest come first.')).toEqual([
      'List HTTP boxes',
      'They are listed.\n\nThe newest come first.',
    ]);
    expect(told(name, 'tags: boxes\n\nx')).toEqual(['List HTTP boxes', 'tags: boxes\n\nx']);
    expect(told(name, 'All boxes\n\ntags: boxes')).toEqual(['List HTTP boxes', 'All boxes\n\ntags: boxes']);
    expect(told('does: (none)', 'All boxes')).toEqual(['GET /boxes', 'All boxes']);
  });

  it('keeps the order of versions whose names are numbers', () => {
    const specification = specificationIn('test/documents/events/orders.yaml');
    const found = again(exportOpenApi(specification, '3.1').description);
    expect([...found.specification.older.keys()]).toEqual([...specification.older.keys()]);
  });
});

/** What of a specification OpenAPI has words for. */
function overview({ operations, tree }: Specification) {
  const { authentication, resources } = json(tree) as Readonly<
    Record<string, Readonly<Record<string, Json>>>
  >;
  const schemes = authentication?.['schemes'];
  const keys = new Set(operations.map(({ key }) => key.split(' ').slice(0, 2).join(' ')));
  return {
    operations: [...keys].toSorted(),
    schemes: typeof schemes === 'object' && schemes !== null ? Object.keys(schemes) : [],
    shapes: Object.entries(resources ?? {}).flatMap(([name, entry]) => {
      const isKept = typeof entry === 'object' && entry !== null && 'fields' in entry;
      return isKept ? [name] : [];
    }),
  };
}

describe('clients that generators make of an exported description', () => {
  const here = join(root, 'test/clients');

  async function run(program: string, words: readonly string[]): Promise<string> {
    try {
      return (await promisify(execFile)(program, words, { cwd: here, timeout: 30_000 })).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      return `failed: ${stdout}${stderr}`;
    }
  }

  /** What TypeScript finds wrong with a program that uses the clients in a folder. */
  function compiled(name: string, program: string): Promise<string> {
    writeFileSync(join(folder, `${name}.ts`), program);
    const options = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
    const libraries = ['--lib', 'es2022,dom,dom.iterable'];
    const compiler = join(here, 'node_modules/.bin/tsc');
    return run(compiler, [
      ...options,
      ...libraries,
      '--outDir',
      join(folder, 'out'),
      join(folder, `${name}.ts`),
    ]);
  }

  it('compile, refuse what is not stated, and talk to the running service', async () => {
    const specification = specificationIn('examples/todo.md');
    const description = join(folder, 'todo.json');
    writeFileSync(description, JSON.stringify(exportOpenApi(specification, '3.1').description));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const older = ['--import', './older-typescript.mjs'];
    expect(await run(process.execPath, [...older, 'generate.mjs', description, folder])).toBe('');

    expect(await compiled('wrong', program("{ titel: 'a' }"))).toContain('titel');
    expect(await compiled('right', program("{ title: 'a' }"))).toBe('');
    const service = await serve(specification, { data: join(folder, 'todo.sqlite') });
    try {
      const said = await run(process.execPath, [join(folder, 'out/right.js'), service.address]);
      expect(JSON.parse(said)).toEqual([201, ['a', 'b'], 204]);
    } finally {
      await service.close();
    }
  });
});

/** A program that makes a to-do by one client and lists and deletes by the other; it prints what it saw. */
function program(first: string): string {
  return `
    import type { paths } from './types.js';
    import { createClient, createConfig } from './hey/client/index.js';
    import { addTodo, clearTodos, listTodos } from './hey/index.js';

    const baseUrl = process.argv[2] as string;
    type Made = paths['/']['post']['requestBody']['content']['application/json'];
    const first: Made = ${first};
    const made = await fetch(baseUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(first),
    });
    const client = createClient(createConfig({ baseUrl }));
    await addTodo({ client, body: { title: 'b' } });
    const { data } = await listTodos({ client });
    const { response } = await clearTodos({ client });
    console.log(JSON.stringify([made.status, data?.map(({ title }) => title).sort(), response?.status]));
    declare const process: { readonly argv: readonly string[] };
  `;
}
