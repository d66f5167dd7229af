import { compileTemplate } from '../../expression/compile.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Row, Store } from '../store/store.ts';
import { type Doing, itemOf } from './doing.ts';

/** The items that a change is about, as they are at its beginning. */
export type Select = (doing: Doing) => readonly Row[];

/** @param fields the fields to whose values parameters of the path are bound, by the parameter's name */
export type CompileSelect = (
  kept: KeptResource,
  where: PlacedTemplate | undefined,
  fields: ReadonlyMap<string, string>,
) => Select;

export function compileSelect(store: Store): CompileSelect {
  return (kept, where, fields) => {
    const run = where && compileTemplate(where.template, () => undefined);
    return (doing) => {
      const { path } = (doing.frame({}).names['request'] ?? { path: {} }) as {
        path: Record<string, unknown>;
      };
      return (store.scan(kept.name).few ?? []).filter((row) => {
        const members = kept.members(row);
        if ([...fields].some(([parameter, field]) => members[field] !== path[parameter])) return false;
        return run === undefined || run(doing.frame({ this: itemOf(doing, kept, row) })) === true;
      });
    };
  };
}
