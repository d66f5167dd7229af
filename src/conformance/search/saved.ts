import type { Request } from '../../semantics/request/prediction.ts';
import { Bytes, isList, isObject, type Made, Text, type Value } from '../../semantics/value/value.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Deviation } from '../deviations/deviation.ts';
import { deviationsOf, nameOf } from '../deviations/deviations.ts';
import type { PlannedWait } from '../explore/waits.ts';
import { Awaited, Fresh, Moment, OperatorsOwn, type TimeFormat } from './awaited.ts';
import type { Plan, Turn, Walk } from './plan.ts';
import type { Untellable } from './reasons/reasons.ts';

/** A plan as JSON. Deviations are named by their places in `deviations`. */
interface Saved {
  readonly deviations: readonly string[];
  readonly walks: readonly SavedWalk[];
  readonly untold: readonly (Untellable & { readonly deviation: number })[];
}

interface SavedWalk {
  readonly seed: number;
  readonly requests: readonly Json[];
  readonly waits: readonly PlannedWait[];
  readonly statuses: readonly (readonly number[])[];
  /** Pairs: a deviation, and the place of the request whose answer tells it. */
  readonly told: readonly (readonly [number, number])[];
  readonly turn?: Turn;
}

/** Writes a plan as JSON: what `loaded` reads. */
export function saved(plan: Plan): string {
  const all = [...plan.told.keys(), ...plan.untold.map(({ deviation }) => deviation)];
  const places = new Map(all.map((deviation, place) => [deviation, place]));
  const placeOf = (deviation: Deviation): number => places.get(deviation) as number;
  const written: Saved = {
    deviations: all.map(nameOf),
    walks: plan.walks.map(({ told, requests, ...walk }) => ({
      ...walk,
      requests: requests.map(writtenRequest),
      told: [...told].map(([deviation, place]) => [placeOf(deviation), place] as const),
    })),
    untold: plan.untold.map((each) => ({ ...each, deviation: placeOf(each.deviation) })),
  };
  return JSON.stringify(written);
}

/**
 * Reads what `saved` wrote of the same specification.
 *
 * @returns null: it is no plan of this specification
 */
export function loaded(text: string, specification: Specification): Plan | null {
  try {
    const { deviations, walks, untold } = JSON.parse(text) as Saved;
    const byName = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));
    const deviationAt = (place: number): Deviation => known(byName.get(deviations[place] as string));
    const read = walks.map(
      ({ told, requests, ...walk }): Walk => ({
        ...walk,
        waits: known(walk.waits),
        statuses: known(walk.statuses),
        requests: requests.map((request) => readRequest(request, specification)),
        told: new Map(told.map(([deviation, place]) => [deviationAt(deviation), place])),
      }),
    );
    const told = new Map<Deviation, Walk>();
    for (const walk of read)
      for (const deviation of walk.told.keys()) if (!told.has(deviation)) told.set(deviation, walk);
    return {
      walks: read,
      told,
      untold: untold.map((each) => ({ ...each, deviation: deviationAt(each.deviation) })),
    };
  } catch {
    return null;
  }
}

function writtenRequest({ operation, ...request }: Request): Json {
  return { operation: operation.address, ...(written(request as unknown as Value) as object) };
}

function readRequest(text: Json, specification: Specification): Request {
  const { operation: address, ...request } = text as { readonly operation: string };
  const operation = specification.operations.find((each) => each.address === address);
  return { operation: known(operation), content: undefined, ...(read(request) as object) } as Request;
}

/** The member of an object that stands for a value that JSON lacks: which one. */
const mark = '$value';

/** What stands for a value that JSON lacks, and for an object that has a member called as the mark. */
type Marked =
  | (Pick<Awaited, 'form' | 'series' | 'request' | 'place' | 'plus'> & { readonly [mark]: 'awaited' })
  | (Pick<OperatorsOwn, 'scheme' | 'place'> & { readonly [mark]: 'operator' })
  | { readonly [mark]: 'fresh'; readonly text: string }
  | { readonly [mark]: 'moment'; readonly sinceMs: number; readonly format: TimeFormat }
  | { readonly [mark]: 'text'; readonly pieces: readonly Json[] }
  | { readonly [mark]: 'bytes'; readonly base64: string }
  | { readonly [mark]: 'object'; readonly members: Json };

function written(value: Value): Json {
  if (isList(value)) return value.map(written);
  if (!isObject(value)) return marked(value) as Json;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const object = Object.fromEntries(members.map(([name, member]) => [name, written(member)]));
  return Object.hasOwn(object, mark) ? { [mark]: 'object', members: object } : object;
}

/** Throws where a request holds something else than what it can be sent with. */
function marked(value: Value): Marked | Value {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Awaited) {
    const { form, series, request, place, plus } = value;
    return { [mark]: 'awaited', form, series, request, place, plus };
  }
  if (value instanceof OperatorsOwn) return { [mark]: 'operator', scheme: value.scheme, place: value.place };
  if (value instanceof Fresh) return { [mark]: 'fresh', text: value.series };
  if (value instanceof Moment) return { [mark]: 'moment', sinceMs: value.place, format: value.format };
  if (value instanceof Text) return { [mark]: 'text', pieces: value.pieces.map(written) };
  if (value instanceof Bytes)
    return { [mark]: 'bytes', base64: Buffer.from(value.content).toString('base64') };
  throw new Error('a request holds what cannot be sent');
}

function read(value: Json): Value {
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== 'object' || value === null) return value;
  return Object.hasOwn(value, mark) ? unmarked(value as unknown as Marked) : membersOf(value);
}

function unmarked(value: Marked): Value {
  switch (value[mark]) {
    case 'awaited':
      return new Awaited(value, value.request, value.place, value.plus);
    case 'operator':
      return new OperatorsOwn(value.scheme, value.place);
    case 'fresh':
      return new Fresh(value.text);
    case 'moment':
      return new Moment(value.sinceMs, value.format);
    case 'text':
      return new Text(value.pieces.map(read) as readonly (string | Made)[]);
    case 'bytes':
      return new Bytes(Buffer.from(value.base64, 'base64'));
    case 'object':
      return membersOf(value.members as object);
  }
}

function membersOf(members: object): Value {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, read(member)]));
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('a plan of another specification');
  return found;
}
