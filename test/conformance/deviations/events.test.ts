import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

const notices = specificationOf(readFileSync('test/semantics/notices.yaml', 'utf8'));

describe('a deviation of part 6', () => {
  const all = deviationsOf(notices).filter(({ said }) => said.address.startsWith('events.'));
  const told = new Set<string>();
  for (let seed = 1; seed <= 4; seed++) {
    const suspects = all.filter((each) => !told.has(nameOf(each))).map((each) => new Suspect(each));
    const found = walk(begunWorld(notices), suspects, seeded(seed), 60);
    for (const { deviation } of found.told.keys()) told.add(nameOf(deviation));
  }

  it.each([
    'events.kinds["note.made"]: it comes twice',
    'events.kinds["note.made"]: it comes as another kind',
    'events.kinds["note.pinned"]: it comes though both is refused',
    'events.kinds["note.made"].by: it is left out',
    'events.kinds["note.starred"].when: it is left out',
    'events.delivery.hooks: events go to another item',
    'events.delivery.hooks.where: it is left out',
    'events.delivery.feed: events of one change come in another order',
    'events.kinds["note.edited"].subject: it is left out',
  ])('is told by the events that come: %s', (name) => {
    expect(all.map(nameOf)).toContain(name);
    expect([...told]).toContain(name);
  });

  it('is mostly told', () => {
    if (process.env['TACET_SHARES'])
      console.log(
        told.size,
        all.length,
        all.map(nameOf).filter((name) => !told.has(name)),
      );
    expect(told.size / all.length).toBeGreaterThan(0.5);
  });
});
