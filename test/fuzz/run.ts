import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from '../service/document.ts';
import { made } from '../service/store/postgres.ts';
import { chanceOf } from './chance.ts';
import { documentOf } from './document.ts';
import { mutated, thrownBy } from './mutate.ts';
import { type Played, play } from './play.ts';
import { smaller } from './smaller.ts';

/** What came of many documents. */
export interface Summary {
  readonly documents: number;
  /** Those that `check` accepts. */
  readonly accepted: number;
  /** Operations that nothing open holds up, and those of them that answered other than 500 and 501. */
  readonly free: number;
  readonly answered: number;
  readonly requests: number;
  readonly failures: readonly Failure[];
}

/** What must not be, with the seed that brings it about again, and the least document that does. */
export interface Failure {
  readonly seed: number;
  readonly what: string;
  readonly document: Document;
}

interface Options {
  readonly from: number;
  readonly count: number;
  /** Each of so many documents is served on PostgreSQL as well; 0: none. */
  readonly postgresEach?: number;
  /** No document is begun after so many milliseconds. Default: all are. */
  readonly mostMs?: number;
  readonly onFailure?: (failure: Failure) => void;
  readonly onProgress?: (summary: Summary) => void;
}

/** How many mutations of each document are read. */
const mutationsEach = 3;

/** Generates documents, reads them and what they become by mutations, and serves those that `check` accepts. */
export async function fuzz({ from, count, postgresEach = 0, mostMs, ...told }: Options): Promise<Summary> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-fuzz-'));
  const failures: Failure[] = [];
  let [documents, accepted, free, answered, requests] = [0, 0, 0, 0, 0];
  const summary = (): Summary => ({ documents, accepted, free, answered, requests, failures });
  const fail = (failure: Failure): void => {
    failures.push(failure);
    told.onFailure?.(failure);
  };
  const ends = performance.now() + (mostMs ?? Number.POSITIVE_INFINITY);
  try {
    for (let seed = from; seed < from + count && performance.now() < ends; seed++) {
      const document = documentOf(seed);
      documents++;
      for (const mutation of mutationsOf(document, seed)) {
        const what = thrownBy(mutation);
        if (what === undefined) continue;
        const least = await smaller(mutation, async (one) => thrownBy(one) !== undefined);
        fail({ seed, what: `check throws: ${what}`, document: least });
      }
      const played = await playIn(folder, document, seed);
      if (played.isAccepted) accepted++;
      free += played.free;
      answered += played.answered;
      for (const times of played.statuses.values()) requests += times;
      if (played.fault !== undefined) fail(await shrunk(folder, document, seed, played.fault));
      if (postgresEach > 0 && seed % postgresEach === 0) {
        const onPostgres = await playOnPostgres(document, seed);
        if (onPostgres.fault !== undefined)
          fail({ seed, what: `on PostgreSQL: ${onPostgres.fault}`, document });
      }
      if (documents % 100 === 0) told.onProgress?.(summary());
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return summary();
}

function mutationsOf(document: Document, seed: number): Document[] {
  const chance = chanceOf(seed);
  return Array.from({ length: mutationsEach }, () => mutated(document, chance));
}

async function playIn(folder: string, document: Document, seed: number): Promise<Played> {
  const data = join(folder, 'data.sqlite');
  try {
    return await play(document, seed, data);
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${data}${ending}`, { force: true });
  }
}

async function playOnPostgres(document: Document, seed: number): Promise<Played> {
  const { address, drop } = await made();
  try {
    return await play(document, seed, address);
  } finally {
    await drop();
  }
}

async function shrunk(folder: string, document: Document, seed: number, what: string): Promise<Failure> {
  const kind = kindOf(what);
  const fails = async (one: Document): Promise<boolean> => {
    const { fault } = await playIn(folder, one, seed);
    return fault !== undefined && kindOf(fault) === kind;
  };
  return { seed, what, document: await smaller(document, fails) };
}

/** What two faults are alike by: the first place in the code, or else what is said. */
function kindOf(what: string): string {
  return /\n\s+at (.*)/.exec(what)?.[1] ?? what.replace(/ to .*/s, '');
}
