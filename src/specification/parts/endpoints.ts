import { get, type Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { step } from '../address.ts';
import { type Answer, answers } from '../answer.ts';
import { type Change, change, changes } from '../change.ts';
import { duration } from '../duration.ts';
import { answerFields, fieldName } from '../field-name.ts';
import {
  asMap,
  boolean,
  entry,
  knownKeys,
  listOf,
  nothingAsked,
  type Place,
  type Placed,
  placedText,
  type Read,
  type Reading,
  record,
  say,
  text,
  type Values,
  value,
  word,
} from '../reading.ts';
import { type Request, request } from '../request.ts';
import type { Said } from '../said.ts';
import { expression } from '../templates.ts';

const corsKeys = {
  origins: value(listOf(text)),
  methods: value(listOf(text)),
  headers: value(listOf(text)),
  exposes: entry(listOf(text)),
  credentials: entry(boolean),
  maxAge: entry(seconds),
};

/** What pages of other origins may do (language §4.1; Fetch standard, CORS protocol). */
export type Cors = Values<typeof corsKeys>;
const cors = record(corsKeys);

const topKeys = {
  protocol: value(word('RFC 9110')),
  base: entry(base),
  headers: entry(answerFields),
};

/** Words of part 4 that are laid into every endpoint that does not state them, before it is read (language §E.15). */
const shared = ['others', 'cors'];

const conditionalKeys = {
  etag: value(word('strong', 'weak')),
  ifMatch: entry(word('required', 'allowed')),
  ifNoneMatch: entry(word('allowed')),
  lastModified: entry(expression),
  ifModifiedSince: entry(word('allowed')),
  ifUnmodifiedSince: entry(word('required', 'allowed')),
};

/** Which preconditions an operation knows (language §4.3; RFC 9110 §13). */
export type Conditional = Values<typeof conditionalKeys>;

/** A tag, or a time, without which nothing definite is said is a point: a time where conditions are about times alone. */
const conditional: Read<Conditional> = (node, place, reading) => {
  const has = (...names: (keyof typeof conditionalKeys)[]): boolean =>
    names.some((name) => get(node, name) !== undefined);
  const byTime = has('ifModifiedSince', 'ifUnmodifiedSince');
  const { etag, lastModified } = conditionalKeys;
  return record({
    ...conditionalKeys,
    etag: (byTime || has('lastModified')) && !has('ifMatch', 'ifNoneMatch') ? entry(etag.read) : etag,
    lastModified: byTime ? value(lastModified.read) : lastModified,
  })(node, place, reading);
};

const idempotencyKeys = {
  header: value(fieldName),
  required: entry(boolean),
  life: value(duration),
  per: value(word('actor', 'key')),
  remembers: value(word('successes', 'all')),
  replay: entry(record({ headers: entry(answerFields) })),
};

/** What becomes of a request that comes again (language §4.4). */
export type Idempotency = Values<typeof idempotencyKeys>;

const endpointKeys = {
  operation: entry(operationName),
  does: value(change),
  also: entry(changes),
  request: entry(request),
  response: value(answers),
  conditional: entry(conditional),
  idempotency: entry(record(idempotencyKeys)),
  cors: entry(cors),
};

/** One method on one path (language §4.1). */
export interface Endpoint {
  readonly key: string;
  readonly address: string;
  readonly at: Span;
  readonly method: string;
  readonly path: readonly Segment[];
  readonly operation: Said<Placed>;
  readonly does: Said<Change>;
  readonly also: Said<readonly Change[]>;
  readonly request: Said<Request>;
  readonly response: Said<readonly Answer[]>;
  readonly conditional: Said<Conditional>;
  readonly idempotency: Said<Idempotency>;
  readonly cors: Said<Cors>;
}

/** A segment of a path: a literal, compared exactly, or a parameter, which is never empty. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

export interface Endpoints extends Values<typeof topKeys> {
  readonly entries: ReadonlyMap<string, Said<Endpoint>>;
}

export const read: Read<Endpoints> = (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const words = Object.keys(topKeys);
  const top = knownKeys(map, topKeys, place, reading);
  const entries = new Map<string, Said<Endpoint>>();
  for (const [key, found] of map.entries) {
    if (key === 'description') nothingAsked(found.value, reading);
    if ([...words, ...shared, 'description'].includes(key)) continue;
    const where = { address: step(place.address, key), at: found.key };
    const form = /^([A-Z][A-Z-]*) (\/\S*)$/.exec(key);
    if (form === null) {
      reading.report('bad-endpoint', found.key, { key });
      continue;
    }
    const [, method, path] = form as unknown as [string, string, string];
    const segments = pathOf(path, found.key, reading);
    if (segments === undefined) continue;
    const one: Read<Endpoint> = (of, inner, r) => {
      const read = record(endpointKeys)(of, inner, r);
      if (read === undefined) return undefined;
      return { key, address: where.address, at: found.key, method, path: segments, ...read };
    };
    entries.set(key, say(found.value, value(one), where, reading));
  }
  reading.restOf(place.address, place.at);
  return { ...top, entries };
};

/** The segments of a path. `/` has none; `/a/` ends in an empty literal. */
function pathOf(path: string, at: Span, reading: Reading): readonly Segment[] | undefined {
  if (path === '/') return [];
  const names = new Set<string>();
  const segments: Segment[] = [];
  for (const written of path.slice(1).split('/')) {
    const parameter = /^\{([^{}]+)\}$/.exec(written)?.[1];
    if (parameter === undefined && /[{}?#]/.test(written))
      return reading.report('bad-path', at, { segment: written });
    if (parameter === undefined) segments.push({ literal: written });
    else if (names.has(parameter)) return reading.report('parameter-twice', at, { name: parameter });
    else {
      names.add(parameter);
      segments.push({ parameter });
    }
  }
  return segments;
}

function operationName(node: Node, place: Place, reading: Reading): Placed | undefined {
  const name = placedText(node, place, reading);
  if (name && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(name.text))
    reading.report('bad-name', name.at, { name: name.text });
  return name;
}

/** A duration in whole seconds, as the Fetch standard's Access-Control-Max-Age takes it. */
function seconds(node: Node, _place: unknown, reading: Reading): number | undefined {
  if (
    node.kind === 'scalar' &&
    typeof node.value === 'number' &&
    Number.isInteger(node.value) &&
    node.value >= 0
  )
    return node.value;
  return reading.report('wrong-kind', node.span, {
    wanted: 'a whole number of seconds',
    found: 'something else',
  });
}

function base(node: Node, place: { address: string; at: Span }, reading: Reading): string | undefined {
  const written = text(node, place, reading);
  if (written === undefined || /^(\/[^/{}?#\s]+)+$/.test(written)) return written;
  return reading.report('bad-base', node.span, { found: written });
}
