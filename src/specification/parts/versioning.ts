import { get, type Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { day } from '../date.ts';
import { differences } from '../differences.ts';
import {
  asMap,
  entry,
  list,
  listOf,
  named,
  oneKey,
  placedText,
  type Read,
  record,
  text,
  unknownKeys,
  type Values,
  value,
  word,
} from '../reading.ts';
import { versionSchemes } from '../version.ts';

/** Where a request names its version (language §9.1). */
export interface VersionPlace {
  readonly kind: 'header' | 'query' | 'media' | 'path';
  /** The name of the header field or parameter; for `path` what stands before the version's name. */
  readonly name: string;
  readonly at: Span;
}

/** Field names and parameters of media types are tokens (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const forms: { readonly [K in VersionPlace['kind']]: { readonly form: RegExp; readonly wanted: string } } = {
  header: { form: token, wanted: 'the name of a header field' },
  query: { form: /./s, wanted: 'the name of a parameter' },
  media: { form: token, wanted: 'the name of a parameter' },
  path: { form: /^\/[^{}?#\s]*$/, wanted: 'what the path begins with, such as /v' },
};

const place: Read<VersionPlace> = (node, where, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const kinds = Object.keys(forms) as VersionPlace['kind'][];
  const kind = oneKey(map, kinds, reading);
  if (kind === undefined) return undefined;
  unknownKeys(map, kinds, where, reading);
  const written = get(map, kind) as Node;
  const name = text(written, where, reading);
  if (name === undefined) return undefined;
  const { form, wanted } = forms[kind];
  if (form.test(name)) return { kind, name, at: written.span };
  return reading.report('wrong-kind', written.span, { wanted, found: `"${name}"` });
};

/** A key at which nothing can be stated but that there is nothing. */
const nothing: Read<never> = (node, where, reading) => {
  word('(none)')(node, where, reading);
  return undefined;
};

const versionKeys = {
  alias: entry(listOf(placedText)),
  deprecated: entry(day),
  sunset: entry(day),
  retired: entry(day),
  fields: entry(nothing),
  differs: entry(differences),
};

export type Version = Values<typeof versionKeys>;

/** Part 9: how versions are named, where a request names one, what differs (language §9). */
const keys = {
  scheme: value(word(...versionSchemes)),
  place: value(place),
  versions: list(named(value(record(versionKeys)))),
  default: value(placedText),
};

export type Versioning = Values<typeof keys>;
export const read = record(keys);
