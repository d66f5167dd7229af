import { described } from '../../expression/type.ts';
import type { Span } from '../../source/text.ts';
import type { Specification } from '../model/specification.ts';
import { shownNames } from '../reading/nearest.ts';
import { type Reading, unknownName } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import { type Change, isAboutResource, type Qualifier, verbs } from '../vocabulary/change.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { knownBy } from './lacking.ts';
import { checkEntry, checkField, nameAt, resourceNames, transitionsOf } from './names.ts';
import { checkSent } from './run.ts';
import type { Bound, Situation, Standing } from './scope.ts';
import type { Typing } from './typing.ts';

/** Where a change stands: what `does` says, or one that follows it (language §H.2). */
export interface Setting {
  readonly as: 'does' | 'also';
  /** What its expressions may name; `this` is what `does` was about. */
  readonly standing: Omit<Standing, 'situation'>;
}

type Of = Specification;

const moves = 'a transition';

/** The verbs that each qualifier says something of; a change that follows another may have `when` and `for` as well. */
const qualified: { readonly [Q in Qualifier]: readonly string[] } = {
  with: ['create', 'update', 'replace', moves],
  where: ['read', 'list', 'update', 'replace', 'delete', moves],
  present: ['create'],
  same: ['update', 'replace', 'create'],
  absent: ['read', 'update', 'replace', 'delete', moves],
  order: ['list'],
  when: [],
  for: ['run'],
  request: ['run'],
  as: ['create', 'read', 'update', 'replace', 'delete', 'authenticate', moves],
  by: ['authenticate'],
  gives: ['handled'],
  may: ['handled'],
};

/** Checks what a change says of other parts, and gives the name that it binds for what comes after. */
export function checkChange(
  of: Of,
  change: Change,
  setting: Setting,
  typing: Typing,
  reading: Reading,
): Bound[] {
  const { qualifiers, verb } = change;
  const own: Bound[] = qualifiers.for.kind === 'stated' ? [{ name: 'value', resource: null }] : [];
  const standing = { ...setting.standing, bound: [...setting.standing.bound, ...own] };
  const item: Situation = setting.as === 'also' ? 'also' : 'item';
  const target = targetOf(of, change, { ...standing, situation: item }, typing, reading);
  const resource = target === undefined ? undefined : of.resourcesByName.get(target);
  checkVerb(of, change, target, reading);
  for (const [name, said] of Object.entries(qualifiers) as [Qualifier, Said<unknown>][]) {
    const follows = setting.as === 'also' && (name === 'when' || name === 'for');
    const kind = (verbs as readonly string[]).includes(verb) ? verb : moves;
    if (said.kind === 'open' || follows || qualified[name].includes(kind)) continue;
    reading.report('idle', nameAt(of, said), { key: name, where: kind });
  }
  const present = stated(qualifiers.present);
  if (verb === 'create' && qualifiers.same.kind !== 'open' && present !== 'update' && present !== 'replace')
    reading.report('idle', nameAt(of, qualifiers.same), {
      key: 'same',
      where: 'create without `present: update` or `replace`',
    });
  const name = stated(qualifiers.as)?.text;
  const made: Bound[] = name === undefined ? [] : [{ name, resource: target ?? null }];
  // What is being made is not there yet to be named; what is found is.
  const within = verb === 'create' ? standing : { ...standing, bound: [...standing.bound, ...made] };
  const truth = (said: Said<PlacedTemplate>, at: Standing): void => {
    if (said.kind === 'stated') typing.truth(said.value, at);
  };
  if (verb === 'run') checkSent(change, setting.standing, own, typing, reading);
  else typing.template(qualifiers.for, { ...setting.standing, situation: item });
  truth(qualifiers.when, { ...standing, situation: item });
  const judged = {
    ...within,
    situation: item,
    subject: resource ?? null,
    before: standing.subject,
    findsRows: true,
  };
  truth(qualifiers.where, judged);
  if (qualifiers.where.kind === 'stated') typing.storable(qualifiers.where.value);
  const known = [
    ...(standing.known ?? []),
    ...[qualifiers.when, ...(setting.as === 'does' ? [qualifiers.where] : [])].flatMap((said) =>
      knownBy(stated(said), true),
    ),
  ];
  const giving = { ...givingIn(setting, verb, within, resource), known };
  for (const given of stated(qualifiers.with) ?? []) checkGiven(of, given, resource, giving, typing, reading);
  checkOrder(of, qualifiers.order, resource, { ...standing, situation: 'request' }, typing, reading);
  for (const [name, said] of stated(qualifiers.by) ?? []) {
    if (resource) checkField(of, resource.name, name, nameAt(of, said), reading);
    typing.template(said, { ...standing, situation: 'request' });
  }
  for (const use of stated(qualifiers.gives)?.uses ?? [])
    checkEntry(of, use.name, use.at, 'a shape', reading);
  for (const { verb: allowed, resource: name, at } of stated(qualifiers.may) ?? []) {
    checkEntry(of, name, at, 'a resource', reading);
    checkMove(of, allowed, name, at, reading);
  }
  return made.map((one) => ({ ...one, isList: qualifiers.for.kind === 'stated' }));
}

/** What `with` may name: in what follows, what `does` was about; in `does`, the item that is changed (language §H.2). */
function givingIn(
  { as }: Setting,
  verb: string,
  standing: Setting['standing'],
  resource: Resource | undefined,
): Standing {
  if (as === 'also') return { ...standing, situation: 'with of also' };
  const situation = verb === 'create' ? 'with of a new item' : 'with';
  return { ...standing, situation, subject: resource ?? null };
}

