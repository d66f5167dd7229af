import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';

type Members = Readonly<Record<string, Json>>;

/** What became of the requests to an operation in which nothing was wrong. */
interface Fate {
  readonly accepted: number;
  readonly refused: number;
  /** The body of the last one that was accepted; undefined: none was, or it was no object. */
  readonly body: Members | undefined;
}

const unasked: Fate = { accepted: 0, refused: 0, body: undefined };

/**
 * The bodies that the implementation accepts. It may refuse most of what fits, for reasons that nobody stated: a booking of a room
 * that is not there, or that ends before it begins. Then others are made of what it accepted.
 */
export class AcceptedBodies {
  readonly #fates = new Map<Address, Fate>();

  /**
   * Notes the answer to a request that may succeed.
   *
   * @param sent its body; undefined: it has none of JSON
   */
  note({ address }: Operation, sent: Json | undefined, status: number): void {
    const { accepted, refused, body } = this.#fates.get(address) ?? unasked;
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
    this.#fates.set(
      address,
      status >= 400
        ? { accepted, refused: refused + 1, body }
        : { accepted: accepted + 1, refused, body: isObject ? (sent as Members) : body },
    );
  }

  /** Whether most of what may succeed is refused. */
  isRare({ address }: Operation): boolean {
    const { accepted, refused } = this.#fates.get(address) ?? unasked;
    return refused > accepted;
  }

  lastOf({ address }: Operation): Members | undefined {
    return this.#fates.get(address)?.body;
  }
}
