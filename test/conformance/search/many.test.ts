import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seriesIn } from '../../../src/conformance/explore/series.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { type Plan, plan, together, type Walk } from '../../../src/conformance/search/plan.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Box: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, label: { type: string, maxLength: 9 } }, required: [label] }
  Card:
    identifier: id
    fields:
      id:    { type: integer, set: { create: "\${sequence()}" } }
      box:   { refers: Box, ifDeleted: delete }
      until: { type: string, format: date-time }
      status: { type: string }
    required: [box, until]
states:
  Card.status: { states: [kept, gone], initial: kept, transitions: { go: { from: kept, to: gone, at: "\${this.until}" } } }
endpoints:
  others: refuse
  POST /boxes: { does: create Box, request: { body: Box }, response: { status: 201, body: Box } }
  POST /cards: { does: create Card, request: { body: Card }, response: { status: 201, body: Card } }
  DELETE /cards/{id}: { does: delete Card, response: 204 }
  GET /cards:
    does: { list: Card, order: [id] }
    request: { query: { size: { page: size, type: integer, minimum: 1, maximum: 80, default: 50 } } }
    response: { status: 200, body: "\${Card(page.items)}" }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 }, none: { when: unknown, status: 404 }, full: { when: quota exceeded cards, status: 409 } } }
limits: { quotas: { cards: { of: Card, per: "\${this.box}", allow: 60, when: "\${this.status == 'kept'}" } } }
`);

const tellings = (found: Plan): readonly string[] => [...found.told.keys()].map(nameOf);

describe('what shows only where there are many items', () => {
  it('has a walk of its own, which makes one more than the most that is stated', () => {
    expect(seriesIn(specification).map(({ operation, requests }) => [operation.address, requests])).toEqual([
      ['endpoints["POST /cards"]', 61],
    ]);
  });

  it('is told: how many there may be, of which, and what refuses the next one', () => {
    const about = deviationsOf(specification).filter(({ said }) =>
      /^limits.quotas|^errors.codes.full/.test(said.address),
    );
    const suspects = about.map((deviation) => new Suspect(deviation));
    const [series] = seriesIn(specification);
    const { told, requests } = walk(begunWorld(specification), suspects, seeded(1), 60, series && { series });
    expect(requests.length).toBeGreaterThan(61);
    expect([...told.keys()].map(({ deviation }) => nameOf(deviation))).toEqual(
      expect.arrayContaining([
        'limits.quotas.cards.allow: it is 59',
        'limits.quotas.cards.allow: it is 61',
        'limits.quotas.cards: it is left out',
        'errors.codes.full.status: another status is sent',
      ]),
    );
  });

  it('keeps of two searches only the long walks that something needs', () => {
    const all = [2, 4].map((seed) => plan(specification, { budgetMs: 1200, seed }));
    const both = together(all);
    const isLong = (walk: Walk): boolean => walk.turn === 'late';
    expect(all.every(({ walks }) => walks.some(isLong))).toBe(true);
    for (const long of both.walks.filter(isLong)) {
      const others = new Set(
        both.walks.filter((each) => each !== long).flatMap(({ told }) => [...told.keys()]),
      );
      expect([...long.told.keys()].some((deviation) => !others.has(deviation))).toBe(true);
    }
    expect(tellings(both)).toEqual(expect.arrayContaining(all.flatMap(tellings)));
  });
});
