import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Recorded } from '../../conformance/traffic/har.ts';
import { carried } from '../../load/carried.ts';
import type { ExitCode, Terminal } from '../command.ts';
import type { Heard } from '../judge/live.ts';

/** The judge of a proxy, in a process of its own: it takes no time of the requests. */
export interface Judging {
  readonly tell: (group: readonly Recorded[]) => void;
  /** Ends it, after all that it was told. Gives its exit code. */
  readonly end: () => Promise<ExitCode>;
}

/** So many bytes may wait for the judge. What comes then is not judged. */
const mostWaiting = 64 * 1_048_576;
/** Of so many exchanges that were under way together, none is judged. */
const mostTogether = 256;

/** Starts `tacet judge` with these words. */
export function judging(words: readonly string[], terminal: Terminal): Judging {
  const child = spawn(process.execPath, [fileURLToPath(carried('bin/tacet.js')), 'judge', ...words], {
    env: terminal.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Requests go before judging them. Where that is not allowed, both have the same priority.
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => terminal.out(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => terminal.error(text));
  // That it ended is told by its exit code.
  child.stdin.on('error', () => undefined);
  const code = new Promise<ExitCode>((resolve) =>
    child.once('close', (found) => resolve((found ?? 2) as ExitCode)),
  );
  const say = (heard: Heard): void => void child.stdin.write(`${JSON.stringify(heard)}\n`);
  return {
    tell: (group) => {
      const isTooMuch = group.length > mostTogether || child.stdin.writableLength > mostWaiting;
      say(isTooMuch ? { lost: group.length } : group);
    },
    end: () => {
      child.stdin.end();
      return code;
    },
  };
}
