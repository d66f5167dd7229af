import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { mayDiffer } from '../../../src/conformance/search/rows.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { sampled } from '../../long.ts';
import { specificationOf } from '../../service/served.ts';
import { askedIn } from './asked.ts';

/** Of so many pairs of a request and a deviation, one is carried out. */
const share = 7;

describe('a deviation of part 7 that may not show', () => {
  it.each(sampled(['examples/parcel-desk.md', 'test/trades/chat/chat.md', 'test/trades/stock/stock.md'], 3))(
    'does what is stated: %s',
    (file) => {
      const specification = specificationOf(readFileSync(file, 'utf8'));
      const deviations = deviationsOf(specification).filter(({ said }) => said.address.startsWith('errors.'));
      const random = seeded(2);
      const wrong: string[] = [];
      let [shown, unshown] = [0, 0];
      for (const asked of askedIn(specification)) {
        const { request } = asked;
        for (const deviation of deviations) {
          if (random.whole(1, share) > 1) continue;
          if (deviation.operation !== null && deviation.operation !== request.operation.address) continue;
          if (mayDiffer(deviation, asked)) shown += 1;
          else {
            unshown += 1;
            const found = new Suspect(deviation).compare(asked);
            if (found !== 'same') wrong.push(`${request.operation.name} ${found}: ${nameOf(deviation)}`);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(shown).toBeGreaterThan(0);
      expect(unshown).toBeGreaterThan(shown);
    },
  );
});
