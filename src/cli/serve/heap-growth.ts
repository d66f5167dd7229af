/** How much the heap may grow over what is in use, in percent, before V8 collects all garbage. */
const growthPercent = 100;

/**
 * Bounds how far the heap grows between two collections of all garbage: to twice what is in use. V8 does the same on
 * machines with little memory. With more, it lets the heap grow to four times what is in use.
 *
 * The setting is the process's: a command makes it, and the library does not.
 */
export function boundHeapGrowth(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
