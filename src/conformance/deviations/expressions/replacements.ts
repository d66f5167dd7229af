import { once } from '../../../source/once.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import type { PlacedTemplate } from '../../../specification/reading/templates.ts';
import type { Replacements } from '../../explore/candidate.ts';
import type { Deviation } from '../deviation.ts';
import { deviationsOf } from '../deviations.ts';
import { isRecord } from '../record.ts';

/** An expression of the document, and the one that a deviation has in its place. */
export interface Replacement {
  readonly stated: PlacedTemplate;
  readonly other: PlacedTemplate;
}

/** By expression of the document, those that deviations have in its place. */
export const replacementsIn = once((specification: Specification): Replacements => {
  const all = deviationsOf(specification).flatMap((deviation) => replacementIn(deviation) ?? []);
  const grouped = Map.groupBy(all, ({ stated }) => stated);
  return new Map([...grouped].map(([stated, found]) => [stated, found.map(({ other }) => other)]));
});

/** The one expression that a deviation replaces; null: it differs in something else. */
export const replacementIn = once(({ said, other }: Deviation): Replacement | null => {
  if (said.kind !== 'stated' || other?.kind !== 'stated') return null;
  const [found = null, ...more] = replaced(said.value, other.value) ?? [];
  return more.length === 0 ? found : null;
});

/** The expressions in which two values differ; null: they differ in something else. */
function replaced(value: unknown, other: unknown): readonly Replacement[] | null {
  if (value === other) return [];
  if (!isRecord(value) || !isRecord(other) || value instanceof Map || other instanceof Map) return null;
  if (isExpression(value) && isExpression(other)) return [{ stated: value, other }];
  const names = new Set([...Object.keys(value), ...Object.keys(other)]);
  const found = [...names]
    .filter((name) => !places.has(name))
    .map((name) => replaced(value[name], other[name]));
  return found.every((each) => each !== null) ? found.flat() : null;
}

/** Where a value stands in the document is no part of it. */
const places: ReadonlySet<string> = new Set(['at', 'node']);

function isExpression(value: unknown): value is PlacedTemplate {
  return isRecord(value) && isRecord(value['template']) && value['template']['kind'] === 'expression';
}
