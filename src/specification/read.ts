import { type Diagnostic, sorted } from '../source/diagnostic.ts';
import { get, type Mapping, mapping, type Node } from '../source/node.ts';
import { byFile, type Span, text } from '../source/text.ts';
import { atOnce, type Steps } from '../source/turns.ts';
import { diagnosed, removals } from './migration/migration.ts';
import { type Operation, resolve } from './model/operation.ts';
import type { Specification, Statements } from './model/specification.ts';
import { type Assumption, assume, listsAssumed } from './openness/ledger.ts';
import { type Part, parts, rest } from './reading/address.ts';
import { upwards } from './reading/completeness.ts';
import { type Outline, outlineInSteps } from './reading/document.ts';
import type { NameUse } from './reading/name-use.ts';
import { type Key, type Place, type Point, type Reading, say, unknownName } from './reading/reading.ts';
import { type Said, stated } from './reading/said.ts';
import { validateInSteps } from './rules/rules.ts';
import { readOlderInSteps } from './versions/versions.ts';
import { withAlternatives } from './vocabulary/alternatives.ts';
import { isAboutResource } from './vocabulary/change.ts';
import { parts as documentParts } from './vocabulary/document.ts';
import { begin, closedBy } from './vocabulary/head.ts';
import { readLets, tellUnused } from './vocabulary/let.ts';
import { implied, spelledOut } from './vocabulary/notation.ts';
import * as resources from './vocabulary/parts/resources.ts';
import { writtenOut } from './vocabulary/written-out.ts';

/** What reading a document gives: the specification as far as it could be read, and every fault found. */
export interface Reader {
  readonly specification: Specification;
  /** In the order of the text. A document with an error among them is not served or tested. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it was made of a description in another format. Default: false */
  readonly isImported?: boolean;
  /** The answers that were taken for the time being. Default: none */
  readonly assumptions?: readonly Assumption[];
}

/**
 * Reads a specification that stands in one document (language §A).
 *
 * @param file the name to show in messages; its ending tells Markdown from YAML and JSON
 * @param content the document
 * @param assumptions answers to open points that are taken for the time being (language §A.6)
 */
export function read(file: string, content: string, assumptions: readonly Assumption[] = []): Reader {
  return readFolder(file, [{ file, content }], assumptions);
}

/** A document of a folder: the name to show in messages, whose ending tells its kind, and what stands in it. */
export interface Source {
  readonly file: string;
  readonly content: string;
}

/**
 * Reads a specification that stands in the documents of a folder (language §A.2).
 *
 * @param folder the name to show for the whole
 * @param sources the documents, in any order; at least one
 * @param assumptions answers to open points that are taken for the time being (language §A.6)
 * @param uses takes every place at which a name is used, for editors
 */
export function readFolder(
  folder: string,
  sources: readonly Source[],
  assumptions: readonly Assumption[] = [],
  uses: NameUse[] | null = null,
): Reader {
  return atOnce(readFolderInSteps(folder, sources, assumptions, uses));
}

/** {@link readFolder} in steps. */
export function* readFolderInSteps(
  folder: string,
  sources: readonly Source[],
  assumptions: readonly Assumption[] = [],
  uses: NameUse[] | null = null,
): Steps<Reader> {
  if (sources.length === 0) throw new RangeError('a folder without a document is no specification');
  const texts = sources.map(({ file, content }) => text(file, content));
  return yield* readOutlinedInSteps(folder, yield* outlineInSteps(texts.sort(byFile)), assumptions, uses);
}

/**
 * Reads a specification whose parts were taken apart already: those of a document, or what another format was made into.
 *
 * @param file the name to show for the whole
 * @param assumptions answers to open points that are taken for the time being (language §A.6)
 * @param uses takes every place at which a name is used, for editors
 */
export function readOutlined(
  file: string,
  outlined: Outline,
  assumptions: readonly Assumption[] = [],
  uses: NameUse[] | null = null,
): Reader {
  return atOnce(readOutlinedInSteps(file, outlined, assumptions, uses));
}

function* readOutlinedInSteps(
  file: string,
  outlined: Outline,
  assumptions: readonly Assumption[],
  uses: NameUse[] | null,
): Steps<Reader> {
  const reading = begin(outlined, uses);
  const removed = removals(outlined);
  const lets = readLets(get(outlined.head, 'let'), reading);
  yield;
  const listed = withAlternatives(outlined.tree, reading);
  const written = spelledOut(writtenOut(listed, lets, reading), reading);
  const assumed = assume(written, 'assumptions', assumptions, (one) => reading.diagnostics.push(one));
  const tree = assumptions.length === 0 ? assumed : spelledOut(writtenOut(assumed, lets, reading), reading);
  tellUnused(lets, reading);
  yield;
  const readParts = (statements: Mapping, inner: Reading): Steps<Specification> =>
    readTree(implied(statements), file, outlined, inner);
  const newest = yield* readParts(tree, reading);
  yield* validateInSteps(newest, reading);
  const older = yield* readOlderInSteps(newest, tree, reading, readParts);
  const lists = listsAssumed(assumptions);
  const completeness = reading.completeness.assuming(lists ? closedBy(lists, outlined, reading) : []);
  const specification: Specification = { ...newest, completeness, points: ordered(reading.points), older };
  const own = reading.diagnostics.filter(isOwn(outlined));
  const old = removed.map(diagnosed);
  // What else is said of a word that is gone follows from that.
  const others = own.filter(({ span }) => !old.some((one) => overlaps(one.span, span)));
  return { specification, diagnostics: sorted([...others, ...old]) };
}

