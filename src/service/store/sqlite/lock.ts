import { realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreRefused } from '../store.ts';
import { makePrivate } from './files.ts';

/** One process's claim to a file. */
export interface Lock {
  readonly release: () => void;
}

/**
 * Claims the file for this process alone, so that no two count, fire timers and look things up side by side. The
 * claim is a transaction on an empty database beside it: the operating system ends it with the process, however
 * that ends, and other programs may still read the file. Throws `StoreRefused` where it is claimed.
 */
export function lock(file: string): Lock {
  const name = `${realpathSync(file)}-lock`;
  makePrivate(name);
  const claim = new Database(name, { timeout: 0 });
  try {
    claim.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    claim.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY')
      throw new StoreRefused(
        `${file} is in use by a service that runs; end that one, or name another file with --data`,
      );
    throw error;
  }
  return { release: () => void claim.close() };
}
