import type { Result } from '../src/conformance/result.ts';
import type { RunEvent } from '../src/conformance/stream.ts';
import { type TestingOptions, test } from '../src/load/test.ts';
import type { Specification } from '../src/specification/model/specification.ts';

/**
 * Tests an implementation until something is seen that is looked for, and no longer: what happened so far. It does not
 * search in memory, nor for the fewest requests that lead to a violation.
 */
export async function testedUntil(
  specification: Specification,
  options: TestingOptions,
  isSought: (event: RunEvent) => boolean,
): Promise<readonly RunEvent[]> {
  const ending = new AbortController();
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => {
    events.push(event);
    if (isSought(event)) ending.abort(ending);
  };
  const more = { searchMs: 0, sequences: 0, signal: ending.signal, onEvent };
  await test(specification, { ...options, ...more }).catch((reason: unknown) => {
    if (reason !== ending) throw reason;
  });
  return events;
}

/** The same for a result: all those so far. */
export async function resultsUntil(
  specification: Specification,
  options: TestingOptions,
  isSought: (result: Result) => boolean,
): Promise<readonly Result[]> {
  const isSeen = (event: RunEvent): boolean => event.kind === 'result' && isSought(event.result);
  const events = await testedUntil(specification, options, isSeen);
  return events.flatMap((event) => (event.kind === 'result' ? [event.result] : []));
}

export const isViolation = ({ verdict }: Result): boolean => verdict === 'violates';
