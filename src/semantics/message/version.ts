import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { routed } from '../request/route.ts';
import { editionsOf, meantVersion, versionNamed } from '../version/meant.ts';

/** What of a message may name its version. */
interface Head {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a message says of its version. */
interface NamedVersion<M extends Head> {
  /** Null: it names none. Undefined: there is one version, and no message names it. */
  readonly written: string | null | undefined;
  /** The message without its version, where a path, a query or `Accept` is read for other things, too. */
  readonly message: M;
}

/** Reads the name of the version where the document places it (language §9.1). */
export function namedVersion<M extends Head>(message: M, specification: Specification): NamedVersion<M> {
  const place = stated(stated(specification.versioning)?.place);
  switch (place?.kind) {
    case undefined:
      return { written: undefined, message };
    case 'header':
      return { written: message.headers[place.name.toLowerCase()]?.trim() ?? null, message };
    case 'query':
      return inQuery(place.name, message);
    case 'media':
      return inMedia(place.name, message);
    case 'path':
      return inPath(place.name, message, specification);
  }
}

function inQuery<M extends Head>(name: string, message: M): NamedVersion<M> {
  const [path = '', query = ''] = message.target.split(/\?(.*)/s);
  const pairs = query.split('&');
  const isName = (pair: string): boolean => new URLSearchParams(pair).keys().next().value === name;
  const others = pairs.filter((pair) => !isName(pair)).join('&');
  return {
    written: new URLSearchParams(query).get(name),
    message: { ...message, target: others === '' ? path : `${path}?${others}` },
  };
}

/** A parameter of a media type in `Accept`, else in `Content-Type`. */
function inMedia<M extends Head>(name: string, message: M): NamedVersion<M> {
  const token = name.replaceAll(/[^\w-]/g, '\\$&');
  const parameter = new RegExp(`;\\s*${token}\\s*=\\s*(?:"([^"]*)"|([^\\s;,]*))`, 'gi');
  const { accept, ...others } = message.headers;
  const [found] = [accept, others['content-type']].flatMap((text) => [...(text ?? '').matchAll(parameter)]);
  const left = accept?.replaceAll(parameter, '');
  return {
    written: found ? (found[1] ?? found[2] ?? '') : null,
    message: { ...message, headers: left === undefined ? others : { ...others, accept: left } },
  };
}

/** The path begins with `/v` and the name. A path of the default version may only happen to begin so (rule 2). */
function inPath<M extends Head>(begins: string, message: M, specification: Specification): NamedVersion<M> {
  const [path = '', query] = message.target.split(/\?(.*)/s);
  if (!path.startsWith(begins)) return { written: null, message };
  const [, written = '', rest = ''] = /^([^/]*)(.*)$/s.exec(path.slice(begins.length)) ?? [];
  const name = decoded(written);
  if (versionNamed(specification, name) === undefined && isOfDefault(message.method, path, specification))
    return { written: null, message };
  const target = `${rest === '' ? '/' : rest}${query === undefined ? '' : `?${query}`}`;
  return { written: name, message: { ...message, target } };
}

function isOfDefault(method: string, path: string, specification: Specification): boolean {
  const usual = meantVersion(specification, null);
  const editions =
    typeof usual === 'object' && 'specification' in usual ? [usual.specification] : editionsOf(specification);
  return editions.some((edition) => routed(edition, method, path).kind !== 'unknown path');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
