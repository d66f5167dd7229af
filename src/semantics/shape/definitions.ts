import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Definitions } from './shape.ts';

/** The schemas of the named shapes of a specification. */
export const definitionsOf = once(({ resources }: Specification): Definitions => {
  const entries = [...(stated(resources)?.values() ?? [])].map(stated);
  return Object.fromEntries(
    entries.flatMap((entry) => (entry?.kind === 'shape' ? [[entry.name, schemaOf(entry.shape)]] : [])),
  );
});
