import type { Specification } from '../specification/model/specification.ts';
import type { GivenCredentials } from './access/given.ts';
import { client, type Exchange } from './http.ts';
import { judgedAnew, recording } from './judged.ts';
import { seeded } from './random.ts';
import type { Result } from './result.ts';
import { contentWith, hidingFrom, rewritten, showingFrom } from './sequences/hiding.ts';
import { groupsIn, play } from './sequences/playing.ts';
import { compare } from './sequences/same.ts';
import type { Found } from './sequences/sequence.ts';
import { meaning } from './sequences/shortest.ts';

export interface ReplayOptions {
  /** The address of the implementation. */
  readonly url: string;
  /** Decides the values that are made up anew. */
  readonly seed: number;
  /** Credentials that the operator gave. Default: none */
  readonly credentials?: GivenCredentials;
  /** The time in milliseconds. Default: the machine's */
  readonly now?: () => number;
}

/** What came of a sequence that was played again. */
export interface Replayed {
  /** As many as could be sent, without the secrets in them. */
  readonly exchanges: readonly Exchange[];
  /** What its statement comes to now; `unknown`: nothing leads there any more. */
  readonly outcome: 'violates' | 'conforms' | 'unknown';
  /** The first request, by its step, whose answer is another one; null: none is. */
  readonly other: number | null;
  /** What the statement came to if an answer is another one; null: all is as it was. */
  readonly judged: Result | null;
}

/**
 * Plays the sequence of a violation again (language §F.6): each value as this time's answers tell it. If an answer is another
 * one, the answers are judged anew.
 *
 * @throws Unreachable if nothing answers at the address
 */
export async function replay(
  specification: Specification,
  found: Found,
  options: ReplayOptions,
): Promise<Replayed> {
  const { credentials = {}, seed, now = Date.now } = options;
  const url = options.url.replace(/\/+$/, '');
  const sequence = rewritten(found.sequence, showingFrom(specification, credentials, url));
  const connection = recording(client(), now);
  try {
    const played = await play(sequence, connection, url, seeded(seed));
    const answers = played.exchanges.map(({ response }) => response);
    const { varies, other } = compare(sequence, answers, played.now);
    const unlike = varies.find((place) => !sequence.varies.includes(place));
    const isWhole = played.exchanges.length === sequence.steps.length;
    const decisive = other ?? (unlike === undefined ? null : Number.parseInt(unlike, 10));
    const first = isWhole ? decisive : played.exchanges.length;
    const judged =
      first === null
        ? null
        : judgedAnew(
            specification,
            meaning(found, sequence),
            groupsIn(sequence, played, connection.recorded),
            {
              ...{ credentials, url },
            },
          );
    const hide = hidingFrom(specification, credentials, url);
    return {
      exchanges: played.exchanges.map((exchange) => hidden(exchange, hide)),
      outcome: first === null ? 'violates' : outcomeOf(judged),
      other: first,
      judged,
    };
  } finally {
    connection.close();
  }
}

function outcomeOf(judged: Result | null): Replayed['outcome'] {
  const verdict = judged?.verdict;
  return verdict === 'violates' || verdict === 'conforms' ? verdict : 'unknown';
}

function hidden({ request, response, failure }: Exchange, hide: (text: string) => string): Exchange {
  const { method, url, headers } = request;
  const fields = headers.map(([name, value]) => [name, hide(value)] as const);
  return { request: { method, url, headers: fields, ...contentWith(request, hide) }, response, failure };
}
