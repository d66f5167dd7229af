import type { Frame } from '../../expression/compile.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Access } from '../access/access.ts';
import type { Proofs } from '../access/proofs.ts';
import type { ReadBody } from '../body/body.ts';
import type { Judge } from '../judge/judge.ts';
import { frame, type Presented, type RequestView } from '../message/frame.ts';
import { type Incoming, mediaOf, single } from '../message/incoming.ts';
import { refuse } from '../message/refusal.ts';
import { compileParameters, isReadable } from '../parameters/parameters.ts';
import type { Around } from './around.ts';
import { outside, type Request } from './request.ts';

/** Reads a request: its parameters and credentials, beside its body, which has been read. */
export type Read = (incoming: Incoming, body: ReadBody | null, proofs: Proofs) => Request;

type Names = Readonly<Record<string, unknown>>;

/** Content that is more than is stated that it may be, which is not read. */
export const oversized: ReadBody = { kind: 'oversized' };

const noneAsked: Presented = new Map();

export function compileRead(
  specification: Specification,
  operation: Operation,
  access: Access | null,
  around: Around,
): Read {
  const { jsonDepth: depth, jsonNodes: nodes } = around.limits;
  const readParameters = compileParameters(specification, operation, { depth, nodes });
  return (incoming, body, proofs) => {
    const given = readParameters(incoming);
    const parameters = isReadable(given) ? given : null;
    const value = body?.kind === 'value' ? body : null;
    const presented = access?.present(incoming) ?? noneAsked;
    const [credential = null] = presented.values();
    const accept = single(incoming.headers['accept']);
    const asGiven: RequestView = {
      path: parameters?.path ?? incoming.path,
      query: parameters?.query ?? {},
      headers: parameters?.headers ?? incoming.headers,
      body: value?.value ?? null,
      patch: value?.patch ?? null,
      parts: value?.parts ?? {},
      credential,
      presented,
      media: mediaOf(incoming),
      accept,
      method: incoming.method,
      url: incoming.url,
      version: incoming.version?.name ?? null,
    };
    const takenIn = parameters?.takenIn;
    const frameOfTaken = (more: Names): Frame => frame(around, asGiven, { now: around.now(), ...more });
    const request: Omit<Request, 'frame'> = {
      incoming,
      view: takenIn ? lazily(asGiven, () => takenIn(frameOfTaken)) : asGiven,
      asGiven,
      unreadable: [
        ...(isReadable(given) ? [] : [given.unreadable]),
        ...(body?.kind === 'malformed' ? ['body'] : []),
      ],
      foreign: body?.kind === 'unsupported media',
      oversized: body === oversized,
      accept,
      parameters: parameters?.checked ?? null,
      body: value?.checked ?? null,
      presented,
      proofs,
      actor: null,
      attempt: null,
      within: null,
      isLasting: false,
    };
    return Object.assign(request, { frame: outside(around, request as Request) });
  };
}

/** What cannot be read (language §H.4, 1). */
export const readJudges: readonly Judge<Request>[] = [
  {
    condition: 'malformed',
    code: null,
    kept: false,
    byChange: false,
    refuses: ({ unreadable }) => unreadable.map((place) => refuse('malformed', place)),
  },
];

/** A request whose parameters are taken in when one of them is first read (language §4.2, `taken`). */
function lazily(
  given: RequestView,
  take: () => Pick<RequestView, 'path' | 'query' | 'headers'>,
): RequestView {
  let taken: ReturnType<typeof take> | undefined;
  const places = (): ReturnType<typeof take> => (taken ??= take());
  return {
    ...given,
    get path() {
      return places().path;
    },
    get query() {
      return places().query;
    },
    get headers() {
      return places().headers;
    },
  };
}
