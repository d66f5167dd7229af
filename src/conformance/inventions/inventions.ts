import { fold } from '../../expression/fold.ts';
import { namedVersion } from '../../semantics/message/version.ts';
import { valueIn } from '../../semantics/request/route.ts';
import { Unknown } from '../../semantics/value/value.ts';
import { meantVersion, versionNames } from '../../semantics/version/meant.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { isMatching, type Operation, pathsMatched } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Segment } from '../../specification/vocabulary/paths.ts';
import { type Exchange, headerList, jsonOf } from '../http.ts';
import type { Schemas } from '../schema.ts';
import { messageOf } from '../traffic/message.ts';
import { answersStated, isStatusStated, mayHave, type Stated } from './answers.ts';
import { fieldsStated, isField } from './fields.ts';
import { besidesShape, besidesTemplate, inAll, type Known, type Pointer, within } from './members.ts';

/** Something that an implementation shows and nobody stated. It fails nothing: a document may say it one day. */
export interface Invention {
  readonly kind: 'member' | 'header field' | 'status' | 'method';
  /** The endpoint, `METHOD /path`; of a method its path alone; null where no endpoint is listed there. */
  readonly operation: string | null;
  /** A JSON Pointer, with `*` for each element of a list; the name of a field; a status; a method. */
  readonly name: string;
  /** Of a member: the status of the answers that show it. */
  readonly status?: number;
  /** The first exchange that shows it. */
  readonly exchange: Exchange;
  /** In how many answers it was seen. */
  readonly times: number;
}

/** Looks through exchanges for what nobody stated. */
export interface Inventions {
  /** Notes an exchange; gives what it is the first to show. Requests of older versions show nothing. */
  readonly note: (exchange: Exchange) => readonly Omit<Invention, 'times'>[];
  /** All that was seen, in the order in which it came to light. */
  readonly all: () => readonly Invention[];
}

/** @param url where the implementation is, without a slash at the end */
export function inventions(of: Specification, url: string, resolve: Schemas['resolve']): Inventions {
  const known = { of, resolve };
  const found = new Map<string, Invention>();
  return {
    note: (exchange) => {
      const path = newestPath(exchange, url, of);
      const seen = path === null ? [] : shownBy(known, path, exchange);
      return seen.flatMap((one) => {
        const key = JSON.stringify([one.kind, one.operation, one.name, one.status]);
        const before = found.get(key);
        found.set(key, before ? { ...before, times: before.times + 1 } : { ...one, exchange, times: 1 });
        return before ? [] : [{ ...one, exchange }];
      });
    },
    all: () => [...found.values()],
  };
}

type Shown = Pick<Invention, 'kind' | 'operation' | 'name' | 'status'>;

function shownBy(known: Known, path: string, { request, response }: Exchange): Shown[] {
  if (response === null) return [];
  const { of } = known;
  const { operation, isOneOfSeveral, paths } = placeOf(of, path, request.method);
  if (isOneOfSeveral) return [];
  const place = paths[0]?.key.replace(/^\S+ /, '') ?? null;
  const isPreflight = request.method === 'OPTIONS' && paths.some(({ cors }) => cors.kind === 'stated');
  if (operation === null && place !== null && response.status < 300 && !isPreflight)
    return [{ kind: 'method', operation: place, name: request.method }];
  const { status } = response;
  const { fitting, fields, isStatus, methods } = statedAt(of, operation, paths, status);
  const key = operation?.key ?? null;
  const isBrought = (name: string): boolean =>
    isField(fields, name) || (isPreflight && name.toLowerCase() === 'allow');
  const names = response.headers.flatMap(([name]) => (isBrought(name) ? [] : name));
  const json = jsonOf({ request, response, failure: null });
  const beside = json === undefined || request.method === 'HEAD' ? [] : membersBeside(known, fitting, json);
  return [
    ...(isPreflight || isStatus ? [] : [{ kind: 'status', operation: key, name: String(status) } as const]),
    ...[...new Set(names)].map((name) => ({ kind: 'header field', operation: key, name }) as const),
    ...beside.map((name) => ({ kind: 'member', operation: key, name, status }) as const),
    ...headerList(response, 'allow')
      .filter((method) => place !== null && !methods.includes(method))
      .map((name) => ({ kind: 'method', operation: place, name }) as const),
  ];
}

/** What is stated of answers with one status, at one place. */
const statedAt = once(
  (of: Specification, operation: Operation | null, paths: readonly Operation[], status: number) => {
    const answers = answersStated(of, operation);
    const own = answers.filter((one) => mayHave(one, status));
    // Where nobody stated the status, the rest may be stated of another.
    const fitting = own.length > 0 ? own : answers;
    return {
      fitting,
      fields: fieldsStated(of, operation ?? paths[0] ?? null, fitting, status),
      isStatus: isStatusStated(answers, operation, status),
      methods: methodsOf(paths),
    };
  },
);

