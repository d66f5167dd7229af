import { fold } from '../expression/fold.ts';
import { equal } from '../expression/functions.ts';
import { isMatching, type Operation, pathsMatched } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Segment } from '../specification/vocabulary/paths.ts';
import type { Refusing, Watched } from './answered.ts';
import { bodyOf } from './body.ts';
import { type Check, type Scenario, scenario } from './check.ts';
import { answerFound, closed, succeeded } from './guards.ts';
import { type Exchange, header, headerList, mediaType } from './http.ts';
import { unmade } from './lens.ts';
import { withOthers } from './perform.ts';
import { mustRefuse, protocolStated, type Reason, refusalStatement, unsupported } from './refusal.ts';
import { refusing } from './refusing.ts';
import { requestTo } from './request.ts';
import { itemFor, sample, varied } from './sample.ts';
import { otherMedia } from './spell.ts';
import { type Done, restsOf, send, type Trial } from './trial.ts';
import { all, known, type Truth, unseen, yes } from './verdict.ts';

/** What HTTP asks of any server. It is judged where `protocol: RFC 9110` or a row of part 7 states it (§4.1, H.4). */
export function protocol(trial: Trial, runnable: readonly Operation[]): Scenario[] {
  const gets = runnable.filter((operation) => operation.method === 'GET');
  const taking = runnable.filter((operation) => bodyOf(trial.of, operation) !== null);
  return [
    ...(trial.of.operations.length > 0 ? [unknownPath(trial, astray(trial)), ...withoutBase(trial)] : []),
    ...unlistedMethods(trial, runnable),
    ...gets.map((operation) => head(trial, operation)),
    ...taking.flatMap((operation) => wrongMedia(trial, operation)),
  ];
}

const reasonNamed = (name: Reason['name']): Reason => ({ name, subject: '', failures: [] });

/** A path that is deeper than any. */
function astray({ of, random }: Trial): string {
  const deepest = Math.max(...of.operations.map((operation) => operation.path.length));
  return Array.from({ length: deepest + 2 }, () => random.letters(8)).join('/');
}

/** What every path begins with is no part that may be left out (language §4.1, `base`). */
function withoutBase(trial: Trial): Scenario[] {
  const plain = trial.of.operations.find(
    ({ path }) => path.length > 0 && path.every((one) => 'literal' in one),
  );
  const base = stated(stated(trial.of.endpoints)?.base);
  if (base === undefined || plain === undefined) return [];
  return [unknownPath(trial, plain.path.map((one) => ('literal' in one ? one.literal : '')).join('/'))];
}

function unknownPath(trial: Trial, path: string): Scenario {
  const { of } = trial;
  const reason = reasonNamed('unknown path');
  const request = { method: 'GET', url: `${trial.url}/${path}`, headers: [], body: null };
  return refusing(trial, {
    says: `GET /${path}, a path that no endpoint has,`,
    operation: null,
    cites: refusalStatement(of, null, reason),
    reasons: [reason],
    must: all(closed(of, 'endpoints'), mustRefuse(of, null, reason)),
    send: async () => ({ exchange: await send(trial, request) }),
  });
}

const methods = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET'];

/** For each path, a method that it does not list (RFC 9110 §15.5.6), and the Allow field that lists the others. */
function unlistedMethods(trial: Trial, runnable: readonly Operation[]): Scenario[] {
  const { of } = trial;
  const reason = reasonNamed('method not allowed');
  const form = ({ path }: { readonly path: readonly Segment[] }): string =>
    path.map((one) => ('literal' in one ? one.literal : '{}')).join('/');
  const hasPath = (one: Operation, path: string): boolean =>
    pathsMatched(one).some((at) =>
      isMatching(one, 'caseless') ? fold(form(at)) === fold(path) : form(at) === path,
    );
  const byPath = Map.groupBy(of.operations, form);
  return [...byPath].flatMap(([path]) => {
    const [operation] = runnable.filter((one) => form(one) === path);
    const listed = of.operations.filter((one) => hasPath(one, path)).map((one) => one.method);
    const method = methods.find((one) => !listed.includes(one));
    if (operation === undefined || method === undefined) return [];
    const says = `${method} ${operation.key.split(' ')[1]}, which no endpoint has,`;
    const must = all(closed(of, 'endpoints'), mustRefuse(of, null, reason));
    const allow: Check<Watched> = {
      name: 'protocol.allow',
      says: `${says} is answered with Allow, which lists the methods of the path`,
      cites: refusalStatement(of, null, reason),
      guard: ({ exchange }) =>
        all(must, protocolStated(of), known(exchange.response?.status === 405, answerFound(exchange))),
      claim: ({ exchange: { response } }) => {
        const wanted = [...new Set([...listed, ...(listed.includes('GET') ? ['HEAD'] : [])])];
        const found = headerList(response, 'allow');
        // OPTIONS may be answered on any path (RFC 9110 §9.3.7), so it may be advertised.
        const fits =
          wanted.every((one) => found.includes(one)) &&
          found.every((one) => wanted.includes(one) || one === 'OPTIONS');
        return {
          truth: known(fits),
          expected: `Allow: ${wanted.join(', ')}`,
          found: `Allow: ${header(response, 'allow') ?? 'not there'}`,
        };
      },
    };
    const about: Refusing = {
      says,
      operation: null,
      cites: refusalStatement(of, null, reason),
      reasons: [reason],
      must,
      more: [allow],
      send: async () => {
        const item = await itemFor(trial, operation);
        const attempt = await withOthers(trial, operation, { method, ...(item && { item }) });
        const request = requestTo(trial, operation, attempt);
        return { exchange: await send(trial, request) };
      },
    };
    return [refusing(trial, about)];
  });
}

