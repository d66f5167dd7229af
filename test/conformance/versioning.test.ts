import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { changed, specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-versions-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const patience = 60_000;

const document = `# Parcels

\`\`\`yaml
tacet: 1
complete: true
\`\`\`

## Resources

\`\`\`yaml
Parcel:
  identifier: id
  fields:
    id: { type: string, set: { create: "\${uuid()}" } }
    weight: { type: integer, minimum: 1, maximum: 30000 }
    note: { type: string, maxLength: 20 }
    mark: { type: string, maxLength: 20, set: { create: "\${'new'}" } }
  required: [weight, note]
  others: refuse
\`\`\`

## States

\`\`\`yaml
(none)
\`\`\`

## Endpoints

\`\`\`yaml
protocol: RFC 9110
others: refuse
POST /parcels: { does: create Parcel, request: { body: Parcel }, response: { status: 201, body: Parcel } }
GET /parcels: { does: list Parcel, response: { status: 200, body: "\${Parcel(page.items)}" } }
GET /parcels/{id}: { does: read Parcel, response: { status: 200, body: Parcel } }
PATCH /parcels/{id}: { does: update Parcel, request: { body: Parcel }, response: { status: 200, body: Parcel } }
DELETE /parcels/{id}: { does: delete Parcel, response: 204 }
GET /heavy: { does: { list: Parcel, where: "\${this.weight > 999}" }, response: { status: 200, body: "\${Parcel(page.items)}" } }
\`\`\`

## Authentication

\`\`\`yaml
(none)
\`\`\`

## Events

\`\`\`yaml
(none)
\`\`\`

## Errors

\`\`\`yaml
payload: { body: { code: "\${error.code}" } }
codes:
  missing: { when: version missing, status: 412 }
  unknown: { when: version unknown, status: 406 }
  retired: { when: version retired, status: 410 }
  invalid: { when: invalid, status: 422 }
  malformed: { when: malformed, status: 400 }
  media: { when: unsupported media, status: 415 }
  gone: { when: unknown, status: 404 }
  nowhere: { when: [unknown path, method not allowed], status: 404 }
\`\`\`

## Limits

\`\`\`yaml
(none)
\`\`\`

## Versioning

\`\`\`yaml
scheme: number
place: { header: Desk-Version }
default: "2"
versions:
  "2": { alias: [current, "2.*"] }
  "1":
    deprecated: 2026-06-01
    sunset: 2027-01-01
    differs:
      resources.Parcel.fields.weight: { was: kilos, type: number, minimum: 0.001, maximum: 29, shown: "\${double(value) / 1000.0}", taken: "\${round(value * 1000.0)}" }
      resources.Parcel.fields.mark: { was: (none) }
      endpoints["DELETE /parcels/{id}"]: (none)
      endpoints["GET /heavy"]: (none)
  "0": { retired: 2026-08-01 }
\`\`\`
`;

/** Our own service of a document, tested by another: what differs between them is a fault. */
async function test(served: string, by = document): Promise<Report> {
  const milliseconds = (): number => Date.UTC(2026, 10, 21) + Math.floor(performance.now());
  count += 1;
  const service = await serve(specificationOf(served), {
    data: join(folder, `${count}.sqlite`),
    milliseconds,
  });
  try {
    return await testService(specificationOf(by), { url: service.url, seed: 1, now: milliseconds });
  } finally {
    await service.close();
  }
}

/** What is found against a service of the document with some of its texts changed. */
async function found(...changes: Parameters<typeof changed> extends [string, ...infer C] ? C : never) {
  const report = await test(changed(document, ...changes));
  return [...new Set(violations(report).map((one) => `${one.check} ${one.statement.address}`))];
}

const under = 'versioning.versions.1';

describe('versions, tested (language §9)', () => {
  it.each(['{ header: Desk-Version }', '{ query: v }', '{ media: v }', '{ path: /v }'])(
    'every check ends in conforms where they are named by %s',
    { timeout: patience },
    async (place) => {
      const so = document.replace('{ header: Desk-Version }', place);
      const report = await test(so, so);
      expect(violations(report)).toEqual([]);
      const own = report.results.filter(({ statement }) => statement.address.startsWith('versioning'));
      expect(own.map(({ verdict }) => verdict)).toEqual(own.map(() => 'conforms'));
      expect(own.length).toBeGreaterThan(10);
    },
  );

  it.each<[string, readonly [string, string], readonly string[]]>([
    [
      'a scale that is another',
      ['/ 1000.0', '/ 100.0'],
      [`version.shown ${under}.differs["resources.Parcel.fields.weight"]`],
    ],
    [
      'a way back that is another',
      ['value * 1000.0', 'value * 1000.0 + 1.0'],
      [`version.taken ${under}.differs["resources.Parcel.fields.weight"]`],
    ],
    [
      'a name that is another',
      ['was: kilos', 'was: pounds'],
      [
        `version.shown ${under}.differs["resources.Parcel.fields.weight"]`,
        `version.takes ${under}.differs["resources.Parcel.fields.weight"]`,
      ],
    ],
    [
      'a field that is shown all the same',
      ['resources.Parcel.fields.mark: { was: (none) }', 'resources.Parcel.fields.mark: { was: mark }'],
      [`version.shown ${under}.differs["resources.Parcel.fields.mark"]`],
    ],
    [
      'a method that is there all the same',
      ['      endpoints["DELETE /parcels/{id}"]: (none)\n', ''],
      [`refused ${under}.differs["endpoints[\\"DELETE /parcels/{id}\\"]"]`],
    ],
    [
      'a path that is there all the same',
      ['      endpoints["GET /heavy"]: (none)\n', ''],
      [`refused ${under}.differs["endpoints[\\"GET /heavy\\"]"]`],
    ],
    [
      'an alias that is not taken',
      ['alias: [current, ', 'alias: ['],
      ['version.known versioning.versions.2.alias'],
    ],
    [
      'names that are all refused but its own',
      ['"2.*"', '"2.x"'],
      ['version.known versioning.versions.2.alias'],
    ],
    [
      'no word of its end',
      ['deprecated: 2026-06-01\n', 'deprecated: 2026-06-01\n    headers: (none)\n'],
      [`version.deprecated ${under}.deprecated`, `version.sunset ${under}.sunset`],
    ],
    ['another day', ['sunset: 2027-01-01', 'sunset: 2027-01-02'], [`version.sunset ${under}.sunset`]],
    ['a version that lives on', ['{ retired: 2026-08-01 }', '{}'], ['refused versioning.versions.0.retired']],
    ['a default that is another', ['default: "2"', 'default: "1"'], ['version.default versioning.default']],
    [
      'a bound that is another',
      ['minimum: 0.001, maximum: 29,', 'minimum: 0.001, maximum: 28,'],
      [`version.takes ${under}.differs["resources.Parcel.fields.weight"]`],
    ],
    [
      'a bound that is less narrow',
      ['minimum: 0.001, maximum: 29,', 'minimum: 0.001, maximum: 30,'],
      [`refused ${under}.differs["resources.Parcel.fields.weight"]`],
    ],
    ['a default that is none', ['default: "2"', 'default: (none)'], ['version.default versioning.default']],
    [
      'another status for a name that nobody has',
      ['version unknown, status: 406', 'version unknown, status: 400'],
      ['refusal.status errors.codes.unknown.status'],
    ],
  ])('finds %s', { timeout: patience }, async (_, change, expected) => {
    expect(await found(change)).toEqual(expected);
  });
});
