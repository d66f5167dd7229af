import { writeFileSync } from 'node:fs';
import { readFound, sourcesOf } from '../../load/files.ts';
import { at } from '../../source/text.ts';
import { migrate } from '../../specification/migration/migration.ts';
import { count } from '../command.ts';
import { UsageError } from '../usage.ts';

/**
 * Writes a document, or those of a folder, in the words of today. Gives what to tell about that.
 *
 * @throws UsageError where a file cannot be written
 */
export function fix(path: string): string {
  const found = readFound(path);
  const sources = sourcesOf(found);
  const { texts, changes, refused } = migrate(sources);
  const before = new Map(sources.map(({ file, content }) => [file, content]));
  for (const { file, content } of texts) if (before.get(file) !== content) write(file, content);
  const lines = [
    ...changes.map(({ at: where, done }) => `${at(where)}: ${done}`),
    ...refused.map(({ at: where, word, instead }) => `${at(where)}: ${word} is left as it is; ${instead}`),
    `${path}: ${count(changes.length, 'change')}${refused.length > 0 ? `, ${refused.length} left to you` : ''}`,
  ];
  return `${lines.join('\n')}\n`;
}

function write(file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
