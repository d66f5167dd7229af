import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** Of longer content, in bytes, nothing is kept. */
const longest = 1_048_576;

const decoders: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Content that passes by. */
export class Content {
  #chunks: Buffer[] = [];
  #length = 0;
  #isCut = false;

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > longest) this.cutOff();
    else if (!this.#isCut) this.#chunks.push(chunk);
  }

  /** What comes from now on is not kept, nor what came. */
  cutOff(): void {
    this.#isCut = true;
    this.#chunks = [];
  }

  /** The content as a text, decoded (RFC 9110 §8.4); null: it is not known whole. */
  async text({ 'content-encoding': coding }: IncomingHttpHeaders): Promise<string | null> {
    if (this.#isCut) return null;
    const bytes = Buffer.concat(this.#chunks);
    if (coding === undefined || coding === 'identity' || bytes.length === 0) return bytes.toString('utf8');
    try {
      return (await decoders[coding.toLowerCase()]?.(bytes))?.toString('utf8') ?? null;
    } catch {
      return null;
    }
  }
}
