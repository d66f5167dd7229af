import { children, type Syntax } from '../../../expression/expression.ts';
import { expressionsIn, isWholeBody, type Template } from '../../../expression/template.ts';
import { once } from '../../../source/once.ts';
import { changesOf } from '../../../specification/model/changes.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { isUnder } from '../../../specification/reading/address.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Change } from '../../../specification/vocabulary/change.ts';
import type { Field } from '../../../specification/vocabulary/resource/field.ts';
import { statementsOf } from '../../deviations/changed.ts';
import { membersOf } from '../../deviations/ignored.ts';
import { rowsOf } from '../meeting.ts';
import { isInEveryVersion } from './versions.ts';

/** Whether an item of a resource may ever be deleted: by an operation, a transition, or together with another item. */
export function isDeleted(resource: string, specification: Specification): boolean {
  return deletedIn(specification).has(resource);
}

const deletedIn = once((specification: Specification): ReadonlySet<string> => {
  const { operations, resourcesByName } = specification;
  const all = [...resourcesByName.keys()];
  const found = new Set<string>();
  const changes: Change[] = operations.flatMap(changesOf);
  for (const said of statementsOf(specification))
    if (said.address.endsWith('.also')) changes.push(...((said as Stated).value as readonly Change[]));
  for (const { verb, subject } of changes) {
    // What a function of the operator, or a change of an item at hand, deletes, is not worked out.
    if (verb === 'handled' || (verb === 'delete' && !all.includes(subject.name ?? ''))) return new Set(all);
    if (verb === 'delete' && subject.name) found.add(subject.name);
  }
  for (const [name, said] of stated(specification.states) ?? []) {
    const transitions = stated(stated(said)?.transitions) ?? [];
    const isEnd = [...transitions].some(([, each]) => stated(each)?.to.kind === 'none');
    if (isEnd) found.add(name.split('.')[0] as string);
  }
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const resource of resourcesByName.values())
      for (const { refers, ifDeleted } of resource.fields.values())
        if (stated(ifDeleted) === 'delete' && found.has(stated(refers)?.resource ?? ''))
          found.add(resource.name);
  }
  return found;
});

type Stated = Said<unknown> & { readonly kind: 'stated' };

/**
 * Whether a value of a field may come from a client, or be worked out from one: only then a keyword may refuse it.
 *
 * @param inPath whether the keyword judges what a path gives to find an item. Default: it does
 */
export function isGiven(field: Field, specification: Specification, inPath = true): boolean {
  return !isInEveryVersion(field, specification, (own, version) => !isGivenBy(own, version, inPath));
}

function isGivenBy(field: Field, specification: Specification, inPath: boolean): boolean {
  const { resource, name, create, update, writable } = field;
  if (stated(writable) !== false || stated(field.derived) !== undefined) return true;
  const made = [
    ...[create, update].flatMap((said) => stated(said)?.template ?? []),
    ...(wordsIn(specification).set.get(name) ?? []),
  ];
  const isUsual = made.length === 0 && field.default.kind === 'stated';
  if (made.length === 0 && !isUsual) return true;
  if (!made.every((template) => expressionsIn(template).every(isMade))) return true;
  const isBound = specification.operations.some(({ bindings, subject, does }) =>
    [...bindings.values()].some((binding) =>
      binding.kind === 'subject'
        ? subject?.name === resource &&
          binding.field === name &&
          (inPath || ['create', 'handled', 'run'].includes(stated(does)?.verb ?? 'handled'))
        : inPath && binding.kind === 'other' && binding.resource === resource && binding.field === name,
    ),
  );
  return isBound || isPassedOn(field, specification);
}

/** Whether `with` may set a member of this name by a whole that holds it: the body of a request, or what is worked out. */
function isPassedOn({ resource, name }: Field, specification: Specification): boolean {
  return specification.operations.some((operation) => {
    const wholes = changesOf(operation)
      .filter(({ subject }) => subject.kind === 'expression' || subject.name === resource)
      .flatMap(({ qualifiers }) => stated(qualifiers.with) ?? [])
      .filter(({ template }) => template.kind !== 'object');
    if (wholes.length === 0) return false;
    const others = operation.request && stated(operation.request.others)?.body;
    const isBody = wholes.every(({ template }) => isWholeBody(template));
    if (!isBody || !others || stated(others) !== 'refuse') return true;
    return membersOf(operation, specification).some(([member]) => member === name);
  });
}

/** Whether an expression only makes a value: it reads nothing. */
function isMade({ syntax }: { readonly syntax: Syntax }): boolean {
  if (syntax.op === 'value') return true;
  if (syntax.op === 'id') return syntax.args === 'now';
  if (syntax.op === 'call')
    return ['uuid', 'random', 'sequence'].includes(String(syntax.args[0])) && children(syntax).length < 2;
  return syntax.op === '+' && children(syntax).every((part) => isMade({ syntax: part }));
}

/** Whether an expression reads a member of this name. */
export function isReadSomewhere(name: string, specification: Specification): boolean {
  return wordsIn(specification).read.has(name);
}

