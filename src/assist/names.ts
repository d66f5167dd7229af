import { get, type Node } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { find, steps } from '../specification/reading/address.ts';
import type { Outline } from '../specification/reading/document.ts';
import type { NameKind, NameUse } from '../specification/reading/name-use.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import { nameAt } from '../specification/rules/names.ts';
import { declaredParameters, fieldsInPaths, parametersInAddress, parametersWritten } from './parameters.ts';
import { byPlace, type Place, samePlace, wordIn } from './place.ts';

/** A name that the author gave: where it is declared, and where it is used. */
export interface Named {
  readonly kind: NameKind;
  /** With what it belongs to, such as `Parcel.weight`. */
  readonly name: string;
  /** What is written: `weight`. */
  readonly word: string;
  /** Null: it is used, and declared nowhere. */
  readonly declared: Place | null;
  /** In the order of the text, without the declaration. */
  readonly uses: readonly Place[];
  /** It stands behind a dot somewhere, where it can be nothing but letters, digits and _. Left out: no, or its kind is such. */
  readonly isDotted?: true;
}

interface Declared {
  readonly kind: NameKind;
  readonly name: string;
  readonly word: string;
  readonly at: Span;
}

/** Every name of a document. What a name is written over in the ledger is not part of it. */
export function namesOf(of: Specification, outlined: Outline, uses: readonly NameUse[]): Named[] {
  const found = new Map<
    string,
    { kind: NameKind; name: string; word: string; at: Place | null; all: Place[]; isDotted?: true }
  >();
  const nameOf = (kind: NameKind, name: string, word: string) => {
    const key = `${kind} ${name}`;
    const known = found.get(key) ?? { kind, name, word, at: null, all: [] };
    found.set(key, known);
    return known;
  };
  for (const { kind, name, word, at } of declarations(of, outlined)) {
    const known = nameOf(kind, name, word);
    known.at ??= wordIn(at, word, 'first');
  }
  const fields = fieldsInPaths(of);
  // Such a parameter has no name but that of its field; another one of its path cannot have it, either.
  for (const name of fields.keys()) nameOf('parameter', name, wordOf('parameter', name, found));
  for (const use of usesOf(of, outlined, uses)) {
    const field = use.kind === 'parameter' ? fields.get(use.name) : undefined;
    const [kind, name] = field === undefined ? [use.kind, use.name] : (['field', field] as const);
    const word = wordOf(kind, name, found);
    const place = placeIn(use.at, kind, word);
    if (!place) continue;
    const known = nameOf(kind, name, word);
    known.all.push(place);
    if (kind === 'parameter' && use.at.text.content[place.start - 1] === '.') known.isDotted = true;
  }
  return [...found.values()].map(({ at, all, ...known }) => ({
    ...known,
    declared: at,
    uses: all
      .sort(byPlace)
      .filter(
        (one, index) =>
          (index === 0 || !samePlace(one, all[index - 1] as Place)) && !(at && samePlace(at, one)),
      ),
  }));
}

function usesOf(of: Specification, outlined: Outline, uses: readonly NameUse[]): readonly NameUse[] {
  const inPaths = parametersWritten(of, outlined, uses);
  return [...uses, ...inPaths, ...sentences(of), ...addressed(of, outlined)];
}

/** Where a name stands in what it is part of. The names of header fields match in any case. */
function placeIn(at: Span, kind: NameKind, word: string): Place | null {
  const found = wordIn(at, word, kind === 'entry' || kind === 'operation' ? 'first' : 'last');
  if (found || kind !== 'parameter') return found;
  const start = at.text.content.slice(at.start, at.end).toLowerCase().lastIndexOf(word.toLowerCase());
  return start < 0
    ? null
    : { file: at.text.file, start: at.start + start, end: at.start + start + word.length };
}

/** What is written of a name: of one that belongs to something, what stands behind that. */
function wordOf(kind: NameKind, name: string, known: ReadonlyMap<string, { readonly word: string }>): string {
  const declared = known.get(`${kind} ${name}`);
  if (declared) return declared.word;
  if (kind === 'parameter') return name.replace(/^.* (?:path|query|headers)\./, '');
  if (kind === 'field' || kind === 'transition') return name.slice(name.indexOf('.') + 1);
  return kind === 'state' ? name.slice(name.lastIndexOf('.') + 1) : name;
}

type Entries = ReadonlyMap<string, { readonly address: string; readonly at: Span } & Said<unknown>>;

