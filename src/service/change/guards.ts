import { compileTemplate, type Environment } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import { stated } from '../../specification/reading/said.ts';
import type { GuardedVerb } from '../../specification/vocabulary/guards.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type Doing, itemOf, refuseIt } from '../transaction/doing.ts';

/** Refuses a change of an item that the guards of its resource do not allow (language §2.1, `guards`). */
export interface Guards {
  /** `after` is already written. `before` is null for a new item. */
  readonly written: (doing: Doing, kept: KeptResource, before: Row | null, after: Row) => void;
  /** `after` is not written, because it is not unique. A guard that cannot be evaluated for that reason refuses nothing. */
  readonly unwritten: (doing: Doing, kept: KeptResource, before: Row | null, after: Row) => void;
  /** `row` is still there. */
  readonly removed: (doing: Doing, kept: KeptResource, row: Row) => void;
}

/** The resources without guards cost one look-up in a map for each change. */
export function compileGuards(
  resources: ReadonlyMap<string, KeptResource>,
  environment: Environment,
): Guards {
  type Holds = (doing: Doing, kept: KeptResource, row: Row, before: Row | null) => boolean;
  const guards = new Map<string, Holds>();
  for (const [name, { resource }] of resources)
    for (const [verb, { template }] of guardsOf(resource)) {
      const run = compileTemplate(template, environment);
      guards.set(`${name}.${verb}`, (doing, kept, row, before) => {
        const old = before && { old: itemOf(doing, kept, before) };
        return run(doing.frame({ this: itemOf(doing, kept, row), ...old })) === true;
      });
    }
  const judge = (
    verb: GuardedVerb,
    doing: Doing,
    kept: KeptResource,
    row: Row,
    before: Row | null = null,
  ): void => {
    const holds = guards.get(`${kept.name}.${verb}`);
    if (holds && !holds(doing, kept, row, before))
      refuseIt(doing, refuse('guard refused', `${kept.name}.${verb}`));
  };
  return {
    written: (doing, kept, before, after) => judge(before ? 'update' : 'create', doing, kept, after, before),
    unwritten: (doing, kept, before, after) =>
      worked(() => judge(before ? 'update' : 'create', doing, kept, after, before)),
    removed: (doing, kept, row) => judge('delete', doing, kept, row),
  };
}

/** The guards of a resource that are stated. */
function guardsOf({ guards }: Resource) {
  return Object.entries(stated(guards) ?? {}).flatMap(([verb, said]) => {
    const expression = stated(said);
    return expression ? [[verb as GuardedVerb, expression] as const] : [];
  });
}
