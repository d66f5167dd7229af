import { path, type Syntax } from '../../../src/expression/expression.ts';
import { expressionsIn, type Template } from '../../../src/expression/template.ts';
import { ruleOf } from '../../../src/specification/authorization.ts';
import type { Operation } from '../../../src/specification/operation.ts';
import type { Grant } from '../../../src/specification/rule.ts';
import { stated } from '../../../src/specification/said.ts';
import type { Specification } from '../../../src/specification/specification.ts';

/** What is known of an item, or of somebody: its members, and under `is` its key. */
export interface Known {
  readonly [member: string]: unknown;
}

/** Who asks, about what. */
export interface Asking {
  readonly actor: Known | null;
  /** The item that the operation is about, what the path binds, and `request`. */
  readonly names: Readonly<Record<string, Known>>;
}

/** What comes of a request, as far as part 5 goes: it is let through, or refused for a condition. */
export type Fate = 'through' | 'credential missing' | 'credential wrong' | 'not authorized';

/** What part 5 says of a request (language §5.5), worked out from the model by itself. */
export function fateOf(of: Specification, operation: Operation, asking: Asking, isGood: boolean): Fate {
  if (!isGood) return 'credential wrong';
  if (admits(of, operation, asking)) return 'through';
  return asking.actor === null ? 'credential missing' : 'not authorized';
}

/** Whether a rule lets somebody in: of a list, to the whole of it. */
export function admits(of: Specification, operation: Operation, asking: Asking, isOne = false): boolean {
  const part = stated(of.authentication);
  const rule = part && stated(ruleOf(part, operation));
  if (!part || !rule) throw new TypeError(`no rule is stated for ${operation.name}`);
  const lists = [stated(rule.rule), stated(rule.items)].filter((one) => one !== undefined);
  const isList = stated(operation.does)?.verb === 'list';
  return lists.every((grants) =>
    // What a list's rule says of its items leaves them out, one by one.
    isList && !isOne && grants.some((one) => one.kind === 'expression' && one.aboutItem)
      ? true
      : grants.some((grant) => admitsBy(of, grant, asking)),
  );
}

function admitsBy(of: Specification, grant: Grant, { actor, names }: Asking): boolean {
  switch (grant.kind) {
    case 'anyone':
      return true;
    case 'nobody':
      return false;
    case 'known':
      return actor !== null;
    case 'expression':
      return isTrue(grant.expression.template, { ...names, actor });
    case 'actor': {
      const bound = stated(stated(stated(of.authentication)?.actors)?.get(grant.name));
      return bound ? isTrue(bound.template, { ...names, actor }) : actor?.['kind'] === grant.name;
    }
  }
}

function isTrue(template: Template, names: Readonly<Record<string, unknown>>): boolean {
  const [expression, more] = expressionsIn(template);
  if (expression === undefined || more !== undefined) throw new TypeError('a rule is one expression');
  return worth(expression.syntax, names) === true;
}

/** The little of CEL that the rules of the examples are written in. */
function worth(syntax: Syntax, names: Readonly<Record<string, unknown>>): unknown {
  if (syntax.op === 'value') return syntax.args;
  const steps = path(syntax);
  if (steps) return steps.slice(1).reduce<unknown>(member, names[steps[0] as string] ?? null);
  if (syntax.op === '==' || syntax.op === '!=') {
    const [left, right] = (syntax.args as [Syntax, Syntax]).map((one) => keyOf(worth(one, names)));
    return (left === right) === (syntax.op === '==');
  }
  throw new TypeError(`no rule of an example has had ${syntax.op} so far`);
}

function member(over: unknown, name: string): unknown {
  return (over as Known | null)?.[name] ?? null;
}

/** A reference is compared by its key (language §G.3). */
function keyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? ((value as Known)['is'] ?? value) : value;
}

/** The status of a refusal: of the row that fits best (language §H.4), or the floor's; and whether it conceals. */
export function refusalOf(
  of: Specification,
  operation: Operation,
  condition: string,
  subject: string,
): { readonly status: number; readonly conceals: boolean } {
  const rows = [...(stated(stated(of.errors)?.codes)?.values() ?? [])].flatMap((said) => {
    const row = stated(said);
    const named = stated(row?.operations)?.map((one) => one.text);
    if (row === undefined || (named && !named.includes(operation.name))) return [];
    const fits = (stated(row.when) ?? []).filter(
      (one) => (one.names as readonly string[]).includes(condition) && ['', subject].includes(one.subject),
    );
    return fits.map((one) => ({ row, weight: (named ? 1000 : 0) + one.subject.length }));
  });
  const best = rows.sort((a, b) => b.weight - a.weight)[0]?.row;
  if (best === undefined) return { status: floor[condition] as number, conceals: false };
  const as = stated(best.as);
  if (!as) return { status: (stated(best.status) as readonly number[])[0] as number, conceals: false };
  const resource =
    as.subject === '' ? (subject === '' ? (operation.subject?.name ?? '') : subject) : as.subject;
  return { ...refusalOf(of, operation, as.names[0] as string, resource), conceals: true };
}

/** Where no row lists a condition; in these documents each scheme has a challenge. */
const floor: Readonly<Record<string, number>> = {
  'credential missing': 401,
  'credential wrong': 401,
  'not authorized': 400,
  unknown: 404,
};
