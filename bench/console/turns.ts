// bench/console.ts has tacet dev load this first. On SIGUSR2 it prints the longest turn of the event loop since the last
// signal, in milliseconds of CPU time: whoever else uses the machine has no part in it.
import { isMainThread } from 'node:worker_threads';

/** So often it looks, in milliseconds. */
const stepMs = 5;

if (isMainThread) {
  let last = process.threadCpuUsage();
  let longest = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, stepMs).unref();
  process.on('SIGUSR2', () => {
    process.stdout.write(`longest turn ${longest.toFixed(0)}\n`);
    longest = 0;
  });
}
