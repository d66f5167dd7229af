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
