import type { Specification } from '../../specification/model/specification.ts';
import { type Address, isUnder } from '../../specification/reading/address.ts';
import type { Described } from '../check.ts';
import { operationAbout } from './operation.ts';

/** What alone is judged: these operations, and these statements with all that is part of them. */
export interface Selection {
  /** As `METHOD /path`. */
  readonly operations: ReadonlySet<string>;
  readonly statements: readonly Address[];
}

/** What is judged: a statement, for an operation. */
interface About {
  readonly operation: string | null | undefined;
  readonly address: Address;
}

/** Whether a selection has it; without a selection, all is judged. */
export function isSelected(selection: Selection | undefined, { operation, address }: About): boolean {
  if (selection === undefined) return true;
  const { operations, statements } = selection;
  return (
    (operation != null && operations.has(operation)) || statements.some((above) => isUnder(address, above))
  );
}

/** Whether checks make one that a selection has. What is not known to make which checks may. */
export function mayJudge(
  of: Specification,
  selection: Selection | undefined,
  checks: readonly Described[] | undefined,
): boolean {
  if (selection === undefined || checks === undefined) return true;
  return checks.some(({ says, cites: { address } }) => {
    const operation = operationAbout(of, '', { says, statement: { address, at: '' } });
    return isSelected(selection, { operation, address });
  });
}
