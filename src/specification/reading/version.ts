import { dayOf } from './date.ts';

/** How the names of versions are read, and so which is newer (language §9.1). */
export const versionSchemes = ['number', 'semver', 'date'] as const;
export type VersionScheme = (typeof versionSchemes)[number];

const number = /^(?:0|[1-9]\d{0,14})$/;

/** The numbers by which a name stands in order, the first the weightiest; undefined where it is no name then. */
export function rank(name: string, scheme: VersionScheme): readonly number[] | undefined {
  if (scheme === 'date') {
    const day = dayOf(name);
    return day && [day.beginsMs];
  }
  const parts = name.split('.');
  const most = scheme === 'number' ? 1 : 3;
  if (parts.length > most || !parts.every((part) => number.test(part))) return undefined;
  return Array.from({ length: most }, (_, index) => Number(parts[index] ?? 0));
}

/** Whether the first rank is that of a newer version. */
export function isNewer(first: readonly number[], second: readonly number[]): boolean {
  const index = first.findIndex((one, at) => one !== second[at]);
  return index >= 0 && (first[index] as number) > (second[index] as number);
}
