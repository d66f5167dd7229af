/** So many are drawn at once, and so many more in each moment after. */
const [atOnce, more] = [60, 150];

/**
 * How many of a long list are drawn: some at once, so that a click is answered at once, and the rest in the moments
 * after.
 *
 * @param total how many there are
 */
export function growing(total: () => number): { readonly shown: number } {
  let shown = $state(atOnce);
  $effect(() => {
    if (shown >= total()) return;
    const timer = setTimeout(() => {
      shown += more;
    });
    return () => clearTimeout(timer);
  });
  return {
    get shown() {
      return shown;
    },
  };
}
