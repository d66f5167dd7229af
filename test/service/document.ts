import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Members = { [name: string]: Json };

/** A document in the form of language §A.2. */
export type Document = Members;
export type Path = readonly (string | number)[];

const keys = {
  'What the service does': 'service',
  'Resources and their fields': 'resources',
  'States and transitions': 'states',
  Endpoints: 'endpoints',
  Authentication: 'authentication',
  Events: 'events',
  Errors: 'errors',
  Limits: 'limits',
  Versioning: 'versioning',
};

/** The to-do list of `examples/`, as one JSON value; its head's `complete` is left out. */
export function todo(): Document {
  return opened(new URL('../../examples/todo.md', import.meta.url), 'A to-do list');
}

/** A document in Markdown as one JSON value; what its head says of lists is left out. */
export function opened(file: URL, name: string): Document {
  const document: Document = { name, tacet: 1 };
  for (const section of readFileSync(file, 'utf8').split(/^## /m).slice(1)) {
    const [heading = '', ...text] = section.split('\n');
    const block = /```yaml\n(.*?)```/s.exec(text.join('\n'))?.[1] ?? '';
    document[keys[heading as keyof typeof keys]] = parse(block) as Json;
  }
  return document;
}

/** Every node of a document below its head, by the way to it. */
export function nodes(document: Document): Path[] {
  const visit = (value: Json, path: Path): Path[] => [
    path,
    ...(typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) =>
          visit(inner, [...path, Array.isArray(value) ? Number(name) : name]),
        )
      : []),
  ];
  const { name: _name, tacet: _tacet, complete: _complete, ...statements } = document;
  return Object.entries(statements).flatMap(([part, value]) => visit(value, [part]));
}

/** The document without the statements at these places. */
export function without(document: Document, ...paths: readonly Path[]): Document {
  const cut = structuredClone(document);
  // From the last to the first, so that what is taken out of a list moves nothing that is still to be taken.
  const order = (path: Path): string =>
    path.map((name) => (typeof name === 'number' ? String(name).padStart(4, '0') : name)).join('\u0000');
  for (const path of [...paths].sort((a, b) => (order(a) < order(b) ? 1 : -1))) {
    const last = path.at(-1) as string | number;
    const holder = at(cut, path.slice(0, -1));
    if (Array.isArray(holder)) holder.splice(last as number, 1);
    else if (typeof holder === 'object' && holder !== null) delete (holder as Document)[last];
  }
  return cut;
}

function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, name) => (here as { readonly [name: string]: Json } | undefined)?.[name],
    value,
  );
}

/** What a document states at an address, also where shorthand moves it there (language §C, §E.1, §E.15). */
export function statementAt(document: Members, address: string): Json | undefined {
  const path = [...address.matchAll(/\["((?:[^"\\]|\\.)*)"\]|([^.[]+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain as string) : (JSON.parse(`"${quoted}"`) as string),
  );
  const at = (way: readonly string[]): Json | undefined =>
    way.reduce<Json | undefined>(
      (here, name) => (typeof here === 'object' && here !== null ? (here as Members)[name] : undefined),
      document,
    );
  const [, key = '', ...further] = path;
  const shorthand: Readonly<Record<string, Json | undefined>> = {
    'request.others': at(['endpoints', 'others']),
    'response.status':
      typeof at(['endpoints', key, 'response']) === 'number' ? at(['endpoints', key, 'response']) : undefined,
  };
  return at(path) ?? (path[0] === 'endpoints' ? shorthand[further.join('.')] : undefined);
}

/** The members of a map; none where it is none. */
export function map(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The texts of a list, or of one text that stands for a list of one. */
export function list(value: Json | undefined): string[] {
  return Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
}
