import { staticType } from '../../expression/check.ts';
import { membersRead, pathsRead, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Item } from '../partly.ts';
import { unseen } from '../verdict.ts';
import type { Judged } from './conditions.ts';
import { outlookOf } from './outlook.ts';
import { sameValue } from './present.ts';

/**
 * The invariants of other items that may refuse a change of one (language §2.1), since they read what it alters: whether
 * they do hangs on items that this request does not show. To a new item nothing refers yet.
 */
export function judgeElsewhere(
  of: Specification,
  resource: Resource,
  before: Item | null,
  after: Item | null,
): readonly Judged[] {
  const [old, now] = [before && outlookOf(before), after && outlookOf(after)];
  const isAltered = (name: string): boolean => sameValue(name, old?.get(name), now?.get(name)).value !== true;
  return readElsewhere(of, resource).flatMap(({ members, judged }) =>
    members === null || (before && (!after || members.some(isAltered))) ? [judged] : [],
  );
}

interface Elsewhere {
  readonly judged: Judged;
  /** What it reads of an item that it refers to; null where it reads more of it than this. */
  readonly members: readonly string[] | null;
}

const readElsewhere = once((of: Specification, resource: Resource): readonly Elsewhere[] =>
  [...of.resourcesByName.values()].flatMap(({ name, invariants }) =>
    [...(stated(invariants) ?? [])].flatMap(([sentence, said]): Elsewhere[] => {
      const rule = stated(said);
      const expressions = rule ? expressionsIn(rule.template) : [];
      const read = expressions.map(({ syntax }) => readOf(of, syntax, resource.name));
      const members = read.includes(null) ? null : read.flatMap((own) => own ?? []);
      if (members?.length === 0) return [];
      const holds = unseen(`"${sentence}" of every ${name} cannot be worked out from outside`);
      const reason = { name: 'invariant broken', subject: name, failures: [] } as const;
      return [{ judged: { reason, holds, address: said.address }, members }];
    }),
  ),
);

/** What an expression over an item reads of other items of a resource, through references; null: of all, or what is derived. */
function readOf(
  of: Specification,
  syntax: Syntax,
  resource: string,
  seen: ReadonlySet<Field> = new Set(),
): readonly string[] | null {
  if (pathsRead(syntax).some(([name]) => name === resource)) return null;
  const found: string[] = [];
  for (const { over, member } of membersRead(syntax)) {
    const type = staticType(over);
    if (type.kind !== 'item') continue;
    const isOther = !(over.op === 'id' && over.args === 'this') && type.resource === resource;
    const field = of.resourcesByName.get(type.resource)?.fields.get(member);
    const derived = field && stated(field.derived);
    if (isOther && derived) return null;
    if (isOther) found.push(member);
    if (!derived || seen.has(field)) continue;
    const inner = new Set(seen).add(field);
    for (const one of expressionsIn(derived.template)) {
      const read = readOf(of, one.syntax, resource, inner);
      if (read === null) return null;
      found.push(...read);
    }
  }
  return found;
}
