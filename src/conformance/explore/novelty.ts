import type { Operation } from '../../specification/model/operation.ts';
import { type Candidate, outcomeOf } from './candidate.ts';
import { Probing } from './probing.ts';

/** What has been seen of features. Each counts, and less the second time. */
export class Novelty {
  /** The values whose turn it is. */
  readonly probing = new Probing();
  /** The operations that wait for an open point, as an answer told (language §F.5). */
  readonly waiting = new Set<Operation>();
  readonly #times = new Map<string, number>();

  /** How much a request would show that no request showed before. */
  worth({ features }: Candidate): number {
    let sum = 0;
    for (const feature of features) sum += worths[this.#times.get(feature) ?? 0] ?? 0;
    return sum;
  }

  /** Whether nothing like it was sent, but for what stands about it. */
  isNew({ request, steps }: Candidate): boolean {
    return !this.#times.has(`${request.operation.name} ${outcomeOf(steps)} `);
  }

  note({ features }: Candidate): void {
    for (const feature of features) this.#times.set(feature, (this.#times.get(feature) ?? 0) + 1);
  }
}

/** What a feature is worth that was seen so often. */
const worths = [1, 0.25, 0.05];
