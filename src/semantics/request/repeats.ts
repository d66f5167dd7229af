import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Duration } from '../../specification/reading/duration.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { conditions } from '../../specification/vocabulary/condition.ts';
import type { Idempotency } from '../../specification/vocabulary/endpoint/idempotency.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import { equal } from '../value/compare.ts';
import { absent } from '../value/evaluate.ts';
import { attempt, both, not, type Truth } from '../value/truth.ts';
import { unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Kept, World } from '../world/world.ts';
import { headersOf } from './answer.ts';
import { type Prediction, type Request, unsaid } from './prediction.ts';

/** What a key of a request comes to (language §4.4): its first answer again, a refusal, or nothing. */
export type Repeat =
  | { readonly kind: 'again'; readonly prediction: Prediction }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'new' };

interface Remembered extends Kept {
  readonly kind: 'repeat';
  readonly header: string;
  readonly key: Value;
  readonly actor: Value;
  readonly request: Request;
  readonly prediction: Prediction;
  /** The `now` of the request. */
  readonly since: Value;
  /** Whether it is not known what came of the request, nor who sent it. */
  readonly isDoubtful?: true;
}

/** Looks whether a request was sent before. What `errors.order` places before a repeat is not worked out: it is unknown. */
export function repeatOf(request: Request, moment: Moment): Repeat {
  const said = stated(request.operation.endpoint.idempotency);
  if (said === undefined) return { kind: 'new' };
  const header = headerOf(said);
  const key = request.headers[header];
  if (header === '') return moment.world.leave(unknown([]));
  if (key === undefined)
    return stated(said.required) === true
      ? { kind: 'refused', refusal: refusal('key missing') }
      : { kind: 'new' };
  const { world } = moment;
  const life = stated(said.life);
  if (isReplayOrdered(world) || stated(said.per) === undefined || !life) return world.leave(unknown([]));
  const actor = moment.names['actor'] ?? null;
  const found = (world.remembered as readonly Remembered[]).find((each) =>
    world.decide(
      both(each.header === header ? equal(each.key, key) : false, () =>
        each.isDoubtful
          ? true
          : both(stated(said.per) === 'actor' ? equal(each.actor, actor) : true, () =>
              not(hasPassed(life, each.since, world)),
            ),
      ),
    ),
  );
  if (found?.isDoubtful) return world.leave(unknown([]));
  if (found === undefined) {
    // Others may have used the key, with another request.
    const isTheirs = stated(said.per) === 'key' ? world.mayBeTheirs([key]) : world.mayBeTheirs([key, actor]);
    return world.decide(isTheirs) ? { kind: 'refused', refusal: refusal('key reused') } : { kind: 'new' };
  }
  const isSame = world.decide(both(isSameRequest(found.request, request), () => equal(found.actor, actor)));
  if (isSame && isChangeFirst(world.specification)) return world.leave(unknown([]));
  return isSame
    ? { kind: 'again', prediction: replayed(said, found.prediction, moment) }
    : { kind: 'refused', refusal: refusal('key reused') };
}

/** Whether a key is forgotten. A month has 28 to 31 days. */
function hasPassed({ months, rest }: Duration, since: Value, world: World): Truth {
  if (world.hasPassed(since, months * 31 * day + rest) === true) return true;
  return world.hasPassed(since, months * 28 * day + rest) === false ? false : unknown([]);
}

const day = 86_400_000;

/** The first answer again, with the fields that mark it. */
function replayed(said: Idempotency, prediction: Prediction, moment: Moment): Prediction {
  const fields = headersOf(marksOf(said), (template) => attempt(() => moment.value(template)));
  return { ...prediction, headers: { ...prediction.headers, ...fields } };
}

/** The fields that mark a repeated answer are sent with no other (language §4.4, `replay`). */
export function unmarked({ operation }: Request, prediction: Prediction): Prediction {
  const said = stated(operation.endpoint.idempotency);
  const names = said ? [...(marksOf(said)?.keys() ?? [])].map((name) => name.toLowerCase()) : [];
  const none = Object.fromEntries(names.map((name) => [name, null]));
  return names.length === 0 ? prediction : { ...prediction, headers: { ...none, ...prediction.headers } };
}

function marksOf({ replay }: Idempotency): ReadonlyMap<string, Said<PlacedTemplate>> | undefined {
  return stated(stated(replay)?.headers);
}

