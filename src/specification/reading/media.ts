import { get, type Mapping, type Node, put, scalar } from '../../source/node.ts';
import { isMarker, type Said } from './said.ts';
import type { PlacedTemplate } from './templates.ts';

/** Content without `media` is JSON, by its body or, in an answer, its shape (language §E.4, §E.5, §E.6). */
export function withMedia(map: Mapping): Mapping {
  const content = ['body', 'shape']
    .map((key) => map.entries.get(key))
    .find((one) => one !== undefined && !isMarker(one.value));
  const isSaid = ['media', 'content'].some((key) => map.entries.has(key));
  if (content === undefined || isSaid || isBytes(content.value)) return map;
  return put(map, 'media', scalar('application/json', content.key, content.value.assumed), content.key);
}

/** Whether a shape says that the whole is bytes: of which media type, only the author knows. */
function isBytes(node: Node): boolean {
  const format = get(node, 'format');
  return format?.kind === 'scalar' && format.value === 'binary';
}

/** The media type that an answer states as a text; open where an expression gives it. */
export function fixedMedia(said: Said<PlacedTemplate>): Said<string> {
  if (said.kind !== 'stated') return said;
  const { template } = said.value;
  if (template.kind === 'literal') return { ...said, value: String(template.value) };
  return { kind: 'open', question: null, address: said.address, at: said.at };
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const parameter = `[ \\t]*;[ \\t]*${token}=(?:${token}|"[\\t !#-\\[\\]-~]*")`;
const mediaType = new RegExp(`^${token}/${token}(?:${parameter})*$`);

/** Whether a text is a media type, with or without parameters (RFC 9110 §8.3.1). */
export function isMediaType(text: string): boolean {
  return mediaType.test(text);
}

/** How content of a media type is read and written: by JSON and what is built on it, as one of two forms, in parts (RFC 2046 §5.1), or as a text. */
export type MediaKind = 'json' | 'merge patch' | 'json patch' | 'form' | 'multipart' | 'parts' | 'text';

/** The type and subtype of a media type (RFC 9110 §8.3.1), in lower case, without parameters. */
export function essence(media: string): string {
  const semicolon = media.indexOf(';');
  return (semicolon === -1 ? media : media.slice(0, semicolon)).trim().toLowerCase();
}

/** Whether what stands for media types is a range of them: `image/*`, of any subtype or of any type at all. */
export function isMediaRange(media: string): boolean {
  return essence(media).endsWith('/*');
}

/** What a media type is one of: itself without parameters, then the ranges that it is in, the most specific first. */
export function rangesOf(media: string): readonly string[] {
  const type = essence(media);
  return [type, `${type.split('/')[0]}/*`, '*/*'];
}

/** Whether a media type is one of these types, or of a range of them, `image/*` (RFC 9110 §12.5.1). */
export function isAmong(media: string, types: ReadonlySet<string>): boolean {
  return rangesOf(media).some((range) => types.has(range));
}

/** A parameter of a media type, or of a field that is written alike (RFC 9110 §5.6.6); undefined where it has none. */
export function mediaParameter(field: string, name: string): string | undefined {
  const parameter = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
  for (const [, found = '', quoted, token] of field.matchAll(parameter))
    if (found.toLowerCase() === name) return quoted?.replace(/\\(.)/g, '$1') ?? token;
  return undefined;
}

/** Whether content of a media type is JSON. */
export function isJson(media: string): boolean {
  return ['json', 'merge patch', 'json patch'].includes(mediaKind(media));
}

/** The kind of a media type: JSON's own (RFC 8259 §11), and those of its structured suffix (RFC 6839 §3.1). */
export function mediaKind(media: string): MediaKind {
  const type = essence(media);
  if (type === 'application/merge-patch+json') return 'merge patch';
  if (type === 'application/json-patch+json') return 'json patch';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type.startsWith('multipart/')) return 'parts';
  return type === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(type) ? 'json' : 'text';
}
