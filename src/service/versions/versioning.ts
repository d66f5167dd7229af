import type { Specification } from '../../specification/model/specification.ts';
import type { Day } from '../../specification/reading/date.ts';
import { isSaid, type Said, stated } from '../../specification/reading/said.ts';
import type { Version, VersionPlace } from '../../specification/vocabulary/parts/versioning.ts';
import { targetOf } from '../http/floor.ts';
import { httpDate } from '../http/validators.ts';
import type { Judge } from '../judge/judge.ts';
import {
  type Arrived,
  type Incoming,
  type OfVersion,
  single,
  type VersionCondition,
} from '../message/incoming.ts';
import { refuse } from '../message/refusal.ts';

/** Part 9, compiled: of which version a request is (language §9.1, §9.2). */
export type Versioned = (arrived: Arrived, now: string) => OfVersion;

const conditions: readonly VersionCondition[] = ['version missing', 'version unknown', 'version retired'];

/** What stands against a request whose version is none that is served. */
export const versionJudges: readonly Judge<{ readonly incoming: Incoming }>[] = conditions.map(
  (condition) => ({
    condition,
    code: null,
    kept: false,
    byChange: false,
    refuses: ({ incoming }) => {
      const wrong = incoming.version?.wrong ?? null;
      if (typeof wrong === 'object') return condition === 'version missing' && wrong !== null ? wrong : [];
      return wrong === condition ? [refuse(condition)] : [];
    },
  }),
);

interface Entry {
  readonly name: string;
  readonly retired: Day | undefined;
  /** From when on which fields tell that it will go; null: none. */
  readonly going: { readonly from: Day | null; readonly fields: readonly string[] } | null;
}

/** What a request says of its version: null is nothing. */
interface Named {
  readonly name: string | null;
  readonly arrived: Arrived;
}

/**
 * Null where there is one version, and nothing tells it: as while it is open where a request names it.
 *
 * @param stands whether something stands at a path that names no version
 */
export function compileVersioning(
  { versioning }: Specification,
  stands: (path: string) => boolean,
): Versioned | null {
  const part = stated(versioning);
  const place = part && stated(part.place);
  if (part === undefined || place === undefined) return null;
  const versions = [...(stated(part.versions) ?? [])].map(([name, said]) => entry(name, said));
  const all = versions.map(({ name }) => name);
  const find = compileFind(part.versions);
  const known = (written: string): Entry | undefined => {
    const name = find(written);
    return versions.find((one) => one.name === name);
  };
  const read = readers[place.kind](place, stands, (name) => known(name) !== undefined);
  const usual = stated(part.default);
  return (came, now) => {
    const { name, arrived } = read(came);
    const unknown = (wrong: OfVersion['wrong']): OfVersion => ({
      name: null,
      among: all,
      wrong,
      arrived,
      fields: [],
    });
    if (name === null && !isSaid(part.default)) return unknown({ held: [part.default.address] });
    const wanted = name ?? usual?.text ?? '';
    if (wanted === '') return unknown('version missing');
    const found = known(wanted);
    if (found === undefined) return unknown('version unknown');
    const isRetired = found.retired !== undefined && begun(found.retired, now);
    const { going } = found;
    return {
      name: found.name,
      among: [found.name],
      wrong: isRetired ? 'version retired' : null,
      arrived,
      fields: going && (going.from === null || begun(going.from, now)) ? going.fields : [],
    };
  };
}

/** The parameter in which requests name their version, where it is one of the query. */
export function versionsInQuery({ versioning }: Specification): string[] {
  const part = stated(versioning);
  const place = part && stated(part.place);
  return place?.kind === 'query' ? [place.name] : [];
}

/** @param now a time in ISO 8601, UTC */
function begun({ text }: Day, now: string): boolean {
  return now.slice(0, text.length) >= text;
}

function entry(name: string, said: Said<Version>): Entry {
  const version = stated(said);
  const [deprecated, sunset, retired] = [version?.deprecated, version?.sunset, version?.retired].map(
    (one) => one && stated(one),
  );
  // RFC 9745 §2.1: a Date of structured fields; RFC 8594 §3: a date of HTTP.
  const fields = [
    ...(deprecated ? ['Deprecation', `@${deprecated.beginsMs / 1000}`] : []),
    ...(sunset ? ['Sunset', httpDate(sunset.beginsMs / 1000)] : []),
  ];
  const isTold = version?.headers.kind !== 'none' && fields.length > 0;
  return { name, retired, going: isTold ? { from: deprecated ?? null, fields } : null };
}

/** The name of the version that is meant: by its own name, by an alias, or by what an alias begins with. */
export function compileFind(
  said: Said<ReadonlyMap<string, Said<Version>>>,
): (written: string) => string | undefined {
  const versions = [...(stated(said) ?? [])];
  const own = new Set(versions.map(([name]) => name));
  const aliases = versions
    .flatMap(([name, one]) => {
      const version = stated(one);
      return ((version && stated(version.alias)) ?? []).map(({ text }) => ({ text, name }));
    })
    .sort((a, b) => precision(b.text) - precision(a.text));
  return (written) => {
    if (own.has(written)) return written;
    const covers = (alias: string): boolean =>
      alias.endsWith('*') ? written.startsWith(alias.slice(0, -1)) : written === alias;
    return aliases.find(({ text }) => covers(text))?.name;
  };
}

/** How much of a name an alias says; the whole goes before what it only begins with. */
function precision(alias: string): number {
  return alias.endsWith('*') ? alias.length - 1 : alias.length + 0.5;
}

type Reader = (
  place: VersionPlace,
  stands: (path: string) => boolean,
  isKnown: (name: string) => boolean,
) => (arrived: Arrived) => Named;

/** Where a request names its version (language §9.1, `place`). */
const readers: { readonly [K in VersionPlace['kind']]: Reader } = {
  header: ({ name }) => {
    const field = name.toLowerCase();
    return (arrived) => ({ name: single(arrived.headers[field])?.trim() ?? null, arrived });
  },
  query:
    ({ name }) =>
    (arrived) => ({ name: new URLSearchParams(targetOf(arrived.url)?.query ?? '').get(name), arrived }),
  media: ({ name }) => {
    const parameter = new RegExp(`;\\s*${escaped(name)}\\s*=\\s*(?:"([^"]*)"|([^\\s;,]*))`, 'i');
    const every = new RegExp(parameter.source, 'gi');
    return (arrived) => {
      const accept = single(arrived.headers['accept']);
      const found =
        parameter.exec(accept ?? '') ?? parameter.exec(single(arrived.headers['content-type']) ?? '');
      if (found === null) return { name: null, arrived };
      const headers =
        accept === undefined ? arrived.headers : { ...arrived.headers, accept: accept.replaceAll(every, '') };
      return { name: found[1] ?? found[2] ?? '', arrived: { ...arrived, headers } };
    };
  },
  path:
    ({ name: begins }, stands, isKnown) =>
    (arrived) => {
      const target = targetOf(arrived.url);
      if (!target?.path.startsWith(begins)) return { name: null, arrived };
      const [, written = '', rest = ''] = /^([^/]*)(.*)$/s.exec(target.path.slice(begins.length)) ?? [];
      const name = decoded(written);
      // Another path may begin with the same letters.
      if (!isKnown(name) && stands(target.path)) return { name: null, arrived };
      const query = target.query === null ? '' : `?${target.query}`;
      return { name, arrived: { ...arrived, url: `${rest === '' ? '/' : rest}${query}` } };
    },
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/g, '\\$&');
}