/** The keys whose first answer is remembered. */
export function keysSent(world: World): readonly Value[] {
  return (world.remembered as readonly Remembered[]).map(({ key }) => key);
}

/** Whether a refusal of this request is repeated, too, if it is judged after its key (language §4.4, rule 16). */
export function remembersRefusals(request: Request): boolean {
  const said = stated(request.operation.endpoint.idempotency);
  return stated(said?.remembers) === 'all' && hasKey(request);
}

/** Whether a request carries a key. */
export function hasKey(request: Request): boolean {
  return keyOf(request) !== undefined;
}

/** The key that a request carries; undefined: none. */
export function keyOf({ operation, headers }: Request): Value | undefined {
  const said = stated(operation.endpoint.idempotency);
  return said && headers[headerOf(said)];
}

/** Whether a request with this key was answered before, and the answer is remembered. */
export function isRepeat(request: Request, moment: Moment): boolean {
  return hasKey(request) && repeatOf(request, moment).kind === 'again';
}

/** Remembers an answer. */
export function remember(request: Request, prediction: Prediction, moment: Moment): void {
  const said = stated(request.operation.endpoint.idempotency);
  const header = said && headerOf(said);
  const key = header && request.headers[header];
  if (key === undefined || key === '') return;
  const [actor = null, since = null] = [moment.names['actor'], moment.names['now']];
  const about = { kind: 'repeat', header: header as string, key, actor, request, since } as const;
  moment.world.remember(withAnswer(about, prediction));
}

function withAnswer(about: Omit<Remembered, 'prediction' | 'said'>, prediction: Prediction): Remembered {
  const { key, actor, since, request } = about;
  const { path, query, content = null, operation } = request;
  const body = prediction.body === absent ? null : (prediction.body as Value);
  const said = [key, actor, since, operation.address, path, query, content, prediction.headers, body];
  return { ...about, prediction, said };
}

/**
 * The world, in which it is not known what header fields of remembered answers say.
 *
 * @param fields in small letters
 */
export function forgettingFields(world: World, fields: ReadonlySet<string>): World {
  return world.remembering((kept) => {
    const remembered = kept as Remembered;
    const headers = Object.entries(remembered.prediction.headers).filter(([name]) => !fields.has(name));
    return remembered.isDoubtful
      ? kept
      : withAnswer(remembered, { ...remembered.prediction, headers: Object.fromEntries(headers) });
  });
}

/** Whatever came of a request, it is not known any more what a request with its key comes to. */
export function doubtKey(request: Request, world: World): void {
  const said = stated(request.operation.endpoint.idempotency);
  const key = keyOf(request);
  if (said === undefined || key === undefined) return;
  const nobody = { actor: unknown([]), since: null, prediction: unsaid(unknown([]), '') };
  const doubtful: Remembered = {
    ...{ kind: 'repeat', header: headerOf(said), key, request, said: [key] },
    ...nobody,
    isDoubtful: true,
  };
  world.remember(doubtful);
}

/** The header field of the keys, in small letters; empty: it is not stated. */
export function headerOf({ header }: Idempotency): string {
  return stated(header)?.toLowerCase() ?? '';
}

function isReplayOrdered({ specification: { errors } }: World): boolean {
  return (stated(stated(errors)?.order) ?? []).some(({ text }) => text === 'replay');
}

/** Where a repeat is answered among the refusals, and which of them only the change tells (language §7.2). */
const repeated = conditions['key reused'].place;
const changing: readonly number[] = [conditions['transition refused'].place, conditions['not unique'].place];

/** Whether `errors.order` has a row that only the change tells come before one that is judged with the key, or earlier. */
const isChangeFirst = once(({ errors }: Specification): boolean => {
  const part = stated(errors);
  const places = (part && stated(part.order))?.map(({ text }) => {
    const row = stated(part.codes)?.get(text);
    const all = row && stated(stated(row)?.when ?? undefined);
    return (all ?? []).flatMap(({ names }) => names.map((name): number => conditions[name].place));
  });
  const first = places?.findIndex((all) => all.some((place) => changing.includes(place))) ?? -1;
  return first !== -1 && places?.slice(first).some((all) => all.some((place) => place <= repeated)) === true;
});

/** A request is its operation, its parameters, its body, and who asks (language §4.4, rule 13). */
function isSameRequest(one: Request, other: Request): Truth {
  if (one.operation.address !== other.operation.address) return false;
  const parts = ({ path, query, content }: Request): Value => [path, query, content ?? null];
  return equal(parts(one), parts(other));
}
