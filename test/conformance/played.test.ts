import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PlayedExample } from '../../src/conformance/examples/examples.ts';
import { type Report, type TestOptions, testService } from '../../src/conformance/run.ts';
import type { RunEvent } from '../../src/conformance/stream.ts';
import { serve } from '../../src/service/service.ts';
import { blamed, changed, specificationOf } from './documents.ts';
import { exampleOf, testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-played-'));
afterAll(() => rmSync(folder, { recursive: true }));
let services = 0;

const document = `
name: notes
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, title: { type: string }, size: { type: integer, default: 1 } }
    items: [{ id: 100000, title: first }]
endpoints:
  others: refuse
  POST /notes:
    operation: addNote
    does: create Note
    request: { body: Note }
    response: { status: 201, headers: { Location: "/notes/\${this.id}" }, body: Note }
    examples:
      milk: { request: { body: { title: Milk } }, response: { status: 201, body: { title: Milk } } }
  GET /notes/{id}:
    operation: readNote
    does: read Note
    response: { status: 200, body: Note }
    examples:
      mine: { after: { note: addNote.milk }, request: { path: { id: "\${note.body.id}" } }, response: { status: 200, body: { title: "\${note.body.title}", id: (any) } } }
states: (none)
authentication: (none)
events: (none)
errors: { payload: (none), codes: { malformed: { when: malformed, status: 400 }, unknown: { when: unknown, status: 404 }, invalid: { when: invalid, status: 422 } } }
limits: (none)
versioning: (none)
`;

/** The document whose reading has this example. */
const withExample = (example: string, content = document): string =>
  changed(content, [/ {6}mine: .*\n/, `      mine: ${example}\n`]);

/** Tests our own service of a document against it, or against another one. */
async function tested(
  content: string,
  served = content,
  options: Partial<TestOptions> = {},
): Promise<Report> {
  const data = join(folder, `${services++}.sqlite`);
  const service = await serve(specificationOf(served, 'notes.yaml'), { data });
  const of = specificationOf(content, 'notes.yaml');
  try {
    return await testService(of, { url: service.url, seed: 1, walks: 320, ...options });
  } finally {
    await service.close();
  }
}

/** What came of each example, in a line. */
const told = ({ examples }: Pick<Report, 'examples'>): readonly string[] => examples.map(line);

function line({ name, outcome, reason, points, differences }: PlayedExample): string {
  const all = differences.map(({ where, expected, found }) => `${where} ${expected} ${found}`);
  return [`${name} ${outcome}`, ...(reason ? [reason] : []), ...(points ?? []), ...all].join(': ');
}

const after = 'after: { note: addNote.milk }';
const request = `request: { path: { id: "\${note.body.id}" } }`;

describe('the examples of a document (language §4.6)', () => {
  it('are played before anything else, each after those that it names', async () => {
    const heard: RunEvent[] = [];
    const report = await tested(document, document, { onEvent: (event) => heard.push(event) });
    expect(told(report)).toEqual(['addNote.milk as expected', 'readNote.mine as expected']);
    const kinds = heard.map(({ kind }) => kind).filter((kind) => kind !== 'result');
    const each = ['exchange', 'example'];
    expect(kinds.slice(0, 6)).toEqual(['run begins', 'part begins', ...each, ...each]);
    const sent = heard.flatMap((one) => (one.kind === 'exchange' ? [one.exchange.request] : []));
    expect(sent[0]).toMatchObject({
      method: 'POST',
      headers: [['Content-Type', 'application/json']],
      body: '{"title":"Milk"}',
    });
    expect(sent[1]).toMatchObject({ method: 'GET', headers: [], body: null });
    expect(sent[1]?.url.endsWith('/notes/1')).toBe(true);
    expect(blamed(report)).toEqual([]);
  });

  it('are judged by the statements', async () => {
    const served = changed(document, ['response: { status: 201', 'response: { status: 202']);
    const report = await tested(document, served);
    const [first] = report.results.filter(({ verdict }) => verdict === 'violates');
    expect(first).toMatchObject({ verdict: 'violates', expected: 'status 201', found: 'status 202' });
    expect(first?.request?.body).toBe('{"title":"Milk"}');
    expect(told(report)[0]).toBe('addNote.milk otherwise: status 201 202');
  });

  it.each([
    [`{ ${after}, ${request}, response: { body: { size: 2, title: Milk } } }`, 'otherwise: /size 2 1'],
    [
      `{ ${after}, ${request}, response: { body: { colour: (any) } } }`,
      'otherwise: /colour anything nothing',
    ],
    [
      `{ ${after}, ${request}, response: { status: 404, headers: { X-Way: (any), content-type: application/json } } }`,
      'otherwise: status 404 200: X-Way anything nothing',
    ],
    [
      `{ ${after}, ${request}, response: { body: [] } }`,
      'otherwise: body [] {"id":1,"title":"Milk","size":1}',
    ],
    [`{ request: { path: { id: "7" } }, response: { status: 404 } }`, 'as expected'],
    [
      `{ ${after}, request: { path: { id: "\${note.headers['location'].substring(7)}" } }, response: { status: 200 } }`,
      'as expected',
    ],
    [
      `{ ${after}, request: { path: { id: "\${note.body.key}" } } }`,
      'not played: path.id reads note.body.key, which the answer lacks',
    ],
  ])('%s: %s', async (example, outcome) => {
    const report = await tested(withExample(example));
    expect(told(report)[1]).toBe(`readNote.mine ${outcome}`);
    expect(blamed(report)).toEqual([]);
    expect(report.inOrder).toBe(true);
  });

  it('are not played where what they ask for is open, nor those that come after', async () => {
    const open = changed(document, ['complete: true\n', ''], ['does: create Note', 'does: (open) what?']);
    expect(told(await tested(open))).toEqual([
      'addNote.milk not played: what it asks for is open: endpoints["POST /notes"].does',
      'readNote.mine not played: addNote.milk, which comes before, was not played',
    ]);
  });

  it('let nobody be blamed for an item of the start that they changed', async () => {
    const content = changed(document, [
      /states: \(none\)/,
      `  DELETE /notes/{id}: { operation: drop, does: delete Note, response: 204, examples: { first: { request: { path: { id: "100000" } }, response: { status: 204 } } } }\nstates: (none)`,
    ]);
    const report = await tested(content);
    expect(told(report)).toContain('drop.first as expected');
    expect(blamed(report)).toEqual([]);
  });

  it('are asked by whom they say, with credentials that an answer gives', async () => {
    const report = await testOwnService(
      'directory',
      exampleOf('directory'),
      1,
      join(folder, 'directory.sqlite'),
    );
    expect(told(report).filter((one) => !one.endsWith(' as expected'))).toEqual([]);
    expect(report.examples.length).toBeGreaterThan(3);
  });
});
