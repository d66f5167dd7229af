interface Window {
  readonly end: number;
  count: number;
}

/** Counts requests in windows that begin with the first of them. */
export class Limiter {
  readonly #allow: number;
  readonly #every: number;
  readonly #windows = new Map<string, Window>();

  /** @param every in microseconds */
  constructor(allow: number, every: number) {
    this.#allow = allow;
    this.#every = every;
  }

  /** Counts a request, unless too many came. */
  take(
    key: string,
    now: number,
  ): { readonly isAllowed: boolean; readonly remaining: number; readonly resetSeconds: number } {
    let window = this.#windows.get(key);
    if (window === undefined || now >= window.end) {
      window = { end: now + this.#every, count: 0 };
      this.#windows.set(key, window);
    }
    const isAllowed = window.count < this.#allow;
    if (isAllowed) window.count += 1;
    const resetSeconds = Math.ceil((window.end - now) / 1_000_000);
    return { isAllowed, remaining: this.#allow - window.count, resetSeconds };
  }
}
