import { describe, expect, it } from 'vitest';
import { atOnce, inTurns, type Steps } from '../../src/source/turns.ts';

/** Three steps, each as long as a turn at least. */
function* work(): Steps<string> {
  for (let n = 0; n < 3; n += 1) {
    const begun = performance.now();
    while (performance.now() - begun < 11);
    yield;
  }
  return 'done';
}

describe('work in steps', () => {
  it('is done at once', () => expect(atOnce(work())).toBe('done'));

  it('lets others have their turn between steps that are long', async () => {
    const order: string[] = [];
    const done = inTurns(work()).then((found) => order.push(found));
    setImmediate(() => order.push('other'));
    await done;
    expect(order).toEqual(['other', 'done']);
  });

  it('does short steps together', async () => {
    const order: string[] = [];
    const short = (function* (): Steps<string> {
      yield;
      return 'done';
    })();
    const done = inTurns(short).then((found) => order.push(found));
    setImmediate(() => order.push('other'));
    await done;
    expect(order).toEqual(['done']);
  });

  it('fails as the work does', async () => {
    const failing = (function* (): Steps<never> {
      yield;
      throw new Error('it went wrong');
    })();
    await expect(inTurns(failing)).rejects.toThrow('it went wrong');
  });
});
