import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isSaid, stated } from '../../specification/reading/said.ts';
import type { Version } from '../../specification/vocabulary/parts/versioning.ts';
import { Unknown, unknown } from '../value/value.ts';
import { editionOf } from './edition.ts';

/** The version that a request means. */
export interface MeantVersion {
  /** Its name, and not an alias; null: there is one version, and no request names it. */
  readonly name: string | null;
  /** What it states. */
  readonly specification: Specification;
  /** What part 9 says of it. */
  readonly version: Version | undefined;
}

/** The condition by which a request is refused that means no version. */
export type WrongVersion = 'version missing' | 'version unknown';

/**
 * The version that a request means by a name (language §9.1, §9.2).
 *
 * @param written the name or alias; null: the request names none; undefined: the newest version is meant
 * @returns unknown: it is open which version is meant
 */
export function meantVersion(
  newest: Specification,
  written: string | null | undefined,
): MeantVersion | WrongVersion | Unknown {
  const part = stated(newest.versioning);
  if (part === undefined || stated(part.place) === undefined)
    return { name: null, specification: newest, version: undefined };
  const names = versionNames(newest);
  const usual = part.default;
  if (written === null && !isSaid(usual)) return new Unknown(new Set([usual.address]));
  if (written === null && usual.kind === 'any') return unknown([]);
  const name = written === undefined ? names[0] : (written ?? stated(usual)?.text ?? '');
  if (name === undefined || name === '') return 'version missing';
  const found = versionNamed(newest, name);
  if (found === undefined) return 'version unknown';
  return {
    name: found,
    specification: editionOf(newest, found),
    version: stated(stated(part.versions)?.get(found)),
  };
}

/** The names of all versions, the newest first. Of `(none)`, there is none. */
export function versionNames({ versioning }: Specification): readonly string[] {
  const versions = [...(stated(stated(versioning)?.versions) ?? [])];
  return versions.filter(([, said]) => said.kind !== 'none').map(([name]) => name);
}

/** Each version as it was stated, the newest first. Versions that state the same are one. */
export function editionsOf(newest: Specification): readonly Specification[] {
  return [...new Set([newest, ...versionNames(newest).map((name) => editionOf(newest, name))])];
}

/** The version with this name, or with this alias. A longer alias goes before a shorter one (language §9.2, rule 4). */
export function versionNamed(newest: Specification, written: string): string | undefined {
  if (versionNames(newest).includes(written)) return written;
  const isMeant = ({ alias }: Alias): boolean =>
    alias.endsWith('*') ? written.startsWith(alias.slice(0, -1)) : alias === written;
  return aliasesOf(newest).find(isMeant)?.name;
}

/** Names by which aliases mean versions. An alias that ends in `*` means what goes on after it, too. */
export function aliasNames(newest: Specification): readonly string[] {
  return aliasesOf(newest).map(({ alias }) => alias.replace(/\*$/, '0'));
}

interface Alias {
  readonly alias: string;
  readonly name: string;
}

/** The aliases of all versions, a longer one before a shorter one, and a whole name first. */
const aliasesOf = once(({ versioning }: Specification): readonly Alias[] => {
  const versions = [...(stated(stated(versioning)?.versions) ?? [])];
  const all = versions.flatMap(([name, said]) =>
    (stated(stated(said)?.alias) ?? []).map(({ text }): Alias => ({ alias: text, name })),
  );
  const precision = ({ alias }: Alias): number =>
    alias.endsWith('*') ? alias.length - 1 : alias.length + 0.5;
  return all.toSorted((a, b) => precision(b) - precision(a));
});
