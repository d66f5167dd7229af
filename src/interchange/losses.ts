/**
 * What becomes of something that a format says and the other one does not. `extension`: it is said in a word that only
 * tacet reads.
 */
export type LossClass = 'prose' | 'spelling' | 'dropped' | 'open' | 'gap' | 'extension';

/** Something that was not carried whole. */
export interface Loss {
  readonly kind: LossClass;
  /** What was lost, the same words wherever it is lost: `format int32`. */
  readonly what: string;
  /** Where it stands: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
}

/** The register of losses of one import or export. */
export class Losses {
  readonly #all: Loss[] = [];

  add(kind: LossClass, what: string, pointer: string): void {
    this.#all.push({ kind, what, pointer });
  }

  get all(): readonly Loss[] {
    return this.#all;
  }

  /** How often each was lost, the most frequent first, with the first place. */
  counts(): readonly (Loss & { readonly count: number })[] {
    const groups = [...Map.groupBy(this.#all, ({ kind, what }) => `${kind} ${what}`).values()];
    return groups
      .map((group) => ({ ...(group[0] as Loss), count: group.length }))
      .toSorted((a, b) => b.count - a.count);
  }
}
