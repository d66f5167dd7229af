import { children, macroOf, path, type Syntax } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { hasItemRule } from '../access/admits.ts';
import { alsoAny } from '../foresee/also.ts';
import { calledIn, sharesAll } from '../names.ts';
import type { Item } from '../partly.ts';
import { machinesOf } from '../states/machines.ts';
import { type Entry, operationsFor, type Trial } from '../trial.ts';
import { walk } from '../walk.ts';

/** Lists of a resource's items, one for each item of another that they refer to; each is in one of them, and stays there. */
export interface Parted {
  readonly operation: Operation;
  /** What the other is called in the list's operation. */
  readonly called: string;
  /** The field that refers to it. */
  readonly field: Field;
}

/** How the items of a resource are listed by what they refer to; null where they are not, or may go from list to list. */
export function partedBy(trial: Trial, resource: Resource): Parted | null {
  const { of } = trial;
  for (const operation of operationsFor(of, resource, 'list')) {
    const found = partIn(operation, resource);
    if (
      found &&
      stays(of, resource, found.field) &&
      (!hasItemRule(of, operation) || sharesAll(trial, operation))
    )
      return found;
  }
  return null;
}

/** `where: "${this.FIELD == parent}"`, of which the path tells the parent. */
function partIn(operation: Operation, resource: Resource): Parted | null {
  const template = stated(stated(operation.does)?.qualifiers.where)?.template;
  const others = [...operation.bindings.values()].flatMap((one) => (one.kind === 'other' ? [one] : []));
  const [parent] = others;
  if (template?.kind !== 'expression' || parent === undefined || others.length > 1) return null;
  const called = calledIn(parent);
  for (const field of resource.fields.values())
    if (
      stated(field.refers)?.resource === parent.resource &&
      isEqual(template.expression.syntax, ['this', field.name], [called])
    )
      return { operation, called, field };
  return null;
}

/** Whether nothing changes what an item refers to, once it is made. */
function stays(of: Specification, resource: Resource, field: Field): boolean {
  const isKey = stated(resource.identifier)?.some(({ text }) => text === field.name) === true;
  const moves = machinesOf(of, resource).flatMap((machine) => machine.moves);
  const isChangedBesides = of.operations
    .flatMap((operation) => alsoAny(of, operation, moves))
    .some(({ change }) => change.subject.name === resource.name && change.verb !== 'create');
  return isKey && !isChangedBesides;
}

/** The items under some others, as they are listed there; undefined where none of these is such another. */
export async function listUnder(
  trial: Trial,
  { operation, called, field }: Parted,
  parents: readonly Item[],
): Promise<readonly Entry[] | undefined> {
  const due = parents.filter(({ resource }) => resource.name === stated(field.refers)?.resource);
  if (due.length === 0) return undefined;
  const entries: Entry[] = [];
  for (const parent of due)
    entries.push(
      ...(await walk(trial, operation, { attempt: { others: new Map([[called, parent]]) } })).entries,
    );
  return entries;
}

/** Whether an expression reads of a resource only the items that refer to `this` by a field. */
export function readsThoseUnder(template: Template, resource: string, field: string): boolean {
  const isSo = (syntax: Syntax): boolean => {
    const macro = macroOf(syntax);
    const isOver = macro?.over.op === 'id' && macro.over.args === resource;
    if (macro && isOver && (macro.macro === 'filter' || macro.macro === 'exists'))
      return (
        macro.bodies.every(isSo) &&
        conjuncts(macro.bodies[0] as Syntax).some((one) => isEqual(one, [macro.name, field], ['this']))
      );
    return !(syntax.op === 'id' && syntax.args === resource) && children(syntax).every(isSo);
  };
  return expressionsIn(template).every(({ syntax }) => isSo(syntax));
}

function conjuncts(syntax: Syntax): readonly Syntax[] {
  return syntax.op === '&&' ? syntax.args.flatMap(conjuncts) : [syntax];
}

/** Whether an expression says that what one path leads to is what another does. */
function isEqual(syntax: Syntax, one: readonly string[], other: readonly string[]): boolean {
  if (syntax.op !== '==') return false;
  const [left, right] = syntax.args.map((side) => path(side)?.join('.'));
  const [a, b] = [one.join('.'), other.join('.')];
  return (left === a && right === b) || (left === b && right === a);
}
