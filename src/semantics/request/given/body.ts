import { isWholeBody } from '../../../expression/template.ts';
import type { Json } from '../../../source/node.ts';
import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { isJson } from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Field, Resource } from '../../../specification/vocabulary/parts/resources.ts';
import { mayLackContent, type Body as RequestBody } from '../../../specification/vocabulary/request.ts';
import { isBinary, type Others, schemaOf } from '../../../specification/vocabulary/shape.ts';
import type { FieldFailure, Refusal } from '../../change/refusal.ts';
import { definitionsOf } from '../../shape/definitions.ts';
import { failuresOf, type Schema, withoutIgnored } from '../../shape/shape.ts';
import {
  Bytes,
  isList,
  isObject,
  type Members,
  seen,
  theirs,
  Unknown,
  unknown,
  type Value,
} from '../../value/value.ts';
import { schemaOfFields, takenIn } from '../../version/names.ts';
import type { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { fieldsOf, readForm } from '../content/form.ts';
import { formDataOf } from '../content/form-data.ts';
import { listedParts } from '../content/listed-parts.ts';
import { isForm, isFormData, isListedParts, sentMedia, takenAs, takesBytes } from '../content/media.ts';
import { patchIn } from '../content/patch.ts';
import { writableIn } from '../content/writable.ts';
import type { Request } from '../prediction.ts';
import { keySchema } from './parameters.ts';

/** The body of a request, and why it is refused. */
export interface Body {
  readonly value: Value | undefined;
  readonly refusals: readonly Refusal[];
}

/** A body as its operation states it. */
interface Stating {
  /** The name before the field in the subject of a condition: a resource or a shape, or `body`. */
  readonly name: string;
  readonly schema: Schema;
  /** The members that are fields of the subject. */
  readonly fields: ReadonlyMap<string, Field>;
  /** What becomes of members that nobody stated; undefined: it is open. */
  readonly others: Others | undefined;
  /** Members of which it hangs on the item whether they may be given. */
  readonly unsure: readonly string[];
  /** Whether the body is an object with stated members. */
  readonly isObject: boolean;
}

/**
 * Holds the content against the stated body (language §4.2, §E.4). It is JSON, also where other media types are stated.
 *
 * @param stored the item that the request is about. Without it, the result of a patch is not judged (§H.4, rule 8)
 */
export function bodyOf(asked: Request, moment: Moment, stored: Stored | null): Body {
  const { operation, isBroken = false } = asked;
  const { specification } = moment.world;
  const { request } = operation;
  const isLeftOut = asked.content === undefined && mayLackContent(request);
  const content = isLeftOut ? {} : asked.content;
  const isInParts = isFormData(sentMedia(asked) ?? '');
  const stating = statingOf(specification, operation, '', isInParts);
  if (!request || stating === null)
    return content === undefined ? { value: undefined, refusals: [] } : moment.world.leave(unknown([]));
  if (stating instanceof Unknown) return moment.world.leave(stating);
  // Bytes may be empty (language §4.2, rule 11). Whether content without a type is there, HTTP does not say.
  if (takesBytes(operation) && !(content instanceof Bytes)) return moment.world.leave(unknown([]));
  if (content === undefined || isBroken || !isWellFormed(content)) return malformed;
  const under = content instanceof Bytes || isLeftOut ? undefined : stated(request.under);
  if (under !== undefined && !isObject(content))
    return content instanceof Unknown ? moment.world.leave(content) : malformed;
  const given = under === undefined ? content : (content as Members)[under];
  if (given === undefined) return missingUnder(under as string);
  const patch = patchIn(asked, given);
  if (patch === 'malformed' || (patch === 'no object' && stating.isObject)) return malformed;
  if (patch !== null && stored === null) return { value: undefined, refusals: [] };
  if (patch === 'unread' || patch === 'no object') return moment.world.leave(unknown([]));
  if (stating.isObject && !isObject(given))
    return given instanceof Unknown ? moment.world.leave(given) : malformed;
  const [sent, removed] = patch === null ? [given, {}] : apart(given as Members);
  const members = takenIn(sent, namesIn(operation), specification);
  const isOfSubject = stating.name === operation.subject?.name;
  const writable = isOfSubject && isObject(members) ? writableIn(operation, members, stored, moment) : [];
  const own =
    writable.length > 0 ? statingOf(specification, operation, writable.join('\n'), isInParts) : stating;
  const result = isOfSubject && isObject(members) ? resultIn(operation, members, stored, moment) : null;
  if (Object.keys(removed).some((name) => !mayGo(name, operation, own as Stating)))
    moment.world.leave(unknown([]));
  const body = fitted(own as Stating, members, moment, result, patch !== null);
  return isObject(body.value ?? null) ? { ...body, value: { ...(body.value as Members), ...removed } } : body;
}

/** Whether a patch leads to what does not fit: beside parameters that do not, the language does not say if that is told. */
export function isUnfitPatch(refusals: readonly Refusal[], request: Request): boolean {
  const isPatch = request.content !== undefined && patchIn(request, request.content) !== null;
  return isPatch && !refusals.every(({ failures }) => failures.every(isOfName));
}

/** Whether a member fails since nobody stated it. */
const isOfName = ({ keyword }: FieldFailure): boolean => keyword === 'others';

/** The members of a merge patch that are set, and those that are removed. */
function apart(patch: Members): readonly [Members, Members] {
  const isRemoved = ([, value]: readonly [string, Value]): boolean => seen(value) === null;
  const members = Object.entries(patch);
  return [
    Object.fromEntries(members.filter((member) => !isRemoved(member))),
    Object.fromEntries(members.filter(isRemoved)),
  ];
}

/**
 * Whether it is carried out that a merge patch removes a member: a field that clients may write, and that nothing asks for. What
 * an older version calls otherwise is not followed.
 */
function mayGo(name: string, { subject, does }: Operation, { fields }: Stating): boolean {
  const [field, change] = [fields.get(name), stated(does)];
  const identifier = (stated(subject?.identifier) ?? []).map(({ text }) => text);
  const required = (stated(subject?.required) ?? []).map((each) => each.name);
  const own = stated(change?.qualifiers.with) ?? [];
  const isWhole = own.length === 1 && own.every(({ template }) => isWholeBody(template));
  return (
    field !== undefined &&
    subject?.fields.get(name) === field &&
    stated(field.writable) === true &&
    subject.further.keywords.size === 0 &&
    isWhole &&
    ![...identifier, ...required].includes(name)
  );
}

/** What an item has to meet as a whole. */
interface Result {
  readonly schema: Schema;
  readonly value: Value;
}

/**
 * The item as a change of some of its members makes it, for the keywords of its resource about objects (language §E.4, rule
 * 1). What it requires is there, since this carries out no change that takes a member out. Null: nothing is judged of it.
 */
function resultIn(
  operation: Operation,
  given: Members,
  stored: Stored | null,
  moment: Moment,
): Result | null {
  const { does, subject } = operation;
  const change = stated(does);
  const isPart = change !== undefined && !['create', 'replace'].includes(change.verb);
  if (!isPart || stored === null || !subject || subject.further.keywords.size === 0) return null;
  if (stored.handle === theirs || change.qualifiers.with.kind === 'stated') moment.world.leave(unknown([]));
  const schema = schemaOf(subject.further) as Schema;
  return { schema, value: { ...Object.fromEntries(stored.members), ...given } };
}

/**
 * The request as it comes, to the operation as it takes content of this media type. Of a form, each value has the type that the
 * shape states (language §4.2, rules 9 and 10). A form without fields is no content, but where it is in parts.
 */
export function asItComes(asked: Request, specification: Specification): Request {
  const media = sentMedia(asked);
  if (asked.content === undefined || media === undefined || takesBytes(asked.operation)) return asked;
  const request = { ...asked, operation: takenAs(asked.operation, media) };
  const isInParts = isFormData(media);
  if (isListedParts(media)) return inListedParts(request);
  if (!isForm(media) && !isInParts) return request;
  const { operation } = request;
  const stating = statingOf(specification, operation, '', isInParts);
  if (stating === null || stating instanceof Unknown) return request;
  const under = operation.request && stated(operation.request.under);
  const nests = operation.request !== null && stated(operation.request.nesting) === 'brackets';
  const data = isInParts ? formDataOf(asked.content) : { bytes: {}, others: asked.content };
  // What is sent in parts and is no object has none.
  const fields = fieldsOf(data?.others ?? {}, nests);
  if (fields.length === 0 && !isInParts) return { ...request, content: undefined };
  const schema = spelledSchema(stating.schema, operation.subject, specification);
  const whole = under == null ? schema : { properties: { [under]: schema as Json } };
  const typed = readForm(fields, whole, definitionsOf(specification), nests);
  if (!isInParts || !isObject(typed)) return { ...request, content: typed };
  return { ...request, content: { ...asBytes(typed, stating.schema), ...data?.bytes } };
}

/** The request with its parts as a list. Of parts of a type that is not taken, nothing is known. */
function inListedParts(request: Request): Request {
  const body = request.operation.request && stated(request.operation.request.body);
  const items = body ? (schemaOf(body.shape)['items'] as { properties?: { body?: { format?: Json } } }) : {};
  const content = listedParts(request.content as Value, items?.properties?.body?.format === 'binary');
  if (content === 'malformed') return { ...request, isBroken: true };
  return { ...request, content: content === 'unsupported media' ? unknown([]) : content };
}

/** The members that are bytes by their shape: a part that is sent as a text brings those of the text. */
function asBytes(members: Members, schema: Schema): Members {
  const properties = (schema as Record<string, unknown>)['properties'] as
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  const isBytes = (name: string): boolean => properties?.[name]?.['format'] === 'binary';
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      isBytes(name) && typeof value === 'string' ? new Bytes(Buffer.from(value)) : value,
    ]),
  );
}

