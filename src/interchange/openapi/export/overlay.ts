import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../source/node.ts';
import { isObject, type JsonObject } from './schema.ts';

/**
 * An Overlay (1.0) that makes the second description of the first: what is assumed, beside what is stated. A list that
 * differs is taken away and set anew, since an update adds to it.
 */
export function overlayOf(title: string, first: JsonObject, second: JsonObject): JsonObject {
  return {
    overlay: '1.0.0',
    info: { title, version: String((second['info'] as JsonObject)['version']) },
    actions: actionsOf('$', first, second),
  };
}

function actionsOf(target: string, first: JsonObject, second: JsonObject): readonly JsonObject[] {
  const removed: string[] = [];
  const update: Record<string, Json> = {};
  const inner: JsonObject[] = [];
  for (const [name, value] of Object.entries(second)) {
    const before = first[name];
    if (isDeepStrictEqual(before, value)) continue;
    if (isObject(before) && isObject(value)) {
      inner.push(...actionsOf(`${target}${step(name)}`, before, value));
      continue;
    }
    if (typeof before === 'object' || (before !== undefined && typeof value === 'object')) removed.push(name);
    update[name] = value;
  }
  for (const name of Object.keys(first)) if (!Object.hasOwn(second, name)) removed.push(name);
  return [
    ...removed.map((name) => ({ target: `${target}${step(name)}`, remove: true })),
    ...(Object.keys(update).length > 0 ? [{ target, update }] : []),
    ...inner,
  ];
}

/** A name in a JSONPath (RFC 9535 §2.3.1). */
function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name)
    ? `.${name}`
    : `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}
