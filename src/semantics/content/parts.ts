import type { Json } from '../../source/node.ts';
import { mediaParameter } from '../../specification/reading/media.ts';

/** A part of content (RFC 2046 §5.1): its header fields by name, and what it brings. */
export interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array;
}

/** What stands between the parts that are written here. No content of a part has it. */
export const boundary = 'tacet-part-2f9c41d7e6';

/** What a part brings: bytes, a text as it is, nothing for null, and JSON of anything else. */
export function partContent(body: Json | Uint8Array): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body));
}

/** Parts as content, with `boundary` between them. */
export function writtenParts(parts: readonly Part[]): Uint8Array {
  return Buffer.concat([
    ...parts.flatMap(({ headers, content }) => [
      Buffer.from(`--${boundary}\r\n`),
      Buffer.from(
        Object.entries(headers)
          .map(([name, text]) => `${name}: ${text}\r\n`)
          .join(''),
      ),
      Buffer.from('\r\n'),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** The parts of content, with the names of their fields in lower case; null: it has no boundary, or no end. */
export function partsIn(content: Uint8Array, contentType: string): readonly Part[] | null {
  const name = mediaParameter(contentType, 'boundary');
  if (name === undefined) return null;
  const text = Buffer.concat([Buffer.from('\r\n'), content]).toString('latin1');
  const [, ...pieces] = text.split(`\r\n--${name}`);
  const end = pieces.findIndex((piece) => piece.startsWith('--'));
  return end === -1 ? null : pieces.slice(0, end).map(partOf);
}

/** @param piece what stands after a boundary, a byte a character */
function partOf(piece: string): Part {
  const lines = piece.slice(piece.indexOf('\r\n') + 2);
  const isBare = lines.startsWith('\r\n');
  const end = isBare ? 0 : lines.indexOf('\r\n\r\n');
  const head = end === -1 ? '' : Buffer.from(lines.slice(0, end), 'latin1').toString('utf8');
  const fields = head.split('\r\n').flatMap((line): [string, string][] => {
    const [, field, value] = /^([^:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    return field === undefined ? [] : [[field.toLowerCase(), value ?? '']];
  });
  const content = lines.slice(end === -1 ? 0 : end + (isBare ? 2 : 4));
  return { headers: Object.fromEntries(fields), content: Buffer.from(content, 'latin1') };
}
