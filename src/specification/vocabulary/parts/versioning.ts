import { get, type Node } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import { day } from '../../reading/date.ts';
import { own, section, textOf } from '../../reading/form.ts';
import {
  asMap,
  entry,
  type Formed,
  formed,
  list,
  listOf,
  named,
  oneKey,
  placedText,
  record,
  text,
  unknownKeys,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import { versionSchemes } from '../../reading/version.ts';
import { differences } from '../differences.ts';

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

const names = section('9.1', 'versioning');

const ofPlace = section('9.1', 'versioning.place');

const placeKeys = {
  header: value(text, ofPlace('The name is the value of this header field.', { written: '{ header: N }' })),
  query: value(text, ofPlace('The name is the value of this query parameter.', { written: '{ query: N }' })),
  media: value(
    text,
    ofPlace('The name is the value of this parameter of a media type in `Accept`, else of `Content-Type`.', {
      written: '{ media: N }',
    }),
  ),
  path: value(
    formed(
      textOf(
        'a text',
        forms.path.form,
        "What every path begins with before the version's name, as /v (language §9.1).",
      ),
      text.bind(null),
    ),
    ofPlace(
      'The path begins with `/v` and the name: `/v3/parcels`. What `base` and the endpoint state follows.',
      { written: '{ path: /v }' },
    ),
  ),
};

const place: Formed<VersionPlace> = formed(
  {
    kind: 'record',
    keys: placeKeys,
    more: { oneOf: Object.keys(forms).map((kind) => ({ required: [kind] })) },
  },
  (node, where, reading) => {
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
  },
);

/** A key at which nothing can be stated but that there is nothing. */
const nothing = formed(own('`(none)`', { $ref: '#/$defs/marker' }, true), (node, where, reading) => {
  word('(none)')(node, where, reading);
  return undefined;
}) as Formed<never>;

const about = section('9.2', 'versioning.versions');

const versionKeys = {
  alias: entry(
    listOf(placedText),
    about('Further names of this version.', { rules: '4', must: 'accept them', see: 'each', open: 'none' }),
  ),
  deprecated: entry(
    day,
    about('The day from which the version is deprecated, as in `2026-11-01`.', {
      rules: '5',
      must: 'send `Deprecation` (RFC 9745) from this day on',
      see: 'the field',
      open: 'no field',
    }),
  ),
  sunset: entry(
    day,
    about('The day on which the version is expected to end.', {
      rules: '5',
      must: 'send `Sunset` (RFC 8594)',
      see: 'the field',
      open: 'no field',
    }),
  ),
  retired: entry(
    day,
    about('The day from which the version is refused.', {
      rules: '6',
      must: 'refuse it: `version retired`',
      see: 'a request that names it',
      open: 'it is served',
    }),
  ),
  headers: entry(
    nothing,
    about('`(none)`: no header field says so.', {
      must: 'send neither field',
      see: 'an answer',
      open: 'the fields are sent',
    }),
  ),
  differs: entry(
    differences,
    section('9.3', 'versioning.versions')(
      'What differs: addresses, each with the statement in this version and in older ones (9.3).',
      {
        must: 'apply it both ways',
        see: 'the same item through every version',
        open: 'no difference',
      },
    ),
  ),
};

const snippets = [
  {
    label: 'version',
    description: 'An older version, and what differs in it',
    body: { '${1:2026-01-15}': { deprecated: '${2:2026-06-01}' } },
  },
];

export type Version = Values<typeof versionKeys>;

/** Part 9: how versions are named, where a request names one, what differs (language §9). */
const keys = {
  scheme: value(
    word(...versionSchemes),
    names('How versions are named and ordered: `number` (`3`), `semver` (`2.1`) or `date` (`2026-11-01`).', {
      rules: '1',
      must: 'order the names so',
      open: 'names are only names',
    }),
  ),
  place: value(
    place,
    names('Where a request names its version.', {
      must: 'look there',
      see: 'each place',
      open: 'one version, unmarked',
    }),
  ),
  versions: list(
    named(value(record(versionKeys, { title: 'version' })), undefined, snippets),
    section(
      '9.2',
      'versioning',
    )('The versions by name, the newest first (9.2). The other parts state the newest.'),
  ),
  default: value(
    placedText,
    names('The version, or alias, of a request that names none. `(none)`: it is `version missing`.', {
      must: 'serve it so',
      see: 'leave the version out',
      open: '501 for such a request',
    }),
  ),
};

export type Versioning = Values<typeof keys>;
export const read = record(keys);
