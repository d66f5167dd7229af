import { madeUpTag } from '../../semantics/request/conditional/tags.ts';
import { takesMergePatch } from '../../semantics/request/content/patch.ts';
import { keySchema } from '../../semantics/request/given/parameters.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import type { Json } from '../../source/node.ts';
import { headerParameters, type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Parameter as QueryParameter } from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { isMembers, membersIn, withBody, withoutMember } from '../requests/bodies.ts';
import { otherBytes } from '../requests/bytes.ts';
import { underCondition } from '../requests/headers.ts';
import { hostileValues, markedTexts } from '../requests/hostile.ts';
import { sendable } from '../requests/message.ts';
import type { Pool } from '../requests/pool.ts';
import { rangeProbes } from '../requests/ranges.ts';
import { spelled } from '../requests/requests.ts';
import { unreadable } from '../requests/unread.ts';
import type { Schema } from '../schema.ts';

/** The same request with another value, or with content that cannot be read; itself, if it has no such place. */
type Probe = (request: Request) => Request;

/** More pairs of members than this are not tried in one operation. */
const mostPairs = 12;

/**
 * Goes through the values about the bounds of each member and parameter, one by one, so that none is left to chance. Once all
 * had their turn, they begin again.
 */
export class Probing {
  readonly #left = new Map<Operation, Probes>();
  readonly #done = new Set<Operation>();

  /** How much of an operation had no turn as yet: what keywords state weighs ten times as much. */
  untried(operation: Operation, pool: Pool): number {
    if (this.#done.has(operation)) return 0;
    const { first, rest } = this.#leftOf(operation, pool);
    return 10 * first.length + rest.length;
  }

  /** Whether what keywords state of an operation had not all its turn as yet. */
  isAtBounds(operation: Operation, pool: Pool): boolean {
    return !this.#done.has(operation) && this.#leftOf(operation, pool).first.length > 0;
  }

  /** The same request with the value whose turn it is; null: it takes none, as a preflight request does. */
  next(request: Request, pool: Pool): Request | null {
    if (request.isPreflight === true) return null;
    const left = this.#leftOf(request.operation, pool);
    const probe = left.first.pop() ?? left.rest.pop();
    if (isOver(left)) this.#done.add(request.operation);
    const changed = probe?.(request) ?? request;
    return changed === request ? null : changed;
  }

  #leftOf(operation: Operation, pool: Pool): Probes {
    const known = this.#left.get(operation);
    if (known && (known === none || !isOver(known))) return known;
    const { first, rest } = probesOf(operation, pool);
    const isLocked = known === undefined && pool.specification.authentication.kind === 'stated';
    const all = {
      first: pool.shuffled(isLocked ? [...first, withoutCredentials] : first),
      rest: pool.shuffled(rest),
    };
    const left = isOver(all) ? none : all;
    this.#left.set(operation, left);
    return left;
  }
}

/** What comes first: content that is not read, members left out, and values at bounds and past them. */
interface Probes {
  readonly first: Probe[];
  readonly rest: Probe[];
}

/** Those of an operation that takes none. */
const none: Probes = { first: [], rest: [] };

function isOver({ first, rest }: Probes): boolean {
  return first.length + rest.length === 0;
}

