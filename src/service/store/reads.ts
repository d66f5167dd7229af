import type { Frame } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import type { Reads } from './store.ts';

/** What is kept, as the transaction sees it that an expression is worked out in. */
export function readsOf(frame: Frame): Reads {
  const { reads } = frame as { readonly reads?: Reads };
  if (reads === undefined) throw new CannotWorkOut('nothing that is kept can be read here');
  return reads;
}

/**
 * Does the same for each of several items, until `act` gives false. Where the store fetches what is read, one item that
 * reads what is not known yet does not keep the others from saying what they read: all of that is fetched together.
 */
export function forEach<T>(
  reads: Partial<Pick<Reads, 'attempt'>> | undefined,
  items: Iterable<T>,
  act: (item: T) => unknown,
): void {
  const { attempt } = reads ?? {};
  let lacking: unknown = null;
  for (const item of items) {
    let goesOn: unknown = true;
    if (attempt === undefined) goesOn = act(item);
    else
      lacking =
        attempt(() => {
          goesOn = act(item);
        }) ?? lacking;
    if (goesOn === false) break;
  }
  if (lacking !== null) throw lacking;
}

/** Gives what `act` gives; where that reads what is not known yet, `next` says what will be read behind it. */
export function before<T>(
  reads: Partial<Pick<Reads, 'attempt'>> | undefined,
  act: () => T,
  next: () => void,
): T {
  const { attempt } = reads ?? {};
  if (attempt === undefined) return act();
  let value: T | undefined;
  const lacking = attempt(() => {
    value = act();
  });
  if (lacking === null) return value as T;
  attempt(next);
  throw lacking;
}
