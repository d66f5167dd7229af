import type { Specification } from '../../specification/model/specification.ts';
import { type GivenCredentials, operatorsOf } from '../access/given.ts';
import type { Result } from '../result.ts';
import { type Reporter, streamVersion } from '../stream.ts';
import { countsOf, outcomeOf } from '../summary.ts';
import { Verdicts, type Violation } from '../verdicts/verdicts.ts';
import type { Judged } from './exchange.ts';
import { Following } from './following.ts';
import type { Recorded } from './har.ts';

export interface TrafficOptions {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  /** The credentials that are the operator's to give. */
  readonly credentials: GivenCredentials;
  /** Whether nobody else sends requests, and nothing was stored before but what the document states. */
  readonly isClosed: boolean;
  /** When the first request was sent, in milliseconds since 1970. */
  readonly beganMs: number;
  readonly onEvent: Reporter;
}

/** What came of judging traffic. */
export interface Traffic {
  readonly exchanges: number;
  /** How many places of the answers the document determines, and how many it leaves unknown. */
  readonly determined: number;
  readonly undetermined: number;
  readonly violations: readonly Violation[];
  /** Why exchanges were not judged, and how many. */
  readonly unjudged: ReadonlyMap<string, number>;
}

/** Judges what clients and a service send each other, in the order in which it is sent. */
export class TrafficJudge {
  readonly #options: TrafficOptions;
  readonly #following: Following;
  readonly #verdicts: Verdicts;
  readonly #results: Result[] = [];
  readonly #unjudged = new Map<string, number>();
  #exchanges = 0;
  #determined = 0;
  #undetermined = 0;
  #endMs: number;

  constructor(specification: Specification, options: TrafficOptions) {
    const { url, credentials, isClosed, beganMs, onEvent } = options;
    this.#options = options;
    this.#endMs = beganMs;
    this.#following = new Following({ specification, url, operators: operatorsOf(credentials), isClosed });
    this.#verdicts = new Verdicts(specification);
    onEvent({
      kind: 'run begins',
      version: streamVersion,
      specification: { file: specification.file, name: specification.name },
      url,
      // No value is chosen.
      seed: 0,
      began: new Date(beganMs).toISOString(),
    });
    onEvent({ kind: 'part begins', part: 1 });
  }

  /** Judges exchanges that were under way together. Gives the violations that were not seen before. */
  note(group: readonly Recorded[]): readonly Result[] {
    const found: Result[] = [];
    for (const judged of this.#following.note(group)) {
      this.#count(judged);
      for (const result of this.#verdictsOn(judged)) {
        this.#results.push(result);
        this.#options.onEvent({ kind: 'result', part: 1, result });
        if (result.verdict === 'violates') found.push(result);
      }
    }
    return found;
  }

  /** So many exchanges were not seen. From now on nothing is known. */
  skip(exchanges: number): readonly Result[] {
    this.#following.lose();
    this.#exchanges += exchanges;
    const why = 'too many requests were under way together';
    this.#unjudged.set(why, (this.#unjudged.get(why) ?? 0) + exchanges);
    return [];
  }

  /** Ends the reports. */
  end(): Traffic {
    const counts = countsOf(this.#results);
    const exchanges = this.#exchanges;
    this.#options.onEvent({
      kind: 'run ends',
      requests: exchanges,
      tookMs: this.#endMs - this.#options.beganMs,
      counts,
      unnoticed: [],
      repeated: this.#verdicts.repeated,
      inventions: [],
      examples: [],
      cutShort: null,
      inOrder: outcomeOf({ counts, cutShort: null }) === 'in order',
    });
    return {
      exchanges,
      determined: this.#determined,
      undetermined: this.#undetermined,
      violations: this.#verdicts.violations,
      unjudged: this.#unjudged,
    };
  }

  #verdictsOn({ operation, recorded, settled }: Judged): readonly Result[] {
    if (operation === null || settled === null) return [];
    return this.#verdicts.note(operation, recorded.exchange, settled);
  }

  #count({ recorded, settled, why }: Judged): void {
    const { exchange, sentMs, tookMs } = recorded;
    this.#exchanges += 1;
    this.#endMs = Math.max(this.#endMs, sentMs + tookMs);
    this.#determined += settled?.determined ?? 0;
    this.#undetermined += settled?.undetermined ?? 0;
    if (settled === null) this.#unjudged.set(why, (this.#unjudged.get(why) ?? 0) + 1);
    const since = Math.max(0, sentMs - this.#options.beganMs);
    this.#options.onEvent({ kind: 'exchange', part: 1, exchange, sentMs: since, tookMs });
  }
}
