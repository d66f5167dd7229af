import { stated } from '../../specification/reading/said.ts';
import { seen, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

/** A range of media types that a client takes (RFC 9110 §12.5.1). */
interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: readonly string[];
  readonly weight: number;
}

/**
 * Which of several media types `Accept` prefers, by its place: that of the highest weight, and of equal ones the first. The
 * first, if the client takes none of them (language §H.3, rules 18 and 19).
 */
export function preferred(types: readonly string[], { world, names }: Moment): number {
  const weights = weightsOf(types, acceptIn(names), world);
  if (weights === undefined) return world.ways.choose(types.length);
  const best = Math.max(...weights);
  return best > 0 ? weights.indexOf(best) : 0;
}

/** Whether a client takes one of these types; undefined: its field can be read in several ways. */
export function takesAny(types: readonly string[], { world, names }: Moment): boolean | undefined {
  return weightsOf(types, acceptIn(names), world)?.some((weight) => weight > 0);
}

function acceptIn(names: Moment['names']): Value | undefined {
  const { headers } = (names['request'] ?? {}) as { readonly headers?: Readonly<Record<string, Value>> };
  return headers?.['accept'];
}

function weightsOf(
  types: readonly string[],
  accept: Value | undefined,
  world: World,
): readonly number[] | undefined {
  const field = accept === undefined ? undefined : seen(accept);
  if (field === undefined || field === '') return types.map(() => 1);
  // What an expression gives is known only once there is an answer.
  if (typeof field !== 'string' || types.includes('*/*')) return undefined;
  const ranges = field.split(',').map((written) => rangeOf(written, versionIn(world)));
  if (ranges.includes(undefined)) return undefined;
  return types.map((type) => weightOf(ranges as Range[], type));
}

/** The parameter of a media range that names the version, not the type (language §9.1). */
function versionIn({ specification: { versioning } }: World): string | undefined {
  const part = stated(versioning);
  const place = part && stated(part.place);
  return place?.kind === 'media' ? place.name.toLowerCase() : undefined;
}

/** Undefined: it is not written as RFC 9110 writes one. */
function rangeOf(written: string, version: string | undefined): Range | undefined {
  const [name = '', ...parameters] = written.split(';').map((part) => part.trim().toLowerCase());
  const [, type, subtype] = /^([\w!#$%&'*+.^`|~-]+)\/([\w!#$%&'*+.^`|~-]+)$/.exec(name) ?? [];
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return undefined;
  const weight = parameters.find((each) => each.startsWith('q='));
  if (weight !== undefined && !/^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)) return undefined;
  const own = parameters.filter((each) => each !== weight && each.split('=')[0] !== version);
  if (own.some((each) => !/^[^=]+=[^=]+$/.test(each))) return undefined;
  return { type, subtype, parameters: own, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
}

/** The weight of the most specific range that has the type. */
function weightOf(ranges: readonly Range[], media: string): number {
  const own = rangeOf(media, undefined);
  if (own === undefined) return 1;
  const fitting = ranges.filter(
    ({ type, subtype, parameters }) =>
      (type === '*' || type === own.type) &&
      (subtype === '*' || subtype === own.subtype) &&
      parameters.every((each) => own.parameters.includes(each)),
  );
  const precision = ({ type, subtype, parameters }: Range): number =>
    Number(type !== '*') + Number(subtype !== '*') + parameters.length;
  return fitting.toSorted((a, b) => precision(b) - precision(a))[0]?.weight ?? 0;
}
