import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type Replayed, replay } from '../../src/conformance/replay.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { Found } from '../../src/conformance/sequences/sequence.ts';
import { serve } from '../../src/service/service.ts';
import { type Fault, startTodo } from '../faulty/todo.ts';
import { listening, type Running } from '../listening.ts';
import { specificationOf, todoDocument } from './documents.ts';

const patience = 60_000;
const todo = specificationOf(todoDocument);

/** The sequences that are found of a service, which is then played against; and against one that is mended. */
async function found<F>(
  of: typeof todo,
  start: (fault: F | null) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  fault: F,
  says: RegExp,
): Promise<{ readonly violation: Found; readonly faulty: Replayed; readonly mended: Replayed }> {
  const [faulty, mended] = [await start(fault), await start(null)];
  try {
    const { sequences } = await testService(of, { url: faulty.url, seed: 1, walks: 480, sequences: 20 });
    const violation = sequences.find((one) => says.test(one.says));
    if (!violation) throw new Error(`none of these: ${sequences.map((one) => one.says).join('; ')}`);
    return {
      violation,
      faulty: await replay(of, violation, { url: faulty.url, seed: 7 }),
      mended: await replay(of, violation, { url: mended.url, seed: 7 }),
    };
  } finally {
    await faulty.close();
    await mended.close();
  }
}

/** A sequence in short: which request is sent, to the item of which step, and with which status it was answered. A query is left out. */
function inShort({ sequence: { steps, values } }: Found): readonly string[] {
  const told = values.filter(({ from }) => from !== undefined);
  return steps.map(({ request, answer }) => {
    const [address = ''] = request.path.split('?');
    const path = told.reduce((so, { was, from }) => so.replace(was, `{${from?.step}}`), address);
    return `${request.method} ${path} ${answer?.status ?? 'none'}`;
  });
}

/** Whichever request to an item that was removed comes first. */
const gone = /^\w+ \/\{id\}: status$/;

describe('the fewest requests that lead to a violation', () => {
  it.each<[Fault, RegExp, readonly string[]]>([
    ['create answers 200', /^POST \/: status$/, ['POST / 200']],
    ['remove answers 200', /^DELETE \/\{id\}: status$/, ['POST / 201', 'DELETE /{0} 200']],
    ['an item that was removed is 200', gone, ['POST / 201', 'DELETE /{0} 204', '… /{0} 200']],
  ])('of a to-do service in which %s', { timeout: patience }, async (fault, says, steps) => {
    const { violation, faulty, mended } = await found(todo, startTodo, fault, says);
    const short = inShort(violation);
    expect(says === gone ? short.with(-1, short.at(-1)?.replace(/^\w+/, '…') ?? '') : short).toEqual(steps);
    expect(violation.sequence.confirmed).toBe(true);
    expect(faulty).toMatchObject({ outcome: 'violates', other: null });
    expect(mended.outcome).toBe('conforms');
  });

  it('is not looked for unless it is asked for', async () => {
    const running = await startTodo('create answers 200');
    const report = await testService(todo, { url: running.url, seed: 1, walks: 320 });
    await running.close();
    expect(report.sequences).toEqual([]);
  });

  it('is told once for each statement, and stands in its result', async () => {
    const report = await reportOf('an unknown member is kept');
    const addresses = report.results.flatMap(({ verdict, statement }) =>
      verdict === 'violates' ? [statement.address] : [],
    );
    expect(report.sequences.map(({ statement }) => statement.address).toSorted()).toEqual(
      [...new Set(addresses)].toSorted(),
    );
    for (const { says, sequence } of report.sequences) {
      const result = report.results.find((each) => each.says === says && each.verdict === 'violates');
      expect(result?.sequence?.map(({ response }) => response?.status)).toEqual(
        sequence.steps.map(({ answer }) => answer?.status),
      );
    }
  });

  it('has the published form', async () => {
    const schema = (name: string) =>
      JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.addSchema([schema('test'), schema('test-full')]).compile(schema('sequence'));
    const { sequences } = await reportOf('remove answers 200');
    expect(sequences.length).toBeGreaterThan(0);
    for (const one of sequences) expect(validate(one) || validate.errors).toBe(true);
    expect(validate({ ...sequences[0], more: 1 })).toBe(false);
  });
});

