import type { Json } from '../../source/node.ts';
import type { Address } from '../../specification/reading/address.ts';

/** Where an answer is not what the document says. */
export interface Difference {
  /** `status`, `headers.location`, `body.title`. */
  readonly at: string;
  readonly expected: string;
  readonly found: Json | undefined;
  /** The statement. */
  readonly by: Address;
  /** It is one only if what a ledger takes for complete is. Default: false */
  readonly isAssumed?: boolean;
}

/** What a judgement comes to. */
export interface Judgement {
  /** The statements by which a place of the answer is determined. */
  readonly by: readonly Address[];
  readonly differences: readonly Difference[];
  /** How many places of the answer the document determines, and how many it leaves unknown. */
  readonly determined: number;
  readonly undetermined: number;
}
