import type { Sent } from '../accountant.ts';
import { type Json, list, type Members, map } from '../document.ts';
import type { Item, Items } from './items.ts';
import { fill, type Scope } from './working.ts';

/** A request as it meets the document. */
export interface Met {
  readonly key: string;
  readonly endpoint: Members;
  readonly request: Members;
  /** Of `does`; undefined while it is open, or is `(none)`. */
  readonly verb: string | undefined;
  readonly subject: string;
  readonly isOne: boolean;
  readonly change: Members;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The shape of the body, with what a resource's name stands for written out. */
  readonly shape: Json | undefined;
  readonly body: Json | undefined;
}

const words = ['create', 'read', 'list', 'update', 'replace', 'delete'];

export function isTransition(verb: string | undefined): boolean {
  return verb !== undefined && !words.includes(verb);
}

/** The endpoints whose paths fit, those with literal segments before others (language §4.1). */
export function fitting(document: Members, path: string): [key: string, path: Record<string, string>][] {
  const given = path.split('/').map(decodeURIComponent);
  const found = Object.keys(map(document['endpoints'])).flatMap((key) => {
    const pattern = key.split(' ')[1]?.split('/');
    if (pattern === undefined || pattern.length !== given.length || key.startsWith('every ')) return [];
    const bound: Record<string, string> = {};
    const fits = pattern.every((segment, index) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      if (name !== undefined) bound[name] = given[index] as string;
      return name === undefined ? segment === given[index] : given[index] !== '';
    });
    return fits ? [[key, bound] as [string, Record<string, string>]] : [];
  });
  const fewest = Math.min(...found.map(([, bound]) => Object.keys(bound).length));
  return found.filter(([, bound]) => Object.keys(bound).length === fewest);
}

export function meet(document: Members, key: string, path: Record<string, string>, sent: Sent): Met {
  const endpoint = map(map(document['endpoints'])[key]);
  const request = map(endpoint['request']);
  const { does } = endpoint;
  const change =
    typeof does === 'string' && does !== '(none)'
      ? { [does.split(' ')[0] as string]: does.split(' ').slice(1).join(' ') }
      : map(does);
  const qualifiers = ['with', 'where', 'present', 'absent', 'order', 'as'];
  const verb = Object.keys(change).find((name) => !qualifiers.includes(name));
  const about = String(verb === undefined ? '' : (change[verb] ?? ''));
  const [, query = ''] = sent.target.split('?', 2);
  return {
    key,
    endpoint,
    request,
    verb,
    subject: about.replace(/^every /, ''),
    isOne: !about.startsWith('every ') && verb !== 'list' && verb !== 'create',
    change,
    path,
    query: [...new URLSearchParams(query)],
    shape: request['body'],
    body: parsed(sent.body),
  };
}

function parsed(text: string | null): Json | undefined {
  try {
    return JSON.parse(text ?? '') as Json;
  } catch {
    return undefined;
  }
}

/** What each parameter of the path is bound to: a field of a resource, and a name (language §4.2, §E.3). */
export function bindings(
  document: Members,
  met: Met,
): { of: string; field: string; as?: string; value: string }[] {
  const identifier = list(map(map(document['resources'])[met.subject])['identifier']);
  return Object.entries(met.path).flatMap(([name, value]) => {
    const written = map(met.request['path'])[name];
    const [, of, field, as] =
      /^(\w+)\.(\w+)(?: as (\w+))?$/.exec(typeof written === 'string' ? written : '') ?? [];
    if (of && field) return [{ of, field, value, ...(as && { as }) }];
    const isOwn = written === undefined && identifier.includes(name);
    return isOwn ? [{ of: met.subject, field: name, value }] : [];
  });
}

/** Whom a request is about, by name: `self`, and what the path binds; undefined where there is nobody. */
export function abouts(document: Members, met: Met, items: Items): Record<string, Item | undefined> {
  const bound = bindings(document, met);
  const find = (of: string, by: readonly { field: string; value: string }[]): readonly Item[] =>
    items.of(of).filter((item) => by.every(({ field, value }) => String(item[field]) === value));
  const named = Object.fromEntries(
    bound.flatMap(({ as, of, ...by }) => (as === undefined ? [] : [[as, find(of, [by])[0]]])),
  );
  const own = bound.filter(({ as, of }) => as === undefined && of === met.subject);
  const scope: Scope = { ...items.names, ...named, request: requestOf(met) };
  const admits = (self: Item): boolean => {
    try {
      return met.change['where'] === undefined || fill(met.change['where'], { ...scope, self }) === true;
    } catch {
      return false;
    }
  };
  const candidates = met.isOne || met.verb === 'create' ? find(met.subject, own) : [];
  const self = own.length > 0 || met.change['where'] !== undefined ? candidates.filter(admits)[0] : undefined;
  return { ...named, self };
}

/** The request, as expressions see it. */
export function requestOf(met: Met): Members {
  const parameters = map(met.request['query']);
  const given = Object.fromEntries(met.query);
  const query = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, shape]) => {
      const text = given[name];
      const type = map(shape)['type'];
      const value =
        text === undefined
          ? map(shape)['default']
          : type === 'integer' || map(shape)['page'] === 'size'
            ? Number(text)
            : type === 'boolean'
              ? text === 'true'
              : text;
      return value === undefined ? [] : [[name, value as Json]];
    }),
  );
  return { path: { ...met.path }, query, body: met.body ?? null };
}
