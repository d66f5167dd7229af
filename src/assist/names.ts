import { get, type Node } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { find, steps } from '../specification/reading/address.ts';
import type { Outline } from '../specification/reading/document.ts';
import type { NameKind, NameUse } from '../specification/reading/name-use.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import { nameAt } from '../specification/rules/names.ts';
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
    { kind: NameKind; name: string; word: string; at: Place | null; all: Place[] }
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
  for (const { kind, name, at } of [...uses, ...keyed(of), ...addressed(of, outlined)]) {
    const word = wordOf(kind, name, found);
    const place = wordIn(at, word, kind === 'entry' || kind === 'operation' ? 'first' : 'last');
    if (place) nameOf(kind, name, word).all.push(place);
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

/** What is written of a name: of one that belongs to something, what stands behind that. */
function wordOf(kind: NameKind, name: string, known: ReadonlyMap<string, { readonly word: string }>): string {
  const declared = known.get(`${kind} ${name}`);
  if (declared) return declared.word;
  if (kind === 'field' || kind === 'transition') return name.slice(name.indexOf('.') + 1);
  return kind === 'state' ? name.slice(name.lastIndexOf('.') + 1) : name;
}

type Entries = ReadonlyMap<string, { readonly address: string; readonly at: Span } & Said<unknown>>;

function* declarations(of: Specification, { head }: Outline): Generator<Declared> {
  const all = function* (kind: NameKind, said: Said<Entries> | undefined): Generator<Declared> {
    for (const [word, one] of stated(said) ?? []) yield { kind, name: word, word, at: nameAt(of, one) };
  };
  yield* entries(of);
  yield* machines(of);
  for (const { endpoint, name, key, at } of of.operations) {
    const named = stated(endpoint.operation);
    yield { kind: 'operation', name, word: named ? name : key, at: named?.at ?? at };
  }
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
  const lets = get(head, 'let');
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

/** Fields that a path names by `{field}` alone, with what is said of them (language §E.12): in further paths and examples, too. */
function* keyed(of: Specification): Generator<NameUse> {
  for (const { endpoint, ...operation } of of.operations)
    for (const [parameter, name] of keysOfPath({ endpoint, ...operation })) {
      for (const { at } of stated(endpoint.paths) ?? []) yield { kind: 'field', name, at };
      for (const example of endpoint.examples.values()) {
        const request = stated(example)?.request;
        const path = request && stated(request)?.path;
        const given = path && stated(path)?.get(parameter);
        if (given) yield { kind: 'field', name, at: nameAt(of, given) };
      }
    }
}

/** The parameters of a path that no statement binds, since they have the name of the field that they are. */
function keysOfPath({ request, at }: Operation): readonly (readonly [parameter: string, field: string])[] {
  return [...((request && stated(request.path)) ?? [])].flatMap(([parameter, said]) => {
    const binding = stated(said)?.binding;
    const isImplied = said.at.text === at.text && said.at.start === at.start;
    return binding && isImplied ? [[parameter, `${binding.resource}.${binding.field}`] as const] : [];
  });
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
  const [part, first, list, second] = (steps(address) ?? []).map(String);
  if (first === undefined || first === '*') return;
  const inner = second !== undefined && second !== '*' ? second : null;
  if (part === 'resources') {
    yield { kind: 'entry', name: first, at };
    if (list === 'fields' && inner !== null) yield { kind: 'field', name: `${first}.${inner}`, at };
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
  if (part === 'endpoints')
    for (const operation of of.operations.filter(({ key }) => key === first))
      for (const [, name] of keysOfPath(operation)) yield { kind: 'field', name, at };
  if (part === 'endpoints' && list !== undefined && of.operations.some(({ name }) => name === list))
    yield { kind: 'operation', name: list, at };
}

/** Those whose declaration or use an offset of a file is in: of several that stand there, each. */
export function namesAt(names: readonly Named[], file: string, offset: number): readonly Named[] {
  const isHere = (place: Place | null): boolean =>
    place !== null && place.file === file && place.start <= offset && offset <= place.end;
  return names.filter(({ declared, uses }) => isHere(declared) || uses.some(isHere));
}
