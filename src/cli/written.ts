import { existsSync, writeFileSync } from 'node:fs';
import type { Losses } from '../interchange/losses.ts';
import { printable } from '../report/text.ts';
import { UsageError } from './usage.ts';

/** Writes files, all or none of those that are there already. Throws {@link UsageError} if it cannot. */
export function writeFiles(files: readonly (readonly [string, string])[], isForced: boolean): void {
  for (const [file] of files)
    if (!isForced && existsSync(file))
      throw new UsageError(`${file} is there already; --force writes over it`);
  for (const [file, content] of files)
    try {
      writeFileSync(file, content);
    } catch (error) {
      throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
    }
}

/** A line a kind of loss: how often, how, what, and the first place. */
export function lossTable(losses: Losses): readonly string[] {
  return losses
    .counts()
    .map(({ count, kind, what, pointer }) =>
      printable(`${String(count).padStart(6)}  ${kind.padEnd(9)}  ${what}  ${pointer}`),
    );
}
