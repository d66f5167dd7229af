import { isDeepStrictEqual } from 'node:util';
import type { Json } from './document.ts';

/** A value that is due, down to its members; items may stand in any order (language §F.1). */
export type Due =
  | { readonly by: string; readonly value: Json }
  | { readonly by: string; readonly members: Readonly<Record<string, Due>> }
  | { readonly by: string; readonly items: readonly Due[] };

/** Where it is written down what a piece of an answer is due by, and what is due by nothing. */
export interface Ledger {
  readonly take: (piece: string, by: string) => void;
  readonly object: (text: string) => void;
}

/** Compares a JSON text with the value that is due. */
export function compareText(due: Due, text: string, { take, object }: Ledger): void {
  let found: Json;
  try {
    found = JSON.parse(text) as Json;
  } catch {
    object(`the body is not JSON: ${text}`);
    return;
  }
  if (namesIn(text) !== countNames(found)) object(`a member stands twice: ${text}`);
  compare(due, found, 'body', { take, object });
}

function compare(due: Due, found: Json | undefined, where: string, ledger: Ledger): void {
  const { take, object } = ledger;
  if (found === undefined) object(`${where} is missing, due by ${due.by}`);
  else if ('value' in due) {
    if (isDeepStrictEqual(found, due.value)) take(`${where}: ${JSON.stringify(found)}`, due.by);
    else object(`${where} is ${JSON.stringify(found)}, not ${JSON.stringify(due.value)}, due by ${due.by}`);
  } else if ('items' in due) {
    if (Array.isArray(found)) compareItems(due.items, found, where, ledger);
    else object(`${where} is no list`);
  } else if (typeof found !== 'object' || found === null || Array.isArray(found))
    object(`${where} is no object`);
  else {
    for (const [name, value] of Object.entries(found))
      if (!Object.hasOwn(due.members, name))
        object(`${where}.${name} is due by nothing: ${JSON.stringify(value)}`);
    for (const [name, member] of Object.entries(due.members))
      compare(member, found[name], `${where}.${name}`, ledger);
  }
}

function compareItems(due: readonly Due[], found: readonly Json[], where: string, ledger: Ledger): void {
  const left = [...due];
  for (const [index, item] of found.entries()) {
    const place = left.findIndex((one) => isDeepStrictEqual(dueValue(one), item));
    if (place === -1) ledger.object(`${where}[${index}] is due by nothing: ${JSON.stringify(item)}`);
    else compare(left.splice(place, 1)[0] as Due, item, `${where}[${index}]`, ledger);
  }
  for (const missing of left)
    ledger.object(`${where} is missing an item: ${JSON.stringify(dueValue(missing))}`);
}

export function dueValue(due: Due): Json {
  if ('value' in due) return due.value;
  if ('items' in due) return due.items.map(dueValue);
  return Object.fromEntries(Object.entries(due.members).map(([name, member]) => [name, dueValue(member)]));
}

/** How many members a value has, at any depth. */
export function countNames(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, one) => sum + countNames(one), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

/** How many names of members stand in a JSON text, one that stands twice counted twice. */
export function namesIn(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
}
