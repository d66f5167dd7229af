/** Grows whenever what the service stores may be another: after a change, and every so often, for what happens by itself. */
export const live = $state({ turn: 0 });

/** How often it may grow, and how often it does without a change, in milliseconds. */
const [leastMs, usualMs] = [400, 3000];
let isStirred = false;

/** Something was changed. */
export function stir(): void {
  if (isStirred) return;
  isStirred = true;
  setTimeout(() => {
    isStirred = false;
    live.turn += 1;
  }, leastMs);
}

setInterval(() => {
  if (document.visibilityState === 'visible') live.turn += 1;
}, usualMs);
