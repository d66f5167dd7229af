import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testOwnService } from './examples.ts';

const unique = 'unique: [[hall, seat]]';

/** Places, of which a hall and a seat may be null. */
const places = (rule: string): string => `
name: places
complete: true
resources:
  Place:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      hall: { type: [string, "null"], maxLength: 20 }
      seat: { type: [string, "null"], maxLength: 20 }
      code: { type: [string, "null"], maxLength: 20, unique: true }
    required: [hall, seat, code]
    others: refuse
    ${rule}
endpoints:
  others: refuse
  POST /places: { does: create Place, request: { body: Place }, response: { status: 201, body: Place } }
  PATCH /places/{id}: { does: update Place, request: { body: Place }, response: { status: 200, body: Place } }
  GET /places/{id}: { does: read Place, response: { status: 200, body: Place } }
  GET /places: { does: list Place, response: { status: 200, body: { places: "\${Place(page.items)}" } } }
  DELETE /places/{id}: { does: delete Place, response: 204 }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    taken: { when: [not unique${rule === unique ? '' : ', guard refused Place.create'}], status: 409 }
    media: { when: unsupported media, status: 415 }
limits: (none)
versioning: (none)
`;

async function results(served: string, seed: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-unique-null-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, 'places.sqlite');
  const report = await testOwnService('places', places(unique), seed, data, 'yaml', { served });
  return report.results.map(({ verdict, says }) => `${verdict}: ${says}`);
}

const ofNull = 'POST /places with the hall and seat of another Place, of which seat is null,';

describe('fields that are unique, of which one is null (language §2.1, rule 4)', () => {
  it.each([1, 2, 3])('are taken from many items, and the service is not blamed: seed %i', async (seed) => {
    const found = await results(places(unique), seed);
    expect(found.filter((one) => one.startsWith('violates'))).toEqual([]);
    expect(found).toContain(`conforms: ${ofNull} succeeds`);
  });

  it('blames a service to which null equals null', async () => {
    const guard =
      'guards: { create: "${!Place.exists(p, p != this && p.hall == this.hall && p.seat == this.seat)}" }';
    expect(await results(places(guard), 1)).toContain(`violates: ${ofNull} succeeds`);
  });
});