/** Whether a refusal may say what did not fit, or depend on it. */
export function isRefusalTold(specification: Specification): boolean {
  const isRead = ['failures', 'fields'].some((name) => isReadSomewhere(name, specification));
  return (
    isRead ||
    [...rowsOf(specification).values()].some(({ when }) =>
      stated(when)?.some(({ names, subject }) => names.includes('invalid') && subject !== ''),
    )
  );
}

/** Whether a transition, `with` or an item of the document sets a member of this name. */
export function isSetSomewhere({ name }: Field, specification: Specification): boolean {
  return wordsIn(specification).set.has(name);
}

/** Whether an answer or an event may show an item of a resource, by itself or as a view. If that is not sure, it is taken for shown. */
export function isResourceShown(resource: string, specification: Specification): boolean {
  const { shown } = wordsIn(specification);
  const views = [...(stated(specification.resources) ?? [])].flatMap(([view, said]) => {
    const entry = stated(said);
    return entry?.kind === 'view' && stated(entry.of)?.text === resource ? [view] : [];
  });
  return [resource, ...views].some((name) => shown.has(name));
}

/** Whether an answer or an event may show a field, or anything may read it. If that is not sure, it is taken for read. */
export function isShownOrRead(field: Field, specification: Specification): boolean {
  const { named, shown, read } = wordsIn(specification);
  const others = [named, read].some((words) => words.has(field.name));
  const isCompared = stated(field.unique) !== undefined && stated(field.unique) !== false;
  if (others || isCompared || stated(field.refers) !== undefined) return true;
  if (stated(field.readable) === false || stated(field.secret) !== undefined) return false;
  return [field.resource, ...viewsOf(field, specification)].some((name) => shown.has(name));
}

function viewsOf({ resource, name }: Field, { resources }: Specification): readonly string[] {
  return [...(stated(resources) ?? [])].flatMap(([view, said]) => {
    const entry = stated(said);
    if (entry?.kind !== 'view' || stated(entry.of)?.text !== resource) return [];
    const [shows, omits] = [stated(entry.shows), stated(entry.omits)];
    const isShown = shows
      ? shows.some(({ text }) => text === name)
      : !omits?.some(({ text }) => text === name);
    return isShown ? [view] : [];
  });
}

/** The words of a document, by what they are there for. */
interface Words {
  /** Members that expressions read, and the last steps of names such as `Account.key`. */
  readonly read: ReadonlySet<string>;
  /** Names that statements give as texts: in an order, a filter, an identifier, a list of fields. */
  readonly named: ReadonlySet<string>;
  /** What expressions call: resources and views among them, which are shown. */
  readonly shown: ReadonlySet<string>;
  /** By the members that `with` and transitions set: what they are set to. */
  readonly set: ReadonlyMap<string, readonly Template[]>;
}

const wordsIn = once((specification: Specification): Words => {
  const [read, named, shown] = [0, 0, 0].map(() => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const set = new Map<string, Template[]>();
  const inTemplate = (template: Template): void => {
    for (const { syntax } of expressionsIn(template)) inSyntax(syntax);
  };
  const inSyntax = (node: Syntax): void => {
    if (node.op === '.' || node.op === '.?') read.add(String(node.args[1]));
    if (node.op === 'value' && typeof node.args === 'string') read.add(node.args);
    if (node.op === 'call') shown.add(String(node.args[0]));
    if (node.op === 'id') read.add(String(node.args));
    for (const part of children(node)) inSyntax(part);
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') for (const word of value.split('.')) named.add(word.replace(/^-/, ''));
    if (typeof value !== 'object' || value === null) return;
    if ('template' in value && 'node' in value) inTemplate(value.template as Template);
    else for (const inner of partsOf(value)) visit(inner);
  };
  for (const said of statementsOf(specification) as readonly Stated[]) {
    if (isUnder(said.address, 'service') || /\.(type|format|enum|description|title)$/.test(said.address))
      continue;
    visit(said.value);
    for (const [name, template] of setBy(said)) set.set(name, [...(set.get(name) ?? []), template]);
    const isNaming = said.address === 'states' || said.address.endsWith('.by');
    if (isNaming && said.value instanceof Map) for (const name of said.value.keys()) visit(name);
  }
  return { read, named, shown, set };
});

/** What a value of the model is made of, without where it stands in the text. */
export function partsOf(value: object): readonly unknown[] {
  if (value instanceof Map) return [...value.values()];
  if (Array.isArray(value)) return value;
  return Object.entries(value).flatMap(([key, inner]) => (places.has(key) ? [] : [inner]));
}

/** Where something stands in the text, and what it is called there. */
const places: ReadonlySet<string> = new Set([
  'at',
  'node',
  'tree',
  'address',
  'name',
  'key',
  'resource',
  'syntax',
]);

function setBy({ address, value }: Stated): readonly (readonly [string, Template])[] {
  const [, name] = /^states\b.*\.set\.([^.]+)$/.exec(address) ?? [];
  if (name !== undefined) return [[name, (value as { readonly template: Template }).template]];
  if (!address.endsWith('.with') || !Array.isArray(value)) return [];
  return value.flatMap(({ template }: { readonly template: Template }) =>
    template.kind === 'object' ? [...template.members] : [],
  );
}
