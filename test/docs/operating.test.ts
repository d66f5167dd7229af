import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configured, variableOf } from '../../src/cli/serve/configuration.ts';
import { metricsOf, metricsOfWorkers } from '../../src/cli/serve/metrics.ts';
import { command } from '../../src/cli/serve.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { document, specification } from '../specification/documents.ts';

const { file } = temporaryFolder();
const page = readFileSync('docs/operating.md', 'utf8');
const text = (path: string): string => readFileSync(path, 'utf8');
const cells = (path: string, column: number): string[] =>
  text(path)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ')[column]?.replace(/^\| | \|$/g, '') ?? '');

it('docs/operating.md names each metric, and none besides', async () => {
  const { text: metrics } = metricsOf(specification(document({})), true);
  const all = `${await metrics(null)}\n${await metricsOfWorkers().text([], 0)}`;
  const own = [...all.matchAll(/^# TYPE (\S+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(process|nodejs)_/.test(name));
  const named = [...page.matchAll(/^\| `((?:http|tacet)_\w+)` \|/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(own.sort());
});

it('each TACET_ variable of docs/operating.md and of the container files is an option, or holds a secret', () => {
  const variables = new Set([...Object.keys(command.options).map(variableOf), 'TACET_CREDENTIALS']);
  const isKnown = (name: string): boolean => variables.has(name) || /^TACET_(SECRET_|NAME$|…)/.test(name);
  for (const path of ['docs/operating.md', 'Dockerfile', 'compose.yaml']) {
    const used = [...text(path).matchAll(/\bTACET_\w+/g)].map(([name]) => name);
    expect(used.filter((name) => !isKnown(name))).toEqual([]);
    expect(used.length).toBeGreaterThan(0);
  }
});

it('the configuration of docs/operating.md is one', () => {
  const [, content = ''] = /```yaml tacet\.yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const given = { values: { config: file('tacet.yaml', content) }, positionals: [] };
  expect(configured(given, command.options, {}).values).toMatchObject({
    port: '8080',
    deliver: ['sirens=nats://nats.internal'],
  });
});

it('compose.yaml serves a document that is there, three times, with all that it is told to wait for', () => {
  const { services } = parse(text('compose.yaml')) as {
    services: Record<string, { volumes?: string[]; depends_on?: object; deploy?: { replicas: number } }>;
  };
  const { service } = services;
  expect(service?.deploy?.replicas).toBe(3);
  for (const each of Object.values(services)) {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(each.depends_on ?? {})));
    for (const volume of each.volumes ?? []) {
      const [from = ''] = volume.split(':');
      expect(!from.startsWith('.') || existsSync(from)).toBe(true);
    }
  }
});

it('each test that SECURITY.md cites is there', () => {
  const cited = cells('SECURITY.md', 2).flatMap((cell) => /`(test\/[^`]+)`/.exec(cell)?.[1] ?? []);
  expect(cited.length).toBeGreaterThan(5);
  expect(cited.filter((path) => !existsSync(path))).toEqual([]);
});
