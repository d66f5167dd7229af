import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { metricsOf } from '../../src/cli/serve/metrics.ts';
import { command } from '../../src/cli/serve.ts';
import { ask, start } from '../service/served.ts';
import { hasPooler, pooler } from '../service/store/pooler.ts';
import { absence, isPooled, schema } from '../service/store/postgres.ts';
import { document, specification } from '../specification/documents.ts';

const missing = await absence();
const page = readFileSync('docs/scaling.md', 'utf8');

/** A section of the page, by its heading. */
const section = (heading: string): string => {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  return text.split(/\n##+ /)[0] as string;
};
/** What stands in code in a text. */
const code = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, one = '']) => one);
/** The block of a language. */
const block = (language: string): string => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

/** A service that has of everything for which the store has SQL of its own. */
const desk = `
name: Desk
resources:
  Note:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      title: { type: string, unique: caseless }
      tags: { type: array, items: { type: string } }
      content: { type: string, format: binary, maxLength: 100 }
      like: { type: boolean, derived: "\${Note.exists(n, n.title == this.title && n.id != this.id)}" }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  PATCH /notes/{id}: { does: update Note, request: { body: Note }, response: { status: 200, body: Note } }
  PUT /notes/{id}/content:
    does: { update: Note, with: { content: "\${request.body}" } }
    request: { media: (any), body: { type: string, format: binary, maxLength: 100 } }
    response: 204
  DELETE /notes/{id}: { does: delete Note, response: 204 }
  GET /notes:
    does: { list: Note, order: [title] }
    request:
      query:
        tag: { type: string, filter: "\${request.query.tag in this.tags}" }
        q: { type: string, filter: "\${matches(request.query.q, this.title)}" }
        size: { page: size, type: integer }
    response: { status: 200, body: "\${Note(page.items)}" }
  GET /all: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /feed: { does: (none), response: 200 }
errors: { codes: { taken: { when: not unique, status: 409 }, many: { when: rate exceeded, status: 429 } } }
events:
  kinds: { added: { by: [add], body: { id: "\${this.id}" } } }
  delivery: { feed: { stream: GET /feed } }
limits:
  rates: { often: { allow: 1000, every: PT1M, per: address } }
  concurrency: { much: { allow: 100, per: (none) } }
`;

/** Whether rows that decide are locked so hangs on what else is asked at that moment. */
const crowded = 'FOR SHARE';

/** Does all that such a service can do. */
async function use(address: string): Promise<void> {
  const service = await start(desk, { data: address, counter: address });
  const note = (title: string) => ({ title, tags: ['a', title] });
  const made = await Promise.all(['x', 'y', 'z'].map((title) => ask(service, 'POST /notes', note(title))));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  const answers = [
    await ask(service, 'POST /notes', note('X')),
    await ask(service, 'PATCH /notes/1', { tags: ['b'] }),
    await ask(service, 'PUT /notes/1/content', 'bytes'),
    await ask(service, 'GET /notes?tag=a&size=2'),
    await ask(service, 'GET /notes?q=y'),
    await ask(service, 'GET /all'),
    await ask(service, 'DELETE /notes/2'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 200, 204, 200, 200, 200, 204]);
  expect(service.faults).toEqual([]);
  await service.close();
}

/** All SQL that a service sends from its start to its end. */
async function sentBy(work: () => Promise<void>): Promise<string> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const sent = spy.mock.calls as unknown as [string | pg.QueryConfig][];
    return sent.map(([one]) => (typeof one === 'string' ? one : one.text)).join(';\n');
  } finally {
    spy.mockRestore();
  }
}

describe.skipIf(missing !== null)('docs/scaling.md, of what the store sends', () => {
  it('tells what it sends, and what it does not', async () => {
    const { address } = await schema();
    const sent = await sentBy(() => use(address));
    const rows = section('Databases that speak PostgreSQL’s protocol')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const said = rows.flatMap((line) => code(line.split(' | ')[0] as string));
    expect(said.length).toBeGreaterThan(20);
    expect(said).toContain(crowded);
    expect(said.filter((one) => one !== crowded && !sent.includes(one))).toEqual([]);
    const never = code(/^The store sends none of these: .*$/m.exec(page)?.[0] ?? '');
    expect(never.length).toBeGreaterThan(5);
    expect(never.filter((one) => new RegExp(`\\b${one}\\b`).test(sent))).toEqual([]);
    // Citus takes no other from a row that is changed for what a clock tells anew each time.
    expect(sent.match(/(?:DELETE FROM|UPDATE) [^;]* WHERE [^;]*clock_timestamp/g)).toBeNull();
    // What a server has of its own, and the ways to lock rows, are named one by one.
    const own = new Set(
      [...sent.matchAll(/\b(pg_\w+)\b|\b(FOR (?:NO KEY )?(?:UPDATE|SHARE))\b/g)].map(([one]) => one),
    );
    expect([...own].filter((one) => !page.includes(`\`${one}\``))).toEqual([]);
  });

  it.skipIf(!hasPooler || isPooled)('has settings of PgBouncer by which a service runs', async () => {
    const settings = block('ini pgbouncer.ini')
      .split('[pgbouncer]\n')[1]
      ?.split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('listen_'));
    const { by } = await pooler(settings);
    await use(by((await schema()).address));
  });
});

describe('docs/scaling.md', () => {
  it('has commands whose options there are', () => {
    const commands = [...page.matchAll(/^tacet serve .*(?:\\\n.*)*/gm)].map(([one]) => one);
    expect(commands.length).toBeGreaterThan(2);
    const options = commands.flatMap((one) => [...one.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name));
    expect(options.filter((name) => !(name in command.options))).toEqual([]);
  });

  it('names how a replica is told of', async () => {
    const [, replicas = ''] = page.split('\n### Read replicas\n');
    const { text } = metricsOf(specification(document({})), true);
    const metrics = new Set([...(await text(null)).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const named = code(replicas.split('\n### ')[0] as string).filter((one) => one.startsWith('tacet_'));
    expect(named.filter((one) => !metrics.has(one))).toEqual(['tacet_mark']);
    expect(named.length).toBeGreaterThan(2);
  });
});