function probesOf(operation: Operation, pool: Pool): Probes {
  const body = bodyOf(pool.specification, operation);
  const members = Object.entries((body && membersIn(body, pool)) ?? {});
  const isJudged = body?.others?.kind === 'stated';
  const fields = headerParameters(operation).map(({ name, shape }) => ({ name: name.toLowerCase(), shape }));
  const as = (name: string, values: readonly Json[]): readonly Probe[] =>
    values.map((value) => withMember(name, () => value));
  const fitting = (name: string, schema: Schema, values: readonly Json[]): readonly Probe[] =>
    as(
      name,
      values.filter((value) => pool.fits(schema, value)),
    );
  return {
    first: [
      ...unreadable(operation, pool),
      ...otherBytes(operation, pool),
      ...(members.length > 0 ? noObjects.map(withContent) : []),
      ...(members.length > 0 && isJudged ? [unstatedMember] : []),
      ...(operation.request?.others.kind === 'stated' ? [unstatedParameter] : []),
      ...members.flatMap(([name, schema]) => [
        (request: Request) => withoutMember(request, name),
        ...as(name, [...valuesAbout(schema, pool), ...(takesMergePatch(operation) ? [null] : [])]),
        ...fitting(name, schema, inOtherCase(schema, pool)),
        ...fitting(name, schema, markedTexts),
      ]),
      ...inTexts('query', shaped(queryParameters(operation)), pool),
      ...inTexts('headers', shaped(fields), pool),
      ...inTexts('path', pathParameters(operation, pool.specification), pool),
      ...conditions(operation),
      ...rangeProbes(operation),
    ],
    rest: [
      ...members.flatMap(([name, schema]) => [
        ...as(name, aroundPattern(schema, pool)),
        ...fitting(name, schema, hostileValues),
        ...as(name, ofOtherTypes),
      ]),
      ...(members.length > 0 && !isJudged ? [unstatedMember] : []),
      ...(members.length > 0 ? withFields(operation, members, pool) : []),
      ...pairsOf(members),
    ],
  };
}

/** What a parameter is called, and its shape. */
interface Shaped {
  readonly name: string;
  readonly schema: Schema;
  /** Values that fit one of these are not sent: such an item may be there, of an earlier walk. Default: all are */
  readonly except?: readonly Schema[];
}

function shaped(parameters: readonly Pick<QueryParameter, 'name' | 'shape'>[]): readonly Shaped[] {
  return parameters.map(({ name, shape }) => ({ name, schema: schemaOf(shape) as Schema }));
}

/** Gives each parameter the texts about its bounds. */
function inTexts(
  place: 'query' | 'headers' | 'path',
  parameters: readonly Shaped[],
  pool: Pool,
): readonly Probe[] {
  return parameters.flatMap(({ name, schema, except = [] }) => {
    const values = [...valuesAbout(schema, pool), ...aroundPattern(schema, pool), ...notWhole(schema)];
    const given = spelled(values, schema, pool)
      .filter((value) => sendable[place].test(String(value)))
      .filter((value) => !except.some((each) => pool.fits(each, value as Json)))
      .map(
        (value): Probe =>
          (request) => ({ ...request, [place]: { ...request[place], [name]: value } }),
      );
    return place === 'path' ? given : [withoutParameter(place, name), ...given];
  });
}

function withoutParameter(place: 'query' | 'headers', name: string): Probe {
  return (request) => {
    const { [name]: given, ...others } = request[place];
    return given === undefined ? request : { ...request, [place]: others };
  };
}

/** Those of which a shape is stated, and the key under which a client has one made. */
function pathParameters(operation: Operation, specification: Specification): readonly Shaped[] {
  const { bindings, subject, does } = operation;
  const isMaking = stated(does)?.verb === 'create';
  return [...bindings].flatMap(([name, binding]): readonly Shaped[] => {
    const own = binding.parameter ? (schemaOf(binding.parameter.shape) as Schema) : undefined;
    const of =
      binding.kind === 'text' ? undefined : binding.kind === 'subject' ? subject?.name : binding.resource;
    if (binding.kind === 'text' || of === undefined) return own ? [{ name, schema: own }] : [];
    // It is read as its field is (language §4.2, rule 5).
    const key = keySchema(specification, of, binding.field);
    const { type } = key;
    const field = binding.kind === 'subject' && isMaking ? subject?.fields.get(binding.field) : undefined;
    const shape = { ...own, ...(type !== undefined && { type }) } as Schema;
    const except = isMaking && binding.kind === 'subject' ? [] : [shape, key as Schema];
    return [
      ...(own ? [{ name, schema: shape, except }] : []),
      ...(field ? [{ name, schema: schemaOf(field.shape) as Schema }] : []),
    ];
  });
}

