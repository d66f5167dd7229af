import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scenario } from '../check.ts';
import { heldUp, type Trial } from '../trial.ts';
import { clash, codeOf, codesOf, together, type Wrong, wrongs, wrongsAround } from './wrongs.ts';

/** Requests that earn two conditions of those that a code of one's own answers: `order` chooses (language §7). */
export function pairs(trial: Trial, operation: Operation): Scenario[] {
  if (operation.subject === null || stated(trial.of.errors)?.order.kind !== 'stated') return [];
  const codes = codesOf(trial);
  const known = wrongs(trial, operation).flatMap((wrong) => {
    const code = codeOf(trial, operation, wrong);
    return code !== undefined && codes.includes(code) ? [{ wrong, code }] : [];
  });
  return known.flatMap((a, i) =>
    known
      .slice(i + 1)
      .flatMap((b) =>
        a.code === b.code || clash(a.wrong, b.wrong) ? [] : [together(trial, operation, a.wrong, b.wrong)],
      ),
  );
}

/**
 * Of all that can be wrong with a request, each with the next in `order`: where the order is another, two neighbours are
 * the other way round. The same two are tried once, at the first operation of which both can be so.
 */
export function neighbours(trial: Trial): Scenario[] {
  const { of } = trial;
  const tried = new Set<string>();
  const found = of.operations
    .filter((one) => one.method !== 'GET' && one.subject !== null && heldUp(of, one) === null)
    .flatMap((operation) => nextTo(inOrder(trial, operation)).map(([a, b]) => ({ operation, a, b })));
  return found.flatMap(({ operation, a, b }) => {
    const codes = [a, b].map((one) => codeOf(trial, operation, one)).join(' ');
    if (tried.has(codes)) return [];
    tried.add(codes);
    return [together(trial, operation, a, b)];
  });
}

/** Something that is wrong, with the last that comes before it in `order`, and the first that comes after. */
export function beside(trial: Trial, operation: Operation, one: Wrong): Scenario[] {
  const all = inOrder(trial, operation, [one]);
  const place = all.findIndex((group) => group.includes(one));
  if (place < 0) return [];
  const sides = [all.slice(0, place).reverse(), all.slice(place + 1)];
  return sides.flatMap((side) => {
    const other = side.flat().find((two) => !clash(one, two));
    return other ? [together(trial, operation, one, other)] : [];
  });
}

/** All that can be wrong, by the codes of `order`. */
function inOrder(trial: Trial, operation: Operation, more: readonly Wrong[] = []): readonly Wrong[][] {
  const all = [...more, ...wrongsAround(trial, operation), ...wrongs(trial, operation)];
  return codesOf(trial)
    .map((code) => all.filter((one) => codeOf(trial, operation, one) === code))
    .filter((group) => group.length > 0);
}

function nextTo(groups: readonly Wrong[][]): (readonly [Wrong, Wrong])[] {
  return groups.flatMap((group, index) => {
    const later = groups.slice(index + 1).flat();
    const found = later.flatMap((b) => group.map((a) => [a, b] as const)).find(([a, b]) => !clash(a, b));
    return found ? [found] : [];
  });
}
