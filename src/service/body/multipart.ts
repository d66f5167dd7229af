import { essence, mediaParameter } from '../../specification/reading/media.ts';

/** A part: its header fields by name in lower case, and its content. */
export interface Part {
  readonly fields: ReadonlyMap<string, string>;
  readonly content: Buffer;
  /** Whether its content would be text in UTF-8. */
  readonly isUtf8: boolean;
}

/** A part of a form: the name of its field, and its content. */
export interface FormPart extends Part {
  readonly name: string;
  /** What `request.parts` tells of it: the name of the file, and the media type without parameters; null: none. */
  readonly about: { readonly name: string | null; readonly media: string | null };
}

/** The parts of `multipart/form-data` (RFC 7578), in order; null where it is malformed, or a part has no name. */
export function readFormParts(bytes: Buffer, contentType: string): readonly FormPart[] | null {
  const found = readParts(bytes, contentType)?.map(ofForm);
  return found === undefined || found.includes(null) ? null : (found as FormPart[]);
}

/**
 * The parts of a `multipart` type (RFC 2046 §5.1), in order; null where it is malformed: there is no boundary or no end,
 * a part has a header field twice, or is in another transfer coding than its bytes.
 *
 * @param contentType the field's value, with the boundary
 */
export function readParts(bytes: Buffer, contentType: string): readonly Part[] | null {
  const boundary = mediaParameter(contentType, 'boundary');
  if (boundary === undefined || !/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) return null;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  // The first boundary stands at the beginning of a line, which may be the first.
  const first = delimiter.subarray(2);
  const isAtOnce = bytes.subarray(0, first.length).equals(first);
  let at = isAtOnce ? -2 : bytes.indexOf(delimiter);
  if (at === -1) return null;
  for (;;) {
    at += delimiter.length;
    if (bytes.toString('latin1', at, at + 2) === '--') return parts;
    const line = bytes.indexOf('\r\n', at);
    if (line === -1 || bytes.toString('latin1', at, line).trim() !== '') return null;
    // A part without header fields begins with an empty line, and the next boundary may be the end of that.
    const end = bytes.indexOf(delimiter, line);
    const part = end === -1 ? null : readPart(bytes.subarray(line + 2, end));
    if (part === null) return null;
    parts.push(part);
    at = end;
  }
}

function readPart(bytes: Buffer): Part | null {
  // Without header fields, it begins with the empty line that ends them.
  const isBare = bytes.subarray(0, 2).equals(lineEnd);
  const end = isBare ? -2 : bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const fields = isBare ? new Map<string, string>() : readFields(bytes.toString('utf8', 0, end));
  if (fields === null) return null;
  const coding = fields.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(coding)) return null;
  const charset = mediaParameter(fields.get('content-type') ?? '', 'charset') ?? 'utf-8';
  return { fields, content: bytes.subarray(end + 4), isUtf8: /^(utf-?8|us-ascii)$/i.test(charset) };
}

const lineEnd = Buffer.from('\r\n');

/** Header fields by name in lower case; null where they are malformed. One may be folded (RFC 5322 §2.2.3). */
function readFields(text: string): ReadonlyMap<string, string> | null {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined || fields.has(name.toLowerCase())) return null;
    if (/\p{Cc}/u.test(value.replaceAll('\t', ' '))) return null;
    fields.set(name.toLowerCase(), value);
  }
  return fields;
}

function ofForm(part: Part): FormPart | null {
  const disposition = part.fields.get('content-disposition') ?? '';
  const name = mediaParameter(disposition, 'name');
  const type = part.fields.get('content-type');
  const file = mediaParameter(disposition, 'filename');
  if (name === undefined || !/^form-data\s*;/i.test(disposition)) return null;
  return {
    ...part,
    name: unescaped(name),
    about: {
      name: file === undefined ? null : unescaped(file),
      media: type === undefined ? null : essence(type),
    },
  };
}

/** What a name cannot hold is written as browsers do (HTML standard, "multipart/form-data encoding algorithm"). */
function unescaped(name: string): string {
  return name.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"');
}
