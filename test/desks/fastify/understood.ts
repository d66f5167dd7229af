import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Asked } from './asked.ts';
import { type Items, members } from './items.ts';
import { isObject, readJson } from './json.ts';
import type { Actor, Endpoint, Scene, Statements } from './kinds.ts';

/** A request as it came. */
export interface Came {
  readonly endpoint: Endpoint;
  readonly headers: IncomingHttpHeaders;
  readonly search: string;
  readonly id: string | undefined;
  readonly content: Buffer;
  readonly now: string;
}

/** The secrets that the operator gave, by name. */
export type Secrets = Readonly<Record<string, string>>;

export function understood(table: Statements, items: Items, secrets: Secrets, came: Came): Asked {
  const { endpoint, headers, content, now, id } = came;
  const { version, versionFault } = versionOf(table, headers);
  const query = queryOf(came.search);
  const media = endpoint.request.media;
  const isOfOtherMedia = media !== undefined && media !== '*/*' && mediaOf(headers) !== media;
  // Content that is too large is not read (language §4.2, rule 14).
  const isTooLarge = content.length > (table.limits.sizes.body ?? Number.POSITIVE_INFINITY);
  const read = media === undefined || isOfOtherMedia || isTooLarge ? {} : readJson(content);
  const body = members(read);
  const { actor, isWrong } = whoAsks(table, items, secrets, headers);
  const item =
    id === undefined
      ? undefined
      : (endpoint.operation === 'removeHook' ? items.hooks : items.parcels).get(id);
  const scene: Scene = { actor, now, body, ...(item && { item }) };
  return {
    endpoint,
    headers,
    content,
    now,
    version,
    versionFault,
    query: query ?? new Map(),
    isMalformed: query === null || !isObject(read),
    isOfOtherMedia,
    body,
    actor,
    isWrong,
    item,
    scene,
  };
}

/** The version that a request names; the default where it names none, or none that there is. */
export function versionOf(
  { versioning }: Statements,
  headers: IncomingHttpHeaders,
): Pick<Asked, 'version' | 'versionFault'> {
  const named = headers[versioning.place.header.toLowerCase()];
  const { default: usual, versions } = versioning;
  if (named === undefined) return { version: usual, versionFault: null };
  if (named === '') return { version: usual, versionFault: 'version missing' };
  const isKnown = Object.hasOwn(versions, String(named));
  return isKnown
    ? { version: String(named), versionFault: null }
    : { version: usual, versionFault: 'version unknown' };
}

/** The parameters of a query; null where a coding is broken. */
function queryOf(search: string): Map<string, string[]> | null {
  const query = new Map<string, string[]>();
  try {
    for (const pair of search === '' ? [] : search.split('&')) {
      const [name = '', ...value] = pair.split('=');
      const [key, text] = [name, value.join('=')].map((one) =>
        decodeURIComponent(one.replaceAll('+', ' ')),
      ) as [string, string];
      if (pair !== '') query.set(key, [...(query.get(key) ?? []), text]);
    }
    return query;
  } catch {
    return null;
  }
}

function mediaOf(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function whoAsks(
  { authentication, service }: Statements,
  items: Items,
  secrets: Secrets,
  headers: IncomingHttpHeaders,
): { actor: Actor | null; isWrong: boolean } {
  const { key, desk } = authentication.schemes;
  const given = headers[key?.name?.toLowerCase() ?? ''];
  const field = headers.authorization;
  if (key?.in === 'header' && given !== undefined) {
    const held = items.accountOf(String(given));
    const anyone = key.credentials === undefined ? ([...items.accounts.values()][0] ?? null) : null;
    const actor =
      held ??
      (anyone && ({ kind: 'account', id: String(anyone['id']), role: String(anyone['role']) } as const));
    if (actor === null) return { actor: null, isWrong: true };
    return { actor: service.actors[actor.role ?? ''] ? actor : { ...actor, role: null }, isWrong: false };
  }
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(field ?? '') ?? [];
  if (desk === undefined || field === undefined || !/^basic\b/i.test(field))
    return { actor: null, isWrong: false };
  const [name = '', ...rest] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':');
  const isGood = desk.credentials === undefined || isSame(secrets[name], rest.join(':'));
  if (!isGood) return { actor: null, isWrong: desk.wrong !== 'ignore' };
  return {
    actor: service.actors['office'] ? { kind: 'office', id: null, role: null } : null,
    isWrong: false,
  };
}

function isSame(secret: string | undefined, given: string): boolean {
  if (secret === undefined) return false;
  const [a, b] = [Buffer.from(secret), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