function* declarations(of: Specification, outlined: Outline): Generator<Declared> {
  const all = function* (kind: NameKind, said: Said<Entries> | undefined): Generator<Declared> {
    for (const [word, one] of stated(said) ?? []) yield { kind, name: word, word, at: nameAt(of, one) };
  };
  yield* entries(of);
  yield* machines(of);
  for (const { endpoint, name, key, at } of of.operations) {
    const named = stated(endpoint.operation);
    yield { kind: 'operation', name, word: named ? name : key, at: named?.at ?? at };
  }
  for (const one of declaredParameters(of, outlined)) yield { kind: 'parameter', ...one };
  for (const { kind, name, word, at } of sentences(of)) yield { kind, name, word, at };
  const authentication = stated(of.authentication);
  const limits = stated(of.limits);
  yield* all('actor', stated(of.service)?.actors);
  yield* all('actor', authentication?.actors);
  yield* all('scheme', authentication?.schemes);
  yield* all('event', stated(of.events)?.kinds);
  yield* all('code', stated(of.errors)?.codes);
  yield* all('rate', limits?.rates);
  yield* all('rate', limits?.concurrency);
  yield* all('quota', limits?.quotas);
  yield* all('version', stated(of.versioning)?.versions);
  const lets = get(outlined.head, 'let');
  for (const [written, { key }] of lets?.kind === 'map' ? lets.entries : []) {
    const word = written.replace(/\(.*$/s, '');
    yield { kind: 'let', name: word, word, at: key };
  }
}

function* entries(of: Specification): Generator<Declared> {
  for (const [name, said] of stated(of.resources) ?? []) {
    yield { kind: 'entry', name, word: name, at: nameAt(of, said) };
    const entry = stated(said);
    const fields = entry?.kind === 'shape' ? entry.shape.object?.fields : entry?.fields;
    for (const [word, field] of fields ?? [])
      yield { kind: 'field', name: `${name}.${word}`, word, at: nameAt(of, field) };
  }
}

/** Invariants of resources and rules of fields, by their sentences: the newest version's first, then older ones'. */
function* sentences(of: Specification): Generator<Declared> {
  for (const { specification: one } of [{ specification: of }, ...of.older.values()])
    for (const [name, { invariants, fields }] of one.resourcesByName) {
      for (const [word, said] of stated(invariants) ?? [])
        yield { kind: 'invariant', name: `${name}.${word}`, word, at: nameAt(one, said) };
      for (const [field, { holds }] of fields)
        for (const [word, said] of stated(holds) ?? [])
          yield { kind: 'rule', name: `${name}.${field}.${word}`, word, at: nameAt(one, said) };
    }
}

function* machines(of: Specification): Generator<Declared> {
  for (const [machine, said] of stated(of.states) ?? []) {
    const [resource = ''] = machine.split('.');
    const { states, transitions } = stated(said) ?? {};
    for (const { text, at } of stated(states) ?? [])
      yield { kind: 'state', name: `${machine}.${text}`, word: text, at };
    for (const [word, move] of stated(transitions) ?? [])
      yield { kind: 'transition', name: `${resource}.${word}`, word, at: nameAt(of, move) };
  }
}

/** The names in addresses: what the head closes and opens, defaults by address, and what older versions state otherwise. */
function* addressed(of: Specification, { head, tree }: Outline): Generator<NameUse> {
  const complete = get(head, 'complete');
  const written: (readonly [string, Span])[] = [
    ...(complete?.kind === 'list' ? complete.items : []).flatMap((item) =>
      item.kind === 'scalar' ? [[item.written, item.span] as const] : [],
    ),
    ...keysOf(get(head, 'open')),
    ...keysOf(find(tree, ['limits', 'defaults'])),
  ];
  const versions = find(tree, ['versioning', 'versions']);
  for (const { value } of versions?.kind === 'map' ? versions.entries.values() : [])
    written.push(...keysOf(get(value, 'differs')));
  for (const [address, at] of written) yield* inAddress(of, address, at);
}

function keysOf(node: Node | undefined): (readonly [string, Span])[] {
  return node?.kind === 'map' ? [...node.entries].map(([name, { key }]) => [name, key] as const) : [];
}

function* inAddress(of: Specification, address: string, at: Span): Generator<NameUse> {
  const [part, first, list, second, key, sentence] = (steps(address) ?? []).map(String);
  if (first === undefined || first === '*') return;
  const inner = second !== undefined && second !== '*' ? second : null;
  if (part === 'resources') {
    yield { kind: 'entry', name: first, at };
    if (list === 'fields' && inner !== null) yield { kind: 'field', name: `${first}.${inner}`, at };
    if (list === 'fields' && key === 'holds' && sentence !== undefined)
      yield { kind: 'rule', name: `${first}.${inner}.${sentence}`, at };
    if (list === 'invariants' && inner !== null) yield { kind: 'invariant', name: `${first}.${inner}`, at };
  }
  if (part === 'states') {
    const [resource = ''] = first.split('.');
    yield { kind: 'entry', name: resource, at };
    yield { kind: 'field', name: first, at };
    if (list === 'transitions' && inner !== null)
      yield { kind: 'transition', name: `${resource}.${inner}`, at };
  }
  const named: Readonly<Record<string, NameKind>> = {
    'service.actors': 'actor',
    'authentication.actors': 'actor',
    'authentication.schemes': 'scheme',
    'authentication.authorization': 'operation',
    'events.kinds': 'event',
    'errors.codes': 'code',
    'limits.rates': 'rate',
    'limits.quotas': 'quota',
    'versioning.versions': 'version',
  };
  const place = `${part}.${first}`;
  const kind = Object.hasOwn(named, place) ? named[place] : undefined;
  if (kind !== undefined && list !== undefined && list !== '*') yield { kind, name: list, at };
  yield* parametersInAddress(of, address, at);
  if (part === 'endpoints' && list !== undefined && of.operations.some(({ name }) => name === list))
    yield { kind: 'operation', name: list, at };
}

/** Those whose declaration or use an offset of a file is in: of several that stand there, each. */
export function namesAt(names: readonly Named[], file: string, offset: number): readonly Named[] {
  const isHere = (place: Place | null): boolean =>
    place !== null && place.file === file && place.start <= offset && offset <= place.end;
  return names.filter(({ declared, uses }) => isHere(declared) || uses.some(isHere));
}
