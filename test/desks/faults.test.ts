import { describe, expect, it } from 'vitest';
import { parts } from '../../src/specification/address.ts';
import { startDesk } from './fastify/desk.ts';
import { faultsOf, listedFaults, parcelDesk } from './faults/list.ts';

const listed = listedFaults();

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
    for (const fault of listed) {
      const desk = await startDesk({ port: 0, secrets: {}, fault });
      await desk.close();
    }
  });
});