/** Conditions that name no tag of an item (RFC 9110 §13.1). */
function conditions({ endpoint }: Operation): readonly Probe[] {
  const conditional = stated(endpoint.conditional);
  const names = conditional
    ? ([
        ['if-match', conditional.ifMatch],
        ['if-none-match', conditional.ifNoneMatch],
      ] as const)
    : [];
  return names.flatMap(([name, said]) =>
    stated(said) === undefined
      ? []
      : ['*', madeUpTag].map(
          (value): Probe =>
            (request) =>
              underCondition(request, name, value),
        ),
  );
}

function withContent(content: Json): Probe {
  return (request) => withBody(request, () => content);
}

/** Gives a member of the body the value that is made of the others; undefined: there is none. */
function withMember(name: string, made: (others: Readonly<Record<string, Json>>) => Json | undefined): Probe {
  return (request) =>
    withBody(request, (body) => {
      const value = isMembers(body) ? made(body) : undefined;
      return value === undefined ? undefined : { ...(body as object), [name]: value };
    });
}

const unstatedMember = withMember('unstated', () => 'x');

const unstatedParameter: Probe = (request) => ({ ...request, query: { ...request.query, unstated: 'x' } });

/** Has its turn once. */
const withoutCredentials: Probe = (request) =>
  request.credentials.length > 0 ? { ...request, credentials: [] } : request;

/** Texts that begin like a whole number, and are none. */
function notWhole({ type }: Schema): readonly Json[] {
  return [type].flat().includes('integer') ? [1.5, '1x'] : [];
}

/** Fields of the subject that a body may not have. */
function withFields(
  { subject }: Operation,
  members: readonly (readonly [string, Schema])[],
  pool: Pool,
): readonly Probe[] {
  const names = members.map(([name]) => name);
  return [...(subject?.fields.values() ?? [])]
    .filter(({ name }) => !names.includes(name))
    .map(({ name, shape }) => withMember(name, () => pool.fresh(schemaOf(shape) as Schema)));
}

/** Bodies where an object is wanted. */
const noObjects: readonly Json[] = [null, []];

/** Values of which most shapes take none. */
const ofOtherTypes: readonly Json[] = [null, true, 0.5, 'other', ['a'], { a: 1 }];

/** Values at the bounds of a shape and past them, and all that it lists. */
function valuesAbout(schema: Schema, pool: Pool): readonly Json[] {
  const { enum: listed } = pool.resolve(schema) as { enum?: readonly Json[] };
  return [...new Set([...pool.atBounds(schema), ...(listed ?? [])])];
}

/** Texts of a format, such as an address of mail, in capitals and in small letters. Free texts are marked texts, too. */
function inOtherCase(schema: Schema, pool: Pool): readonly Json[] {
  const { format } = pool.resolve(schema) as { format?: string };
  const fitting = format === undefined ? null : pool.fresh(schema);
  return typeof fitting === 'string' ? [fitting.toUpperCase(), fitting.toLowerCase()] : [];
}

/** Texts that fit a pattern but for what stands around them. */
function aroundPattern(schema: Schema, pool: Pool): readonly Json[] {
  const { pattern } = pool.resolve(schema) as { pattern?: string };
  const fitting = pattern === undefined ? null : pool.fresh(schema);
  if (typeof fitting !== 'string') return [];
  const changed = [fitting.toLowerCase(), fitting.toUpperCase()];
  return [`${fitting}0`, `0${fitting}`, ` ${fitting}`, `${fitting}\n`, ...changed];
}

/** Two members of one kind, which an expression may compare. */
function pairsOf(members: readonly (readonly [string, Schema])[]): readonly Probe[] {
  const kind = ({ type, format }: Schema): string => JSON.stringify([type, format]);
  const pairs = members.flatMap(([name, schema]) =>
    members
      .filter(
        ([other, { type, enum: listed }]) => other !== name && type !== 'boolean' && listed === undefined,
      )
      .filter(([, other]) => kind(other) === kind(schema))
      .map(([as]) => withMember(name, (others) => others[as])),
  );
  return pairs.slice(0, mostPairs);
}
