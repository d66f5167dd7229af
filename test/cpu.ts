/** What a function gives, and how long the processor worked for it, in milliseconds, whatever else the machine does. */
export function timed<T>(run: () => T): { readonly value: T; readonly cpuMs: number } {
  const before = process.cpuUsage();
  const value = run();
  const { user, system } = process.cpuUsage(before);
  return { value, cpuMs: (user + system) / 1000 };
}
