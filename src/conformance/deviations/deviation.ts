import type { Request } from '../../semantics/request/prediction.ts';
import { type Step, step } from '../../semantics/request/request.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import type { Said } from '../../specification/reading/said.ts';
import { asRead } from './as-read.ts';
import { changed, statementsOf } from './changed.ts';
import { keywordsAlong } from './flows.ts';

/** All that may come of a request, as an implementation carries it out. Like `step` of the semantics. */
export type Implementation = (world: World, request: Request) => readonly Step[];

/** A statement as an implementation might get it wrong. */
export interface Deviation {
  /** The statement. */
  readonly said: Said<unknown>;
  /** Where the document states it, if that is elsewhere: in a difference of an older version. Default: as `said` says. */
  readonly address?: Address;
  /** What is stated in its place, if that is all that deviates. Default: something else deviates. */
  readonly other?: Said<unknown>;
  /** How it is got wrong, as a person would say it. */
  readonly says: string;
  /** The one operation that deviates; null: each. */
  readonly operation: Address | null;
  /** It shows where nothing reads the statement: every request of the operation may tell it. Default: false. */
  readonly isUnread?: true;
  /** Makes an implementation that deviates so, and in nothing else. Each call makes a new one. */
  readonly implementation: () => Implementation;
}

/** One kind of deviations: all those that it has for one statement. */
export type Kind = (said: Said<unknown>, specification: Specification) => readonly Deviation[];

/** An implementation of a specification. */
export function implementing(specification: Specification): Implementation {
  return (world, request) => {
    const known = carriedOut.get(world);
    if (known?.request === request && known.specification === specification) return known.steps;
    const operation = operationsOf(specification).get(request.operation.address) ?? request.operation;
    return step(world.under(specification), asRead(request, operation, specification));
  };
}

/** What came of a request that was carried out as stated, by the world that it found. */
const carriedOut = new WeakMap<
  World,
  { readonly request: Request; readonly specification: Specification; readonly steps: readonly Step[] }
>();

/** Notes what comes of a request where nothing deviates, so that it is not carried out again for each deviation. */
export function noteSteps(world: World, request: Request, steps: readonly Step[]): void {
  carriedOut.set(world, { request, specification: world.newest, steps });
}

/** An implementation of a specification that says something else at one point. */
export function stating(
  specification: Specification,
  said: Said<unknown>,
  other: Said<unknown>,
): () => Implementation {
  return () => implementing(restated(said, other, specification));
}

/** The specification that says something else at one point. */
export const restated = once(
  (said: Said<unknown>, other: Said<unknown>, specification: Specification): Specification => {
    const places = copiesOf(said, specification).map((each): [Said<unknown>, Said<unknown>] => [
      each,
      { ...other, address: each.address },
    ]);
    return changed(specification, new Map(places));
  },
);

/**
 * A statement, and its copies: `errors.payload` is written out in each row of part 7 (language §E.16), and a keyword of a
 * shape may be stated of all that a value flows into.
 */
function copiesOf(said: Said<unknown>, specification: Specification): readonly Said<unknown>[] {
  if (!said.address.startsWith('errors.payload.')) return keywordsAlong(said, specification);
  const key = said.address.slice('errors.payload'.length);
  return statementsOf(specification).filter(
    ({ address, at }) =>
      at.start === said.at.start &&
      at.end === said.at.end &&
      address.startsWith('errors.') &&
      address.endsWith(key),
  );
}

/** A deviation that is made of a right implementation: of its requests, its answers, or what it holds. */
export function wrapping(
  said: Said<unknown>,
  specification: Specification,
  says: string,
  wrong: (right: Implementation) => Implementation,
  operation: Address | null = null,
): Deviation {
  const implementation = (): Implementation => {
    const deviating = wrong(implementing(specification));
    return operation === null ? deviating : inOperation(specification, operation, deviating);
  };
  return { said, says, operation, implementation };
}

/** A deviation that states something else at one point. */
export function restating(
  said: Said<unknown>,
  specification: Specification,
  says: string,
  other: Said<unknown>,
): Deviation {
  return {
    said,
    other,
    says,
    operation: null,
    ...(said.address.startsWith('errors.payload.') && { isUnread: true }),
    implementation: stating(specification, said, other),
  };
}

/** An implementation that deviates in one operation, and is right in all others. */
export function inOperation(
  specification: Specification,
  operation: Address,
  wrong: Implementation,
): Implementation {
  const right = implementing(specification);
  return (world, request) => (request.operation.address === operation ? wrong : right)(world, request);
}

/** The operation whose statement it is; undefined: it stands outside the endpoints. */
export function operationOf(
  { address }: Said<unknown>,
  { operations }: Specification,
): Operation | undefined {
  return operations.find((operation) => address.startsWith(`${operation.address}.`));
}

/** The last name of an address: the key of the statement. */
export function keyOf({ address }: Said<unknown>): string {
  return /([^.[\]]+)$/.exec(address)?.[1] ?? '';
}

export function nothing({ address, at }: Said<unknown>): Said<unknown> {
  return { kind: 'none', address, at, assumed: false };
}

export function isSuccess({ prediction: { status } }: Step): boolean {
  return Array.isArray(status) && status.every((each: number) => each < 300);
}

export function isRefusal({ prediction: { status } }: Step): boolean {
  return Array.isArray(status) && status.every((each: number) => each >= 400);
}

const operationsOf = once(
  ({ operations }: Specification): ReadonlyMap<Address, Operation> =>
    new Map(operations.map((operation) => [operation.address, operation])),
);
