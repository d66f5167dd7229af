import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import type { Entry, Mapping, Node } from '../../source/node.ts';
import { marker } from './said.ts';

/** Maps of names, which may go on in other blocks and files (language §A.2). */
const ofNames: readonly string[] = [
  'actors',
  'authorization',
  'codes',
  'concurrency',
  'delivery',
  'differs',
  'kinds',
  'let',
  'messages',
  'open',
  'quotas',
  'rates',
  'schemes',
  'versions',
];

/** What holds a name that goes on: of a version, what differs in it. */
const goesOn: Readonly<Record<string, readonly string[]>> = { versions: ['differs'] };

/** Several blocks of one part are one statement; one key twice is an error that points at both (language §A.1, §A.2). */
export function merged(
  before: Node | undefined,
  node: Node,
  of: string,
  diagnostics: Diagnostic[],
): Node | undefined {
  if (node.kind === 'list' || (node.kind === 'scalar' && marker(node.value) === undefined)) {
    diagnostics.push(diagnose('not-statements', node.span, { part: of }));
    return before;
  }
  if (before === undefined) return node;
  if (before.kind !== 'map' || node.kind !== 'map') {
    diagnostics.push(diagnose('marker-and-statements', node.span, { part: of }, { related: [before.span] }));
    return before;
  }
  return together(before, node, ofNames, diagnostics);
}

/** One map of the entries of two, in which maps of these names go on. */
function together(
  before: Mapping,
  more: Mapping,
  names: readonly string[],
  diagnostics: Diagnostic[],
): Mapping {
  const entries = new Map(before.entries);
  for (const [key, entry] of more.entries) {
    const twin = entries.get(key);
    const both = twin && names.includes(key) ? maps(twin, entry) : undefined;
    if (both) entries.set(key, { key: (twin as Entry).key, value: joined(key, both, diagnostics) });
    else if (twin) diagnostics.push(diagnose('key-twice', entry.key, { key }, { related: [twin.key] }));
    else entries.set(key, entry);
  }
  return { ...before, entries };
}

type Both = readonly [before: Mapping, more: Mapping];

function maps({ value: before }: Entry, { value: more }: Entry): Both | undefined {
  return before.kind === 'map' && more.kind === 'map' ? [before, more] : undefined;
}

/** A map of names with those of another; a name stands in one of them. */
function joined(key: string, [before, more]: Both, diagnostics: Diagnostic[]): Mapping {
  const inner = goesOn[key];
  if (inner === undefined) return together(before, more, [], diagnostics);
  const entries = new Map(before.entries);
  for (const [name, entry] of more.entries) {
    const twin = entries.get(name);
    const both = twin && maps(twin, entry);
    if (both && [...both[1].entries.keys()].every((one) => inner.includes(one)))
      entries.set(name, { ...(twin as Entry), value: together(...both, inner, diagnostics) });
    else if (twin) diagnostics.push(diagnose('key-twice', entry.key, { key: name }, { related: [twin.key] }));
    else entries.set(name, entry);
  }
  return { ...before, entries };
}

/** The head stands in one document of a folder; its maps of names may go on in others (language §A.2). */
export function oneHead(
  first: Node | undefined,
  second: Node | undefined,
  diagnostics: Diagnostic[],
): Node | undefined {
  if (first?.kind !== 'map' || second?.kind !== 'map') {
    if (first && second) diagnostics.push(diagnose('two-heads', second.span, {}, { related: [first.span] }));
    return first ?? second;
  }
  const saysMore = (head: Mapping): boolean => [...head.entries.keys()].some((key) => !ofNames.includes(key));
  if (saysMore(first) && saysMore(second)) {
    diagnostics.push(diagnose('two-heads', second.span, {}, { related: [first.span] }));
    return first;
  }
  return together(first, second, ofNames, diagnostics);
}
