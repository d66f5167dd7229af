import type { Frame } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import type { Reads } from './store.ts';

/** What is kept, as the transaction sees it that an expression is worked out in. */
export function readsOf(frame: Frame): Reads {
  const { reads } = frame as { readonly reads?: Reads };
  if (reads === undefined) throw new CannotWorkOut('nothing that is kept can be read here');
  return reads;
}
