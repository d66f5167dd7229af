import { describe, expect, it } from 'vitest';
import {
  type Bounds,
  fairTurns,
  type Standing,
  type Turn,
} from '../../../src/service/events/courier/turns.ts';

interface Named extends Turn {
  readonly name: string;
}

const bounds: Bounds = {
  ofStanding: { good: 10, new: 10, failing: 10, slow: 10, hanging: 10 },
  partOfOwner: 1 / 5,
  ofTarget: 2,
  ofAll: 12,
};

const target = (owner: string, name: string, standing: Standing = 'good'): Named => ({
  owner,
  name,
  standing,
  underway: 0,
  isWaiting: false,
});

/** Turns among targets for which something always waits, and who has had one until nobody may. */
function among(targets: readonly Named[], given: Bounds = bounds) {
  const turns = fairTurns<Named>(given);
  for (const one of targets) turns.wait(one, true);
  const take = (): string[] => {
    const taken: string[] = [];
    for (let one = turns.next(); one; one = turns.next()) {
      turns.begin(one);
      taken.push(one.name);
    }
    return taken;
  };
  return { ...turns, take };
}

describe('turns', () => {
  it('go round over owners, and for each over its targets', () => {
    const targets = [target('a', 'a1'), target('a', 'a2'), target('a', 'a3'), target('b', 'b1')];
    const { next } = among(targets);
    expect(Array.from({ length: 6 }, () => next()?.name)).toEqual(['a1', 'b1', 'a2', 'b1', 'a3', 'b1']);
  });

  it('end at the bounds of a target, an owner, a standing, and all', () => {
    const one = among([target('a', 'a1')]);
    expect(one.take()).toEqual(['a1', 'a1']);
    const owner = among(
      Array.from({ length: 9 }, (_, index) => target('a', `a${index}`)),
      { ...bounds, partOfOwner: 1 / 2 },
    );
    expect(owner.take()).toHaveLength(5);
    const many = Array.from({ length: 30 }, (_, index) => target(`o${index}`, `t${index}`));
    expect(among(many).take()).toHaveLength(10);
    const standings: readonly Standing[] = ['good', 'hanging'];
    const all = among(
      standings.flatMap((standing) =>
        Array.from({ length: 30 }, (_, index) => target(`o${index}`, `${standing}`, standing)),
      ),
    );
    const taken = all.take();
    expect([taken.length, taken.filter((name) => name === 'good').length]).toEqual([12, 10]);
  });

  it('are of those that answer well, whatever hangs', () => {
    const hanging = Array.from({ length: 1000 }, (_, index) => target(`o${index}`, 'hangs', 'hanging'));
    const { take, wait, next } = among(hanging);
    expect(take()).toHaveLength(10);
    const good = target('good', 'good');
    wait(good, true);
    expect(next()).toBe(good);
  });

  it('free a share when a target gets another standing with its attempts', () => {
    const targets = Array.from({ length: 11 }, (_, index) => target(`o${index}`, `t${index}`));
    const turns = among(targets, { ...bounds, ofTarget: 1 });
    expect(turns.take()).toHaveLength(10);
    turns.stand(targets[0] as Named, 'slow');
    expect(turns.take()).toEqual(['t10']);
    turns.end(targets[0] as Named);
    expect([turns.underway(), turns.take()]).toEqual([10, ['t0']]);
  });

  it('are nobody’s once nothing waits', () => {
    const [one, other] = [target('a', 'a1'), target('b', 'b1')];
    const { wait, next } = among([one, other]);
    wait(one, false);
    expect([next()?.name, next()?.name]).toEqual(['b1', 'b1']);
    wait(other, false);
    expect(next()).toBeUndefined();
  });
});
