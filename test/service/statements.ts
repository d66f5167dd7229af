import Database from 'better-sqlite3';
import { vi } from 'vitest';

/** What was done, and the text of each statement that SQLite was asked meanwhile, but for those about transactions. */
export interface Asked<T> {
  readonly value: T;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const methods = ['all', 'get', 'iterate', 'run'] as const;

export async function statementsOf<T>(work: () => Promise<T>): Promise<Asked<T>> {
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Database.Statement;
  probe.close();
  const spies = methods.map((name) => vi.spyOn(prototype, name));
  try {
    const value = await work();
    const calls = spies.flatMap(({ mock }) =>
      mock.contexts.map((one, index) => ({
        source: (one as unknown as Database.Statement).source,
        at: mock.invocationCallOrder[index] as number,
      })),
    );
    const asked = calls.sort((a, b) => a.at - b.at).map(({ source }) => source);
    return {
      value,
      reads: asked.filter((source) => source.startsWith('SELECT')),
      writes: asked.filter((source) => /^(INSERT|UPDATE|DELETE)/.test(source)),
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The tables that a plan goes through without an index: not the rows that a part of the statement left. */
export function scansOf(plan: readonly string[]): readonly string[] {
  const made = plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (t\d+)$/.exec(step)?.[1] ?? []);
  return plan.filter((step) => {
    const name = /^SCAN (t\d+)$/.exec(step)?.[1];
    if (name === undefined) return false;
    const at = made.indexOf(name);
    if (at === -1) return true;
    made.splice(at, 1);
    return false;
  });
}
