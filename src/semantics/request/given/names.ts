import type { Operation } from '../../../specification/model/operation.ts';
import { essence } from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import { mayLackContent } from '../../../specification/vocabulary/request.ts';
import { isObject, Unknown, unknown, type Value } from '../../value/value.ts';
import { takenIn } from '../../version/names.ts';
import type { World } from '../../world/world.ts';
import { isFormData, sentMedia } from '../content/media.ts';
import type { Request } from '../prediction.ts';
import { namesIn } from './body.ts';
import { withDefaults } from './query.ts';

/** What of a request this does not read. */
const unread = Object.fromEntries(['url', 'credential'].map((name) => [name, unknown([])]));

/**
 * The names that expressions of a request may read, before it is known who asks (language §G.2).
 *
 * @param isRead false: the content is too large, or of another media type, and `request.body` is null (§4.2, rule 14)
 */
export function namesOf(request: Request, isRead: boolean, world: World, now: Value): Record<string, Value> {
  const { operation, path, query, headers, content, url } = request;
  const isInParts = isFormData(sentMedia(request) ?? 'multipart/form-data');
  const body = isRead && !request.isBroken ? givenBody(operation, content) : null;
  return {
    actor: null,
    now,
    request: {
      path,
      query: withDefaults(operation, query),
      headers,
      body: takenIn(body, namesIn(operation), world.specification),
      method: operation.method,
      version: versionName(request, world),
      media: mediaName(request),
      // Other content than multipart has none (language §4.2, rule 10).
      parts: isInParts ? (request.parts ?? unknown([])) : {},
      ...unread,
    },
    service: { url },
  };
}

/** The media type of the content, without parameters; null: there is no content (language §4.2, rule 14). */
function mediaName(request: Request): Value {
  const { content, headers } = request;
  if (content === undefined) return headers['content-type'] === undefined ? null : unknown([]);
  const media = sentMedia(request);
  return media === undefined ? unknown([]) : essence(media);
}

/** The name of the version (language §9.3, rule 15); while its place is open, no request names it. */
function versionName({ version }: Request, { newest: { versioning } }: World): Value {
  if (versioning.kind === 'open') return new Unknown(new Set([versioning.address]));
  return version ?? (versioning.kind === 'none' ? null : unknown([]));
}

/** The body as it came, for what is judged before it is (language §5.5). */
function givenBody({ request }: Operation, content: Value | undefined): Value {
  if (content === undefined && mayLackContent(request)) return {};
  const under = request && stated(request.under);
  const whole = content ?? null;
  if (under === undefined || under === null) return whole;
  return isObject(whole) ? (whole[under] ?? null) : null;
}
