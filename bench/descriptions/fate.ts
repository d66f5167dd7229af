import { readFileSync } from 'node:fs';
import { assumptionOf, type Imported } from '../../src/interchange/openapi/import.ts';
import { documentText } from '../../src/interchange/openapi/write.ts';
import { importedFrom } from '../../src/load/descriptions.ts';
import { Refused } from '../../src/load/refused.ts';
import { holds } from '../../src/specification/openness/holds.ts';
import { ledgerText, readLedger } from '../../src/specification/openness/ledger.ts';
import { read } from '../../src/specification/read.ts';

/** What becomes of one description. */
export interface Fate {
  /** How many operations it has, by a plain look at it. */
  readonly operations: number;
  /** How it was read: as a document, not at all for a reason that is told, or with a fault of tacet's own. */
  readonly outcome: 'read' | 'refused' | 'crash';
  /** How many errors `check` has about the document and the ledger that import writes. */
  readonly errors: number;
  /** How many operations the document has. */
  readonly kept: number;
  /** How many of them run with all guesses. */
  readonly running: number;
  /** How many of those answer by a stand-in, such as the example of the author. */
  readonly standIns: number;
  readonly tookMs: number;
  /** What went wrong, in a line each. */
  readonly problems: readonly string[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Imports a description, and reads what import writes of it. */
export function fateOf(path: string): Fate {
  const operations = operationsIn(path);
  const nothing = { operations, errors: 0, kept: 0, running: 0, standIns: 0 };
  const started = performance.now();
  const took = (): number => performance.now() - started;
  try {
    const imported = importedFrom([path]);
    return { ...nothing, outcome: 'read', ...readAgain(imported, operations), tookMs: took() };
  } catch (error) {
    if (error instanceof Refused)
      return {
        ...nothing,
        outcome: 'refused',
        tookMs: took(),
        problems: [error.message.split('\n')[0] ?? ''],
      };
    const { stack = String(error) } = error as Error;
    return {
      ...nothing,
      outcome: 'crash',
      tookMs: took(),
      problems: [stack.split('\n').slice(0, 4).join(' | ')],
    };
  }
}

function readAgain(
  imported: Imported,
  operations: number,
): Pick<Fate, 'errors' | 'kept' | 'running' | 'standIns' | 'problems'> {
  const document = documentText(imported, 'service.assumptions.json');
  const ledger = readLedger('service.assumptions.json', ledgerText(imported.guesses.map(assumptionOf)));
  const { specification, diagnostics } = read('service.md', document, ledger.assumptions);
  const errors = [...ledger.diagnostics, ...diagnostics].filter(({ severity }) => severity === 'error');
  const kept = specification.operations;
  const running = kept.filter((each) => holds(specification, each).length === 0);
  const vague = new Set(
    imported.guesses.flatMap(({ at, confidence }) =>
      confidence === 'stand-in' && at.endsWith('.does') ? [at.slice(0, -'.does'.length)] : [],
    ),
  );
  const lost = operations - kept.length;
  return {
    errors: errors.length,
    kept: kept.length,
    running: running.length,
    standIns: running.filter(({ address }) => vague.has(address)).length,
    problems: [
      ...errors.slice(0, 3).map(({ code, message }) => `${code}: ${message}`),
      ...(lost > 0 ? [`${lost} of ${operations} operations are dropped`] : []),
    ],
  };
}

/** How many operations a description has: methods below paths. A path may refer to another one. */
function operationsIn(path: string): number {
  const { paths = {} } = JSON.parse(readFileSync(path, 'utf8')) as { readonly paths?: object };
  return Object.values(paths)
    .filter((each) => typeof each === 'object' && each !== null)
    .flatMap((each: object) => Object.keys(each))
    .filter((name) => methods.includes(name)).length;
}
