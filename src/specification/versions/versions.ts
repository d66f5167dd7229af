import type { Code } from '../../source/codes.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { drop, type Mapping, mapping, type Node } from '../../source/node.ts';
import { type Span, span } from '../../source/text.ts';
import type { Steps } from '../../source/turns.ts';
import type { Older, Specification } from '../model/specification.ts';
import { type Address, find, inTree, isUnder, replaced, step } from '../reading/address.ts';
import { Completeness, type OpenedList } from '../reading/completeness.ts';
import { Reading } from '../reading/reading.ts';
import { isMarker, isOpenMarker, stated } from '../reading/said.ts';
import { validateInSteps } from '../rules/rules.ts';
import type { Difference } from '../vocabulary/differences.ts';
import { spelledOut } from '../vocabulary/notation.ts';

/** How many values all versions together may hold: a guard for the process, no rule of the language. */
const mostValues = 300_000;

/**
 * The older versions from the first that differs on, by name, each read as a specification of its own: that of the
 * next newer with the differences laid over (language §9.3). Faults and points are those of the differences.
 *
 * @param newest what all parts say, read and validated
 * @param written its statements, before what notation adds by what stands elsewhere
 * @param read reads such statements
 */
export function* readOlderInSteps(
  newest: Specification,
  written: Mapping,
  reading: Reading,
  read: (tree: Mapping, reading: Reading) => Steps<Specification>,
): Steps<ReadonlyMap<string, Older>> {
  const older = new Map<string, Older>();
  const versions = [...(stated(stated(newest.versioning)?.versions) ?? [])];
  const opened: OpenedList[] = [];
  let tree = written;
  let last: Older | undefined;
  let values = 0;
  for (const [index, [name, said]] of versions.entries()) {
    const differs = stated(said)?.differs;
    const differences = differs && [...(stated(differs) ?? [])];
    if (differences && differences.length > 0) {
      if (index === 0) return tooNew(name, differs.at, reading);
      const own = differences.map(([, difference]) => difference);
      const laidOver = own.sort(shortestFirst).reduce((newer, one) => {
        opened.push(...openedBy(newer, one));
        return laid(newer, one, reading);
      }, tree);
      tree = spelledOut(laidOver, reading);
      values += size(tree);
      if (values > mostValues) return tooMany(differs.at, reading);
      const was = new Map([...(last?.was ?? []), ...namesOf(own)]);
      checkNames(own, was, tree, reading);
      const inner = reading.apart(opened);
      const specification = yield* read(tree, inner);
      yield* validateInSteps(specification, inner, newest);
      for (const [key, difference] of differences)
        take(difference, step(differs.address, key), inner, reading);
      takeUnfit(differs.at, inner, reading);
      last = { specification, was };
    }
    if (last) older.set(name, last);
  }
  return older;
}

/** Faults of expressions that fit in the newer version and do not in this one, because of what differs elsewhere. */
const unfit: readonly Code[] = ['expression-type', 'wrong-kind', 'not-storable'];

function takeUnfit(at: Span, from: Reading, into: Reading): void {
  const isKnown = ({ code, span: own }: Diagnostic): boolean =>
    into.diagnostics.some(
      ({ code: other, span: one }) =>
        other === code && one.text === own.text && one.start === own.start && one.end === own.end,
    );
  for (const one of from.diagnostics)
    if (unfit.includes(one.code) && !isKnown(one))
      into.diagnostics.push({ ...one, related: [...one.related, at] });
}

function tooNew(name: string, at: Span, reading: Reading): ReadonlyMap<string, Older> {
  const why = 'the newest version is as the other parts say';
  reading.report('bad-difference', at, { address: name, why });
  return new Map();
}

function tooMany(at: Span, reading: Reading): ReadonlyMap<string, Older> {
  const hint = 'each version that differs counts as a specification of its own';
  reading.report('too-many-values', at, { limit: mostValues }, { hint });
  return new Map();
}

function shortestFirst(a: Difference, b: Difference): number {
  return a.path.length - b.path.length;
}

/** What is laid over an open statement replaces some of its keys: the others stay open (language §9.3). */
function openedBy(newer: Mapping, { address, path, statement }: Difference): OpenedList[] {
  const there = find(newer, path);
  return there && isOpenMarker(there) && statement.kind === 'map'
    ? [{ above: address, at: there.span, question: null }]
    : [];
}

/** The tree with one difference laid over what the newer version says. */
function laid(
  newer: Mapping,
  { address, path: written, at, statement }: Difference,
  reading: Reading,
): Mapping {
  const path = inTree(newer, written);
  const there = find(newer, path);
  const above = find(newer, path.slice(0, -1));
  const last = path.at(-1) as string | number;
  const isRoom = above?.kind === 'map' || (above?.kind === 'list' && there !== undefined);
  const isNone = statement.kind === 'scalar' && isMarker(statement);
  if (!isRoom || (isNone && there === undefined)) {
    const known = above?.kind === 'map' ? [...above.entries.keys()] : [];
    const close = reading.suggest(String(last), known);
    const why = isRoom ? 'it is not there in the newer version' : 'nothing is there to hold it';
    reading.report('bad-difference', at, { address, why }, { hint: close ? `did you mean ${close}?` : null });
    return newer;
  }
  const spelled = spelledOutAlone(path, statement, at);
  const before = holdsContent(path) ? withoutOther(there, spelled) : there;
  return replaced(newer, path, isWhole(path) ? spelled : over(before, spelled), at) as Mapping;
}

