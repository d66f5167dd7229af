import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/conformance/run.ts';
import { blamed, changed } from './documents.ts';
import { testOwnService } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-waits-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Plants that become dry by themselves; one that was watered is ripe by itself, and one that was not, dead. */
const plants = `
complete: true
resources:
  Plant:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
      waterings: { type: integer, default: 0, readOnly: true }
states:
  Plant.status:
    states: [fresh, dry, watered, ripe, eaten, dead]
    initial: fresh
    transitions:
      dryOut: { from: fresh, to: dry, after: PT4S }
      water: { from: dry, to: watered, set: { waterings: "\${this.waterings + 1}" } }
      wither: { from: dry, to: dead, after: PT9S }
      ripen: { from: watered, to: ripe, after: PT5S }
      eat: { from: ripe, to: eaten }
endpoints:
  POST /plants: { operation: plant, does: create Plant, response: { status: 201, body: Plant } }
  GET /plants/{id}: { operation: look, does: read Plant, response: { status: 200, body: Plant } }
  POST /plants/{id}/water: { operation: water, does: water Plant, response: { status: 200, body: Plant } }
  POST /plants/{id}/meal: { operation: eat, does: eat Plant, response: { status: 200, body: Plant } }
authentication: (none)
limits: (none)
versioning: (none)
errors: { payload: (none), codes: { wrong: { when: transition refused, status: 409 } } }
`;

let files = 0;
async function tested(
  patienceMs: number,
  served = plants,
  waited: string[] = [],
  document = plants,
): Promise<Report> {
  return await testOwnService('plants', document, 1, join(folder, `${files++}.sqlite`), 'yaml', {
    served,
    options: {
      patienceMs,
      onEvent: (event) => {
        if (event.kind === 'waiting') waited.push(event.what);
      },
    },
  });
}

function told(report: Report, says: string): readonly string[] {
  return report.results
    .filter((one) => one.says === says)
    .map(({ verdict, reason }) => (reason ? `${verdict}: ${reason}` : verdict));
}

const aMinute = 60_000;

describe('a state that only a timer leads to', () => {
  it('is waited for, and what is stated of it is tried: also what a request and another timer lead to from there', async () => {
    const report = await tested(aMinute);
    expect(blamed(report)).toEqual([]);
    const reasons = report.results.flatMap(({ reason }) => reason ?? []);
    // A refusal that the timer may follow leaves nothing that can be compared.
    expect([...new Set(reasons)].sort()).toEqual(['dryOut may move it meanwhile', 'no content is stated']);
    const tried = [
      'POST /plants/{id}/water of a Plant in dry takes it to watered',
      'POST /plants/{id}/water of a Plant in dry sets waterings',
      'POST /plants/{id}/meal of a Plant in dry is refused',
      'POST /plants/{id}/meal of a Plant in ripe takes it to eaten',
      'POST /plants/{id}/water of a Plant in ripe is refused',
      'a Plant in watered is moved by ripen once it is due',
      'a Plant in dry is moved by wither once it is due',
    ];
    for (const says of tried) expect([says, told(report, says)]).toEqual([says, ['conforms']]);
  });

  it('is waited for once by all that need it', async () => {
    const waited: string[] = [];
    await tested(aMinute, plants, waited);
    expect(waited.length).toBeLessThan(25);
  });

  it('is not exercised where it takes longer than the patience, which says what would do', async () => {
    const report = await tested(4500);
    expect(blamed(report)).toEqual([]);
    expect(told(report, 'POST /plants/{id}/water of a Plant in dry takes it to watered')).toEqual([
      'conforms',
    ]);
    expect(told(report, 'POST /plants/{id}/meal of a Plant in ripe takes it to eaten')).toEqual([
      'not exercised: ripen is due after 5 s, which is not waited for: --patience PT5S would do',
    ]);
  });

  it.each([
    ['a move out of it that changes nothing', 'to: watered, set', 'to: dry, set', 'takes it to watered'],
    [
      'a move that does not lead out of it',
      'eat: { from: ripe',
      'eat: { from: [ripe, dry]',
      'meal of a Plant in dry is refused',
    ],
    ['what its move sets', 'this.waterings + 1', 'this.waterings', 'of a Plant in dry sets waterings'],
    ['a move after two timers', 'to: eaten', 'to: dead', 'of a Plant in ripe takes it to eaten'],
  ])('is where %s is found', async (_, stated, served, says) => {
    const report = await tested(aMinute, changed(plants, [stated, served]));
    expect(blamed(report).join('\n')).toContain(says);
  });
});

