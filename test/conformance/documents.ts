import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Result } from '../../src/conformance/check.ts';
import { type Report, testService } from '../../src/conformance/run.ts';
import type { Assumption } from '../../src/specification/ledger.ts';
import { read } from '../../src/specification/read.ts';
import type { Specification } from '../../src/specification/specification.ts';
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

/** The document with nothing under one of its headings. */
export function without(content: string, heading: string): string {
  return changed(content, [new RegExp(`(## ${heading}\\n).*?(?=\\n## |$)`, 's'), '$1']);
}

export const incomplete = changed(todoDocument, ['complete: true\n', '']);

/** Tests the to-do service of `test/faulty` against a document. */
export async function testTodo(of: Specification, fault: Fault | null = null, seed = 1): Promise<Report> {
  const running = await startTodo(fault);
  try {
    return await testService(of, { url: running.url, seed });
  } finally {
    await running.close();
  }
}

export function violations({ results }: Report): readonly Result[] {
  return results.filter((one) => one.verdict === 'violates');
}

/** What was found wrong, in a form that shows what a failed test is about. */
export function blamed(report: Report): readonly string[] {
  return violations(report).map(({ says, found }) => `${says}: ${found}`);
}
