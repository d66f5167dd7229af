import { ruleOf } from '../specification/model/authorization.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, step } from '../specification/reading/address.ts';
import { isSaid, type Said, stated } from '../specification/reading/said.ts';
import type { Reply, WroteItem } from './message/reply.ts';
import type { Asked } from './routes.ts';

/** What a request came to, and why: names and addresses alone, nothing that it brought but its path. */
export interface Answered {
  readonly method: string;
  /** Without the query, which may hold credentials. */
  readonly path: string;
  /** By name; null where none was reached. */
  readonly operation: string | null;
  readonly version: string | null;
  /** Null: the connection was closed without an answer. */
  readonly status: number | null;
  /** For a refusal: the condition, and what it is about, such as `Parcel.weight.maximum`. */
  readonly condition: string | null;
  readonly about: readonly string[];
  /** For a refusal of the host's, which no condition names: why. */
  readonly reason?: string;
  /** The statements that took part, by their addresses. */
  readonly statements: readonly Address[];
  /** For a 501: the points that it takes to go on. */
  readonly held: readonly Address[];
  readonly tookMs: number;
  /** The items that it wrote, and how; left out where it wrote none, or nobody wants to know (`ServiceOptions.tellsItems`). */
  readonly wrote?: readonly WroteItem[];
}

const taking = new WeakMap<Operation, readonly Address[]>();

export function answeredOf(reply: Reply | null, asked: Asked): Answered {
  const { arrived, specification, operation, version, tookMs } = asked;
  const own = operation ? (taking.get(operation) ?? takingPart(specification, operation)) : [];
  if (operation) taking.set(operation, own);
  const { statements = [], condition = null, about = [], reason } = reply?.because ?? {};
  return {
    method: arrived.method,
    path: arrived.url.split('?')[0] as string,
    operation: operation?.name ?? null,
    version,
    status: reply?.status ?? null,
    condition,
    about,
    ...(reason !== undefined && { reason }),
    statements: [...own, ...(version === null ? [] : [step('versioning.versions', version)]), ...statements],
    held: reply?.heldUp?.points.map((point) => point.address) ?? [],
    tookMs,
    ...(reply?.wrote && { wrote: reply.wrote() }),
  };
}

/** The statements that take part in whatever is asked of an operation. */
function takingPart({ authentication, limits, states }: Specification, operation: Operation): Address[] {
  const { does, endpoint, request, subject } = operation;
  const part = stated(authentication);
  const verb = stated(does)?.verb;
  const moves = [...(stated(states) ?? [])].flatMap(([name, said]) => {
    const transition = stated(stated(said)?.transitions)?.get(verb ?? '');
    return name.split('.')[0] === subject?.name && transition ? [transition.address] : [];
  });
  const rates = [...(stated(stated(limits)?.rates) ?? [])].flatMap(([, said]) => {
    const rate = stated(said);
    const operations = rate && stated(rate.operations);
    return rate && (!operations || operations.some(({ text }) => text === operation.name)) ? [said] : [];
  });
  const all: (Said<unknown> | undefined)[] = [
    part && ruleOf(part, operation),
    ...rates,
    request?.content.kind === 'stated' ? request.content : request?.body,
    endpoint.conditional,
    endpoint.idempotency,
    does,
  ];
  return [
    ...all.flatMap((said) => (said && isSaid(said) && said.kind !== 'none' ? [said.address] : [])),
    ...moves,
    ...(stated(endpoint.also) ?? []).map((_, index) => step(endpoint.also.address, index)),
  ];
}
