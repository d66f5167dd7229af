import type { Address } from '../../specification/reading/address.ts';
import type { Members } from './value.ts';

/** Members that nobody is shown, each with the statement that says so. */
export type Hidden = ReadonlyMap<string, Address>;

const hidden = new WeakMap<Members, Hidden>();
const none: Hidden = new Map();

/** Notes which members an object does not show, even where it may have others than those that it lists (language §2.2, `readable`). */
export function hide(shown: Members, names: Hidden): Members {
  if (names.size > 0) hidden.set(shown, names);
  return shown;
}

export function hiddenIn(shown: Members): Hidden {
  return hidden.get(shown) ?? none;
}