/** The schema of a body, with the types of the keys to which it refers. */
function spelledSchema(schema: Schema, subject: Resource | null, specification: Specification): Schema {
  const own = [...(subject?.fields.values() ?? [])];
  const properties = own.map((field) => [field.name, keySchema(specification, field.resource, field.name)]);
  return { allOf: [schema as Json, { properties: Object.fromEntries(properties) }] };
}

/** Why the body of a request that means no version cannot be read: as the newest version states it (language §H.4, rule 9). */
export function unreadable(request: Request, moment: Moment): readonly Refusal[] {
  return bodyOf(request, moment, null).refusals.filter(({ condition }) => condition === 'malformed');
}

/** The schema by which the members of a body have their names, in the version of the request. */
export const namesIn = once(({ request, subject }: Operation): Json => {
  const body = request && stated(request.body);
  if (!body) return {};
  if (subject !== null && body.of?.name === subject.name) return schemaOfFields(subject);
  return body.of ? { $ref: `#/$defs/${body.of.name}` } : (schemaOf(body.shape) as Json);
});

/** Whether no text in a value has half of a surrogate pair: such content cannot be read (language §H.4, rule 9). */
function isWellFormed(value: Value): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (isList(value)) return value.every(isWellFormed);
  return (
    !isObject(value) ||
    Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each))
  );
}

