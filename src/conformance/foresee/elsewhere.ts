import { staticType } from '../../expression/check.ts';
import { membersRead, pathsRead, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import { unseen } from '../verdict.ts';
import type { Judged } from './conditions.ts';

/**
 * The invariants of other items that read an item of this resource, and so may refuse a change of it (language §2.1):
 * whether they do hangs on items that this request does not show.
 */
export const judgeElsewhere = once((of: Specification, resource: Resource): readonly Judged[] =>
  [...of.resourcesByName.values()].flatMap(({ name, invariants }) =>
    [...(stated(invariants) ?? [])].flatMap(([sentence, said]): Judged[] => {
      const rule = stated(said);
      const expressions = rule ? expressionsIn(rule.template) : [];
      if (!expressions.some(({ syntax }) => readsOthers(of, syntax, resource.name))) return [];
      return [
        {
          reason: { name: 'invariant broken', subject: name, failures: [] },
          holds: unseen(`"${sentence}" of every ${name} cannot be worked out from outside`),
          address: said.address,
        },
      ];
    }),
  ),
);

/** Whether an expression over an item reads other items of a resource: through a reference, or among all of them. */
function readsOthers(
  of: Specification,
  syntax: Syntax,
  resource: string,
  seen: ReadonlySet<Field> = new Set(),
): boolean {
  if (pathsRead(syntax).some(([name]) => name === resource)) return true;
  return membersRead(syntax).some(({ over, member }) => {
    const type = staticType(over);
    if (type.kind !== 'item') return false;
    const isThis = over.op === 'id' && over.args === 'this';
    if (!isThis && type.resource === resource) return true;
    const field = of.resourcesByName.get(type.resource)?.fields.get(member);
    const derived = field && stated(field.derived);
    if (!derived || seen.has(field)) return false;
    const inner = new Set(seen).add(field);
    return expressionsIn(derived.template).some((one) => readsOthers(of, one.syntax, resource, inner));
  });
}
