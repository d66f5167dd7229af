import { children, type Syntax } from '../../expression/expression.ts';
import { expressionsIn, type Template, wholePath } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import { changesIn, changesOf } from '../../specification/model/changes.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import type { Grant } from '../../specification/vocabulary/rule.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';

/** What implementations write in different ways. */
export type Written = 'null' | 'number' | 'time';

const all: ReadonlySet<Written> = new Set(['null', 'number', 'time']);

/** Which of these values the answers of an operation may show. If that is not sure, they may (language §H.3). */
export const mayShow = once((operation: Operation, specification: Specification): ReadonlySet<Written> => {
  const found = new Set<Written>();
  const known = new Set<string>();
  const add = (kinds: Iterable<Written>): void => {
    for (const kind of kinds) found.add(kind);
  };
  const inTemplate = (template: Template): void => {
    if (template.kind === 'literal') add(ofLiteral(template.value));
    if (template.kind === 'list') template.items.forEach(inTemplate);
    if (template.kind === 'object') for (const member of template.members.values()) inTemplate(member);
    for (const { syntax } of expressionsIn(template)) for (const word of wordsIn(syntax, add)) inWord(word);
  };
  const inWord = (word: string): void => {
    if (known.has(word)) return;
    known.add(word);
    add(ofWord[word] ?? []);
    fieldsNamed(word, specification).forEach(inField);
    shownAs(word, specification).forEach(inField);
  };
  const inField = (field: Field): void => {
    add(ofField(field, specification));
    const to = stated(field.refers)?.resource;
    if (to !== undefined) keysOf(to, specification).forEach(inField);
    // Whatever an expression reads, it comes to a value of the type.
    if (isPlain(field)) return;
    const templates = [field.derived, field.shown, field.create, field.update].flatMap(
      (said) => stated(said) ?? [],
    );
    for (const { template } of templates) inTemplate(template);
  };
  for (const { body, content } of stated(operation.response) ?? []) {
    const said = stated(body);
    if (content.kind === 'stated' || body.kind === 'any') return all;
    if (said !== undefined) inTemplate(said.template);
  }
  return found;
});

/** What expressions compute that is no field. */
const ofWord: Readonly<Record<string, readonly Written[]>> = {
  now: ['time'],
  timestamp: ['time'],
  at: ['time'],
  request: ['null', 'number', 'time'],
  total: ['number'],
  offset: ['number'],
  number: ['number'],
  size: ['number'],
  sum: ['number'],
  int: ['number'],
  double: ['number'],
  next: ['null'],
  previous: ['null'],
};

/** The names in an expression. Numbers, and null, are added as they are. */
function wordsIn(node: Syntax, add: (kinds: readonly Written[]) => void): readonly string[] {
  const within = children(node).flatMap((part) => wordsIn(part, add));
  if (node.op === 'value') {
    const value: unknown = node.args;
    add(value === null ? ['null'] : typeof value === 'bigint' || typeof value === 'number' ? ['number'] : []);
    return typeof value === 'string' ? [value] : [];
  }
  if (node.op === '.?') add(['null']);
  if (['+', '-', '*', '/', '%'].includes(node.op)) add(['number']);
  if (node.op === 'id') return [String(node.args)];
  if (node.op === 'call' || node.op === 'rcall') return [String(node.args[0]), ...within];
  return node.op === '.' || node.op === '.?' ? [String(node.args[1]), ...within] : within;
}

function ofLiteral(value: unknown): readonly Written[] {
  if (typeof value === 'object' && value !== null) return [...all];
  return value === null ? ['null'] : typeof value === 'number' ? ['number'] : [];
}

function ofField(field: Field, specification: Specification): readonly Written[] {
  const { format, items } = schemaOf(field.shape) as Readonly<Record<string, unknown>>;
  const types = typesOf(field);
  if (field.refers.kind === 'stated')
    return types.includes('null') || mayBeNobody(field, specification) ? ['null'] : [];
  const element = items as { readonly type?: unknown } | undefined;
  if (types.length === 0 || types.includes('object')) return [...all];
  if (types.includes('array') && element?.type !== 'string') return [...all];
  return [
    ...(types.includes('null') ? (['null'] as const) : []),
    ...(types.some((each) => each === 'integer' || each === 'number') ? (['number'] as const) : []),
    ...(format === 'date-time' ? (['time'] as const) : []),
  ];
}

/** Whether a reference may lead to nothing: it may be cleared, or nothing says that there is always one. */
export function mayBeNobody(
  { shape, resource, name, create, ifDeleted, derived }: Field,
  of: Specification,
): boolean {
  if (!['refuse', 'delete'].includes(stated(ifDeleted) ?? '') || derived.kind === 'stated') return true;
  const known = of.resourcesByName.get(resource);
  const names = (known && stated(known.identifier)) ?? [];
  if (names.some(({ text }) => text === name) || isBound(resource, name, of)) return false;
  const made = stated(create)?.template;
  const isSender = made?.kind === 'expression' && made.expression.text.trim() === 'actor';
  if (isSender)
    return of.operations.some((operation) => mayMake(operation, resource) && mayBeAnybody(operation, of));
  const required = (known && stated(known.required)) ?? [];
  return !shape.keywords.has('type') || !required.some((each) => each.name === name);
}