/** No body, or one that is no object, cannot be read (language §H.4, rule 9). */
const malformed: Body = {
  value: undefined,
  refusals: [{ condition: 'malformed', subject: 'body', failures: [] }],
};

/** A wrong `under` is keyword `required` of its name (language §H.4, rule 12). */
function missingUnder(under: string): Body {
  const failure: FieldFailure = { field: under, keyword: 'required', value: null, limit: null };
  return { value: undefined, refusals: [{ condition: 'invalid', subject: 'body', failures: [failure] }] };
}

/** @param isPatch the body of a patch has no shape of its own: the result has one, and all its failures are listed */
function fitted(
  { name, schema, fields, others, unsure }: Stating,
  given: Value,
  moment: Moment,
  result: Result | null,
  isPatch: boolean,
): Body {
  const { specification } = moment.world;
  const definitions = definitionsOf(specification);
  if (isObject(given) && unsure.some((each) => Object.hasOwn(given, each))) moment.world.leave(unknown([]));
  const failing = (shape: Schema, value: Value): FieldFailure[] =>
    failuresOf(shape, value, definitions, others)
      .filter(({ holds }) => moment.world.decide(holds))
      .map(({ path, keyword, limit }) => {
        return { field: path.join('.'), keyword, value: valueAt(value, path), limit: limit as Value };
      });
  const failures = failing(schema, given);
  // Whether what a patch leads to is judged although a name in it does not fit, the language does not say.
  if (isPatch && failures.some(isOfName) && !failures.every(isOfName)) moment.world.leave(unknown([]));
  if (result && (isPatch || failures.length === 0)) failures.push(...failing(result.schema, result.value));
  const value = withoutIgnored(schema, given, definitions, others);
  if (value instanceof Unknown) return moment.world.leave(value);
  const all = inOrder(failures, schema);
  if (all.length > 0)
    return { value: undefined, refusals: [{ condition: 'invalid', subject: name, failures: all }] };
  return { value: taken(fields, value, moment), refusals: [] };
}

