import { namesIn } from '../../../expression/expression.ts';
import { expressionsIn } from '../../../expression/template.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Change } from '../../../specification/vocabulary/change.ts';
import type { Field } from '../../../specification/vocabulary/resource/field.ts';
import { type Deviation, keyOf, operationOf } from '../../deviations/deviation.ts';
import { isInEveryVersion } from './versions.ts';
import { isReadSomewhere } from './visible.ts';

/** A rule of the language by which a deviation means the same, or can be seen by nobody. */
export interface Rule {
  readonly name: string;
  readonly reason: 'equal' | 'invisible' | 'open' | 'beyond';
  readonly holds: (deviation: Deviation, specification: Specification) => boolean;
}

/** Methods that pages may use without leave (Fetch standard §2.2.1). */
const safelisted = ['GET', 'HEAD', 'POST'];

/** The methods of CORS are asked for one by one, for the operation at hand (language §4.1, `cors`). */
const otherMethod: Rule = {
  name: 'no page asks for leave to use the method there',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const method = operationOf(said, specification)?.method;
    if (!/\.cors\.methods$/.test(said.address) || method === undefined || said.kind !== 'stated')
      return false;
    const [, place] = /^element (\d+) is left out$/.exec(says) ?? [];
    if (place === undefined && says !== 'it is left out') return false;
    const gone = place === undefined ? said.value : [(said.value as readonly string[])[Number(place) - 1]];
    return safelisted.includes(method) || ![gone].flat().some((each) => each === method || each === 'any');
  },
};

/** Without a body, or where nothing is stored of it, there is nothing to keep (language §4.2, `others`). */
const nothingKept: Rule = {
  name: 'the operation stores nothing of a body',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const operation = operationOf(said, specification);
    if (!/\.request\.others(\.\w+)?$/.test(said.address) || says !== 'it is keep' || !operation) return false;
    const hasBody = operation.request !== null && operation.request.body.kind === 'stated';
    const isRefused = said.kind === 'stated' && said.value === 'refuse';
    return !isRefused && (!hasBody || stated(operation.does)?.verb === 'authenticate');
  },
};

/** What the service makes is never null, and a path cannot say null (language §4.2). */
const neverNull: Rule = {
  name: 'the value is never null',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    if (keyOf(said) !== 'type' || !/^it is [\w,]+,null$/.test(says)) return false;
    // A refusal may say which types there are.
    if (isReadSomewhere('limit', specification)) return false;
    if (/\.request\.(query|path|headers)\.[^.]+\.type$/.test(said.address))
      return !isIn(said, 'json', specification);
    const field = fieldOf(said, specification);
    return field !== undefined && stated(field.writable) === false && field.create.kind === 'stated';
  },
};

function isIn(said: Said<unknown>, style: string, specification: Specification): boolean {
  const { request } = operationOf(said, specification) ?? {};
  const [, name = ''] = /\.request\.query\.([^.]+)\.type$/.exec(said.address) ?? [];
  const parameter = stated(request?.query ?? undefined)?.get(name);
  const roles = parameter && stated(parameter)?.roles;
  return roles !== undefined && stated(roles.style) === style;
}

/** A key that the service itself sets is that of an item (language §2.2, rule 7). */
const ownReference: Rule = {
  name: 'the service alone sets the reference',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const field = fieldOf(said, specification);
    const isLoose = says.startsWith('it is left out') || says.startsWith('what it refuses');
    return keyOf(said) === 'refers' && isLoose && field !== undefined && !isGivenIn(field, specification);
  },
};

/** `writable` says what becomes of a field in a body (language §2.2). */
const neverGiven: Rule = {
  name: 'no request takes the field',
  reason: 'equal',
  holds: ({ said }, specification) => {
    const field = fieldOf(said, specification);
    if (keyOf(said) !== 'writable' || field === undefined) return false;
    return isInEveryVersion(field, specification, (own, version) => !isTaken(own, version));
  },
};

/** Whether the body of a request may give a field. */
export function isGivenIn(field: Field, specification: Specification): boolean {
  const isOut = (own: Field, version: Specification): boolean =>
    !isTaken(own, version) || stated(own.writable) === false;
  return !isInEveryVersion(field, specification, isOut);
}

/** Whether a body has the shape of the field's resource. */
function isTaken({ resource }: Field, { operations }: Specification): boolean {
  return operations.some((operation) => bodyName(operation) === resource);
}

function bodyName({ request }: Operation): string | undefined {
  return stated(request?.body ?? undefined)?.of?.name;
}

/** Without a default, a page begins at the first item, too (language §4.5). */
const usualPage: Rule = {
  name: 'without the statement, the page is the first one, too',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, name] = /\.request\.query\.([^.]+)\.default$/.exec(said.address) ?? [];
    const query = operationOf(said, specification)?.request?.query;
    const parameter = name === undefined ? undefined : stated(query ?? undefined)?.get(name);
    const page = parameter && stated(stated(parameter)?.roles.page ?? undefined);
    if (says !== 'it is left out' || said.kind !== 'stated' || page === undefined) return false;
    return page === 'offset' ? said.value === 0 : ['start', 'number'].includes(page) && said.value === 1;
  },
};

/** A parameter has its default where it is not given (language §4.2). */
const usualZero: Rule = {
  name: 'what is 0 is so without the parameter, too',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, name] = /^(\S+) is not looked at where it is 0$/.exec(says) ?? [];
    const operation = operationOf(said, specification);
    if (name === undefined || operation === undefined) return false;
    const parameter = stated(operation.request?.query ?? undefined)?.get(name);
    const shape = parameter && stated(parameter);
    return shape !== undefined && stated(shape.default) === 0;
  },
};

