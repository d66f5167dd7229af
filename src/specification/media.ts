import { type Mapping, put, scalar } from '../source/node.ts';
import { isMarker } from './said.ts';

/** Content without `media` is JSON, by its body or, in an answer, its shape (language §E.4, §E.5, §E.6). */
export function withMedia(map: Mapping): Mapping {
  const content = ['body', 'shape']
    .map((key) => map.entries.get(key))
    .find((one) => one !== undefined && !isMarker(one.value));
  if (content === undefined || map.entries.has('media')) return map;
  return put(map, 'media', scalar('application/json', content.key, content.value.assumed), content.key);
}

/** How content of a media type is read and written: by JSON and what is built on it, as a form, or as a text. */
export type MediaKind = 'json' | 'merge patch' | 'json patch' | 'form' | 'text';

/** The type and subtype of a media type (RFC 9110 §8.3.1), in lower case, without parameters. */
export function essence(media: string): string {
  const semicolon = media.indexOf(';');
  return (semicolon === -1 ? media : media.slice(0, semicolon)).trim().toLowerCase();
}

/** The kind of a media type: JSON's own (RFC 8259 §11), and those of its structured suffix (RFC 6839 §3.1). */
export function mediaKind(media: string): MediaKind {
  const type = essence(media);
  if (type === 'application/merge-patch+json') return 'merge patch';
  if (type === 'application/json-patch+json') return 'json patch';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(type) ? 'json' : 'text';
}
