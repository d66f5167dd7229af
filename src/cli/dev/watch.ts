import { existsSync, type FSWatcher, lstatSync, readlinkSync, watch as watchFolder } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Calls `action` once, so many milliseconds later, unless what it gives is called before. */
export type After = (milliseconds: number, action: () => void) => () => void;

const after: After = (milliseconds, action) => {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
};

/** How long it is quiet before a change counts as made: editors save in several steps. */
const quietMs = 50;

/**
 * Tells of changes to files, and to what stands in folders, until `close`. It watches the folders that they
 * stand in, so that a file may be replaced, deleted and made again; a path need not be there yet.
 *
 * @param paths files and folders
 * @param changed called when it has been quiet for 50 ms after a change
 * @param wait default: the system's timers
 */
export function watch(
  paths: readonly string[],
  changed: () => void,
  wait: After = after,
): { readonly close: () => void } {
  let watchers: FSWatcher[] = [];
  let cancel = (): void => {};
  const touched = (): void => {
    cancel();
    cancel = wait(quietMs, () => {
      // What was watched may be another file by now, or gone; what is read after this is not missed.
      open();
      changed();
    });
  };
  const close = (): void => {
    for (const one of watchers) one.close();
    watchers = [];
  };
  const open = (): void => {
    close();
    for (const [folder, names] of foldersOf(paths)) {
      try {
        const one = watchFolder(folder, (_event, name) => {
          if (name === null || names.size === 0 || names.has(name)) touched();
        });
        one.on('error', touched);
        watchers.push(one);
      } catch (error) {
        // It went between the look and the watch; whatever was above it tells when it is back.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  };
  open();
  return {
    close: () => {
      cancel();
      close();
    },
  };
}

/** So many links are followed one after the other: a guard against circles. */
const mostLinks = 40;

/** The folders to watch, each with the names that count in it; none: all of them. */
function foldersOf(paths: readonly string[]): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (folder: string, name: string | null): void => {
    const names = found.get(folder);
    if (name === null || names?.size === 0) found.set(folder, new Set());
    else found.set(folder, new Set([...(names ?? []), name]));
  };
  const visit = (path: string, links = 0): void => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    // Of a link, both the link and what it leads to, be it there or not.
    if (entry?.isSymbolicLink() && links < mostLinks)
      visit(resolve(dirname(path), readlinkSync(path)), links + 1);
    if (entry?.isDirectory()) add(path, null);
    // What is in a folder that is not there is waited for in the nearest one that is.
    let here = path;
    while (!existsSync(dirname(here))) here = dirname(here);
    add(dirname(here), basename(here));
  };
  for (const path of paths) visit(resolve(path));
  return found;
}
