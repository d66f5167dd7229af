import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { specificationOf } from './documents.ts';

/** Fields that nobody else's may be alike, of which values by chance hardly ever hold. */
const document = `
name: shelves
complete: true
resources:
  Shelf:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      code:
        type: string
        maxLength: 30
        unique: true
        holds: { a code begins with its hall: "\${startsWith(value, 'hall-')}" }
      room:
        type: integer
        minimum: 1
        maximum: 100000
        unique: true
        holds: { a room is on the ground floor: "\${value < 2000}" }
      hall: { enum: [north, south] }
      label:
        type: string
        maxLength: 40
        unique: true
        holds: { a label begins with its hall: "\${startsWith(value, this.hall)}" }
    required: [code, room, hall, label]
    others: refuse
endpoints:
  others: refuse
  POST /shelves: { does: create Shelf, request: { body: Shelf }, response: { status: 201, body: Shelf } }
  GET /shelves/{id}: { does: read Shelf, response: { status: 200, body: Shelf } }
  GET /shelves: { does: list Shelf, response: { status: 200, body: { shelves: "\${Shelf(page.items)}" } } }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    taken: { when: not unique, status: 409 }
    media: { when: unsupported media, status: 415 }
limits: (none)
versioning: (none)
`;

const folder = mkdtempSync(join(tmpdir(), 'tacet-unique-holds-'));
let results: readonly Result[];
let close: () => Promise<void>;

beforeAll(async () => {
  const of = specificationOf(document, 'shelves.yaml');
  const service = await serve(of, { data: join(folder, 'shelves.sqlite') });
  close = () => service.close();
  results = (await testService(of, { url: service.url, seed: 1 })).results;
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

describe('a field that is unique and of which something holds (language §2, `unique`, `holds`)', () => {
  it('blames our own service of nothing', () => {
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
  });

  it('is given fresh values that hold, so that items are made and what is alike is refused', () => {
    const made = results.filter(({ check, says }) => check === 'succeeds' && says.startsWith('POST'));
    expect(made.map(({ verdict }) => verdict)).toContain('conforms');
    const alike = results.filter(({ statement: { address } }) =>
      /Shelf\.fields\.(code|room|label)\.unique/.test(address),
    );
    expect(alike.filter(({ check }) => check === 'refused').map(({ verdict }) => verdict)).toEqual([
      'conforms',
      'conforms',
      'conforms',
    ]);
  });

  it('leaves nothing unreached for want of an item', () => {
    const missing = results.filter(({ reason }) => /could be made|there is no Shelf/.test(reason ?? ''));
    expect(missing.map(({ says, reason }) => [says, reason])).toEqual([]);
  });
});
