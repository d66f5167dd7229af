import { createHash } from 'node:crypto';

/** Loads the content of bytes that are kept; `reads` is what the evaluation reads the store by. */
type Load = (reads: unknown) => Uint8Array;

/**
 * The value of a field of `format: binary` (language §H.1). Bytes are equal if their length and their SHA-256 are, and
 * these two are all that JSON text holds of them: the content is kept outside the row.
 */
export class Bytes {
  /** In small hexadecimal letters. */
  readonly sha256: string;
  readonly size: number;
  readonly #load: Load;

  private constructor(sha256: string, size: number, load: Load) {
    this.sha256 = sha256;
    this.size = size;
    this.#load = load;
  }

  static of(content: Uint8Array): Bytes {
    const digest = createHash('sha256').update(content).digest('hex');
    return new Bytes(digest, content.byteLength, () => content);
  }

  /** Those that are kept: what the row says of them, and how their content is loaded. */
  static kept({ sha256, size }: KeptBytes, load: Load): Bytes {
    return new Bytes(sha256, size, load);
  }

  /** Throws `CannotWorkOut` if the content is not kept any more. */
  content(reads: unknown): Uint8Array {
    return this.#load(reads);
  }
}

/** What a row says of bytes. */
export interface KeptBytes {
  readonly sha256: string;
  readonly size: number;
}

export function isKeptBytes(value: unknown): value is KeptBytes {
  if (typeof value !== 'object' || value === null) return false;
  const { sha256, size } = value as Partial<KeptBytes>;
  return typeof sha256 === 'string' && typeof size === 'number';
}

/** The SHA-256 of bytes as `sha256` gives it (language §G.4). */
export function digestOfBytes({ sha256 }: KeptBytes): { readonly hex: string; readonly base64: string } {
  return { hex: sha256, base64: Buffer.from(sha256, 'hex').toString('base64') };
}

/** The functions that take bytes. Of null bytes they give null (language §G.4). */
export const ofBytes: readonly string[] = ['size', 'sha256'];
