import type { Operation } from '../../specification/model/operation.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { type Candidate, outcomeOf, unlikeIn } from './candidate.ts';
import { Leading } from './leading.ts';
import { Probing } from './probing.ts';
import { Tour } from './tour.ts';

/** What has been seen of features. Each counts, and less the second time. */
export class Novelty {
  /** The operations that made room where a quota was used up. */
  readonly freeing = new Set<Operation>();
  /** What led to a success of an operation that nothing stored allowed. */
  readonly leading = new Leading();
  /** The values whose turn it is. */
  readonly probing = new Probing();
  /** The states whose turn it is. */
  readonly tour = new Tour();
  /** The operations that wait for an open point, as an answer told (language §F.5). */
  readonly waiting = new Set<Operation>();
  /** How things were decided of the items that requests wrote, each with the operation. */
  readonly foreseen = new Set<string>();
  readonly #times = new Map<string, number>();
  /** By operation, the expressions in place of which it was often shown that another comes to something else. */
  readonly #worn = new Map<Operation, Set<PlacedTemplate>>();

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

  note({ features, request: { operation }, unlike }: Candidate): void {
    for (const feature of features) this.#times.set(feature, (this.#times.get(feature) ?? 0) + 1);
    for (const other of unlike)
      if ((this.#times.get(unlikeIn(operation, other)) ?? 0) >= worths.length) this.#wear(operation, other);
  }

  /** Whether it was shown often enough for an operation that another expression comes to something else. */
  isWorn(operation: Operation, other: PlacedTemplate): boolean {
    return this.#worn.get(operation)?.has(other) ?? false;
  }

  #wear(operation: Operation, other: PlacedTemplate): void {
    const worn = this.#worn.get(operation) ?? new Set();
    this.#worn.set(operation, worn.add(other));
  }
}

/** What a feature is worth that was seen so often. */
const worths = [1, 0.25, 0.05];
