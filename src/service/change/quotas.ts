import { compile, compileTemplate, type Environment, type Run } from '../../expression/compile.ts';
import { type Expression, isFault, parseExpression, type Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import { isItem } from '../../expression/values.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Quota } from '../../specification/vocabulary/parts/limits.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource } from '../resource/kept.ts';
import { forEach } from '../store/reads.ts';
import type { Row } from '../store/rows.ts';
import { type Doing, itemOf, refuseIt } from '../transaction/doing.ts';
import { canonical } from '../value/canonical.ts';

/** Refuses, at the end of a transaction, what makes the use of a quota more and past what it allows (language §8.4). */
export type Quotas = (doing: Doing) => void;

/** What an item uses of a quota, and with which other items it is counted. */
interface Use {
  readonly group: unknown;
  readonly amount: number;
}

/** A group of items whose use the transaction altered; `row` is the last item of it that was written. */
interface Altered {
  readonly group: unknown;
  readonly row: Row;
  readonly by: number;
}

interface CompiledQuota {
  readonly name: string;
  readonly kept: KeptResource;
  /** Null: the item is not counted. */
  readonly use: (doing: Doing, row: Row) => Use | null;
  /** The use of a whole group, as the store has it. */
  readonly total: Run;
  readonly allow: Run;
}

export function compileQuotas(
  { limits }: Specification,
  resources: ReadonlyMap<string, KeptResource>,
  environment: Environment,
): Quotas {
  const quotas = quotasIn({ limits }, resources).flatMap(
    ({ name, quota, kept }) => compileQuota(name, quota, kept, environment) ?? [],
  );
  return (doing) => {
    for (const quota of quotas) {
      if (!doing.found.written.all().some(({ kept }) => kept.name === quota.kept.name)) continue;
      forEach(doing.tx, alteredBy(doing, quota), (altered) => judge(doing, quota, altered));
    }
  };
}

/** The conditions by which the items of each quota are found, for the indexes of the store. */
export function quotaGroups(
  specification: Pick<Specification, 'limits'>,
  resources: ReadonlyMap<string, KeptResource>,
): { readonly kept: KeptResource; readonly group: Expression }[] {
  return quotasIn(specification, resources).flatMap(({ quota, kept }) => {
    const group = groupOf(quota);
    return group && kept.keyFields.length > 0 ? [{ kept, group }] : [];
  });
}

function quotasIn(
  { limits }: Pick<Specification, 'limits'>,
  resources: ReadonlyMap<string, KeptResource>,
): { readonly name: string; readonly quota: Quota; readonly kept: KeptResource }[] {
  const part = stated(limits);
  return [...((part && stated(part.quotas)) ?? [])].flatMap(([name, said]) => {
    const quota = stated(said);
    const kept = resources.get((quota && stated(quota.of)?.text) ?? '');
    return quota && kept ? [{ name, quota, kept }] : [];
  });
}

function compileQuota(
  name: string,
  { allow, per, sum, when }: Quota,
  kept: KeptResource,
  environment: Environment,
): CompiledQuota | null {
  const most = stated(allow);
  // What may be used is open: nothing is counted.
  if (most === undefined || kept.keyFields.length === 0) return null;
  const run = (said: Said<PlacedTemplate>): Run | null =>
    said.kind === 'stated' ? compileTemplate(said.value.template, environment) : null;
  const [group, amount, counts] = [run(per), run(sum), run(when)];
  const allowed = typeof most === 'number' ? () => most : compileTemplate(most.template, environment);
  return {
    name,
    kept,
    use: (doing, row) => {
      const frame = doing.frame({ this: itemOf(doing, kept, row) });
      if (counts && counts(frame) !== true) return null;
      const key = group ? group(frame) : '';
      return key === null ? null : { group: key, amount: amount ? Number(amount(frame) ?? 0) : 1 };
    },
    total: compile(totalOf(kept.name, { per, sum, when }), environment),
    allow: allowed,
  };
}

/** By how much each group is used more or less than before the transaction. */
function alteredBy(doing: Doing, { kept, use }: CompiledQuota): Iterable<Altered> {
  const groups = new Map<string, Altered>();
  const add = (row: Row | null, sign: 1 | -1): void => {
    const used = row && use(doing, row);
    if (!used) return;
    const key = canonical(isItem(used.group) ? used.group.key : used.group);
    const by = (groups.get(key)?.by ?? 0) + sign * used.amount;
    groups.set(key, { group: used.group, row, by });
  };
  const written = doing.found.written.all().filter(({ kept: of }) => of.name === kept.name);
  forEach(doing.tx, written, ({ first, row }) => {
    add(first, -1);
    add(row, 1);
  });
  return groups.values();
}

function judge(doing: Doing, { name, kept, total, allow }: CompiledQuota, { group, row, by }: Altered): void {
  if (by <= 0) return;
  const limit = allow(doing.frame({ this: itemOf(doing, kept, row) }));
  const used = Number(total(doing.frame({ quota: group })) ?? 0);
  // A quota that is null allows whatever there is.
  if (limit === null || used <= Number(limit)) return;
  refuseIt(doing, { ...refuse('quota exceeded', name), names: { quota: { limit, used: used - by } } });
}

type Statements = Pick<Quota, 'per' | 'sum' | 'when'>;

/**
 * What the items of a group, which is named `quota`, use together: `R.filter(this, …).map(this, …).sum()`. The
 * expressions of the document stand in it as they are, so that they keep their types.
 */
function totalOf(resource: string, { per, sum, when }: Statements): Expression {
  const parts = { when: syntaxOf(when), per: syntaxOf(per), sum: syntaxOf(sum) };
  const condition = conditionOf(parts);
  const items = condition === '' ? resource : `${resource}.filter(this, ${condition})`;
  return expressionOf(parts.sum ? `${items}.map(this, sum).sum()` : `${items}.size()`, parts);
}

/** By what the items of a group are found, `quota` being the group; null: all items are one group. */
function groupOf({ per, when }: Statements): Expression | null {
  const parts = { when: syntaxOf(when), per: syntaxOf(per) };
  const condition = conditionOf(parts);
  return condition === '' ? null : expressionOf(condition, parts);
}

type Parts = Readonly<Record<string, Syntax | undefined>>;

function conditionOf({ when, per }: Parts): string {
  return [...(when ? ['when'] : []), ...(per ? ['per == quota'] : [])].join(' && ');
}

function expressionOf(text: string, parts: Parts): Expression {
  const parsed = parseExpression(text);
  if (isFault(parsed)) throw new TypeError(`no expression: ${text}`);
  return { text, syntax: filled(parsed.syntax, parts) as Syntax };
}

function syntaxOf(said: Said<PlacedTemplate>): Syntax | undefined {
  const template: Template | undefined = stated(said)?.template;
  return template?.kind === 'expression' ? template.expression.syntax : undefined;
}

/** The tree with the names of parts replaced by these; every other node stays the same. */
function filled(node: unknown, parts: Parts): unknown {
  if (Array.isArray(node)) return node.map((one) => filled(one, parts));
  if (typeof node !== 'object' || node === null || !('op' in node)) return node;
  const { op, args } = node as Syntax;
  if (op === 'id') return parts[args] ?? node;
  const copy = Object.create(Object.getPrototypeOf(node)) as object;
  return Object.assign(copy, node, { args: filled(args, parts) });
}
