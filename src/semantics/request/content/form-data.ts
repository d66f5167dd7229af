import { stated } from '../../../specification/reading/said.ts';
import { type Part, writtenParts } from '../../content/parts.ts';
import { Bytes, isList, isObject, type Members, type Value } from '../../value/value.ts';
import type { Request } from '../prediction.ts';
import { type Fields, fieldsOf } from './form.ts';

/** The members of content in parts: those that are bytes, or lists of them, and the others, which are texts. */
export interface FormData {
  readonly bytes: Members;
  readonly others: Members;
}

/** What content in parts (`multipart/form-data`) brings; null: it is no object. */
export function formDataOf(content: Value): FormData | null {
  if (!isObject(content)) return null;
  const isBytes = ([, value]: [string, Value]): boolean =>
    value instanceof Bytes ||
    (isList(value) && value.length > 0 && value.every((each) => each instanceof Bytes));
  const all = Object.entries(content);
  return {
    bytes: Object.fromEntries(all.filter(isBytes)),
    others: Object.fromEntries(all.filter((member) => !isBytes(member))),
  };
}

/** The content of a request as `multipart/form-data` (RFC 7578), a part for each field, in the order of its members. */
export function formDataBytes({
  operation: { request },
  content = null,
  parts = {},
}: Pick<Request, 'operation' | 'content' | 'parts'>): Uint8Array {
  const nests = request !== null && stated(request.nesting) === 'brackets';
  const { bytes, others } = formDataOf(content) ?? { bytes: {}, others: {} };
  const texts: Fields = fieldsOf(others, nests);
  const files = Object.entries(bytes).flatMap(([name, value]) =>
    [value].flat().map((each) => ({ name, content: (each as Bytes).content })),
  );
  return writtenParts([
    ...texts.map(([name, text]) => part(name, Buffer.from(text))),
    ...files.map(({ name, content: file }) => part(name, file, parts[name])),
  ]);
}

function part(name: string, content: Uint8Array, about?: NonNullable<Request['parts']>[string]): Part {
  const file = about?.name == null ? '' : `; filename="${escaped(about.name)}"`;
  const type = about?.media == null ? {} : { 'Content-Type': about.media };
  return {
    headers: { 'Content-Disposition': `form-data; name="${escaped(name)}"${file}`, ...type },
    content,
  };
}

/** As browsers write what a name cannot hold (HTML standard, "multipart/form-data encoding algorithm"). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
