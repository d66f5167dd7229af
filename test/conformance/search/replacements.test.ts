import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import {
  replacementIn,
  replacementsIn,
} from '../../../src/conformance/deviations/expressions/replacements.ts';
import { candidateOf } from '../../../src/conformance/explore/candidate.ts';
import { Writers } from '../../../src/conformance/explore/writers.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { specificationOf } from '../../service/served.ts';
import { askedIn } from './asked.ts';

/** Of so many pairs of a request and an expression, one is carried out. */
const share = 3;

describe('an expression in place of the one that is stated', () => {
  it.each(['test/trades/chat/chat.md', 'test/trades/stock/stock.md', 'examples/parcel-desk.md'])(
    'changes nothing where it comes to the same: %s',
    (file) => {
      const specification = specificationOf(readFileSync(file, 'utf8'));
      const replacing = deviationsOf(specification).flatMap((deviation) => {
        const replacement = replacementIn(deviation);
        return replacement ? [{ deviation, other: replacement.other }] : [];
      });
      const random = seeded(2);
      const about = { writers: new Writers(), replacements: replacementsIn(specification) };
      const wrong: string[] = [];
      let [same, others] = [0, 0];
      for (const asked of askedIn(specification)) {
        const { request, before } = asked;
        const candidate = candidateOf(before, request, before.received, about);
        for (const { deviation, other } of replacing) {
          const isSame = candidate.isSameWith(other);
          if (isSame === undefined || random.whole(1, share) > 1) continue;
          if (!isSame) {
            others += 1;
            continue;
          }
          same += 1;
          const found = new Suspect(deviation).compare(asked);
          if (found !== 'same') wrong.push(`${request.operation.name} ${found}: ${nameOf(deviation)}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(same).toBeGreaterThan(20);
      expect(others).toBeGreaterThan(20);
    },
  );
});
