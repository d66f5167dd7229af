import { isMergePatch, takesMergePatch } from '../../semantics/request/content/patch.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { isList, isObject, seen, type Value } from '../../semantics/value/value.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Shape } from '../../specification/vocabulary/shape.ts';
import { changed } from './changed.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  type Kind,
  operationOf,
  restating,
  wrapping,
} from './deviation.ts';
import { membersOf } from './ignored.ts';

/** A value that is stored otherwise than it is given, and members that are left out and do not stay, or stay. */
export const stored: Kind = (said, specification) => {
  const operation = operationOf(said, specification);
  if (operation === undefined) return [];
  if (said === operation.does) return otherUpdate(said, specification);
  if (said === operation.request?.media) return keptNull(operation, specification);
  if (!operation.request || said !== operation.request.body) return [];
  const under = stated(operation.request.under);
  const verb = stated(operation.does)?.verb ?? '';
  const isMaking = ['create', 'replace'].includes(verb);
  // Neither an empty name nor none logs anybody in.
  const isStoring = (mistake: Mistake): boolean => verb !== 'authenticate' || mistake !== ofEmptyTexts;
  return membersOf(operation, specification).flatMap(([name, shape]) =>
    changesOf(shape, isMaking ? usualOf(name, operation, specification) : undefined)
      .filter(isStoring)
      .map(({ says, change }) =>
        wrapping(
          said,
          specification,
          `${says} ${name}`,
          (right) => (world, request) => right(world, withMember(request, name, under, change)),
          operation.address,
        ),
      ),
  );
};

/** Undefined: the member is left out. */
type ChangeOfValue = (value: Value) => Value | undefined;

interface Mistake {
  readonly says: string;
  readonly change: ChangeOfValue;
}

/** By the type of the value: what people do with values before they store them. */
const ofTexts: readonly Mistake[] = [
  { says: 'spaces are cut off around', change: (text) => onText(text, (plain) => plain.trim()) },
  { says: 'capitals are made small in', change: (text) => onText(text, (plain) => plain.toLowerCase()) },
];

const ofLongTexts: Mistake = {
  says: 'characters past the tenth are cut off in',
  change: (text) => onText(text, cut),
};

const ofEmptyTexts: Mistake = {
  says: 'nothing is stored for an empty',
  change: (text) => (text === '' ? undefined : text),
};

const ofEmptyLists: Mistake = {
  says: 'nothing is stored for an empty',
  change: (list) => (isList(list) && list.length === 0 ? undefined : list),
};

const ofLists: readonly Mistake[] = [
  {
    says: 'elements after the first are not stored of',
    change: (list) => (isList(list) ? list.slice(0, 1) : list),
  },
  {
    says: 'elements are stored in another order of',
    change: (list) => (isList(list) ? list.toReversed() : list),
  },
];

const ofZero: Mistake = {
  says: 'nothing is stored for a zero',
  change: (number) => (number === 0 ? undefined : number),
};

const ofFractions: Mistake = {
  says: 'fractions are cut off of',
  change: (number) => (typeof number === 'number' ? Math.trunc(number) : number),
};

const ofNull: Mistake = {
  says: 'null is taken for nothing as',
  change: (value) => (value === null ? undefined : value),
};

const ofTruth: Mistake = {
  says: 'nothing is stored for a false',
  change: (value) => (value === false ? undefined : value),
};

/**
 * What a shape does not admit is not stored otherwise.
 *
 * @param usual what is stored if the member is left out; undefined: nothing is, or what was there stays
 */
function changesOf({ keywords }: Shape, usual: Json | undefined): readonly Mistake[] {
  const numberOf = (key: string): number | undefined => {
    const value = stated(keywords.get(key));
    return typeof value === 'number' ? value : undefined;
  };
  const types: readonly unknown[] = [stated(keywords.get('type'))].flat();
  const words = [stated(keywords.get('enum')), stated(keywords.get('const')), stated(keywords.get('format'))];
  const isText = types.includes('string') && words.every((each) => each === undefined);
  const isNumber = types.includes('integer') || types.includes('number');
  const [least, most] = [numberOf('minimum') ?? numberOf('exclusiveMinimum') ?? -1, numberOf('maximum') ?? 1];
  const isUsual = (value: Json): boolean => JSON.stringify(usual) === JSON.stringify(value);
  return [
    ...(isText ? ofTexts : []),
    ...(isText && (numberOf('maxLength') ?? Number.POSITIVE_INFINITY) > 10 ? [ofLongTexts] : []),
    ...(isText && (numberOf('minLength') ?? 0) === 0 && !isUsual('') ? [ofEmptyTexts] : []),
    ...(types.includes('array') && (numberOf('minItems') ?? 0) === 0 && !isUsual([]) ? [ofEmptyLists] : []),
    ...(types.includes('array') && (numberOf('maxItems') ?? 2) > 1 ? ofLists : []),
    ...(isNumber && least <= 0 && most >= 0 && !isUsual(0) ? [ofZero] : []),
    ...(types.includes('number') ? [ofFractions] : []),
    ...(types.includes('boolean') && !isUsual(false) ? [ofTruth] : []),
    ...(types.includes('null') && !isUsual(null) ? [ofNull] : []),
  ];
}

function usualOf(name: string, { request }: Operation, { resourcesByName }: Specification): Json | undefined {
  const of = stated(request?.body ?? undefined)?.of?.name;
  return stated(resourcesByName.get(of ?? '')?.fields.get(name)?.default);
}

function onText(value: Value, change: (plain: string) => string): Value {
  const plain = seen(value);
  return typeof plain === 'string' ? change(plain) : value;
}

function cut(text: string): string {
  return [...text].slice(0, 10).join('');
}

function withMember(
  request: Request,
  name: string,
  under: string | undefined,
  change: ChangeOfValue,
): Request {
  const { content } = request;
  if (content === undefined || !isObject(content)) return request;
  if (under !== undefined) {
    const inner = withMember({ ...request, content: content[under] }, name, undefined, change).content;
    return inner === undefined ? request : { ...request, content: { ...content, [under]: inner } };
  }
  const given = content[name];
  if (given === undefined) return request;
  const { [name]: _, ...others } = content;
  const value = change(given);
  return value === given
    ? request
    : { ...request, content: value === undefined ? others : { ...others, [name]: value } };
}

/** A merge patch is taken for the members themselves, so that null is a value (RFC 7396 §2). */
function keptNull(operation: Operation, specification: Specification): readonly Deviation[] {
  const said = operation.request?.media;
  if (said?.kind !== 'stated' || !takesMergePatch(operation)) return [];
  const plain = 'application/json';
  const asJson = once(() =>
    implementing(changed(specification, new Map([[said, { ...said, value: [...said.value, plain] }]]))),
  );
  const wrong =
    (right: Implementation): Implementation =>
    (world, request) =>
      isMergePatch(request)
        ? asJson()(world, { ...request, headers: { ...request.headers, 'content-type': plain } })
        : right(world, request);
  return [wrapping(said, specification, 'null is kept, and removes nothing', wrong, operation.address)];
}

/** An update that resets what is left out, or a replacement that keeps it (language §H.2). */
function otherUpdate(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const change = said.kind === 'stated' ? (said.value as Change) : undefined;
  const restated = (says: string, verb: string): Deviation[] =>
    change && said.kind === 'stated'
      ? [restating(said, specification, says, { ...said, value: { ...change, verb } })]
      : [];
  if (change?.verb === 'update') return restated('members that are left out are reset', 'replace');
  return change?.verb === 'replace' ? restated('members that are left out stay', 'update') : [];
}
