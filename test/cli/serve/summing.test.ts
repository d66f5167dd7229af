import { describe, expect, it } from 'vitest';
import { summing } from '../../../src/cli/serve/summing.ts';

/** What is printed, and what happens later. */
function log() {
  const printed: string[] = [];
  let due: (() => void)[] = [];
  const tell = summing(
    (text) => void printed.push(text),
    (ms, run) => {
      expect(ms).toBe(10_000);
      due.push(run);
    },
  );
  const pass = (): void => {
    const runs = due;
    due = [];
    for (const run of runs) run();
  };
  return { printed, tell, pass };
}

describe('a message of the log', () => {
  it('is printed at once, and then counted for as long as it comes again', () => {
    const { printed, tell, pass } = log();
    for (let request = 0; request < 1000; request += 1) tell('store: away\n  at line 1');
    tell('store: full');
    expect(printed.splice(0)).toEqual(['store: away\n  at line 1\n', 'store: full\n']);
    pass();
    expect(printed.splice(0)).toEqual(['store: away (999 more in 10 s)\n']);
    tell('store: away\n  at line 1');
    tell('store: full');
    expect(printed.splice(0)).toEqual(['store: full\n']);
    pass();
    expect(printed.splice(0)).toEqual(['store: away (1 more in 10 s)\n']);
    pass();
    pass();
    expect(printed).toEqual([]);
    tell('store: away\n  at line 1');
    expect(printed).toEqual(['store: away\n  at line 1\n']);
  });

  it('is printed each time, once a hundred others are counted', () => {
    const { printed, tell } = log();
    for (let turn = 0; turn < 2; turn += 1) for (let index = 0; index < 101; index += 1) tell(`${index}`);
    expect(printed).toHaveLength(102);
  });
});