/** Whether whatever makes an item of a resource sets a field to an item that the path binds, or for which it makes it. */
function isBound(resource: string, name: string, specification: Specification): boolean {
  const { makers, isKnown } = makersIn(specification);
  return (
    isKnown &&
    (makers.get(resource) ?? []).every(({ change, items }) =>
      stated(change.qualifiers.with)?.some(({ template }) => {
        const member = template.kind === 'object' ? template.members.get(name) : undefined;
        const path = member && wholePath(member);
        return path?.length === 1 && items.includes(path[0] as string);
      }),
    )
  );
}

/** By resource, the changes that make its items, each with the items that its operation names; and whether all are known. */
const makersIn = once((specification: Specification) => {
  const items = new Map(
    specification.operations.flatMap((operation) =>
      changesOf(operation).map((change) => [change, itemsNamed(operation)] as const),
    ),
  );
  const all = changesIn(specification);
  // What a transition makes is for no operation in particular.
  const made = all
    .filter(({ verb }) => verb === 'create')
    .map((change) => ({ change, items: items.get(change) ?? [] }));
  return {
    makers: Map.groupBy(made, ({ change }) => change.subject.name),
    isKnown: !all.some(({ verb }) => ['run', 'handled'].includes(verb)),
  };
});

/** The names of items in the expressions of an operation. */
function itemsNamed({ bindings }: Operation): readonly string[] {
  return [
    'this',
    ...[...bindings.values()].flatMap((each) => (each.kind === 'other' ? (each.as ?? []) : [])),
  ];
}

/** Whether an operation may make an item of a resource. What a transition makes besides is not worked out here. */
function mayMake(operation: Operation, resource: string): boolean {
  return changesOf(operation).some(({ verb, subject }) =>
    verb === 'create'
      ? subject.name === resource
      : !['read', 'list', 'authenticate', 'revoke', 'update', 'replace', 'delete'].includes(verb),
  );
}

/** Whether somebody whom nobody knows may be let in. */
function mayBeAnybody(operation: Operation, { authentication }: Specification): boolean {
  const part = stated(authentication);
  const rule = part && stated(ruleOf(part, operation));
  const grants = rule ? stated(rule.rule) : undefined;
  return grants?.every((grant) => asksForSomebody(grant)) !== true;
}

/** Whether a field says which type it has, and that is no list and no object. */
function isPlain(field: Field): boolean {
  const types = typesOf(field);
  return types.length > 0 && !types.includes('object') && !types.includes('array');
}

function typesOf({ shape }: Field): readonly string[] {
  const { type = [] } = schemaOf(shape) as { readonly type?: string | readonly string[] };
  return [type].flat();
}

function fieldsNamed(name: string, { resources }: Specification): readonly Field[] {
  return [...(stated(resources)?.values() ?? [])].flatMap((said) => {
    const entry = stated(said);
    return (entry && 'fields' in entry && (entry.fields as ReadonlyMap<string, Field>).get(name)) || [];
  });
}

/** The fields that a resource or a view shows. */
function shownAs(name: string, { resources, resourcesByName }: Specification): readonly Field[] {
  const said = stated(resources)?.get(name);
  const entry = said && stated(said);
  const own = entry?.kind === 'view' ? stated(entry.of)?.text : name;
  const [shows, omits] = entry?.kind === 'view' ? [stated(entry.shows), stated(entry.omits)] : [];
  const fields = [...(resourcesByName.get(own ?? '')?.fields.values() ?? [])].filter(
    (field) =>
      stated(field.readable) !== false &&
      field.secret.kind !== 'stated' &&
      (shows?.some(({ text }) => text === field.name) ?? true) &&
      !omits?.some(({ text }) => text === field.name),
  );
  return [...fields, ...(entry?.kind === 'view' ? entry.fields.values() : [])];
}

/** The fields by which references to a resource are shown. */
function keysOf(name: string, { resourcesByName }: Specification): readonly Field[] {
  const resource = resourcesByName.get(name);
  const names = stated(resource?.identifier ?? undefined) ?? [];
  return names.flatMap(({ text }) => resource?.fields.get(text) ?? []);
}

/**
 * Whether a rule only lets in an actor that is somebody: `actor != null && …`.
 *
 * @param isSo whether what an expression asks comes to that, too. Default: nothing else does
 */
export function asksForSomebody(grant: Grant, isSo: (node: Syntax) => boolean = () => false): boolean {
  if (grant.kind !== 'expression') return grant.kind !== 'anyone';
  const isAsked = (node: Syntax): boolean =>
    node.op === '&&' ? children(node).some(isAsked) : isNotNobody(node) || isSo(node);
  return expressionsIn(grant.expression.template).some(({ syntax }) => isAsked(syntax));
}

function isNotNobody(node: Syntax): boolean {
  const sides = node.op === '!=' ? children(node) : [];
  return sides.some(isActor) && sides.some(({ op, args }) => op === 'value' && args === null);
}

/** Whether a part of an expression is who asks. */
export function isActor({ op, args }: Syntax): boolean {
  return op === 'id' && args === 'actor';
}
