import { type Address, isUnder } from '../../specification/reading/address.ts';

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
