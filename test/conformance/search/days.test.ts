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
      id:  { type: integer, set: { create: "\${sequence()}" } }
      due: { type: [string, "null"], format: date, default: null, holds: { the day is not over: "\${value == null || timestamp(value + 'T00:00:00Z') + duration('P1D') > now}" } }
endpoints:
  others: refuse
  POST /jobs: { does: create Job, request: { body: Job }, response: { status: 201, body: Job } }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 } } }
`);

it('the present day is tried, where a date is compared with the time', () => {
  // Whether a day ends exactly now, no two clocks agree on.
  const about = deviationsOf(specification).filter(
    ({ said: { address }, says }) =>
      `${address} ${says}`.includes('the day is not over"] it is value == null ||') &&
      !says.includes('>= now'),
  );
  expect(about.length).toBeGreaterThan(5);
  expect(untold(specification, about, 120)).toEqual([]);
});
