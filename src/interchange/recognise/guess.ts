import type { Json } from '../../source/node.ts';
import type { Address } from '../../specification/reading/address.ts';

/** How sure a guess is. */
export type Confidence = 'high' | 'likely' | 'stand-in';

/** An entry of the ledger that an import makes (language §A.6). */
export interface Guess {
  readonly at: Address;
  readonly value: Json;
  readonly why: string;
  readonly confidence: Confidence;
}
