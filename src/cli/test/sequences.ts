import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from '../../conformance/stream.ts';
import { makeFolder } from '../../source/folder.ts';
import { UsageError } from '../usage.ts';

/** Writes each sequence that is found into a file of its own. Throws {@link UsageError} where the folder cannot be made. */
export function sequencesIn(folder: string): Reporter {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new UsageError(`${folder} cannot be made: ${(error as Error).message}`);
  }
  let count = 0;
  return (event) => {
    if (event.kind !== 'sequence') return;
    count += 1;
    const name = `${String(count).padStart(2, '0')}-${event.violation.check}.json`;
    writeFileSync(join(folder, name), `${JSON.stringify(event.violation, null, 2)}\n`);
  };
}
