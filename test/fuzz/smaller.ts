import type { Document, Json } from '../service/document.ts';
import { placesIn } from './document.ts';

/**
 * A document with as little in it as still fails alike: what is taken out of it, one value after the other, the
 * greatest first, does not matter.
 *
 * @param most how many documents are tried at most
 */
export async function smaller(
  document: Document,
  fails: (smaller: Document) => Promise<boolean>,
  most = 300,
): Promise<Document> {
  let least = document;
  let tried = 0;
  for (let hasShrunk = true; hasShrunk && tried < most; ) {
    hasShrunk = false;
    const places = placesIn(least).map(([holder, key]) => ({
      path: pathTo(least, holder, key),
      size: JSON.stringify((holder as never)[key]).length,
    }));
    for (const { path } of places.sort((a, b) => b.size - a.size)) {
      if (tried++ >= most) break;
      const cut = without(least, path);
      if (cut === undefined || !(await fails(cut))) continue;
      least = cut;
      hasShrunk = true;
    }
  }
  return least;
}

type Path = readonly string[];

function pathTo(root: Json, holder: Json, key: string): Path {
  const visit = (value: Json, path: Path): Path | undefined => {
    if (value === holder) return [...path, key];
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [name, inner] of Object.entries(value)) {
      const found = visit(inner, [...path, name]);
      if (found) return found;
    }
    return undefined;
  };
  return visit(root, []) as Path;
}

/** The document without what stands there; undefined where nothing does any more. */
function without(document: Document, path: Path): Document | undefined {
  const copy = structuredClone(document);
  let holder: Json | undefined = copy;
  for (const name of path.slice(0, -1)) holder = (holder as { [name: string]: Json } | undefined)?.[name];
  const last = path.at(-1) as string;
  if (typeof holder !== 'object' || holder === null || !(last in holder)) return undefined;
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as { [name: string]: Json })[last];
  return copy;
}
