import { type Mapping, put, scalar } from '../source/node.ts';
import { isMarker } from './said.ts';

/** A body without `media` is JSON (language §E.4, §E.5, §E.6). */
export function withMedia(map: Mapping): Mapping {
  const body = map.entries.get('body');
  if (body === undefined || map.entries.has('media') || isMarker(body.value)) return map;
  return put(map, 'media', scalar('application/json', body.key, body.value.assumed), body.key);
}
