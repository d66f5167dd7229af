import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { blamed, changed, incomplete, specificationOf, todoDocument } from './documents.ts';
import { testOwnService as testAsTimePasses } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-agree-'));
const documents = fileURLToPath(new URL('documents', import.meta.url));

afterAll(() => rmSync(folder, { recursive: true }));

async function testOwnService(of: Specification, name: string) {
  const service = await serve(of, { data: join(folder, `${name}.sqlite`) });
  try {
    const reports = [await testService(of, { url: service.url, seed: 1, walks: 160 })];
    // What a former run left behind is nothing to stumble over: here, identifiers that the client gave.
    if (name.startsWith('things'))
      reports.push(await testService(of, { url: service.url, seed: 1, walks: 160 }));
    return reports;
  } finally {
    await service.close();
  }
}

/** The service and the tester are written apart, from the language's reference alone: each is the other's witness. */
describe('the service that is built from a document, and the tester of the same document, agree', () => {
  const all: readonly (readonly [string, string, string])[] = [
    ['todo', 'todo.md', todoDocument],
    ['todo, where nothing is said to be complete', 'todo.md', incomplete],
    [
      'todo, where unstated members are ignored',
      'todo.md',
      changed(todoDocument, ['others: refuse', 'others: ignore']),
    ],
    [
      'todo, where unstated members are kept',
      'todo.md',
      changed(todoDocument, ['  required: [title]', '  required: [title]\n  others: keep']),
    ],
    ...readdirSync(documents).map(
      (file) => [file, file, readFileSync(join(documents, file), 'utf8')] as const,
    ),
  ];

  it.each(all)('%s', async (name, file, content) => {
    for (const report of await testOwnService(specificationOf(content, file), name.replaceAll(/\W/g, '-'))) {
      expect(blamed(report)).toEqual([]);
      expect(report.inventions).toEqual([]);
      expect(report.counts.conforms.stated).toBeGreaterThan(5);
    }
  });
});

describe('so do they as time passes', () => {
  it.each(['asking/club', 'asking/passes', 'events/orders'])('%s', async (path) => {
    const name = path.replace('/', '-');
    const document = readFileSync(new URL(`../documents/${path}.yaml`, import.meta.url), 'utf8');
    const report = await testAsTimePasses(name, document, 1, join(folder, `${name}.sqlite`), 'yaml');
    expect(blamed(report)).toEqual([]);
    expect(report.inventions).toEqual([]);
  });
});
