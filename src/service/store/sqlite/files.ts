import { closeSync, openSync, realpathSync, statSync } from 'node:fs';

/** Makes a file that only its owner may read and write, where there is none: SQLite gives those beside it the same mode. */
export function makePrivate(file: string): void {
  try {
    // A descriptor of a file that SQLite has open may not be closed: the process would lose its locks on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Files of the database were removed or replaced while it was open: nothing more is kept in it or read from it. */
export class FilesLost extends Error {}

/** The files of a database that is open, by their names and by what they are. */
export interface Files {
  /**
   * Looks at them, and gives how many bytes the write-ahead log has. Throws `FilesLost` where one is not any more what it
   * was, then and ever after.
   */
  readonly held: () => number;
  /** Throws `FilesLost` where an earlier look did, without another one. */
  readonly known: () => void;
}

/**
 * Notes the files of a database by device and inode. Whoever removes or replaces the file, its write-ahead log, its
 * shared memory or the lock leaves a process that writes to files which nobody finds again.
 */
export function filesOf(file: string): Files {
  const place = realpathSync(file);
  const names = ['', '-wal', '-shm', '-lock'].map((suffix) => place + suffix);
  const known = names.flatMap((name) => {
    const found = identityOf(name);
    return found === null ? [] : [{ name, found }];
  });
  let lost: FilesLost | null = null;
  const still = (): void => {
    if (lost) throw lost;
  };
  return {
    known: still,
    held: () => {
      still();
      let logBytes = 0;
      const gone = known.flatMap(({ name, found }) => {
        const now = statSync(name, { throwIfNoEntry: false });
        if (name.endsWith('-wal')) logBytes = now?.size ?? 0;
        return now !== undefined && now.dev === found.dev && now.ino === found.ino ? [] : [name];
      });
      if (gone.length === 0) return logBytes;
      lost = new FilesLost(
        `${gone.join(', ')} ${gone.length === 1 ? 'was' : 'were'} removed or replaced while the service ran; what is written now would be lost, so nothing is kept or read any more: end the service, put the files back, and start it again`,
      );
      throw lost;
    },
  };
}

interface Identity {
  readonly dev: number;
  readonly ino: number;
}

function identityOf(name: string): Identity | null {
  const found = statSync(name, { throwIfNoEntry: false });
  return found === undefined ? null : { dev: found.dev, ino: found.ino };
}
