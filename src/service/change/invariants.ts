import { compileTemplate, type Environment } from '../../expression/compile.ts';
import type { Model } from '../../expression/query-operand.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource } from '../resource/kept.ts';
import { forEach } from '../store/reads.ts';
import { type Doing, itemOf, refuseIt } from '../transaction/doing.ts';
import { type Bearing, compileBearing, invariantsOf } from './bearing.ts';
import type { Quotas } from './quotas.ts';

export interface Invariants {
  readonly settle: (doing: Doing) => void;
  /** Whether what becomes of items of a resource may break what holds of others. */
  readonly bear: (resource: string) => boolean;
}

/**
 * Judges what always holds, as it is at the end (language §2.1, §H.2): of each item that was written, and of those
 * that read one that was written, or went. So too the quotas of what there is (language §8.4).
 */
export function compileInvariants(
  resources: ReadonlyMap<string, KeptResource>,
  model: Model,
  environment: Environment,
  quotas: Quotas,
): Invariants {
  const own = new Map(
    [...resources].map(([name, kept]) => [
      name,
      invariantsOf(kept).map(({ template }) => compileTemplate(template, environment)),
    ]),
  );
  const bearing = compileBearing(resources, model, environment);
  const settle = (doing: Doing): void => {
    const broken = new Set<string>();
    const looked = new Set<Bearing>();
    forEach(doing.tx, doing.found.written.all(), ({ kept, row, first }) => {
      const invariants = own.get(kept.name) ?? [];
      if (row !== null && invariants.length > 0) {
        const frame = doing.frame({ this: itemOf(doing, kept, row) });
        if (invariants.some((run) => run(frame) !== true)) broken.add(kept.name);
      }
      for (const { of, breaks } of bearing.get(kept.name) ?? [])
        if (!broken.has(of) && breaks(doing, first, row, looked)) broken.add(of);
    });
    for (const name of broken) refuseIt(doing, refuse('invariant broken', name));
    quotas(doing);
  };
  return { settle, bear: (name) => bearing.has(name) };
}
