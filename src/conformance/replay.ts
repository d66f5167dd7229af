import type { Specification } from '../specification/specification.ts';
import type { GivenCredentials } from './access/wallet.ts';
import { client, type Exchange } from './http.ts';
import { seeded } from './random.ts';
import { hidingFrom, rewritten, showingFrom } from './sequences/hiding.ts';
import { play } from './sequences/playing.ts';
import { compare } from './sequences/same.ts';
import type { Found } from './sequences/sequence.ts';

export interface ReplayOptions {
  readonly url: string;
  readonly credentials?: GivenCredentials;
  /** Decides the values that are made up anew. */
  readonly seed: number;
}

/** What came of a sequence that was played again. */
export interface Replayed {
  /** As many as could be sent, without the secrets in them. */
  readonly exchanges: readonly Exchange[];
  /**
   * Whether it still violates: the answers that decide are as they were then. `unknown`: it did not get that far,
   * since an answer on the way is another one.
   */
  readonly outcome: 'violates' | 'differs' | 'unknown';
  /** The first request, by its step, whose answer is another one; null: none is. */
  readonly other: number | null;
}

/**
 * Plays the sequence of a violation again (language §F.6): each value as this time's answers tell it.
 *
 * Throws `Unreachable` where nothing answers at the address.
 */
export async function replay(of: Specification, found: Found, options: ReplayOptions): Promise<Replayed> {
  const { credentials = {}, seed } = options;
  const url = options.url.replace(/\/+$/, '');
  const sequence = rewritten(found.sequence, showingFrom(of, credentials, url));
  const connection = client();
  try {
    const { exchanges, now } = await play(sequence, connection, url, seeded(seed));
    const answers = exchanges.map(({ response }) => response);
    const { varies, other } = compare(sequence, answers, now);
    const unlike = varies.find((place) => !sequence.varies.includes(place));
    const decisive = other ?? (unlike === undefined ? null : Number.parseInt(unlike, 10));
    const end = sequence.steps.findLastIndex((step) => !step.together);
    const strayed = sequence.steps.findIndex(
      ({ answer }, index) => index < end && (answers[index] ?? null)?.status !== answer?.status,
    );
    const isWhole = exchanges.length === sequence.steps.length;
    const hide = hidingFrom(of, credentials, url);
    return {
      exchanges: exchanges.map((one) => hidden(one, hide)),
      outcome: strayed >= 0 || !isWhole ? 'unknown' : decisive === null ? 'violates' : 'differs',
      other: strayed >= 0 ? strayed : isWhole ? decisive : exchanges.length,
    };
  } finally {
    connection.close();
  }
}

function hidden({ request, response, failure }: Exchange, hide: (text: string) => string): Exchange {
  const { method, url, headers, body } = request;
  const fields = headers.map(([name, value]) => [name, hide(value)] as const);
  return { request: { method, url, headers: fields, body: body && hide(body) }, response, failure };
}
