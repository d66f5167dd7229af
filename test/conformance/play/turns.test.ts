import { describe, expect, it } from 'vitest';
import type { Target } from '../../../src/conformance/play/target.ts';
import { takingTurns } from '../../../src/conformance/play/turns.ts';

/** A target whose requests end when the test says so, and what happened in it. */
function slow(): { target: Target; happened: string[]; answer: () => void } {
  const happened: string[] = [];
  const open: (() => void)[] = [];
  const target = {
    send: async () => {
      happened.push('sent');
      await new Promise<void>((resolve) => open.push(resolve));
      happened.push('answered');
    },
    wait: async (ms: number) => void happened.push(`waited ${ms}`),
  } as unknown as Target;
  return { target, happened, answer: () => open.shift()?.() };
}

describe('a clock that is set forward', () => {
  it('is set while no request is under way', async () => {
    const { target, happened, answer } = slow();
    const { send, wait } = takingTurns(target);
    const sent = send({} as never);
    const waited = wait(5);
    const after = send({} as never);
    const again = wait(7);
    await new Promise(setImmediate);
    expect(happened).toEqual(['sent']);
    answer();
    await sent;
    await waited;
    await new Promise(setImmediate);
    expect(happened).toEqual(['sent', 'answered', 'waited 5', 'sent']);
    answer();
    await Promise.all([after, again]);
    expect(happened).toEqual(['sent', 'answered', 'waited 5', 'sent', 'answered', 'waited 7']);
  });

  it('is set again after it could not be', async () => {
    const { target, happened } = slow();
    const { wait } = takingTurns({ ...target, wait: async () => Promise.reject(new Error('gone')) });
    await expect(wait(1)).rejects.toThrow('gone');
    await expect(wait(2)).rejects.toThrow('gone');
    expect(happened).toEqual([]);
  });
});
