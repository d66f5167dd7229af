import type { Operation } from '../../../specification/model/operation.ts';
import { isJson, mediaKind } from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import { patchOperations } from '../../../specification/vocabulary/keywords.ts';
import { isList, isObject, seen, Unknown, type Value } from '../../value/value.ts';
import type { Request } from '../prediction.ts';

/**
 * What kind of patch a request to `update` brings (language §H.2, rule 4); null: none. A merge patch that merges nothing
 * within a member sets its members, and removes those that are null (RFC 7396 §2); one that is no object takes the place of the
 * whole. `unread`: what it leads to is not carried out.
 */
export function patchIn(
  { operation, headers }: Request,
  content: Value,
): 'malformed' | 'sets members' | 'no object' | 'unread' | null {
  const { does, request } = operation;
  const types = (request && stated(request.media)) ?? [];
  const given = seen(headers['content-type'] ?? null);
  const media = typeof given === 'string' ? given : types.find(isJson);
  if (stated(does)?.verb !== 'update' || media === undefined) return null;
  switch (mediaKind(media)) {
    case 'merge patch':
      if (!isObject(content)) return content instanceof Unknown ? 'unread' : 'no object';
      return Object.values(content).every(isPlain) ? 'sets members' : 'unread';
    case 'json patch':
      return isJsonPatch(content) ? 'unread' : 'malformed';
    default:
      return null;
  }
}

function isPlain(member: Value): boolean {
  return !isObject(seen(member));
}

/** Whether an operation takes merge patches, beside other content or not. */
export function takesMergePatch({ request }: Operation): boolean {
  return (request && stated(request.media))?.some((each) => mediaKind(each) === 'merge patch') === true;
}

/** Whether a request to `update` brings a merge patch, so that null removes a member (RFC 7396 §2). */
export function isMergePatch(request: Request): boolean {
  const { content } = request;
  return content !== undefined && patchIn(request, content) === 'sets members';
}

/** Whether a value is a list of operations (RFC 6902 §3, §4). */
function isJsonPatch(content: Value): boolean {
  return isList(content) && content.every(isOperation);
}

function isOperation(element: Value): boolean {
  if (!isObject(element)) return false;
  const { op, path, from, value } = element as Readonly<Record<string, Value | undefined>>;
  const pointers = [path ?? null, ...(isOne(['move', 'copy'], op) ? [from ?? null] : [])].map(seen);
  const hasValue = !isOne(['add', 'replace', 'test'], op) || value !== undefined;
  return isOne(patchOperations, op) && hasValue && pointers.every(isPointer);
}

function isOne(names: readonly string[], op: Value | undefined): boolean {
  return typeof op === 'string' && names.includes(op);
}

/** A JSON Pointer (RFC 6901 §3). */
function isPointer(value: Value): boolean {
  return typeof value === 'string' && /^(\/([^~]|~[01])*)?$/.test(value);
}
