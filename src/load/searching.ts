import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statementsOf } from '../conformance/deviations/changed.ts';
import { type Plan, type PlanOptions, together } from '../conformance/search/plan.ts';
import { loaded, saved } from '../conformance/search/saved.ts';
import { makeFolder } from '../source/folder.ts';
import type { Specification } from '../specification/model/specification.ts';
import { carried } from './carried.ts';
import { version } from './version.ts';

/** Where plans are kept, and how many: the latest ones. */
const folder = '.tacet/plans';
const most = 20;

/** A search in memory that goes on beside the run. */
export interface Searching {
  readonly plan: () => Promise<Plan>;
  /** Ends the search, if it still goes on. */
  readonly close: () => void;
}

/** A document that is searched, as it was named. */
export interface Sought {
  readonly document: string;
  /** The file of the ledger. Default: there is none */
  readonly ledger?: string | undefined;
  /** Whether points that an OpenAPI description cannot state are guessed. Default: true */
  readonly takesGuesses?: boolean;
}

/** How many processes search at once if nothing else is asked for: as many as most machines have cores. */
const usualSearches = 2;

export interface SearchOptions extends PlanOptions {
  /** How many processes search at once, each from another seed. Default: `usualSearches` */
  readonly searches?: number;
}

/** Seeds of two searches are so far apart: neither begins a walk as the other does. */
const seedsApart = 1_000_000;

/** Takes the plan that is kept of this document, or has processes of their own search, and keeps what they find. */
export function searching(sought: Sought, specification: Specification, options: SearchOptions): Searching {
  const kept = keptPlan(specification, options);
  if (kept !== null) return { plan: async () => kept, close: () => undefined };
  const all = seedsOf(options).map((seed) => searchIn(sought, specification, { ...options, seed }));
  const found = Promise.all(all.map((each) => each.found)).then((plans) => {
    const plan = together(plans);
    keep(fileOf(specification, options), saved(plan));
    return plan;
  });
  // Whoever asks for the plan hears of it.
  found.catch(() => undefined);
  return { plan: () => found, close: () => all.forEach(({ child }) => void child.kill()) };
}

/** The seed of each search. */
export function seedsOf({ seed = 1, searches = usualSearches }: SearchOptions): readonly number[] {
  return Array.from({ length: searches }, (_, place) => seed + place * seedsApart);
}

/** One process that searches. */
interface Process {
  readonly child: ChildProcess;
  readonly found: Promise<Plan>;
}

function searchIn(sought: Sought, specification: Specification, options: PlanOptions): Process {
  const child = spawn(
    process.execPath,
    [fileURLToPath(carried('bin/tacet.js')), ...wordsFor(sought, options)],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  // The requests to the implementation are more urgent.
  if (child.pid !== undefined) setPriority(child.pid, 10);
  const [out, error] = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray());
  const found = Promise.all([out, error]).then(([pieces = [], said = []]) => {
    const plan = loaded(pieces.join(''), specification);
    if (plan === null) throw new Error(`the search in memory ended by itself\n${said.join('')}`);
    return plan;
  });
  found.catch(() => undefined);
  return { child, found };
}

/** `tacet test --plan --json` of the same document, which writes the plan of one search. */
function wordsFor(sought: Sought, options: PlanOptions): string[] {
  const { seed = 1, budgetMs, patienceMs, selection } = options;
  const duration = (ms: number | undefined): string | undefined =>
    ms === undefined || ms === Number.POSITIVE_INFINITY ? undefined : `PT${ms / 1000}S`;
  const durations = { search: duration(budgetMs), patience: duration(patienceMs) };
  const pairs = Object.entries({ assume: sought.ledger, ...durations }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const only = namesIn(selection).flatMap((name) => ['--only', name]);
  const guesses = sought.takesGuesses === false ? ['--no-guesses'] : [];
  return [
    ...['test', sought.document, '--plan', '--json', '--searches', '1', '--seed', String(seed)],
    ...pairs,
    ...only,
    ...guesses,
  ];
}

/** Null: none is kept. */
function keptPlan(specification: Specification, options: SearchOptions): Plan | null {
  try {
    return loaded(readFileSync(fileOf(specification, options), 'utf8'), specification);
  } catch {
    return null;
  }
}

/** Writes a file, and removes those that were not written for longest. Where nothing can be written, nothing is kept. */
function keep(file: string, content: string): void {
  try {
    makeFolder(folder);
    // Another run reads it whole or not at all.
    writeFileSync(`${file}.${process.pid}`, content);
    renameSync(`${file}.${process.pid}`, file);
    const all = readdirSync(folder).map((name) => join(folder, name));
    const oldest = all.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs).slice(most);
    for (const each of oldest) rmSync(each, { force: true });
  } catch {
    // The next run searches again.
  }
}

/** What `--only` names to select this. */
function namesIn(selection: PlanOptions['selection']): readonly string[] {
  return selection ? [...selection.operations, ...selection.statements] : [];
}

/** The file of a plan: another one for another text of the document or the ledger, or another search. */
function fileOf(specification: Specification, options: SearchOptions): string {
  const { seed, budgetMs, patienceMs, selection, searches = usualSearches } = options;
  const contents = new Set(statementsOf(specification).map(({ at }) => at.text.content));
  const about = [version(), seed, budgetMs, String(patienceMs), searches, namesIn(selection), ...contents];
  const digest = createHash('sha256').update(JSON.stringify(about)).digest('hex');
  return join(folder, `${digest.slice(0, 32)}.json`);
}
