import { describe, expect, it } from 'vitest';
import { statementsOf } from '../../../src/conformance/deviations/changed.ts';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { keywordsAlong } from '../../../src/conformance/deviations/flows.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

/** People write in diaries: what a day has is shown at its own path, and each line is copied into a log. */
const diary = specificationOf(`
complete: true
resources:
  Person: { identifier: name, fields: { name: { type: string } }, items: [{ name: ann }, { name: bob }] }
  Line:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      day: { type: string, format: date }
      by: { refers: Person, ifDeleted: keep, writable: false, default: ann }
      words: { type: integer, minimum: 1 }
    required: [day, words]
  Copy:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      words: { type: integer, minimum: 1 }
endpoints:
  others: refuse
  POST /lines:
    operation: write
    does: create Line
    also: [{ create: Copy, with: { words: "\${this.words}" } }]
    request: { body: Line }
    idempotency: { header: Idempotency-Key, required: true, life: PT1H, per: key, remembers: all }
    response: { status: 201, body: Line }
  GET /days/{day}:
    operation: readDay
    does: { list: Line, where: "\${this.day == request.path.day}", order: [id] }
    request: { path: { day: { type: string, format: date } } }
    response: { status: 200, body: { words: "\${page.items.map(l, l.words)}" } }
states: (none)
events: (none)
authentication: (none)
limits: (none)
versioning: (none)
errors:
  codes: { no_key: { when: key missing, status: 400 }, misfit: { when: [malformed, invalid], status: 422 }, gone: { when: unknown, status: 404 } }
  order: listed
`);

/** The deviations of some statements that four walks tell. */
function told(address: RegExp): readonly string[] {
  const all = deviationsOf(diary).filter(({ said }) => address.test(said.address));
  const names = [1, 2, 3, 4].flatMap((seed) => {
    const suspects = all.map((deviation) => new Suspect(deviation));
    const walked = walk(begunWorld(diary), suspects, seeded(seed), 80);
    return [...walked.told.keys()].map(({ deviation }) => nameOf(deviation));
  });
  return [...new Set(names)];
}

describe('a walk in memory', () => {
  it('reads what is at a path by what an item has there', () => {
    expect(told(/days\/\{day\}"\]\.does/)).toEqual(
      expect.arrayContaining([
        'endpoints["GET /days/{day}"].does: no item is listed',
        'endpoints["GET /days/{day}"].does.order: it is -id',
      ]),
    );
  });

  it('leaves a key for repeats out', () => {
    expect(told(/idempotency\.required/)).toContain(
      'endpoints["POST /lines"].idempotency.required: it is left out',
    );
  });

  it('gives a field that no client may write the key of an item', () => {
    expect(told(/by\.writable/)).toEqual(['resources.Line.fields.by.writable: it is true']);
  });

  it('tells a bound though the value is copied to where the same is stated', () => {
    expect(told(/Line\.fields\.words\.minimum/)).toEqual(
      expect.arrayContaining(['resources.Line.fields.words.minimum: it is left out']),
    );
  });
});

describe('keywords along the way of a value', () => {
  const along = (address: string): readonly string[] => {
    const said = statementsOf(diary).find((each) => each.address === address);
    if (said === undefined) throw new TypeError(`nothing is stated at ${address}`);
    return keywordsAlong(said, diary).map((each) => each.address);
  };

  it('are those that say the same of the field into which it is copied', () => {
    expect(along('resources.Line.fields.words.minimum')).toEqual([
      'resources.Line.fields.words.minimum',
      'resources.Copy.fields.words.minimum',
    ]);
  });

  it('are none beside what is copied nowhere, and beside what is no keyword', () => {
    expect(along('resources.Line.fields.day.format')).toHaveLength(1);
    expect(along('resources.Line.fields.by.writable')).toHaveLength(1);
  });
});
