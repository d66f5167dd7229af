import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type Replayed, replay } from '../../src/conformance/replay.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { Found } from '../../src/conformance/sequences/sequence.ts';
import { serve } from '../../src/service/service.ts';
import { type Fault as DiaryFault, startDiary } from '../faulty/diary.ts';
import { startTickets, type Fault as TicketFault } from '../faulty/tickets.ts';
import { type Fault, startTodo } from '../faulty/todo.ts';
import { listening, type Running } from '../listening.ts';
import { specificationOf, todoDocument } from './documents.ts';

const patience = 60_000;
const documentOf = (path: string) =>
  specificationOf(
    readFileSync(fileURLToPath(new URL(`../documents/${path}`, import.meta.url)), 'utf8'),
    path.split('/').at(-1),
  );
const todo = specificationOf(todoDocument);
const diary = documentOf('asking/diary.yaml');
const tickets = documentOf('changing/tickets.yaml');

/** The sequences that are found of a service, which is then played against; and against one that is mended. */
async function found<F>(
  of: typeof todo,
  start: (fault: F | null) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  fault: F,
  says: string,
): Promise<{ readonly violation: Found; readonly faulty: Replayed; readonly mended: Replayed }> {
  const [faulty, mended] = [await start(fault), await start(null)];
  try {
    const { sequences } = await testService(of, { url: faulty.url, seed: 1, sequences: 20 });
    const violation = sequences.find((one) => one.says === says);
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

/** A sequence in short: which request is sent, to the item of which step, and with which status it was answered. */
function inShort({ sequence: { steps, values } }: Found): readonly string[] {
  const told = values.filter(({ from }) => from !== undefined);
  return steps.map(({ request, answer }) => {
    const path = told.reduce((so, { was, from }) => so.replace(was, `{${from?.step}}`), request.path);
    return `${request.method} ${path} ${answer?.status ?? 'none'}`;
  });
}

describe('the fewest requests that lead to a violation', () => {
  it.each<[Fault, string, readonly string[]]>([
    ['create answers 200', 'POST / answers with 201', ['POST / 200']],
    ['list answers 206', 'GET / answers with 200', ['GET / 206']],
    ['remove answers 200', 'DELETE /{id} answers with 204', ['POST / 201', 'DELETE /{0} 200']],
    [
      'remove does nothing',
      'what DELETE /{id} removes is not shown any more',
      ['POST / 201', 'DELETE /{0} 204', 'GET /{0} 200'],
    ],
    [
      'an item that was removed is 200',
      'DELETE /{id} of a Todo that was removed is refused',
      ['POST / 201', 'DELETE /{0} 204', 'DELETE /{0} 200'],
    ],
    [
      'change is not kept',
      'what PATCH /{id} answers is what GET /{id} shows afterwards',
      ['POST / 201', 'PATCH /{0} 200', 'GET /{0} 200'],
    ],
    ['every item has one identifier', 'POST /, twice, makes two items', ['POST / 201', 'POST / 201']],
    [
      'a refused creation is kept',
      'POST / with no title changes nothing',
      ['GET / 200', 'POST / 422', 'GET / 200'],
    ],
    ['large numbers lose digits', 'POST / with order: 33554431 gives order back', ['POST / 201']],
  ])('of a to-do service in which %s', { timeout: patience }, async (fault, says, steps) => {
    const { violation, faulty, mended } = await found(todo, startTodo, fault, says);
    expect(inShort(violation)).toEqual(steps);
    expect(violation.sequence.confirmed).toBe(true);
    expect(faulty).toMatchObject({ outcome: 'violates', other: null });
    expect(mended.outcome).toBe('conforms');
  });

  it('goes the shortest way to a state, and leaves none of it out', { timeout: patience }, async () => {
    const fault: TicketFault = 'take leads out of closed, too';
    const says = 'POST /tickets/{id}/take of a Ticket in closed is refused';
    const { violation, faulty, mended } = await found(tickets, startTickets, fault, says);
    expect(inShort(violation)).toEqual([
      'POST /tickets 201',
      'POST /tickets/{0}/close 204',
      'POST /tickets/{0}/take 200',
    ]);
    expect([faulty.outcome, mended.outcome]).toEqual(['violates', 'conforms']);
  });

  it('has those log in who ask, with the token that they are given this time', {
    timeout: patience,
  }, async () => {
    const fault: DiaryFault = 'another edits';
    const says = 'PATCH /entries/{id} of one Entry by another of its kind is refused';
    const { violation, faulty, mended } = await found(diary, startDiary, fault, says);
    expect(inShort(violation)).toEqual([
      'POST /people 201',
      'POST /sessions 200',
      'POST /people 201',
      'POST /sessions 200',
      'POST /entries 201',
      'PATCH /entries/{4} 200',
    ]);
    expect([faulty.outcome, mended.outcome]).toEqual(['violates', 'conforms']);
  });

  it('is not looked for unless it is asked for', async () => {
    const running = await startTodo('create answers 200');
    const report = await testService(todo, { url: running.url, seed: 1 });
    await running.close();
    expect(report.sequences).toEqual([]);
  });

  it('is told once for each kind of violation against a statement, and stands in its result', async () => {
    const report = await reportOf('an unknown member is kept');
    const kinds = report.results
      .filter(({ verdict }) => verdict === 'violates')
      .map(({ check, statement }) => `${check} ${statement.address}`);
    expect(report.sequences.map(({ check, statement }) => `${check} ${statement.address}`)).toEqual([
      ...new Set(kinds),
    ]);
    for (const { says, sequence } of report.sequences) {
      const result = report.results.find((one) => one.says === says && one.verdict === 'violates');
      expect(result?.sequence?.map(({ response }) => response?.status)).toEqual(
        sequence.steps.map(({ answer }) => answer?.status),
      );
      const [decided] = result?.sequence?.slice(-1) ?? [];
      expect([result?.request, result?.response]).toEqual([decided?.request, decided?.response]);
    }
  });

  it('has the published form', async () => {
    const schema = (name: string) =>
      JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.addSchema([schema('test'), schema('test-full')]).compile(schema('sequence'));
    const { sequences } = await reportOf('remove does nothing');
    expect(sequences.length).toBeGreaterThan(0);
    for (const one of sequences) expect(validate(one) || validate.errors).toBe(true);
    expect(validate({ ...sequences[0], more: 1 })).toBe(false);
  });
});

async function reportOf(fault: Fault): Promise<Report> {
  const running: Running = await startTodo(fault);
  try {
    return await testService(todo, { url: running.url, seed: 1, sequences: 20 });
  } finally {
    await running.close();
  }
}

describe('a sequence that is played again', () => {
  const says = 'what DELETE /{id} removes is not shown any more';
  const again = async (other: Running): Promise<Replayed> => {
    const { violation } = await found(todo, startTodo, 'remove does nothing' as Fault, says);
    const replayed = await replay(todo, violation, { url: other.url, seed: 7 });
    await other.close();
    return replayed;
  };

  it('has the check asked again where an answer on the way is another one', {
    timeout: patience,
  }, async () => {
    const conforming = await again(await startTodo('remove answers 200'));
    expect(conforming).toMatchObject({ outcome: 'conforms', other: 1 });
    expect(conforming.judged).toMatchObject({ says, verdict: 'conforms' });
  });

  it('leads nowhere where the check cannot be exercised any more', { timeout: patience }, async () => {
    const refusing = createServer((_request, response) => void response.writeHead(503).end());
    expect(await again(await listening(refusing))).toMatchObject({ outcome: 'unknown', other: 0 });
  });
});

describe('a sequence that is played again where a rate is stated', () => {
  const of = specificationOf(
    `
name: Lamp
tacet: 1
service: (none)
endpoints:
  GET /lamp: { operation: readLamp, does: (none), response: { status: 204 } }
limits: { rates: { readers: { operations: [readLamp], allow: 2, every: PT3S, per: address, window: sliding } } }
`,
    'lamp.yaml',
  );
  const read = { method: 'GET', path: '/lamp', headers: [], body: null } as const;
  const answer = { status: 500, headers: [], body: '' };
  const step = { request: read, answer };
  const foundAt = (address: string): Found => ({
    version: 1,
    check: 'answer.status',
    says: 'GET /lamp answers with 204',
    statement: { address, at: 'lamp.yaml:5:1' },
    expected: 'status 204',
    found: 'status 500',
    sequence: { steps: [step, step, { ...step, decides: true }], values: [], varies: [], confirmed: true },
  });
  const waitedFor = async (found: Found): Promise<readonly number[]> => {
    const broken = await listening(createServer((_request, response) => void response.writeHead(500).end()));
    const waits: number[] = [];
    let ms = 0;
    const wait = async (forMs: number): Promise<void> => {
      ms += forMs;
      waits.push(forMs);
    };
    const replayed = await replay(of, found, { url: broken.url, seed: 1, now: () => ms, wait });
    await broken.close();
    expect(replayed.outcome).toBe('violates');
    return waits;
  };

  it('keeps to the rate', async () => {
    expect(await waitedFor(foundAt('endpoints["GET /lamp"].response.status'))).toEqual([3001]);
  });

  it('does not, where what was found is of a limit', async () => {
    expect(await waitedFor(foundAt('limits.rates.readers'))).toEqual([]);
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
      const { sequences } = await testService(otherwise, { url, seed: 1, credentials, sequences: 20 });
      const violation = sequences.find(({ says }) => says === 'GET /notes/{id} answers with 203') as Found;
      const written = JSON.stringify(sequences);
      for (const secret of ['k-robot', 'sesame', Buffer.from('porter:open: sesame').toString('base64'), url])
        expect(written).not.toContain(secret);
      expect(violation.sequence.steps.map(({ request }) => request.headers.at(-1))).toEqual([
        ['X-Key', '{credentials.key.robot}'],
        ['Authorization', 'Basic {encoded credentials.door.porter}'],
      ]);
      const replayed = await replay(otherwise, violation, { url, seed: 7, credentials });
      expect(replayed.outcome).toBe('violates');
      expect(JSON.stringify(replayed.exchanges)).not.toContain('k-robot');
      const others = { ...credentials, key: { robot: 'another' } };
      expect(await replay(otherwise, violation, { url, seed: 7, credentials: others })).toMatchObject({
        outcome: 'unknown',
        other: 0,
      });
    } finally {
      await service.close();
      rmSync(dirname(data), { recursive: true });
    }
  });
});