/** Failures are in the order in which fields are written (language §7.2, rule 18). */
function inOrder(failures: readonly FieldFailure[], schema: Schema): FieldFailure[] {
  const names = Object.keys((schema as Record<string, object>)['properties'] ?? {});
  const place = ({ field }: FieldFailure): number => {
    const at = names.indexOf(field.split('.')[0] as string);
    return at === -1 ? names.length : at;
  };
  return failures.toSorted((a, b) => place(a) - place(b));
}

/** The body with each given value converted (language §2.2, `taken`). */
function taken(fields: ReadonlyMap<string, Field>, value: Value, moment: Moment): Value {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const conversion = fields.get(name) && stated(fields.get(name)?.taken);
      return [name, conversion ? moment.value(conversion, { value: given }) : given];
    }),
  );
}

/**
 * What an operation states of its body; null: it takes none; unknown: this does not carry it out.
 *
 * @param writable the fields that the client may write in this request besides, a name on each line
 * @param isInParts whether the content is `multipart/form-data`, so that it has the members that are bytes
 */
const statingOf = once(
  (
    specification: Specification,
    operation: Operation,
    writable: string,
    isInParts: boolean,
  ): Stating | null | Unknown => {
    const { request, subject } = operation;
    const body = request && stated(request.body);
    if (!request || !body) return null;
    if (takesBytes(operation)) return ofShape(specification, body, undefined);
    const media = stated(request.media);
    if (request.media.kind === 'any') return unknown([]);
    if (media?.every(isListedParts)) return ofShape(specification, body, undefined);
    if (media && !media.some((each) => isJson(each) || isForm(each) || isFormData(each))) return unknown([]);
    // Whether a form that is not in parts has the members that are bytes, the language does not say.
    if (media && !isInParts && !media.every(isJson) && hasBytes(subject)) return unknown([]);
    const nearest = stated(stated(request.others)?.body);
    if (subject !== null && body.of?.name === subject.name)
      return ofResource(operation, subject, body, nearest, writable.split('\n'), isInParts);
    return ofShape(specification, body, nearest);
  },
);

function hasBytes(resource: Resource | null): boolean {
  return [...(resource?.fields.values() ?? [])].some(({ shape }) => isBinary(shape));
}