/** A statement with its notation spelled out, as if nothing else stood around it. */
function spelledOutAlone(path: readonly (string | number)[], statement: Node, at: Span): Node {
  const names = path.map(String);
  const alone = replaced(mapping([], at), names, statement, at) as Mapping;
  return find(spelledOut(alone, new Reading(new Completeness([], []))), names) as Node;
}

/** Keys whose values may be any map, so that no key of it is one of the language's. */
const payloads = ['body', 'const', 'create', 'default', 'derived', 'update', 'with'];

/** A payload, or another literal, is replaced whole; a request's `body` is a shape. */
function isWhole(path: readonly (string | number)[]): boolean {
  return path.some((name) => payloads.includes(String(name))) && !path.includes('request');
}

/** Whether content is stated there, by `content` or for one media type alone. */
function holdsContent({ length, 0: part, 1: list, 2: word }: readonly (string | number)[]): boolean {
  if (part === 'endpoints')
    return (word === 'request' && length === 3) || (word === 'response' && length < 5);
  return part === 'errors' && ((list === 'payload' && length === 2) || (list === 'codes' && length === 3));
}

/** What says of one media type what `content` says of several. */
const ofOne = ['media', 'body', 'under', 'nesting', 'shape'];

/** The newer statement without its content, if the older says it in the other way. */
function withoutOther(newer: Node | undefined, older: Node): Node | undefined {
  if (newer?.kind !== 'map' || older.kind !== 'map') return newer;
  if (older.entries.has('content')) return ofOne.reduce(drop, newer);
  return ofOne.some((key) => older.entries.has(key)) ? drop(newer, 'content') : newer;
}

/** Key by key, and no deeper. */
function over(newer: Node | undefined, older: Node): Node {
  if (newer?.kind !== 'map' || older.kind !== 'map') return older;
  return { ...older, entries: new Map([...newer.entries, ...older.entries]) };
}

function size(node: Node): number {
  if (node.kind === 'scalar') return 1;
  const inner = node.kind === 'list' ? node.items : [...node.entries.values()].map((one) => one.value);
  return inner.reduce((sum, one) => sum + size(one), 1);
}

/** What fields are called in a version, where that differs; null: it has no such field. */
function namesOf(differences: readonly Difference[]): [Address, string | null][] {
  return differences.flatMap(({ address, was }): [Address, string | null][] =>
    was.kind === 'open' ? [] : [[address, stated(was) ?? null]],
  );
}

/** No two fields have one name in a version. */
function checkNames(
  differences: readonly Difference[],
  was: ReadonlyMap<Address, string | null>,
  tree: Mapping,
  reading: Reading,
): void {
  for (const { path, address, was: said } of differences) {
    const name = stated(said);
    const fields = find(tree, path.slice(0, -1));
    if (name === undefined || fields?.kind !== 'map') continue;
    const list = path.slice(1, -1).reduce<Address>(step, String(path[0]));
    const twin = [...fields.entries].find(([field, { value }]) => {
      const other = step(list, field);
      return other !== address && !isMarker(value) && (was.has(other) ? was.get(other) : field) === name;
    });
    if (twin) reading.report('key-twice', said.at, { key: name }, { related: [twin[1].key] });
  }
}

/** Where the ledger says what an assumption within a statement rests on (language §A.6). */
function assumedIn(node: Node): Span[] {
  if (node.assumed) return [node.span];
  if (node.kind === 'scalar') return [];
  const inner = node.kind === 'list' ? node.items : [...node.entries.values()].map((one) => one.value);
  return inner.flatMap(assumedIn);
}

/** Takes over what was found within a difference, and nothing that the newer version says as well. */
function take(difference: Difference, place: Address, from: Reading, into: Reading): void {
  const { address, at, statement, was } = difference;
  const regions = [span(at.text, at.start, Math.max(at.end, statement.span.end)), ...assumedIn(statement)];
  const isWithin = ({ text, start, end }: Span): boolean =>
    regions.some((one) => one.text === text && one.start <= start && end <= one.end);
  const faults = from.diagnostics.filter((one) => isWithin(one.span) || one.related.some(isWithin));
  into.diagnostics.push(...faults);
  let found = was.kind !== 'open';
  for (const point of from.points.values()) {
    if (!isUnder(point.address, address) || !isWithin(point.at)) continue;
    into.point(place + point.address.slice(address.length), point.state, point.at, point.question);
    found = true;
  }
  if (!found) into.point(place, statement.assumed ? 'assumed' : 'stated', statement.span);
}
