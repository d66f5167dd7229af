/** A path as its segments: a text, or the name of a parameter. */
interface Path {
  readonly path: string;
  readonly segments: readonly (string | { readonly parameter: string })[];
}

/** A path under which items are kept, and the path of one of them. */
export interface Collection {
  /** `/pets`. */
  readonly path: string;
  /** `/pets/{petId}`; null: no path leads to a single item. */
  readonly itemPath: string | null;
  /** The parameter of the path of an item: `petId`. */
  readonly parameter: string | null;
  /** Whether the collection stands below another item. */
  readonly isBelow: boolean;
}

/** The collections among some paths: `C` and `C/{p}`; neither need be there, if a path leads through it. */
export function collectionsIn(paths: readonly string[]): readonly Collection[] {
  // What a parameter with text around it leads to, as `{id}.json`, may be an item in another form.
  const all = [...new Set([...paths, ...paths.flatMap(beginningsOf)])]
    .map(segmentsOf)
    .filter(({ segments }) => !segments.some((each) => typeof each === 'string' && each.includes('{')));
  return all.flatMap(({ path, segments }): Collection[] => {
    const last = segments.at(-1);
    if (last === undefined || last === '') return [];
    const item = all.find(
      (other) =>
        other.segments.length === segments.length + 1 &&
        typeof other.segments.at(-1) === 'object' &&
        other.path.startsWith(`${path}/`),
    );
    // `/repositories/{owner}` has items, or is one.
    if (typeof last === 'object' && item === undefined) return [];
    const parameter = item?.segments.at(-1) as { readonly parameter: string } | undefined;
    return [
      {
        path,
        itemPath: item?.path ?? null,
        parameter: parameter?.parameter ?? null,
        isBelow: segments.some((segment) => typeof segment === 'object'),
      },
    ];
  });
}

/** The paths within which a path lies. */
function beginningsOf(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.map((_, count) => segments.slice(0, count).join('/')).filter((each) => each !== '');
}

/** A path without the names of its parameters: `/pets/{id}` and `/pets/{petId}` lead to the same. */
export function unnamed(path: string): string {
  return path.replaceAll(/\{[^{}]+\}/g, '{}');
}

function segmentsOf(path: string): Path {
  const segments = path
    .replace(/^\//, '')
    .split('/')
    .map((segment) => {
      const [, parameter] = /^\{([^{}]+)\}$/.exec(segment) ?? [];
      return parameter === undefined ? segment : { parameter };
    });
  return { path, segments };
}

/**
 * The member that a parameter of a path is: one of its name, of its name less what the items are called, or `id`.
 *
 * @param called what the items are called: by their schema, and by their path
 * @param members the names of the members of an item
 */
export function keyOf(
  parameter: string,
  called: readonly string[],
  members: ReadonlySet<string>,
): string | undefined {
  const wanted = plainName(parameter);
  const prefixes = called.map(plainName).flatMap((name) => [name, name.replace(/(ies|s)$/, '')]);
  const rests = prefixes
    .filter((prefix) => prefix !== '' && wanted.startsWith(prefix))
    .map((prefix) => wanted.slice(prefix.length));
  const find = (name: string): string | undefined =>
    name === '' ? undefined : [...members].find((member) => plainName(member) === name);
  return [wanted, ...rests, 'id'].map(find).find((member) => member !== undefined);
}

/** A name without regard to case, and to how its words are put together. */
export function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** The name among some that is a name, or is it but for case and for how its words are put together. */
export function sameName(name: string, among: Iterable<string>): string | undefined {
  const all = [...among];
  return all.find((each) => each === name) ?? all.find((each) => plainName(each) === plainName(name));
}
