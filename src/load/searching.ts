import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statementsOf } from '../conformance/deviations/changed.ts';
import { type Plan, type PlanOptions, plan } from '../conformance/search/plan.ts';
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

/** Takes the plan that is kept of this document, or has a process of its own search, which keeps what it finds. */
export function searching(sought: Sought, specification: Specification, options: PlanOptions): Searching {
  const kept = keptPlan(specification, options);
  if (kept !== null) return { plan: async () => kept, close: () => undefined };
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
  // Whoever asks for the plan hears of it.
  found.catch(() => undefined);
  return { plan: () => found, close: () => void child.kill() };
}

/** `tacet test --plan --json` of the same document, which writes the plan. */
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
  return ['test', sought.document, '--plan', '--json', '--seed', String(seed), ...pairs, ...only, ...guesses];
}

/** The plan of a document: the one that is kept, or what a search finds, which is kept. */
export function planOf(specification: Specification, options: PlanOptions): Plan {
  const kept = keptPlan(specification, options);
  if (kept !== null) return kept;
  const found = plan(specification, options);
  keep(fileOf(specification, options), saved(found));
  return found;
}

/** Null: none is kept. */
function keptPlan(specification: Specification, options: PlanOptions): Plan | null {
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
function fileOf(specification: Specification, options: PlanOptions): string {
  const { seed, budgetMs, patienceMs, selection } = options;
  const contents = new Set(statementsOf(specification).map(({ at }) => at.text.content));
  const about = [version(), seed, budgetMs, String(patienceMs), namesIn(selection), ...contents];
  const digest = createHash('sha256').update(JSON.stringify(about)).digest('hex');
  return join(folder, `${digest.slice(0, 32)}.json`);
}