function ofShape(
  specification: Specification,
  body: RequestBody,
  nearest: Others | undefined,
): Stating | Unknown {
  const named = body.of && stated(stated(specification.resources)?.get(body.of.name));
  if (body.of && named?.kind !== 'shape') return unknown([]);
  const shape = named?.kind === 'shape' ? named.shape : body.shape;
  if (body.of && body.shape.keywords.size > 0) return unknown([]);
  return {
    name: body.of?.name ?? 'body',
    schema: schemaOf(shape) as Schema,
    fields: new Map(),
    others: nearest,
    unsure: [],
    isObject: shape.object !== null,
  };
}

/** The writable members of the subject, with the keywords beside them (language §E.4). */
function ofResource(
  operation: Operation,
  subject: Resource,
  body: RequestBody,
  nearest: Others | undefined,
  writableHere: readonly string[],
  isInParts: boolean,
): Stating {
  const { does, bindings } = operation;
  const verb = stated(does)?.verb;
  const isWhole = verb === 'create' || verb === 'replace';
  const bound = [...bindings.values()].flatMap((binding) =>
    binding.kind === 'subject' ? [binding.field] : [],
  );
  const isShown = (name: string): boolean => {
    const isOne = ({ text }: { readonly text: string }): boolean => text === name;
    return (stated(body.shows)?.some(isOne) ?? true) && !stated(body.omits)?.some(isOne);
  };
  const isWritable = ({ name, writable }: Field): boolean =>
    stated(writable) === true ||
    (stated(writable) === 'once' && verb === 'create') ||
    writableHere.includes(name);
  // Content that is not in parts has no member that is bytes (language §H.1, rule 11).
  const fields = new Map(
    [...subject.fields].filter(
      ([name, field]) =>
        isWritable(field) && (isInParts || !isBinary(field.shape)) && isShown(name) && !bound.includes(name),
    ),
  );
  const beside = schemaOf(body.shape) as Record<string, never>;
  const required = (stated(subject.required) ?? []).map((use) => use.name);
  // A member that `required` alone names is one all the same, with any value (language §H.1).
  const further = required.filter(
    (name) => !subject.fields.has(name) && isShown(name) && !bound.includes(name),
  );
  const members = [...fields.keys(), ...further];
  // A client may give the value that such a field has, so that it is a member, too.
  const isKept = (name: string): boolean =>
    stated(subject.fields.get(name)?.writable) === 'same' && isShown(name) && !bound.includes(name);
  const others = stated(subject.others) ?? nearest;
  return {
    name: subject.name,
    schema: {
      ...(isWhole && (schemaOf(subject.further) as Record<string, never>)),
      ...beside,
      properties: Object.fromEntries([...fields].map(([name, { shape }]) => [name, schemaOf(shape)])),
      required: [
        ...(isWhole ? required.filter((name) => members.includes(name) || isKept(name)) : []),
        ...((beside['required'] as string[] | undefined) ?? []),
      ],
      others: { known: members, rule: others ?? null, address: subject.others.address },
    },
    fields,
    others,
    // What becomes of a field that a client may not write, where members that nobody stated are kept, is not said.
    unsure: [
      ...unsureMembers(operation, subject, bound),
      ...(others === 'keep' ? [...subject.fields.keys()].filter((name) => !fields.has(name)) : []),
    ],
    isObject: true,
  };
}

/** The identifier of an item that is there (language §H.2, rule 4). */
function unsureMembers({ does }: Operation, subject: Resource, bound: readonly string[]): string[] {
  const identifier = stated(does)?.verb === 'create' ? [] : (stated(subject.identifier) ?? []);
  return identifier.map(({ text }) => text).filter((name) => !bound.includes(name));
}

function valueAt(value: Value, path: readonly (string | number)[]): Value {
  return path.reduce<Value>(
    (at, name) => (at as { readonly [name: string]: Value } | null)?.[String(name)] ?? null,
    value,
  );
}