/** A second item would have the same unique values (language §2.2, `unique`). */
const neverTwice: Rule = {
  name: 'the second time changes nothing',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const change = changeAt(said, says, specification);
    // With the key of another request, what the second time makes is new.
    const isRepeatable = stated(operationOf(said, specification)?.endpoint.idempotency) !== undefined;
    if (change?.verb !== 'create' || isRepeatable) return false;
    if (stated(change.qualifiers.present) !== undefined) return true;
    const resource = specification.resourcesByName.get(change.subject.name ?? '');
    if (resource === undefined) return false;
    const required: readonly { readonly name: string }[] = stated(resource.required) ?? [];
    const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
    const isRequired = (name: string): boolean => required.some((each) => each.name === name);
    return (
      (identifier.length > 0 && identifier.every(isRequired)) ||
      required.some(
        ({ name }) => ![undefined, false].includes(stated(resource.fields.get(name)?.unique) as undefined),
      )
    );
  },
};

/** The change that is done twice. */
function changeAt(said: Said<unknown>, says: string, specification: Specification): Change | undefined {
  const operation = operationOf(said, specification);
  if (operation === undefined) return undefined;
  if (says === 'it is done twice') {
    const also = stated(operation.endpoint.also) ?? [];
    return also.every((each) => stated(each.qualifiers.present) === 'keep')
      ? stated(operation.does)
      : undefined;
  }
  const [, place] = /^element (\d+) is done twice$/.exec(says) ?? [];
  return place === undefined
    ? undefined
    : (said as { readonly value?: readonly Change[] }).value?.[Number(place) - 1];
}

/** An item that is given only what identifies it is the same, whatever is written (language §H.2, `present`). */
const onlyIdentified: Rule = {
  name: 'the item is given nothing but what identifies it',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    if (keyOf(said) !== 'present' || !['it is update', 'it is replace', 'it is match'].includes(says))
      return false;
    const operation = operationOf(said, specification);
    const changes = [
      ...[operation && stated(operation.does)],
      ...(stated(operation?.endpoint.also ?? undefined) ?? []),
    ];
    const change = changes.find((each) => each?.qualifiers.present === said);
    const resource = specification.resourcesByName.get(change?.subject.name ?? '');
    const names = (resource && stated(resource.identifier))?.map(({ text }) => text) ?? [];
    const isKept = said.kind === 'stated' && said.value === 'keep' && !isTold(operation, specification);
    const isOwn = (field: Field): boolean =>
      field.create.kind === 'stated' && field.update.kind !== 'stated' && !isGivenIn(field, specification);
    return (
      isKept &&
      resource !== undefined &&
      [...resource.fields.values()].every((field) => names.includes(field.name) || isOwn(field))
    );
  },
};

/** Whether an event may tell what an operation does. */
function isTold(operation: Operation | undefined, { events }: Specification): boolean {
  if (events.kind !== 'stated') return events.kind === 'open';
  const kinds = [...(stated(stated(events)?.kinds)?.values() ?? [])].map((kind) => stated(kind)?.by);
  return kinds.some((by) => {
    const names = by && stated(by);
    const isOwn = (text: string): boolean =>
      text === operation?.name || text.startsWith(`${operation?.subject?.name}.`);
    return !names || names.some(({ text }) => isOwn(text));
  });
}

/** The answer of the operation shows other fields (language §2.1, views). */
const notInAnswer: Rule = {
  name: 'the answer does not show the field',
  reason: 'equal',
  holds: ({ said, says, operation: address }, specification) => {
    const field = fieldOf(said, specification);
    const operation = specification.operations.find((each) => each.address === address);
    const isShowing = ['readable', 'derived', 'shown'].includes(keyOf(said));
    if (!isShowing || field === undefined || operation === undefined || says.startsWith('it is true'))
      return false;
    const answers = stated(operation.response) ?? [];
    if (answers.some(({ content, headers }) => content.kind === 'stated' || headers.kind === 'stated'))
      return false;
    const words = answers
      .flatMap(({ body }) => stated(body)?.template ?? [])
      .flatMap((template) => expressionsIn(template))
      .flatMap(({ syntax }) => namesIn(syntax));
    // What an expression reads of an item is what it holds: `readable` and `shown` are about items that are shown.
    const isReadAlike = keyOf(said) !== 'derived';
    return !words.some(
      (word) => !(isReadAlike && word === field.name) && mayShowAs(word, field, specification),
    );
  },
};

/** Whether a word of an expression may lead to a field: the field, its resource, a view that shows it, or any other. */
function mayShowAs(word: string, field: Field, { resources }: Specification): boolean {
  if (word === field.name) return true;
  const said = stated(resources)?.get(word);
  const entry = said && stated(said);
  if (entry === undefined) return false;
  if (entry.kind !== 'view' || stated(entry.of)?.text !== field.resource) return true;
  const [shows, omits] = [stated(entry.shows), stated(entry.omits)];
  return shows
    ? shows.some(({ text }) => text === field.name)
    : !omits?.some(({ text }) => text === field.name);
}

export function fieldOf({ address }: Said<unknown>, { resourcesByName }: Specification): Field | undefined {
  const [, name = '', field = ''] = /^resources\.([^.]+)\.fields\.([^.]+)\./.exec(address) ?? [];
  return resourcesByName.get(name)?.fields.get(field);
}

export const sameMeaning: readonly Rule[] = [
  otherMethod,
  nothingKept,
  neverNull,
  ownReference,
  neverGiven,
  usualPage,
  usualZero,
  neverTwice,
  onlyIdentified,
  notInAnswer,
];
