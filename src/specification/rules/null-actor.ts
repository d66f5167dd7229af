import type { Syntax } from '../../expression/expression.ts';
import { keyOf, type Lacks, mayBeNull, requires } from '../../expression/nulls.ts';
import { ruleOf } from '../model/authorization.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import type { Authentication } from '../vocabulary/parts/authentication.ts';
import type { Grant } from '../vocabulary/rule.ts';
import { compileLacks } from './lacking.ts';

/**
 * Reports a rule that compares `actor` with what may be null: without a credential `actor` is null too, and null equals null,
 * so that the rule lets in a client that nobody knows (language §5.5, §G.3). The rule has been typed before.
 *
 * @param told what was reported before: a rule may hold for many operations
 */
export function checkNullActor(
  of: Specification,
  authentication: Authentication,
  operation: Operation,
  told: Set<Grant>,
  reading: Reading,
): void {
  const rule = stated(ruleOf(authentication, operation));
  const lists = [stated(rule?.rule), stated(rule?.items)].filter((list) => list !== undefined);
  const lacks = compileLacks(of);
  // The other part of the rule may ask for somebody known.
  if (lists.length !== 1) return;
  for (const grant of lists.flat()) {
    if (grant.kind !== 'expression' || grant.expression.template.kind !== 'expression') continue;
    if (told.has(grant)) continue;
    const { syntax } = grant.expression.template.expression;
    if (requires(syntax, 'actor', lacks) || !comparesWithNull(syntax, syntax, lacks)) continue;
    told.add(grant);
    reading.report('null-actor', grant.expression.node.span, { operation: operation.name });
  }
}

/** Whether a rule may be true because, in one of its parts, `actor` and what it is compared with are both null. */
function comparesWithNull(rule: Syntax, part: Syntax, lacks: Lacks): boolean {
  if (part.op === '&&' || part.op === '||')
    return part.args.some((inner) => comparesWithNull(rule, inner, lacks));
  if (part.op !== '==') return false;
  const [left, right] = part.args;
  const other = isActor(left) ? right : isActor(right) ? left : null;
  return other !== null && mayBeNull(other, lacks) && !isSaidToBe(other, rule);
}

/** Whether a condition has a part `X != null`, which has to hold. */
function isSaidToBe(value: Syntax, { op, args }: Syntax): boolean {
  if (op === '&&') return args.some((part) => isSaidToBe(value, part));
  return op === '!=' && args.some(isNull) && args.some((side) => keyOf(side) === keyOf(value));
}

function isNull({ op, args }: Syntax): boolean {
  return op === 'value' && args === null;
}

function isActor({ op, args }: Syntax): boolean {
  return op === 'id' && args === 'actor';
}
