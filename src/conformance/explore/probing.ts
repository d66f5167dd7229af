import type { Request } from '../../semantics/request/prediction.ts';
import type { Json } from '../../source/node.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import type { Schema } from '../schema.ts';
import { isMembers, membersIn, withBody } from './bodies.ts';
import { hostileValues } from './hostile.ts';
import type { Pool } from './pool.ts';
import { isSpelled } from './requests.ts';
import { unreadable } from './unread.ts';

/** The same request with another value, or with content that cannot be read; itself, if it has no such place. */
type Probe = (request: Request) => Request;

/** More pairs of members than this are not tried in one operation. */
const mostPairs = 12;

/** What is left of an operation that takes no values. */
const none: Probe[] = [];

/**
 * Goes through the values about the bounds of each member and parameter, one by one, so that none is left to chance. Once all
 * had their turn, they begin again.
 */
export class Probing {
  readonly #left = new Map<Operation, Probe[]>();
  readonly #done = new Set<Operation>();

  /** How many values of an operation had no turn as yet. */
  untried(operation: Operation, pool: Pool): number {
    return this.#done.has(operation) ? 0 : this.#leftOf(operation, pool).length;
  }

  /** The same request with the value whose turn it is; null: its operation takes none. */
  next(request: Request, pool: Pool): Request | null {
    const left = this.#leftOf(request.operation, pool);
    const probe = left.pop();
    if (left.length === 0) this.#done.add(request.operation);
    const changed = probe?.(request) ?? request;
    return changed === request ? null : changed;
  }

  #leftOf(operation: Operation, pool: Pool): Probe[] {
    const known = this.#left.get(operation);
    if (known?.length || known === none) return known;
    const all = shuffled(probesOf(operation, pool), pool);
    const left = all.length > 0 ? all : none;
    this.#left.set(operation, left);
    return left;
  }
}

function probesOf(operation: Operation, pool: Pool): readonly Probe[] {
  const body = bodyOf(pool.specification, operation);
  const members = Object.entries((body && membersIn(body, pool)) ?? {});
  const parameters = queryParameters(operation).map(({ name, shape }) => [name, schemaOf(shape)] as const);
  return [
    ...members.flatMap(([name, schema]) => [
      withoutMember(name),
      ...[
        ...valuesAbout(schema, pool),
        ...hostileValues((value) => pool.fits(schema, value)),
        ...ofOtherTypes,
      ].map((value) => withMember(name, () => value)),
    ]),
    ...(members.length > 0
      ? [withMember('unstated', () => 'x'), ...withFields(operation, members, pool)]
      : []),
    ...pairsOf(members),
    ...parameters.flatMap(([name, schema]) =>
      valuesAbout(schema, pool)
        .filter((value) => isSpelled(value, schema))
        .map(
          (value): Probe =>
            (request) => ({ ...request, query: { ...request.query, [name]: value } }),
        ),
    ),
    ...unreadable(operation, pool),
  ];
}

/** Gives a member of the body the value that is made of the others; undefined: there is none. */
function withMember(name: string, made: (others: Readonly<Record<string, Json>>) => Json | undefined): Probe {
  return (request) =>
    withBody(request, (body) => {
      const value = isMembers(body) ? made(body) : undefined;
      return value === undefined ? undefined : { ...(body as object), [name]: value };
    });
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

/** The body without one of its members. */
function withoutMember(name: string): Probe {
  return (request) =>
    withBody(request, (body) => {
      if (!isMembers(body) || !Object.hasOwn(body, name)) return undefined;
      const { [name]: _, ...others } = body as { readonly [member: string]: Json };
      return others;
    });
}

/** Values of which most shapes take none. */
const ofOtherTypes: readonly Json[] = [null, true, 0.5, 'other', ['a'], { a: 1 }];

/** Values at the bounds of a shape and past them, and those that fit a pattern but for what stands around. */
function valuesAbout(schema: Schema, pool: Pool): readonly Json[] {
  const { pattern, enum: listed } = pool.resolve(schema) as { pattern?: string; enum?: readonly Json[] };
  const fitting = pattern === undefined ? null : pool.fresh(schema);
  const around =
    typeof fitting === 'string'
      ? [
          `${fitting}0`,
          `0${fitting}`,
          ` ${fitting}`,
          `${fitting}\n`,
          fitting.toLowerCase(),
          fitting.toUpperCase(),
        ]
      : [];
  return [...new Set([...pool.atBounds(schema), ...around, ...(listed ?? [])])];
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

function shuffled<T>(list: readonly T[], { random }: Pool): T[] {
  const all = [...list];
  for (let last = all.length - 1; last > 0; last--) {
    const at = random.whole(0, last);
    [all[last], all[at]] = [all[at] as T, all[last] as T];
  }
  return all;
}
