import type { Credential } from '../../semantics/access/credential.ts';
import { leastMade, sentAs } from '../../semantics/judge/permitted.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { each, eachMember } from '../../semantics/value/each.ts';
import { Made, seen, Text, textOf, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import { beginsMs } from './simulate.ts';

/** A made text that is shorter stands in a request by itself: as a part of another text, it may be there by chance. */
const shortest = 6;

/** A value in a request of a walk that the service makes when it answers an earlier request of the walk. */
export class Awaited extends Made {
  /** The place of the earlier request. */
  readonly request: number;
  /** How much is added to a made number. */
  readonly plus: number;

  /** @param place the place among all that the service makes in this series when it answers that request */
  constructor({ form, series }: Pick<Made, 'form' | 'series'>, request: number, place: number, plus = 0) {
    super(form, series, place);
    this.request = request;
    this.plus = plus;
  }
}

/** A credential that is the operator's, by its place among those of its scheme. */
export class OperatorsOwn extends Made {
  readonly scheme: string;

  constructor(scheme: string, place: number) {
    super('fresh', `operator's credential of ${scheme}`, place);
    this.scheme = scheme;
  }
}

/** A text of chance: each service that a walk is played on gets another one, which nobody sent there before. */
export class Fresh extends Made {
  constructor(text: string) {
    super('fresh', text, 0);
  }
}

/** How a time is written: as `date-time` or `date` of JSON Schema, or as a date of HTTP (RFC 9110 §5.6.7). */
export type TimeFormat = 'date-time' | 'date' | 'HTTP';

/** A time near the beginning of a walk, as the milliseconds since then; a date, since that day began. */
export class Moment extends Made {
  readonly format: TimeFormat;

  constructor(sinceMs: number, format: TimeFormat) {
    super('time', `${format} since the walk began`, sinceMs);
    this.format = format;
  }
}

/**
 * The requests of a walk, with what is awaited in place of what a simulated service made.
 *
 * @param texts the texts of chance in them
 * @param unseen what a service that is there made, and did not show as yet: the walk goes on from what it holds, and its times
 *   are those of the run. Default: the walk is for any service that begins
 */
export function withAwaited(
  requests: readonly Request[],
  worlds: readonly World[],
  texts: ReadonlySet<string>,
  unseen: readonly Made[] | null = null,
): readonly Request[] {
  const awaited = new Map((unseen ?? []).map((made) => [made.place, made]));
  const spelled = new Map((unseen ?? []).map((made) => [String(sentAs(made)), made]));
  for (const [place, world] of worlds.slice(1).entries())
    for (const all of Map.groupBy(world.madeSince(worlds[place] as World), ({ series }) => series).values())
      for (const [nth, made] of all.entries()) {
        const value = new Awaited(made, place, nth);
        awaited.set(made.place, value);
        if (made.form === 'time') continue;
        spelled.set(String(sentAs(made)), value);
        for (const shifted of made.allShifted) {
          const text = String(sentAs(shifted));
          if (!spelled.has(text)) spelled.set(text, new Awaited(made, place, nth, shifted.by));
        }
      }
  const { operators } = worlds[0] as World;
  const secret = (text: string): Value => {
    const found = operators.find((each) => each.secret === text);
    const own = operators.filter(({ scheme }) => scheme === found?.scheme);
    return found ? new OperatorsOwn(found.scheme, own.indexOf(found)) : text;
  };
  return requests.map((request) =>
    replaced(request, (value) => {
      const found = madeIn(value, awaited, spelled);
      if (typeof found !== 'string') return found;
      return (unseen ? null : momentIn(found)) ?? withFresh(secret(found), texts);
    }),
  );
}

/**
 * What a simulated service made, in a text or number that it sent. A token has its mark in place of a signature.
 *
 * @param awaited by the place of what was made
 * @param spelled by the text that was sent
 */
function madeIn(value: Value, awaited: ReadonlyMap<number, Made>, spelled: ReadonlyMap<string, Made>): Value {
  if (typeof value === 'number') return value < leastMade ? value : (spelled.get(String(value)) ?? value);
  if (typeof value !== 'string') return value;
  const pieces = value
    .split(/((?:eyJ[\w-]*\.[\w-]+\.)?00000000-0000-4000-8000-\d{12})/)
    .flatMap((piece, place): readonly (string | Made)[] => {
      const made = place % 2 === 1 ? awaited.get(Number(piece.slice(-12))) : undefined;
      return made ? [made] : spelledIn(piece, spelled);
    })
    .filter((piece) => piece !== '');
  return textOf(pieces);
}

/** A text with what is spelled in it by its letters and digits. */
function spelledIn(text: string, spelled: ReadonlyMap<string, Made>): readonly (string | Made)[] {
  const whole = spelled.get(text);
  if (whole) return [whole];
  for (const [part, made] of spelled) {
    const at = part.length < shortest ? -1 : text.indexOf(part);
    if (at < 0) continue;
    const [before, after] = [text.slice(0, at), text.slice(at + part.length)];
    return [...spelledIn(before, spelled), made, ...spelledIn(after, spelled)];
  }
  return [text];
}

/** A time within so many milliseconds of a walk is one of it. */
const nearMs = 3 * 86_400_000;

const formats: readonly (readonly [TimeFormat, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['HTTP', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/],
];

/** When the day of a time began, in UTC. */
function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** Null: the text is no time near the beginning of the walk. */
function momentIn(text: string): Moment | null {
  const [format] = formats.find(([, pattern]) => pattern.test(text)) ?? [];
  if (format === undefined) return null;
  const sinceMs = Date.parse(text) - (format === 'date' ? dayOf(beginsMs) : beginsMs);
  return Math.abs(sinceMs) < nearMs ? new Moment(sinceMs, format) : null;
}

/** A value with the texts of chance in it marked. */
function withFresh(value: Value, texts: ReadonlySet<string>): Value {
  if (typeof value !== 'string') return value;
  const pieces = value
    .split(/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[a-z]+)/)
    .map((piece) => (texts.has(piece) ? new Fresh(piece) : piece))
    .filter((piece) => piece !== '');
  return pieces.some((piece) => piece instanceof Fresh) ? textOf(pieces) : value;
}

/** What a walk is played with: it differs from one service to the next. */
export interface Playing {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  /** When the walk began, in milliseconds since 1970. */
  readonly beganMs: number;
  /** The text that is sent for a text of chance: always the same one, and no other for another. */
  readonly fresh: (text: string) => string;
}

/**
 * The next request of a walk, with what the service made before.
 *
 * @param worlds the world before each request that was sent, and the one after the last
 * @returns null if something in it was not seen: the request cannot be sent
 */
export function nextOf(
  requests: readonly Request[],
  worlds: readonly World[],
  playing: Playing,
): Request | null {
  const request = requests[worlds.length - 1];
  if (request === undefined) return null;
  let isWhole = true;
  const real = replaced(request, (value) => {
    const found = seenIn(value, worlds, playing);
    isWhole &&= found !== null || value === null;
    return found;
  });
  return isWhole ? { ...real, url: playing.url } : null;
}

/** Null: it was not seen. */
function seenIn(value: Value, worlds: readonly World[], playing: Playing): Value {
  if (value instanceof Text) {
    const pieces = value.pieces.map((piece) => seenIn(piece, worlds, playing));
    return pieces.includes(null) ? null : pieces.join('');
  }
  if (value instanceof Fresh) return playing.fresh(value.series);
  if (value instanceof Moment) return momentAt(value, playing.beganMs);
  if (value instanceof OperatorsOwn) {
    const own = (worlds[0] as World).operators.filter(({ scheme }) => scheme === value.scheme);
    return own[value.place]?.secret ?? null;
  }
  if (value instanceof Made && !(value instanceof Awaited)) return shownBy(seen(value));
  if (!(value instanceof Awaited)) return value;
  const [before, after] = [worlds[value.request], worlds[value.request + 1]];
  if (before === undefined || after === undefined) return null;
  const made = after.madeSince(before).filter(({ series }) => series === value.series)[value.place];
  const found = made === undefined ? null : seen(made);
  if (typeof found === 'number') return found + value.plus;
  return shownBy(found);
}

/** Null: no answer showed it. */
const shownBy = (value: Value): Value => (value instanceof Made ? null : value);

/** Times that are further away than this keep their time of day: a document may say something of it. */
const closeMs = 3_600_000;

const dayMs = 86_400_000;

function momentAt({ place: sinceMs, format }: Moment, beganMs: number): string {
  if (format === 'date') return new Date(dayOf(beganMs) + sinceMs).toISOString().slice(0, 10);
  const days = Math.round((beganMs - beginsMs) / dayMs);
  const at = Math.abs(sinceMs) < closeMs ? beganMs + sinceMs : beginsMs + sinceMs + days * dayMs;
  return format === 'HTTP' ? new Date(at).toUTCString() : new Date(at).toISOString();
}

/** A request with each of its texts, numbers and made values replaced. */
function replaced(request: Request, replace: (value: Value) => Value): Request {
  const credential = ({ value, password, ...how }: Credential): Credential => ({
    ...how,
    value: each(value, replace),
    ...(password !== undefined && { password: each(password, replace) }),
  });
  const { path, query, headers, credentials, content } = request;
  return {
    ...request,
    path: eachMember(path, replace),
    query: eachMember(query, replace),
    headers: eachMember(headers, replace),
    credentials: credentials.map(credential),
    content: content === undefined ? undefined : each(content, replace),
  };
}
