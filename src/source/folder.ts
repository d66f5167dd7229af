import { mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Makes a folder, and those around it. Node never ends if the path is relative and the working directory was removed, so
 * this completes the path first.
 *
 * @throws if the folder cannot be made, or the working directory is gone
 */
export function makeFolder(folder: string): void {
  const path = isAbsolute(folder) ? folder : join(realpathSync.native('.'), folder);
  mkdirSync(path, { recursive: true });
}
