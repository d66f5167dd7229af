import { expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { specificationOf } from '../../service/served.ts';
import { untold } from './untold.ts';

const specification = specificationOf(`
complete: true
resources:
  Job:
    identifier: id
    fields:
      id:     { type: integer, set: { create: "\${sequence()}" } }
      text:   { type: string, minLength: 1, maxLength: 40 }
      status: { type: string }
    required: [text]
states:
  Job.status:
    states: [received, quoted, approved, ready, cancelled]
    initial: received
    final: [ready, cancelled]
    transitions:
      quote:   { from: received, to: quoted }
      revise:  { from: quoted, to: received }
      approve: { from: quoted, to: approved }
      finish:  { from: approved, to: ready }
      cancel:  { from: [received, quoted], to: cancelled }
endpoints:
  others: refuse
  POST /jobs: { does: create Job, request: { body: Job }, response: { status: 201, body: Job } }
  GET /jobs/{id}: { does: read Job, response: { status: 200, body: Job } }
  PATCH /jobs/{id}: { operation: edit, does: { update: Job, same: unchanged }, request: { body: Job }, response: { status: 200, body: Job } }
  POST /jobs/{id}/quote: { does: quote Job, response: { status: 200, body: Job } }
  POST /jobs/{id}/revision: { does: revise Job, response: { status: 200, body: Job } }
  POST /jobs/{id}/approval: { does: approve Job, response: { status: 200, body: Job } }
  POST /jobs/{id}/completion: { does: finish Job, response: { status: 200, body: Job } }
  POST /jobs/{id}/cancellation: { does: cancel Job, response: { status: 200, body: Job } }
authentication: (none)
errors:
  codes:
    bad: { when: invalid, status: 422 }
    none: { when: unknown, status: 404 }
    fixed: { when: "\${this.status != 'received'}", operations: [edit], status: 409 }
    wrong: { when: transition refused, status: 409 }
    full: { when: quota exceeded, status: 409 }
limits: { quotas: { open: { of: Job, when: "\${this.status == 'received' || this.status == 'quoted'}", allow: 2 } } }
`);

it('each operation is asked for of an item in each state', () => {
  const about = deviationsOf(specification).filter(
    ({ said: { address }, says }) =>
      says.startsWith('it is also from') || (address === 'errors.codes.fixed.when' && says.includes('&&')),
  );
  expect(about.length).toBeGreaterThan(20);
  expect(untold(specification, about, 400, 3)).toEqual([]);
});
