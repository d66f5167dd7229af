import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parts } from '../../src/specification/reading/address.ts';
import { startDesk } from './fastify/desk.ts';
import { completeDesk, faultsOf, listedFaults, parcelDesk } from './faults/list.ts';
import { whyMissed } from './faults/missed.ts';
import { sample } from './faults/sample.ts';
import { whyUnseen } from './faults/unseen.ts';
import { judge } from './judged.ts';

const listed = listedFaults();
const complete = completeDesk();
const isLong = process.env['TACET_LONG'] !== undefined;

describe('the list of faults', () => {
  it('is every mutation operator at every statement that it can apply to', () => {
    expect(listed).toEqual(faultsOf(parcelDesk()));
  });

  it('has each but once, and some of all nine parts', () => {
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    expect(listed.length).toBeGreaterThanOrEqual(150);
    expect(new Set(listed.map(({ address }) => /^\w+/.exec(address)?.[0]))).toEqual(new Set(parts));
  });

  it('is of statements that the desk on Fastify keeps to', async () => {
    for (const fault of listed.filter((_fault, index) => isLong || index % 5 === 0)) {
      const desk = await startDesk({ port: 0, secrets: {}, fault });
      await desk.close();
    }
  });

  it('is of statements that the desk in Python keeps to', () => {
    const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
    const options = { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }, encoding: 'utf8' } as const;
    expect(execFileSync('python3', [file('plantable.py'), file('faults/faults.json')], options)).toBe('');
  });

  it('has all those of which it is told that nothing shows them, or that they are missed', () => {
    const ids = new Set(listed.map(({ id }) => id));
    expect([...whyUnseen.keys(), ...whyMissed.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('a fault is found, since the desk without one is never blamed', () => {
  const tried = listed.filter(({ id }) =>
    isLong ? !whyUnseen.has(id) && !whyMissed.has(id) : sample.includes(id),
  );

  it.each(tried)('$id', async (fault) => {
    expect((await judge(complete, fault, 'fastify', 'found')).found).not.toBeNull();
  });
});