async function reportOf(fault: Fault): Promise<Report> {
  const running: Running = await startTodo(fault);
  try {
    return await testService(todo, { url: running.url, seed: 1, walks: 320, sequences: 20 });
  } finally {
    await running.close();
  }
}

describe('a sequence that is played again', () => {
  const again = async (other: Running): Promise<Replayed> => {
    const { violation } = await found(todo, startTodo, 'an item that was removed is 200' as Fault, gone);
    const replayed = await replay(todo, violation, { url: other.url, seed: 7 });
    await other.close();
    return replayed;
  };

  it('is judged anew if an answer is another one', { timeout: patience }, async () => {
    const conforming = await again(await startTodo(null));
    expect(conforming).toMatchObject({ outcome: 'conforms', other: 2 });
    expect(conforming.judged).toMatchObject({ verdict: 'conforms' });
  });

  it('leads nowhere if nothing is known of the answers', { timeout: patience }, async () => {
    const refusing = createServer((_request, response) => void response.writeHead(503).end());
    expect(await again(await listening(refusing))).toMatchObject({ outcome: 'unknown' });
  });
});

describe('credentials that are given from outside', () => {
  const stating = (status: number) =>
    specificationOf(
      `
name: Keys
complete: true
service: { actors: { machine: whatever has a key } }
resources: { Note: { identifier: id, fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, text: { type: string } }, others: refuse } }
endpoints:
  others: { body: refuse, query: ignore }
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { operation: one, does: read Note, response: { status: ${status}, body: Note } }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: machine, challenge: Key, wrong: refuse }
    door: { type: http, scheme: basic, credentials: operator, actor: machine, challenge: Basic, wrong: refuse }
  authorization: { write: { rule: known, schemes: key }, one: { rule: known, schemes: door } }
errors: (none)
states: (none)
events: (none)
limits: (none)
versioning: (none)
`,
      'keys.yaml',
    );
  const otherwise = stating(203);

  it('are named in a sequence and not written, and are sent when it is played', {
    timeout: patience,
  }, async () => {
    const credentials = { key: { robot: 'k-robot' }, door: { porter: 'open: sesame' } };
    const data = join(mkdtempSync(join(tmpdir(), 'tacet-sequences-')), 'data.sqlite');
    const service = await serve(stating(200), { data, credentials });
    try {
      const { url } = service;
      const { sequences } = await testService(otherwise, {
        url,
        seed: 1,
        credentials,
        walks: 480,
        sequences: 20,
      });
      const violation = sequences.find(({ says }) => says === 'GET /notes/{id}: status') as Found;
      const written = JSON.stringify(sequences);
      for (const secret of ['k-robot', 'sesame', Buffer.from('porter:open: sesame').toString('base64'), url])
        expect(written).not.toContain(secret);
      const headers = violation.sequence.steps.flatMap(({ request }) => request.headers);
      expect(headers).toContainEqual(['X-Key', '{credentials.key.robot}']);
      expect(headers).toContainEqual(['Authorization', 'Basic {encoded credentials.door.porter}']);
      const replayed = await replay(otherwise, violation, { url, seed: 7, credentials });
      expect(replayed.outcome).toBe('violates');
      expect(JSON.stringify(replayed.exchanges)).not.toContain('k-robot');
      const others = { ...credentials, key: { robot: 'another' } };
      expect(await replay(otherwise, violation, { url, seed: 7, credentials: others })).toMatchObject({
        outcome: 'unknown',
        other: 1,
      });
    } finally {
      await service.close();
      rmSync(dirname(data), { recursive: true });
    }
  });
});
