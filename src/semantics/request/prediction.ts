import type { Operation } from '../../specification/model/operation.ts';
import type { PathSpelling } from '../../specification/model/path-spelling.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Credential } from '../access/credential.ts';
import type { absent } from '../value/evaluate.ts';
import type { Unknown, Value } from '../value/value.ts';
import type { Promised } from './given/promised.ts';

/** A request to an operation: parameters and content as values, each of its type. */
export interface Request {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, Value>>;
  /** Default: as the document does. */
  readonly spelling?: PathSpelling;
  /** Those that are given. */
  readonly query: Readonly<Record<string, Value>>;
  /** Header fields that are given, by name in lower case. Those of credentials are not among them. */
  readonly headers: Readonly<Record<string, Value>>;
  readonly credentials: readonly Credential[];
  /** Whether a page asks by OPTIONS whether it may send such a request (Fetch standard §3.3.2). Default: false. */
  readonly isPreflight?: boolean;
  /** The JSON content; undefined: there is none. */
  readonly content: Value | undefined;
  /** Of content in parts: what stands beside those that are bytes, by the name of the field (language §4.2, `request.parts`). */
  readonly parts?: Readonly<Record<string, { readonly name: string | null; readonly media: string | null }>>;
  /** Whether the content ends early, so that it is no JSON. Default: false. */
  readonly isBroken?: boolean;
  /** How many bytes the content has at the least: spaces stand after it. Default: 0. */
  readonly leastBytes?: number;
  /** The name or alias of a version; null: the request names none (language §9.1). Default: the newest version. */
  readonly version?: string | null;
  /** The address of the service, for `service.url`. */
  readonly url: string;
}

/** What the document says of the answer. */
export interface Prediction {
  /** The statuses of which each may be sent; unknown: nothing is said. */
  readonly status: readonly number[] | Unknown;
  readonly headers: Readonly<Record<string, Value>>;
  /** Fields that are lists of names, each with the names in lower case that it has at least. Default: none. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** `absent`: no content. */
  readonly body: Value | typeof absent;
  /** By status, what an answer looks like, whatever its values are. Default: nothing is said. */
  readonly promised?: ReadonlyMap<number, Promised>;
  /** What pages of other origins may do. Default: nothing is said. */
  readonly sharing?: Sharing;
  /** The texts of secrets, which no answer shows unless it states them. */
  readonly secrets?: () => ReadonlySet<string>;
  /** The address of the answer, or of the row, that is sent. */
  readonly by: Address;
  /** By place, the addresses of what neither of them states: `headers.x-left`. Default: none. */
  readonly others?: Readonly<Record<string, Address>>;
  /** The condition by which it is refused, and what this is about. */
  readonly condition?: ConditionName;
  readonly subject?: string;
  /** The keyword that refuses it, if it is one alone: its statement. */
  readonly because?: Address;
  /** The place of its row in `errors.order`. Infinity: it has none. */
  readonly rank?: number;
  /** The `error.code` of a refusal. */
  readonly code?: string;
}

/** What pages of an origin may do with an answer, as the Fetch standard reads the fields of the answer (language §4.1). */
export interface Sharing {
  readonly origin: string;
  /** Whether pages of this origin may read the answer. */
  readonly isAllowed: boolean;
  readonly hasCredentials: boolean;
  /** What they may use besides: a field of the answer lists it. */
  readonly uses: readonly { readonly field: string; readonly name: string; readonly isAllowed: boolean }[];
  /** The statement. */
  readonly by: Address;
}

/** The statuses that a refusal may have (RFC 9110 §15.5, §15.6). */
export const refusalStatuses: readonly number[] = Array.from({ length: 200 }, (_, place) => 400 + place);

/** Whether the floor binds every implementation, and not our service alone (language §4.1, `protocol`). */
export function isFloorStated({ endpoints }: Specification): boolean {
  return stated(stated(endpoints)?.protocol) !== undefined;
}

/** The statuses by which a refusal is seen where none is stated: for a fault of the service, those of 500 and more. */
export function errorStatuses(condition: ConditionName): readonly number[] {
  const least = condition === 'internal' ? 500 : 400;
  return refusalStatuses.filter((status) => status >= least);
}

/** Statuses as texts, in their order. Of many that follow one another, the first and the last: `400 to 599`. */
export function statusTexts(
  statuses: readonly number[],
  textOf: (status: number) => string = String,
): readonly string[] {
  const runs: number[][] = [];
  for (const status of statuses) {
    const run = runs.at(-1);
    if (run?.at(-1) === status - 1) run.push(status);
    else runs.push([status]);
  }
  return runs.flatMap((run) => (run.length > 9 ? [`${run[0]} to ${run.at(-1)}`] : run.map(textOf)));
}

/** Nothing is said of the answer. */
export function unsaid(because: Unknown, by: Address): Prediction {
  return { status: because, headers: {}, body: because, by };
}
