import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Refused } from './refused.ts';

/** Writes a file whole or not at all: into one beside it, which then takes its place. Throws {@link Refused} if it cannot. */
export function writeWhole(file: string, content: string): void {
  try {
    // Of a link, what it leads to.
    const target = existsSync(file) ? realpathSync(file) : file;
    const beside = `${target}.${process.pid}.tmp`;
    try {
      writeFileSync(beside, content, { flush: true });
      renameSync(beside, target);
    } finally {
      rmSync(beside, { force: true });
    }
  } catch (error) {
    throw new Refused(`${file} cannot be written: ${(error as Error).message}`);
  }
}