interface Headed extends Done {
  readonly head: Exchange;
}

/** HEAD answers as GET would, without the content (RFC 9110 §9.3.2). */
function head(trial: Trial, operation: Operation): Scenario {
  const { of } = trial;
  const path = operation.key.split(' ')[1];
  const said = stated(of.endpoints)?.protocol;
  const cites = said
    ? { address: said.address, at: said.at }
    : { address: operation.address, at: operation.at };
  const guard = (seen: Headed): Truth => all(protocolStated(of), succeeded(seen.exchange, operation));
  const observe = async (): Promise<Headed> => {
    const done = await sample(trial, operation);
    const request = { ...done.exchange.request, method: 'HEAD' };
    const asked = { operation, as: trial.persona, names: done.names };
    const exchange = await send(trial, request, asked);
    return { ...done, head: exchange };
  };
  const show = (exchange: Exchange): string =>
    `${answerFound(exchange)}, ${mediaType(exchange.response) ?? 'no Content-Type'}`;
  const length = ({ response }: Exchange): string | undefined => header(response, 'content-length');
  const checks: Check<Headed>[] = [
    {
      name: 'protocol.head.status',
      says: `HEAD ${path} is answered with the status of GET`,
      cites,
      guard,
      claim: ({ exchange, head }) => ({
        truth: known(head.response?.status === exchange.response?.status),
        expected: answerFound(exchange),
        found: answerFound(head),
      }),
      exchange: ({ head }) => head,
    },
    {
      name: 'protocol.head.fields',
      says: `HEAD ${path} is answered with the header fields of GET, and no content`,
      cites,
      guard,
      claim: ({ exchange, head, shown, lens }) => {
        const isAlike = shown === undefined || equal(shown, unmade({ shown, lens }));
        const bytes = String(Buffer.byteLength(exchange.response?.body ?? ''));
        const lengthFits = length(head) === undefined || length(head) === bytes;
        const fits =
          mediaType(head.response) === mediaType(exchange.response) &&
          head.response?.body === '' &&
          lengthFits;
        return {
          truth: isAlike ? known(fits) : unseen('it shows what is made anew each time'),
          expected: `${show(exchange)}, Content-Length ${bytes} or none`,
          found: `${show(head)}, Content-Length ${length(head) ?? 'none'}`,
        };
      },
      exchange: ({ head }) => head,
    },
  ];
  return scenario<Headed>(of, restsOf(operation), observe, checks);
}

/** Content of another media type than the stated ones, or of none that is named (language §H.4). */
function wrongMedia(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const reason = unsupported;
  const { request } = operation;
  // Of several media types it is a list that may be open (language §D).
  const isOfSeveral = request?.content.kind === 'stated';
  const said = isOfSeveral ? request.content : request?.media;
  const isListed = isOfSeveral ? closed(of, request.content.address) : yes;
  return ([otherMedia(operation), null] as const).map((type) =>
    refusing(trial, {
      says: `${operation.key} with ${type === null ? 'content of no media type' : `content of the media type ${type}`}`,
      operation,
      cites: said ? { address: said.address, at: said.at } : refusalStatement(of, operation, reason),
      reasons: [reason],
      must: all(isListed, mustRefuse(of, operation, reason)),
      ...varied(trial, operation, () => ({ media: type })),
    }),
  );
}
