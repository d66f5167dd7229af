import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result } from '../../src/conformance/result.ts';
import { type Report, type TestOptions, testService } from '../../src/conformance/run.ts';
import type { Reporter } from '../../src/conformance/stream.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { read } from '../../src/specification/read.ts';
import { type Fault, startTodo } from '../faulty/todo.ts';

export const todoDocument = readFileSync(
  fileURLToPath(new URL('../../examples/todo.md', import.meta.url)),
  'utf8',
);

/** A document that was read without an error. */
export function specificationOf(
  content: string,
  file = 'todo.md',
  assumptions: readonly Assumption[] = [],
): Specification {
  const { specification, diagnostics } = read(file, content, assumptions);
  const errors = diagnostics.filter((one) => one.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((one) => one.message).join('\n'));
  return specification;
}

/** The document with one of its texts changed; it must hold the text. */
export function changed(
  content: string,
  ...changes: readonly (readonly [string | RegExp, string])[]
): string {
  return changes.reduce((so, [from, to]) => {
    const next = so.replace(from, to);
    if (next === so) throw new Error(`the document does not hold ${from}`);
    return next;
  }, content);
}

export const incomplete = changed(todoDocument, ['complete: true\n', '']);

/** Tests the to-do service of `test/faulty` against a document. */
export async function testTodo(of: Specification, fault: Fault | null = null, seed = 1): Promise<Report> {
  const running = await startTodo(fault);
  try {
    return await testService(of, { url: running.url, seed, walks: 320 });
  } finally {
    await running.close();
  }
}

export function violations({ results }: Report): readonly Result[] {
  return results.filter((one) => one.verdict === 'violates');
}

/** A service that was written by hand, with its document, and the faults that can be planted in it. */
export interface Service {
  readonly file: string;
  readonly faults: readonly string[];
  /** Faults that few values bring out: they are tried with several seeds. */
  readonly elusive: readonly string[];
  readonly start: (
    fault: string | null,
  ) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
}

/** Tests a service with a fault in it, or none. */
export async function testWith(
  of: Specification,
  { start }: Service,
  fault: string | null,
  seed: number,
  more: Pick<TestOptions, 'onEvent'> = {},
): Promise<Report> {
  const running = await start(fault);
  try {
    return await testService(of, { url: running.url, seed, ...more });
  } finally {
    await running.close();
  }
}

/** The first check that blames a service for a fault; null where none does. A run goes no further. */
export async function firstBlame(
  of: Specification,
  service: Service,
  fault: string,
  seed = 1,
): Promise<string | null> {
  const found: Result[] = [];
  const onEvent: Reporter = (event) => {
    if (event.kind !== 'result' || event.result.verdict !== 'violates') return;
    found.push(event.result);
    throw found;
  };
  await testWith(of, service, fault, seed, { onEvent }).catch((error: unknown) => {
    if (error !== found) throw error;
  });
  return found[0]?.says ?? null;
}

const isLong = process.env['TACET_LONG'] !== undefined;

/** The seeds by which a service that keeps to its document is tested, besides 1. */
export const otherSeeds: readonly number[] = Array.from({ length: isLong ? 19 : 1 }, (_, index) => index + 2);

/** What was found wrong, in a form that shows what a failed test is about. */
export function blamed(report: Report): readonly string[] {
  return violations(report).map(({ says, found }) => `${says}: ${found}`);
}
