import type { Span } from '../source/text.ts';
import { type Operation, queryFields } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, isUnder, step } from '../specification/reading/address.ts';
import { isSaid, type Said, stated } from '../specification/reading/said.ts';
import { type Change, isAboutResource } from '../specification/vocabulary/change.ts';
import { isBinary } from '../specification/vocabulary/shape.ts';
import { alternativesOf, isFree, obtainable } from './access/schemes.ts';
import { alsoAny, touchedBy } from './foresee/also.ts';
import { mediaOf } from './spell.ts';
import { newestOf } from './spoken.ts';
import { type Move, moveNamed } from './states/machines.ts';

/** A statement that bears on an operation, and that the tester cannot bring about or foresee. */
export interface Unexercised {
  readonly address: Address;
  readonly at: Span;
  /** A word of the language that the tester does not know yet; left out: it cannot come by what is stated. */
  readonly word?: string;
}

const verbs = ['create', 'read', 'list', 'update', 'replace', 'delete'];

/**
 * The statements for which an operation is not exercised. It is a list of the tester's own: what this version's
 * service runs has no part in it, since any implementation may be tested.
 */
export function unexercised(of: Specification, operation: Operation): Unexercised[] {
  const found: Unexercised[] = [];
  const add = (said: Said<unknown> | undefined, word?: string): void => {
    if (said && isSaid(said) && said.kind !== 'none')
      found.push({ address: said.address, at: said.at, ...(word !== undefined && { word }) });
  };
  if (!isAskable(of, operation)) add(of.authentication);
  add(unnamedVersion(of));
  if (mediaOf(operation).toLowerCase().startsWith('multipart/'))
    add(operation.request?.media, 'content in parts');
  if (sendsBytes(operation)) add(operation.request?.body, 'bytes in a request');
  if (operation.endpoint.among !== null) found.push({ ...operation, word: 'the choice among operations' });
  // The tester names items in the path alone.
  if (queryFields(operation).size > 0) add(operation.request?.query);
  const change = stated(operation.does);
  if (change) {
    const { subject } = operation;
    const isMove = subject !== null && moveNamed(of, subject, change.verb) !== undefined;
    const word = change.verb === 'run' ? 'operations that run others' : undefined;
    if ((!verbs.includes(change.verb) && !isMove) || !isAboutResource(change))
      found.push({ address: step(operation.address, 'does'), at: change.at, ...(word && { word }) });
    const { with: _, where, order, as, present, absent, same, ...others } = change.qualifiers;
    for (const one of Object.values<Said<unknown>>(others)) add(one, word);
  }
  for (const { address, at, change: one } of alsoAny(of, operation, movesOf(of, operation)))
    if (!isForeseen(of, one)) found.push({ address, at });
  const touched = [operation.subject?.name ?? '', ...touchedBy(of, operation)];
  for (const { work, changes } of worked(of))
    if (changes === null || touched.some((name) => changes.includes(name))) add(work);
  return found;
}

/** Whether a request is bytes, or has to bring some. */
function sendsBytes({ request, subject, does }: Operation): boolean {
  const body = request && stated(request.body);
  if (!body) return false;
  const isWhole = ['create', 'replace'].includes(stated(does)?.verb ?? '');
  const required = isWhole && body.of?.name === subject?.name ? (stated(subject?.required) ?? []) : [];
  return (
    isBinary(body.shape) ||
    required.some(({ name }) => {
      const field = subject?.fields.get(name);
      return field !== undefined && isBinary(field.shape);
    })
  );
}

/** Whether its verb alone keeps an operation from being exercised: what refuses a request comes before it (language §I, §H.2). */
export function isOnlyUnforeseen(of: Specification, operation: Operation): boolean {
  const does = step(operation.address, 'does');
  return (
    ['handled', 'run'].includes(stated(operation.does)?.verb ?? '') &&
    unexercised(of, operation).every(({ address }) => isUnder(address, does))
  );
}

/** The work of states, with the resources whose items it may change meanwhile; null: any (language §I). */
function worked(of: Specification): { readonly work: Said<unknown>; readonly changes: string[] | null }[] {
  return [...(stated(of.states)?.values() ?? [])].flatMap((said) => {
    const machine = stated(said);
    if (machine === undefined || machine.work.kind === 'open') return [];
    const may = [...(stated(machine.work)?.values() ?? [])].map((one) => stated(stated(one)?.may));
    const isOpen = may.includes(undefined);
    const changing = may.flatMap((all) => all ?? []).filter(({ verb }) => !['read', 'list'].includes(verb));
    return [{ work: machine.work, changes: isOpen ? null : changing.map(({ resource }) => resource) }];
  });
}

/** Where requests name their version, and there is none to name. */
function unnamedVersion(of: Specification): Said<unknown> | undefined {
  const place = stated(of.versioning)?.place;
  return place && stated(place) && newestOf(of) === undefined ? place : undefined;
}

/** Whether the tester can say who asks, as the operation's rule wants it. */
function isAskable(of: Specification, operation: Operation): boolean {
  if (isFree(of, operation)) return true;
  const found = obtainable(of);
  return alternativesOf(of, operation).some((all) => all.every((name) => found.has(name)));
}

/** The transitions that an operation may make. */
function movesOf(of: Specification, { subject, does }: Operation): readonly Move[] {
  return subject === null ? [] : [moveNamed(of, subject, stated(does)?.verb ?? '') ?? []].flat();
}

/** Whether what follows can be worked out: handlers and credentials cannot. */
function isForeseen(of: Specification, { verb, subject }: Change): boolean {
  const resource = of.resourcesByName.get(subject.name ?? '');
  if (subject.kind === 'expression' || subject.kind === 'named')
    return !['revoke', 'handled', 'authenticate'].includes(verb);
  return verbs.includes(verb) || (resource !== undefined && moveNamed(of, resource, verb) !== undefined);
}
