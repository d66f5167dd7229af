import type { Frame, Run } from '../../expression/compile.ts';
import { type Expression, path, pathsRead, type Syntax } from '../../expression/expression.ts';
import { type Besides, isTruth, type Query } from '../../expression/query.ts';
import type { Template } from '../../expression/template.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { inAnswers } from '../../specification/model/workings.ts';
import { stated } from '../../specification/reading/said.ts';
import { answerByMedia } from '../../specification/vocabulary/answer.ts';
import type { Together, TogetherMember, TogetherPart } from '../resource/kept.ts';
import type { Conditions } from '../resource/where.ts';
import type { KeptText, TextMember, TextOfRow, TextPart } from '../store/rows.ts';

/** What a store puts the rows of a page together as, and how the parameters that it takes are filled. */
export interface PageText {
  readonly text: TextOfRow;
  readonly fill: (values: readonly unknown[], frame: Frame) => readonly unknown[];
}

/** What a resource or view shows as a store puts it together, by its name. */
type TogetherOf = ReadonlyMap<string, Together>;

/**
 * Compiles what a store puts the rows of a page together as; null: it cannot, or the answers tell more of the page than
 * its items, as one resource or view shows them, and how many there are in all.
 *
 * @param besides what the store tells with each row
 */
export function compileText(
  operation: Operation,
  together: TogetherOf,
  besides: Besides,
  { slot }: Pick<Conditions, 'slot'>,
): PageText | null {
  const shownBy = showerOf(operation);
  const runs: (readonly [slot: number, run: Run])[] = [];
  const text = shownBy === null ? null : textOf(shownBy, besides);
  if (text === null) return null;
  const fill: PageText['fill'] = (values, frame) => {
    const filled = [...values];
    for (const [at, run] of runs) filled[at] = run(frame);
    return filled;
  };
  return { text, fill };

  function textOf(name: string, told: Besides): TextOfRow | null {
    const found = together.get(name);
    const others = found?.others.map((one) => memberOf(one, told));
    return found && others && !others.includes(null)
      ? { kept: found.kept, others: others as TextMember[] }
      : null;
  }

  function memberOf({ name, value }: TogetherMember, told: Besides): TextMember | null {
    if ('joined' in value) return { name, value: { joined: value.joined.map(partOf) } };
    const query = queryUnder(told, 'told' in value ? value.told : value.field);
    if (query === null || query.gives === 'rows') return null;
    if ('told' in value) {
      const isWritten = isTruth(query.gives) || query.gives.kind === 'count';
      return isWritten ? { name, value: { told: value.told } } : null;
    }
    const of = query.gives.kind === 'row' ? textOf(value.shownBy, query.besides) : null;
    return of && { name, value: { row: value.field, of, unless: value.isMember ? value.field : null } };
  }

  function partOf(part: TogetherPart): TextPart {
    if (typeof part === 'string' || 'key' in part) return part;
    const parameter = slot();
    runs.push([parameter, part.given]);
    return { parameter };
  }
}

/** What of the rows of tables stands in a text as it is kept, but for all of a row, by the table's name. */
export function keptIn(
  of: string,
  { kept, others }: TextOfRow,
  besides: Besides,
): readonly [string, KeptText][] {
  const inner = others.flatMap(({ value }) => {
    const query = 'row' in value ? queryUnder(besides, value.row) : null;
    const isTable = query !== null && 'table' in query.from && 'row' in value;
    return isTable ? keptIn(tableOf(query), value.of, query.besides) : [];
  });
  const isAll = kept.shows === null && kept.leaves.length === 0;
  return isAll ? inner : [[of, kept], ...inner];
}

function tableOf({ from }: Query): string {
  return 'table' in from ? from.table.name : '';
}

function queryUnder(besides: Besides, label: string | object): Query | null {
  const node = besides.get(label);
  return node?.kind === 'query' ? node.query : null;
}

/** The expressions of a payload whose values are written as they are. */
function written(template: Template): readonly Expression[] {
  switch (template.kind) {
    case 'expression':
      return [template.expression];
    case 'list':
      return template.items.flatMap(written);
    case 'object':
      return [...template.members.values()].flatMap(written);
    default:
      return [];
  }
}

/**
 * The resource or view by which alone an operation's answers show the items of its page; null where they read more of
 * the page than these and how many there are in all, or show them otherwise.
 */
function showerOf(operation: Operation): string | null {
  const bodies = (stated(operation.response) ?? []).flatMap(answerByMedia).flatMap(({ body }) => {
    const template = stated(body)?.template;
    return template ? written(template) : [];
  });
  const shown = new Set<string>();
  for (const one of inAnswers(operation)) {
    const { syntax } = one;
    const isItems = syntax.op === 'call' && path(syntax.args[1][0] as Syntax)?.join('.') === 'page.items';
    if (isItems && bodies.includes(one)) shown.add(syntax.args[0]);
    else if (pathsRead(syntax).some(([root, name]) => root === 'page' && name !== 'total')) return null;
  }
  const [only = null, second] = shown;
  return second === undefined ? only : null;
}