/** Changes that follow another: each may name what those before it bind. */
export function checkAlso(
  of: Of,
  changes: readonly Change[],
  standing: Omit<Standing, 'situation'>,
  typing: Typing,
  reading: Reading,
): readonly Bound[] {
  let { bound } = standing;
  for (const change of changes)
    bound = [
      ...bound,
      ...checkChange(of, change, { as: 'also', standing: { ...standing, bound } }, typing, reading),
    ];
  return bound;
}

/** The resource whose items it is about, where that can be told. */
function targetOf(
  of: Of,
  { subject, verb }: Change,
  standing: Standing,
  typing: Typing,
  reading: Reading,
): string | undefined {
  if (verb === 'handled' || verb === 'run') return undefined;
  if (verb === 'revoke') {
    const schemes = [...(stated(stated(of.authentication)?.schemes)?.keys() ?? [])];
    if (subject.name !== null) reading.use('scheme', subject.name, subject.at);
    if (subject.name !== null && schemes.length > 0 && !schemes.includes(subject.name))
      unknownName(subject.name, subject.at, 'a scheme', schemes, reading);
    return undefined;
  }
  if (subject.kind === 'expression') {
    const type = typing.check(subject.item, standing);
    if (type?.kind === 'item') return type.resource;
    if (type && type.kind !== 'any' && type.kind !== 'null')
      reading.report('wrong-kind', subject.at, { wanted: 'one item', found: described(type) });
    return undefined;
  }
  if (subject.kind === 'named') {
    if (subject.name === 'this') return standing.subject?.name;
    const bound = standing.bound.find((one) => one.name === subject.name);
    const known = ['this', ...standing.bound.map((one) => one.name), ...resourceNames(of)];
    if (bound === undefined) unknownName(subject.name, subject.at, 'a resource or an item', known, reading);
    if (bound?.isList)
      reading.report('wrong-kind', subject.at, { wanted: 'one item', found: 'a list of items' });
    return bound?.resource ?? undefined;
  }
  const entry = stated(stated(of.resources)?.get(subject.name));
  if (entry && entry.kind !== 'resource')
    unknownName(subject.name, subject.at, 'a resource that is kept', resourceNames(of), reading);
  else checkEntry(of, subject.name, subject.at, 'a resource', reading);
  return subject.name;
}

function checkVerb(of: Of, change: Change, target: string | undefined, reading: Reading): void {
  const { verb, subject, at } = change;
  if (subject.kind === 'every' && ['create', 'read', 'list', 'replace', 'authenticate', 'run'].includes(verb))
    reading.report('idle', subject.at, { key: 'every', where: verb });
  if (isAboutResource(change) || target !== undefined) checkMove(of, verb, target as string, at, reading);
}

/** A verb, or a transition of the resource; one that part 3 may still name is silence, and no fault. */
function checkMove(of: Of, written: string, resource: string, at: Span, reading: Reading): void {
  const transitions = transitionsOf(of, resource);
  const known = [...verbs, ...transitions];
  if (transitions.includes(written)) reading.use('transition', `${resource}.${written}`, at);
  if (known.includes(written)) return;
  const close = reading.suggest(written, known);
  if (of.completeness.closed('states') === undefined && transitions.length === 0 && !close) return;
  const hint = close ? `did you mean ${close}?` : `verbs are: ${shownNames(known)}`;
  reading.report('unknown-verb', at, { verb: written }, { hint });
}

/** What `with` sets: fields of the resource, each to a value of its own kind. */
function checkGiven(
  of: Of,
  given: PlacedTemplate,
  resource: Resource | undefined,
  standing: Standing,
  typing: Typing,
  reading: Reading,
): void {
  if (given.node.kind !== 'map' || given.template.kind !== 'object') {
    typing.check(given, standing, { kind: 'object', members: new Map(), more: true });
    return;
  }
  for (const [name, { key, value }] of given.node.entries) {
    const template = given.template.members.get(name);
    if (template === undefined) continue;
    if (resource) checkField(of, resource.name, name, key, reading);
    const field = resource?.fields.get(name);
    const placed = { template, node: value };
    if (field) typing.kept(placed, standing, field, typing.fieldType(field), 'with');
    else typing.check(placed, standing);
  }
}

/** The order of a list: fields that rows can be found by, or an expression for the text (language §H.2). */
function checkOrder(
  of: Of,
  said: Change['qualifiers']['order'],
  resource: Resource | undefined,
  standing: Standing,
  typing: Typing,
  reading: Reading,
): void {
  const order = stated(said);
  if (order === undefined) return;
  if ('template' in order) {
    typing.check(order, standing, { kind: 'text' });
    return;
  }
  if (resource)
    for (const { text, at } of order)
      checkSortable(of, resource, text.replace(/^-/, ''), at, typing, reading);
}

/** A field by which items may be put in order. */
export function checkSortable(
  of: Of,
  resource: Resource,
  name: string,
  at: Span,
  typing: Typing,
  reading: Reading,
): void {
  checkField(of, resource.name, name, at, reading);
  const field: Field | undefined = resource.fields.get(name);
  const problem = field && typing.notFoundBy(field);
  if (problem === undefined) return;
  const { message, hint } = problem;
  reading.report(
    'not-storable',
    at,
    { problem: `no rows can be put in order by ${name}: ${message}` },
    hint === undefined ? {} : { hint },
  );
}
