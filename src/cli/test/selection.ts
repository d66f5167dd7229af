import type { Selection } from '../../conformance/verdicts/selection.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isUnder } from '../../specification/reading/address.ts';
import { nearest } from '../../specification/reading/nearest.ts';
import { type Given, texts } from '../command.ts';
import { UsageError } from '../usage.ts';

/** What `--only` names: operations and statements; undefined: all. Throws {@link UsageError} where there is no such. */
export function selectionOf(given: Given, of: Specification): Selection | undefined {
  const named = texts(given, 'only');
  if (named.length === 0) return undefined;
  const operations = new Set<string>();
  const statements: string[] = [];
  for (const word of named) {
    const found = of.operations.filter(({ name, key }) => name === word || key === word);
    for (const { key } of found) operations.add(key);
    if (found.length > 0) continue;
    if (![...of.points.keys()].some((address) => isUnder(address, word))) throw unknown(word, of);
    statements.push(word);
  }
  return { operations, statements };
}

function unknown(word: string, { operations, points }: Specification): UsageError {
  const known = new Set([
    ...operations.flatMap(({ name, key }) => [name, key]),
    ...[...points.keys()].flatMap(withAbove),
  ]);
  const close = nearest(word, [...known]);
  const hint = close
    ? `did you mean ${close}?`
    : 'name an operation, METHOD /path, or the address of a statement';
  return new UsageError(`there is no operation and no statement ${word}; ${hint}`);
}

/** An address, and those of what it is part of, the longest last. */
function withAbove(address: string): readonly string[] {
  const above = address.replace(/(\.[^.[\]"]+|\[\d+\]|\["[^"]*"\])$/, '');
  return above === address || above === '' ? [address] : [...withAbove(above), address];
}
