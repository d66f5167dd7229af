import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/conformance/run.ts';
import { blamed } from './documents.ts';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-timers-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Loans with a state, and another, that timers move. */
function loans(states: string, more = ''): string {
  return `
name: Loans
complete: true
resources:
  Loan:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
      phase: { type: string }
states:
${states}
endpoints:
  POST /loans: { operation: lend, does: create Loan, response: { status: 201, body: Loan } }
  GET /loans/{id}: { operation: read, does: read Loan, response: { status: 200, body: Loan } }
${more}
authentication: (none)
`;
}

const machine = (field: string, states: string, ...transitions: readonly string[]): string =>
  [
    `  Loan.${field}:`,
    `    states: [${states}]`,
    `    initial: ${states.split(',')[0]}`,
    '    transitions:',
    ...transitions.map((one) => `      ${one}`),
  ].join('\n');
const giveBack =
  '  POST /loans/{id}/return: { operation: return, does: return Loan, response: { status: 200, body: Loan } }';
const status = machine(
  'status',
  'lent, due, back, archived, purged',
  'call: { from: lent, to: due, after: P30D }',
  'return: { from: lent, to: back }',
  'archive: { from: back, to: archived, after: PT20M }',
  'purge: { from: archived, to: purged, after: P1D }',
);

async function tested(name: string, document: string): Promise<Report> {
  return await testOwnService(name, document, 1, join(folder, `${name}.sqlite`), 'yaml');
}

function reasonsOf(report: Report, said: string): readonly (string | undefined)[] {
  return report.results.filter(({ says }) => says.includes(said)).map(({ reason }) => reason);
}

describe('a timer of an item that another one may move meanwhile', () => {
  it('is not judged where both lead out of one state', async () => {
    const report = await tested(
      'two',
      loans(
        machine(
          'status',
          'lent, due, lost',
          'call: { from: lent, to: due, after: P30D }',
          'lose: { from: lent, to: lost, after: P1D }',
        ),
      ),
    );
    expect(blamed(report)).toEqual([]);
    const why = 'lose may have moved it meanwhile';
    expect(reasonsOf(report, 'moved by call')).toEqual([why, why]);
  });

  it('is judged once it is due, though a longer one stands before it and another leads on', async () => {
    const report = await tested('on', loans(status, giveBack));
    expect(blamed(report)).toEqual([]);
    expect(reasonsOf(report, 'in back is moved by archive')).toEqual([undefined]);
  });

  it('is not judged where another leads out of where it was left for', async () => {
    const report = await tested('out', loans(status, giveBack));
    expect(blamed(report)).toEqual([]);
    expect(reasonsOf(report, 'from lent to back is not moved by call')).toEqual([
      'it may be moved by itself from there too',
    ]);
  });

  it('is not judged where the other may move it from another state of its own', async () => {
    const phase = machine('phase', 'tick, tock', 'flip: { from: tick, to: tock, after: PT1M }');
    const report = await tested('apart', loans(`${status}\n${phase}`, giveBack));
    expect(blamed(report)).toEqual([]);
    const why = 'flip may have moved it meanwhile';
    expect(reasonsOf(report, 'in lent is moved by call')).toEqual([why]);
    expect(reasonsOf(report, 'in lent is not moved by call')).toEqual([why]);
  });
});

const credentials = `
name: Keys
complete: true
service: { actors: { User: who has an account } }
resources:
  User:
    identifier: id
    required: [name]
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      name: { type: string, minLength: 1, maxLength: 20, writable: true }
  Loan:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
states:
${machine('status', 'lent, due', 'call: { from: lent, to: due, after: P30D }')}
endpoints:
  POST /users: { operation: join, does: create User, request: { body: User }, response: { status: 201, body: { id: "\${this.id}", token: "\${issue('token', this)}" } } }
  POST /loans: { operation: lend, does: create Loan, response: { status: 201, body: Loan } }
  GET /loans: { operation: loans, does: { list: Loan, order: [id] }, response: { status: 200, body: { loans: "\${Loan(page.items)}" } } }
authentication:
  schemes: { token: { type: http, scheme: bearer, credentials: { issued: opaque, life: P60D }, actor: User, wrong: refuse } }
  authorization: { join: anyone }
  otherwise: known
errors:
  payload: (none)
  codes:
    bad: { when: [malformed, unsupported media, invalid], status: 400 }
    who: { when: [credential missing, credential wrong], status: 401 }
`;

describe('a refusal that time passes before', () => {
  it('is not said to change nothing, where timers may have moved items meanwhile', async () => {
    const report = await tested('keys', credentials);
    expect(blamed(report)).toEqual([]);
    const expired = report.results.filter(({ says }) =>
      says.startsWith('POST /loans with a credential of token that expired changes nothing'),
    );
    expect(expired.map(({ verdict }) => verdict)).toEqual(['not exercised']);
  });
});