function overlaps(a: Span, b: Span): boolean {
  return a.text === b.text && a.start < b.end && b.start < a.end;
}

/** Reads the parts, and what follows from them for resources and operations. */
function* readTree(tree: Mapping, file: string, outlined: Outline, reading: Reading): Steps<Specification> {
  const place = (part: Part): Span => outlined.places.get(part) ?? tree.span;
  const said: Partial<Record<Part, Said<unknown>>> = {};
  for (const part of parts) {
    const node: Node | undefined = tree.entries.get(part)?.value;
    said[part] = readPart(part, node, { address: part, at: place(part) }, reading);
    yield;
  }
  const statements = said as unknown as Statements;
  const found = stated(statements.resources);
  const names = namedResources(statements);
  const byName = new Map<string, resources.Resource>();
  for (const [name, entry] of found ?? []) {
    const one = stated(entry);
    if (one?.kind === 'resource') byName.set(name, one);
    else if (entry.kind === 'open') byName.set(name, resources.silent(name, entry.at, reading));
  }
  for (const name of names)
    if (!byName.has(name) && !found?.has(name))
      byName.set(name, resources.silent(name, place('resources'), reading));
  checkLists(reading);
  const operations: Operation[] = [];
  for (const entry of stated(statements.endpoints)?.entries.values() ?? []) {
    const endpoint = stated(entry);
    if (endpoint) operations.push(resolve(endpoint, byName));
  }
  return {
    ...statements,
    name: outlined.name,
    file,
    tree,
    places: outlined.places,
    completeness: reading.completeness,
    points: reading.points,
    resourcesByName: byName,
    operations,
    older: new Map(),
  };
}

/** Whether a fault is one of its own, and does not follow from YAML that could not be read. */
function isOwn({ diagnostics, unreadable }: Outline): (one: Diagnostic) => boolean {
  const known = new Set(diagnostics);
  return (one) =>
    known.has(one) ||
    !unreadable.some(
      ({ text, start, end }) => one.span.text === text && one.span.start >= start && one.span.end <= end,
    );
}

/** Reads a part; where nothing is stated, notes the points that it is there to state. */
function readPart(part: Part, node: Node | undefined, place: Place, reading: Reading): Said<unknown> {
  const key = documentParts[part] as Key<unknown>;
  if (node !== undefined) return say(node, key, place, reading);
  key.read(mapping([], place.at), place, reading);
  return { kind: 'open', question: null, address: part, at: place.at };
}

/** Resources that endpoints name and nothing describes: everything about them is open. */
function namedResources(statements: Statements): string[] {
  const names: string[] = [];
  for (const entry of stated(statements.endpoints)?.entries.values() ?? []) {
    const endpoint = stated(entry);
    const change = endpoint && stated(endpoint.does);
    if (change && isAboutResource(change) && /^[A-Z]/.test(change.subject.name))
      names.push(change.subject.name);
  }
  return names;
}

/** What the head closes and opens are lists of this document (language §D.2, §D.3). */
function checkLists(reading: Reading): void {
  const { completeness, points } = reading;
  const named = [...completeness.closedLists, ...completeness.openedLists];
  const known = named.length === 0 ? [] : [...points.keys()];
  const within = new Set(known.flatMap((address) => [...upwards(address)]));
  const lists = known.filter((one) => one.endsWith('.*')).map((one) => one.slice(0, -2));
  for (const { above, at } of named)
    if (!within.has(above)) unknownName(above, at, 'a list of this document', lists, reading);
  for (const { above, at, question } of completeness.openedLists)
    if (!points.has(rest(above))) reading.point(rest(above), 'open', at, question);
}

/** In the order of the parts; within a part as they were come across. */
function ordered(points: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  if (isOrdered(points)) return points;
  const byPart = Map.groupBy(points.values(), ({ address }) =>
    parts.find((part) => address.startsWith(part)),
  );
  const found = new Map<string, Point>();
  for (const part of parts) for (const point of byPart.get(part) ?? []) found.set(point.address, point);
  return found;
}

/** Whether they are in order as they were come across: nearly always, and there may be very many. */
function isOrdered(points: ReadonlyMap<string, Point>): boolean {
  let place = 0;
  for (const address of points.keys()) {
    while (place < parts.length && !address.startsWith(parts[place] as string)) place += 1;
    if (place === parts.length) return false;
  }
  return true;
}
