import type { Specification } from '../specification/model/specification.ts';
import type { Persona } from './access/persona.ts';
import { ifReached, type Result } from './check.ts';
import { type Client, client, type Exchange } from './http.ts';
import { admitted, noteSent, type Pace } from './limits/pace.ts';
import { seeded } from './random.ts';
import { pause, type TestOptions, testService, usualPatienceMs } from './run.ts';
import { operationOf } from './sequences/asked.ts';
import { hidingFrom, rewritten, showingFrom } from './sequences/hiding.ts';
import { play } from './sequences/playing.ts';
import { compare } from './sequences/same.ts';
import type { Found } from './sequences/sequence.ts';

/** As of a run; the seed decides the values that are made up anew. */
export type ReplayOptions = Omit<TestOptions, 'only' | 'sequences' | 'onEvent'>;

/** What came of a sequence that was played again. */
export interface Replayed {
  /** As many as could be sent, without the secrets in them. */
  readonly exchanges: readonly Exchange[];
  /** The check that found it, of what is answered now; `unknown`: nothing leads there any more. */
  readonly outcome: 'violates' | 'conforms' | 'unknown';
  /** The first request, by its step, whose answer is another one; null: none is. */
  readonly other: number | null;
  /** What the check came to where an answer is another one, and it was asked again; null: all is as it was. */
  readonly judged: Result | null;
}

/**
 * Plays the sequence of a violation again (language §F.6): each value as this time's answers tell it. Where an answer is
 * another one, the check that found it is asked again.
 *
 * Throws `Unreachable` where nothing answers at the address.
 */
export async function replay(of: Specification, found: Found, options: ReplayOptions): Promise<Replayed> {
  const { credentials = {}, seed } = options;
  const url = options.url.replace(/\/+$/, '');
  const sequence = rewritten(found.sequence, showingFrom(of, credentials, url));
  const connection = client();
  // What is found of a rate is found by using it up.
  const sending = found.statement.address.startsWith('limits.')
    ? connection
    : paced(connection, of, url, options);
  try {
    const { exchanges, now } = await play(sequence, sending, url, seeded(seed));
    const answers = exchanges.map(({ response }) => response);
    const { varies, other } = compare(sequence, answers, now);
    const unlike = varies.find((place) => !sequence.varies.includes(place));
    const decisive = other ?? (unlike === undefined ? null : Number.parseInt(unlike, 10));
    const end = sequence.steps.findLastIndex((step) => !step.together);
    const strayed = sequence.steps.findIndex(
      ({ answer }, index) => index < end && (answers[index] ?? null)?.status !== answer?.status,
    );
    const isWhole = exchanges.length === sequence.steps.length;
    const first = strayed >= 0 ? strayed : isWhole ? decisive : exchanges.length;
    const judged = first === null ? null : await askedAgain(of, found, options);
    const hide = hidingFrom(of, credentials, url);
    return {
      exchanges: exchanges.map((one) => hidden(one, hide)),
      outcome: first === null ? 'violates' : outcomeOf(judged),
      other: first,
      judged,
    };
  } finally {
    connection.close();
  }
}

/** What the check against that statement comes to now: a violation if there is one, and else what it conforms by. */
async function askedAgain(
  of: Specification,
  { check, statement: { address } }: Found,
  options: ReplayOptions,
): Promise<Result | null> {
  const { results } = await testService(of, {
    ...options,
    only: ({ name, cites }) => name === check && cites.address === address,
  });
  const own = results.filter((one) => one.check === check && one.statement.address === address);
  const ended = (verdict: Result['verdict']): Result | undefined =>
    own.find((one) => one.verdict === verdict);
  return ended('violates') ?? ended('conforms') ?? own[0] ?? null;
}

function outcomeOf(judged: Result | null): Replayed['outcome'] {
  const verdict = judged?.verdict;
  return verdict === 'violates' || verdict === 'conforms' ? verdict : 'unknown';
}

/** Anybody: whoever asks, all are counted together. */
const anybody: Persona = {
  item: null,
  credentials: new Map(),
  given: {},
  hasLoggedIn: false,
  goodUntil: 0,
};

/** The client, which waits until no rate refuses a request for what it sent before, whoever asks. */
function paced(
  client: Client,
  of: Specification,
  url: string,
  { now = Date.now, ahead = () => 0, wait = pause, patienceMs = usualPatienceMs }: ReplayOptions,
): Client {
  const pace: Pace = new Map();
  const time = (): number => now() + ahead();
  const keeping = { of, pace, now: time, wait: (ms: number) => wait(ms), patienceMs };
  return {
    ...client,
    send: async (request) => {
      const operation = operationOf(of, request.method, request.url.slice(url.length));
      if (operation === undefined) return await client.send(request);
      const asked = { operation, as: anybody, names: new Map() };
      await ifReached(() => admitted(keeping, asked));
      const exchange = await client.send(request);
      noteSent(keeping, asked, exchange);
      return exchange;
    },
  };
}

function hidden({ request, response, failure }: Exchange, hide: (text: string) => string): Exchange {
  const { method, url, headers, body } = request;
  const fields = headers.map(([name, value]) => [name, hide(value)] as const);
  return { request: { method, url, headers: fields, body: body && hide(body) }, response, failure };
}
