import { untrack } from 'svelte';

let count = $state(0);

/** Whether something is being read, so that the screen is not whole yet. */
export function isPending(): boolean {
  return count > 0;
}

/** Counts as pending until it is settled. */
export async function pending<T>(promise: Promise<T>): Promise<T> {
  // What asks for something does not begin again because of that.
  untrack(() => {
    count += 1;
  });
  try {
    return await promise;
  } finally {
    count -= 1;
  }
}