/** The members that none of the answers names that this one may be. Where none is stated, those at the top. */
const membersBeside = once((known: Known, answers: readonly Stated[], json: Json): readonly Pointer[] => {
  const content = answers.filter(({ body, shape }) => body.kind !== 'open' || shape.kind !== 'open');
  if (content.length === 0)
    return besidesTemplate(known, { kind: 'object', members: new Map(), rest: null }, json);
  return inAll(
    content.map(({ body, shape, under }): readonly Pointer[] => {
      const inner = under === undefined ? json : dig(json, [under]);
      const beside =
        under === undefined || typeof json !== 'object' || json === null || Array.isArray(json)
          ? []
          : Object.keys(json).filter((name) => name !== under);
      const found =
        body.kind === 'stated'
          ? besidesTemplate(known, body.value.template, inner)
          : shape.kind === 'stated'
            ? besidesShape(known, shape.value, inner)
            : [];
      return [...beside.map((name) => `/${name}`), ...(under === undefined ? found : within(under, found))];
    }),
  );
});

/** The path of a request without what names its version; null: it does not mean the newest one. */
function newestPath({ request }: Exchange, url: string, newest: Specification): string | null {
  const { written, message } = namedVersion(messageOf(request, url), newest);
  const version = meantVersion(newest, written);
  if (version instanceof Unknown || typeof version === 'string') return null;
  if (version.name !== (versionNames(newest)[0] ?? null)) return null;
  return (message.target.split('?')[0] ?? '') || '/';
}

/** The value of a member; undefined: there is none. */
function dig(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, name) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, name)
        ? (here as { readonly [name: string]: Json })[name]
        : undefined,
    value,
  );
}

/** The endpoint that a request came to, and all of its path (language §4.1): a literal goes before a parameter. */
function placeOf(
  of: Specification,
  path: string,
  method: string,
): {
  readonly operation: Operation | null;
  /** It hangs on more than the path which of them is meant (language §4.1). */
  readonly isOneOfSeveral: boolean;
  readonly paths: readonly Operation[];
} {
  const base = stated(stated(of.endpoints)?.base) ?? '';
  if (!path.startsWith(`${base}/`)) return { operation: null, isOneOfSeveral: false, paths: nowhere };
  const rest = path.slice(base.length + 1);
  const segments = rest === '' ? [] : rest.split('/');
  const isSame = (operation: Operation, own: string, found: string | undefined): boolean =>
    own === found || (found !== undefined && isMatching(operation, 'caseless') && fold(own) === fold(found));
  const isAt = ([one]: readonly Placed[]): boolean =>
    one?.path.every((own, index) =>
      'literal' in own
        ? isSame(one.operation, own.literal, segments[index])
        : valueIn(own, segments[index] ?? '') !== null,
    ) === true;
  const paths =
    pathsOf(of, segments.length)
      .find(isAt)
      ?.map(({ operation }) => operation) ?? nowhere;
  const isMethod = (one: Operation): boolean =>
    one.method === method || (method === 'HEAD' && one.method === 'GET');
  const own = paths.filter(isMethod);
  return { operation: own[0] ?? null, isOneOfSeveral: own.length > 1, paths };
}

const nowhere: readonly Operation[] = [];

/** An operation at one of its paths. */
interface Placed {
  readonly operation: Operation;
  readonly path: readonly Segment[];
}

/** The operations whose paths have so many segments, those of one path together, the path of more literals first. */
const pathsOf = once((of: Specification, length: number): readonly (readonly Placed[])[] => {
  const shapeOf = ({ path }: Placed): string =>
    JSON.stringify(path.map((one) => ('literal' in one ? one.literal : (one.around ?? null))));
  const rankOf = ({ path }: Placed): string => path.map(rankOfSegment).join('');
  const all = of.operations.flatMap((operation) =>
    pathsMatched(operation).map(({ path }): Placed => ({ operation, path })),
  );
  const own = all.filter(({ path }) => path.length === length);
  const ranked = own.sort((a, b) => Number(rankOf(a) > rankOf(b)) - Number(rankOf(a) < rankOf(b)));
  return [...Map.groupBy(ranked, shapeOf).values()];
});

/** Literals first, then parameters with text around them, the longest text first (language §4.1, rule 4). */
function rankOfSegment(segment: Segment): string {
  if ('literal' in segment) return '0-0000-0000';
  const { around } = segment;
  if (around === undefined) return '2-0000-0000';
  const less = (length: number): string => String(Math.max(0, 9999 - length)).padStart(4, '0');
  return `1-${less(around.before.length + around.after.length)}-${less(around.before.length)}`;
}

/** The methods that Allow lists: those of the path, HEAD with GET (language §4.1), and OPTIONS where pages may ask. */
function methodsOf(paths: readonly Operation[]): readonly string[] {
  const own = paths.map(({ method }) => method);
  return [
    ...own,
    ...(own.includes('GET') ? ['HEAD'] : []),
    ...(paths.some(({ cors }) => cors.kind === 'stated') ? ['OPTIONS'] : []),
  ];
}
