import { namesIn } from '../../semantics/request/given/body.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { isObject, type Members, type Value } from '../../semantics/value/value.ts';
import { aliasNames, type MeantVersion, meantVersion, versionNames } from '../../semantics/version/meant.ts';
import { shownIn } from '../../semantics/version/names.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Pool } from './pool.ts';

/** The version that a request is to name, and what this version states. */
export interface Spoken {
  /** A name or an alias; null: none; undefined: the newest. */
  readonly version: string | null | undefined;
  readonly specification: Specification;
}

/** Chooses a version: mostly the newest, else an older one, an alias, none, or one that does not exist. */
export function spokenVersion(newest: Specification, pool: Pool): Spoken {
  const names = versionNames(newest);
  if (stated(stated(newest.versioning)?.place) === undefined || names.length === 0)
    return { version: undefined, specification: newest };
  if (pool.often(60)) return { version: undefined, specification: newest };
  const version = pool.often(70)
    ? pool.random.pick(names)
    : pool.random.pick([...aliasNames(newest), null, null, 'nonsense', '']);
  const specification = stating(newest, version);
  // A version may have no operation at all.
  return specification.operations.length > 0
    ? { version, specification }
    : { version: undefined, specification: newest };
}

/** Each version that a request can name; the newest need not be named. */
export function versionsOf(newest: Specification): readonly Spoken[] {
  const named = versionNames(newest).map((version) => ({ version, specification: stating(newest, version) }));
  return [{ version: undefined, specification: newest }, ...named];
}

/** What the version states that a request names; of a request that means none, the newest. */
export function stating(newest: Specification, version: string | null | undefined): Specification {
  const meant = meantVersion(newest, version);
  return typeof meant === 'object' && 'name' in meant ? (meant as MeantVersion).specification : newest;
}

/** The request in its version: its content has the names of the version (language §9.3). */
export function spoken(request: Request, { version, specification }: Spoken): Request {
  if (version === undefined) return request;
  const { operation, content } = request;
  const under = operation.request && stated(operation.request.under);
  const named = (body: Value): Value => shownIn(body, namesIn(operation), specification);
  const isUnder = under !== undefined && under !== null && content !== undefined && isObject(content);
  return {
    ...request,
    version,
    content: isUnder
      ? { ...content, [under]: named((content as Members)[under] ?? null) }
      : content === undefined
        ? content
        : named(content),
  };
}

/** How a request names its version, and what comes before its path (language §4.1, §9.1). */
export function versionNamed(
  { version }: Request,
  newest: Specification,
): {
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
} {
  const place = stated(stated(newest.versioning)?.place);
  const none = {
    path: stated(stated(stating(newest, version).endpoints)?.base) ?? '',
    query: [],
    headers: {},
  };
  const name = version === undefined ? versionNames(newest)[0] : version;
  if (!place || name === undefined || name === null) return none;
  switch (place.kind) {
    case 'header':
      return { ...none, headers: { [place.name]: name } };
    case 'media':
      return { ...none, headers: { accept: `*/*;${place.name}="${name}"` } };
    case 'query':
      return { ...none, query: [`${encodeURIComponent(place.name)}=${encodeURIComponent(name)}`] };
    case 'path':
      return { ...none, path: `${place.name}${encodeURIComponent(name)}${none.path}` };
  }
}
