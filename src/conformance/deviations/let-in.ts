import type { Said } from '../../specification/reading/said.ts';
import type { Grant } from '../../specification/vocabulary/rule.ts';
import { type Kind, stating } from './deviation.ts';
import { isRecord } from './record.ts';

/** Whoever sends the request is let in: anybody, or anybody with a good credential (language §5.5). */
export const letIn: Kind = (said, specification) => {
  if (said.kind !== 'stated' || !isRule(said)) return [];
  const { at } = said;
  const grants = said.value as readonly Grant[];
  return ways
    .filter(({ kind }) => !grants.some((grant) => grant.kind === kind || grant.kind === 'anyone'))
    .map(({ kind, says }) => ({
      said,
      says,
      operation: null,
      implementation: stating(specification, said, { ...said, value: [{ kind, at }] }),
    }));
};

const ways = [
  { kind: 'anyone', says: 'anybody is let in' },
  { kind: 'known', says: 'anybody with a good credential is let in' },
] as const;

const kinds: readonly unknown[] = ['anyone', 'known', 'actor', 'expression'] satisfies Grant['kind'][];

/** Whether a statement says whom a rule lets in. */
export function isRule(said: Said<unknown>): boolean {
  if (said.kind !== 'stated' || !/^authentication\.(authorization|otherwise)/.test(said.address))
    return false;
  const { value } = said;
  return Array.isArray(value) && value.every((each) => isRecord(each) && kinds.includes(each['kind']));
}