/** Loans of which a fee comes due by itself, and whose fee suspends them by itself. */
const loans = `
complete: true
resources:
  Loan:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
  Fee:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      loan: { refers: Loan, ifDeleted: refuse, readOnly: true }
      status: { type: string }
states:
  Loan.status:
    states: [new, running, suspended, ended]
    initial: new
    transitions:
      begin: { from: new, to: running, after: P14D, also: [{ create: Fee, with: { loan: "\${this}" } }] }
      renew: { from: running, to: running, after: P30D }
      suspend: { from: running, to: suspended }
      end: { from: [running, suspended], to: ended }
  Fee.status:
    states: [open, overdue]
    initial: open
    transitions: { remind: { from: open, to: overdue, after: P7D, also: [{ suspend: "\${this.loan}" }] } }
endpoints:
  POST /loans: { operation: lend, does: create Loan, response: { status: 201, body: Loan } }
  GET /loans/{id}: { operation: read, does: read Loan, response: { status: 200, body: Loan } }
  POST /loans/{id}/end: { operation: end, does: end Loan, response: { status: 200, body: Loan } }
  GET /fees: { operation: list, does: { list: Fee }, response: { status: 200, body: "\${Fee(page.items)}" } }
authentication: (none)
limits: (none)
versioning: (none)
`;

describe('a timer that is not on time', () => {
  it('is blamed alone where it never moves anything: nothing is tried in a state that was not seen', async () => {
    const report = await tested(aMinute, changed(plants, ['to: dry, after: PT4S', 'to: dry, after: P1D']));
    expect(blamed(report)).toEqual([expect.stringContaining('in fresh is moved by dryOut once it is due')]);
    expect(told(report, 'POST /plants/{id}/meal of a Plant in dry is refused')).toEqual([
      'not exercised: once dryOut was due the Plant was found in ["fresh"], and not in ["dry"]',
    ]);
  });

  it('is waited for as long as it may take to be seen', async () => {
    const stated = changed(plants, ['after: PT4S', 'after: PT4S, within: PT1S']);
    const served = changed(plants, ['after: PT4S', 'after: PT4.8S']);
    const report = await tested(aMinute, served, [], stated);
    expect(blamed(report)).toEqual([]);
    expect(told(report, 'POST /plants/{id}/meal of a Plant in dry is refused')).toEqual(['conforms']);
  });
});

const days = 100 * 86_400_000;

describe('a timer of an item that only a list shows', () => {
  it('is seen there', async () => {
    const says = 'a Fee in open is moved by remind once it is due';
    expect(told(await tested(days, loans, [], loans), says)).toEqual(['conforms']);
    const idle = changed(loans, ['to: overdue, after: P7D', 'to: overdue, after: P8D']);
    expect(blamed(await tested(days, idle, [], loans)).join('\n')).toContain(says);
  });
});

describe('a move that the timer of another item asks for', () => {
  it('is waited for where the way makes that item', async () => {
    const report = await tested(days, loans, [], loans);
    expect(blamed(report)).toEqual([]);
    expect(told(report, 'POST /loans/{id}/end of a Loan in suspended takes it to ended')).toEqual([
      'conforms',
    ]);
    const idle = changed(loans, ['to: ended', 'to: suspended']);
    expect(blamed(await tested(days, idle, [], loans)).join('\n')).toContain(
      'POST /loans/{id}/end of a Loan in suspended takes it to ended',
    );
  });

  it('keeps what takes longer from being judged', async () => {
    const report = await tested(days, loans, [], loans);
    expect(told(report, 'a Loan in running is moved by renew once it is due')).toEqual([
      'not exercised: suspend may have moved it meanwhile',
    ]);
  });
});

/** Plants that become dry in a bed that is shut by then. */
const beds = `
complete: true
resources:
  Bed:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      status: { type: string }
  Plant:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      bed: { refers: Bed, ifDeleted: refuse, readOnly: true }
      status: { type: string }
states:
  Bed.status:
    states: [open, closed]
    initial: open
    transitions: { close: { from: open, to: closed, after: P3D } }
  Plant.status:
    states: [fresh, dry, watered]
    initial: fresh
    transitions:
      dryOut: { from: fresh, to: dry, after: P7D }
      water: { from: dry, to: watered }
endpoints:
  POST /beds: { operation: dig, does: create Bed, response: { status: 201, body: Bed } }
  GET /beds/{bed}: { operation: bed, does: read Bed, request: { path: { bed: Bed.id } }, response: { status: 200, body: Bed } }
  POST /beds/{bed}/plants:
    { operation: plant, does: { create: Plant, with: { bed: "\${bed}" } }, request: { path: { bed: Bed.id as bed } }, response: { status: 201, body: Plant } }
  GET /plants/{id}: { operation: look, does: read Plant, response: { status: 200, body: Plant } }
  POST /beds/{bed}/plants/{id}/water:
    operation: water
    does: water Plant
    request: { path: { bed: Bed.id as bed } }
    response: { status: 200, body: Plant }
authentication: (none)
limits: (none)
versioning: (none)
errors: { payload: (none), codes: { shut: { when: "\${bed.status == 'closed'}", status: 409, operations: [water] } } }
`;

describe('what an item was made under', () => {
  it('may have been moved by a timer as well: nothing is judged of what hangs on it', async () => {
    const report = await tested(days, beds, [], beds);
    expect(blamed(report)).toEqual([]);
    expect(told(report, 'POST /beds/{bed}/plants/{id}/water of a Plant in dry succeeds')).toEqual([
      'not exercised: what it was made under may have been moved meanwhile',
    ]);
  });
});
