import type { Database } from 'better-sqlite3';
import { further, sum } from '../../../expression/arithmetic.ts';
import { rowFunctions } from '../../../expression/row-functions.ts';
import { instant, span } from '../../../expression/time.ts';
import { comparable, order } from '../../../expression/values.ts';
import { indexedWords } from '../../../expression/words.ts';
import { decoded, encoded, encodedList, worth } from './values.ts';
import { visit } from './visits.ts';

/**
 * Registers what printed statements call (`sql.ts`), by the names that begin with `tacet_`: the functions that
 * expressions run. They throw `CannotWorkOut`, which the statement's run then throws.
 */
export function addFunctions(connection: Database): void {
  const add = (name: string, run: (...args: readonly unknown[]) => unknown): void => {
    connection.function(`tacet_${name}`, { deterministic: true, varargs: true }, run);
  };
  for (const [name, run] of Object.entries(rowFunctions))
    add(name, (...args) => encoded(run(...args.map(decoded))));
  add('worth', worth);
  add('words', (...texts) => indexedWords(...texts.map(decoded)).join(' '));
  // Not deterministic, so that it runs for each element.
  connection.function('tacet_visit', { varargs: true }, visit);
  add('need', (value) => {
    decoded(value);
    return value;
  });
  add('elements', (value) => {
    const list = encodedList(decoded(value));
    decoded(list);
    return list;
  });
  /** Below, at or above 0; null where the two have no order. */
  add('compared', (a, b) => {
    const [left, right] = [decoded(a), decoded(b)];
    return comparable(left, right) ? order(left, right) : null;
  });
  connection.aggregate('tacet_sum', {
    start: 0,
    step: (total: unknown, value: unknown) => sum([total, decoded(value)]),
    result: encoded,
  });
  const forms = { plain: (value: unknown) => value, time: instant, duration: span };
  for (const [form, of] of Object.entries(forms))
    for (const [name, sign] of [
      ['min', -1],
      ['max', 1],
    ] as const)
      connection.aggregate(`tacet_${name}_${form}`, {
        start: null,
        step: (best: unknown, value: unknown) =>
          further(best, decoded(value), (a, b) => order(of(a), of(b)) * sign > 0),
        result: encoded,
      });
}
