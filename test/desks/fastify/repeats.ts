import type { Answer, Asked } from './asked.ts';
import { duration } from './items.ts';
import { canonical } from './json.ts';

interface First {
  readonly request: string;
  readonly answer: Answer;
  readonly until: number;
}

/** The first answers to requests with a key (part 4, `idempotency`). */
export class Repeats {
  readonly #firsts = new Map<string, First>();

  /** The answer of the same request with this key; null where there is none. */
  answered(asked: Asked): Answer | null {
    const first = this.#first(asked);
    return first && first.request === requestOf(asked) ? first.answer : null;
  }

  /** Whether another request came with this key. */
  isReused(asked: Asked): boolean {
    const first = this.#first(asked);
    return first !== undefined && first.request !== requestOf(asked);
  }

  remember(asked: Asked, answer: Answer): void {
    const key = keyOf(asked);
    const { life, remembers } = asked.endpoint.idempotency ?? {};
    if (key === null || life === undefined || (answer.status >= 400 && remembers !== 'all')) return;
    this.#firsts.set(key, {
      request: requestOf(asked),
      answer,
      until: Date.parse(asked.now) + duration(life),
    });
  }

  #first(asked: Asked): First | undefined {
    const first = this.#firsts.get(keyOf(asked) ?? '');
    return first && Date.parse(asked.now) < first.until ? first : undefined;
  }
}

function keyOf({ endpoint: { idempotency }, headers, actor }: Asked): string | null {
  const given = headers[idempotency?.header.toLowerCase() ?? ''];
  if (idempotency === undefined || given === undefined) return null;
  return JSON.stringify([given, idempotency.per === 'actor' ? (actor?.id ?? actor?.kind) : '']);
}

function requestOf({ endpoint, version, body, headers }: Asked): string {
  return canonical([endpoint.operation, version, headers['content-type'], body]);
}
