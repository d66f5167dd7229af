import { compile, type Frame } from '../../expression/compile.ts';
import { callsMade, type Expression, pathsRead } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { TooManySteps } from '../../expression/steps.ts';
import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { setMember } from '../../source/node.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { isSaid, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import type { Item } from '../vocabulary/item.ts';
import type { Quota } from '../vocabulary/parts/limits.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';

type Names = Readonly<Record<string, unknown>>;

/** What an expression comes to; undefined: it reads more than the document tells beforehand. */
type Result = { readonly value: unknown } | { readonly fails: string } | undefined;

/** Initial items are as their fields, their invariants and the quotas say: otherwise no service could begin (language §2.1, §8.4). */
export function checkBegun(of: Specification, resource: Resource, reading: Reading): void {
  const items = stated(resource.items) ?? [];
  for (const item of items) {
    const known = membersOf(of, resource, item);
    const report = (problem: string, at = item.at): undefined =>
      reading.report('contradiction', at, { problem });
    for (const field of resource.fields.values()) {
      const given = item.members.get(field.name);
      const { create } = field;
      if (given === undefined && create.kind === 'stated') {
        const made = resultOf(create.value, known, {});
        if (made && 'fails' in made)
          report(`set.create of ${field.name} cannot be computed for this item: ${made.fails}`);
      }
      for (const [sentence, said] of stated(field.holds) ?? []) {
        const rule = given && stated(said);
        if (rule && isBroken(resultOf(rule, known, { value: given.value })))
          report(`of this value it does not hold that ${sentence}`, given.node.span);
      }
    }
    for (const [sentence, said] of stated(resource.invariants) ?? []) {
      const rule = stated(said);
      if (rule && isBroken(resultOf(rule, known, {})))
        report(`of this item it does not hold that ${sentence}`);
    }
  }
  for (const [name, said] of stated(stated(of.limits)?.quotas) ?? []) {
    const quota = stated(said);
    if (quota && stated(quota.of)?.text === resource.name) checkQuota(of, resource, name, quota, reading);
  }
}

function isBroken(result: Result): boolean {
  return result !== undefined && !('fails' in result) && result.value !== true;
}

/** A quota of which all can be counted beforehand: how many items there are, or are alike in a value. */
function checkQuota(
  of: Specification,
  resource: Resource,
  name: string,
  { allow, per, sum, when }: Quota,
  reading: Reading,
): void {
  const most = stated(allow);
  if (typeof most !== 'number' || isSaid(when) || per.kind === 'open') return;
  const sums = new Map<string, number>();
  for (const item of stated(resource.items) ?? []) {
    const known = membersOf(of, resource, item);
    const group = per.kind === 'stated' ? resultOf(per.value, known, {}) : { value: null };
    const counted = sum.kind === 'stated' ? resultOf(sum.value, known, {}) : { value: 1 };
    if (!group || !counted || 'fails' in group || 'fails' in counted) return;
    const key = JSON.stringify(group.value);
    const now = (sums.get(key) ?? 0) + Number(counted.value ?? 0);
    sums.set(key, now);
    if (now <= most) continue;
    reading.report('contradiction', item.at, {
      problem: `the quota ${name} allows ${most}, and with this initial item there are ${now}`,
    });
    return;
  }
}

/** The members of a new item that are known beforehand; the names of others are left out. */
function membersOf(of: Specification, resource: Resource, item: Item): ReadonlyMap<string, Json> {
  return new Map(
    [...resource.fields.values()].flatMap((field): [string, Json][] => {
      const given = item.members.get(field.name);
      if (stated(field.refers) || isSaid(field.derived) || isTaken(field)) return [];
      if (given) return [[field.name, given.value]];
      const initial = stated(stated(stated(of.states)?.get(`${resource.name}.${field.name}`))?.initial);
      if (initial?.template.kind === 'literal') return [[field.name, initial.template.value]];
      if (initial || isSaid(field.create)) return [];
      return field.default.kind === 'stated' ? [[field.name, field.default.value]] : [[field.name, null]];
    }),
  );
}

function isTaken(field: Field): boolean {
  return isSaid(field.taken) || isSaid(field.secret);
}

const withoutMakers: Frame['makers'] = { uuid: () => '', random: () => '' };
const makers: readonly string[] = ['uuid', 'random', 'sequence', 'unique', 'issue', 'jwks'];

function resultOf(placed: PlacedTemplate, known: ReadonlyMap<string, Json>, more: Names): Result {
  const expression = expressionOf(placed.template);
  if (expression === undefined) return undefined;
  const { syntax } = expression;
  const isKnown = pathsRead(syntax).every(
    ([root = '', name = '']) => root in more || (root === 'this' && known.has(name)),
  );
  if (!isKnown || callsMade(syntax).some((name) => makers.includes(name) || /^[A-Z]/.test(name)))
    return undefined;
  const item = {};
  for (const [name, value] of known) setMember(item, name, value);
  try {
    const run = compile(expression, () => undefined);
    return { value: run({ names: { this: item, ...more }, makers: withoutMakers }) };
  } catch (error) {
    if (error instanceof CannotWorkOut) return { fails: error.message };
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

function expressionOf(template: Template): Expression | undefined {
  return template.kind === 'expression' ? template.expression : undefined;
}
