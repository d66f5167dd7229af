/** Wakes whoever waits for something to come. */
export interface Bell {
  readonly ring: () => void;
  /** Resolved when it rings next. */
  readonly more: () => Promise<void>;
}

export function bell(): Bell {
  let woken = (): void => {};
  return {
    ring: () => woken(),
    more: () =>
      new Promise((resolve) => {
        woken = resolve;
      }),
  };
}
