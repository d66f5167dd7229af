import { expressionsIn } from '../../expression/template.ts';
import type { Span } from '../../source/text.ts';
import { grantsOf, ruleOf } from '../model/authorization.ts';
import type { Operation } from '../model/operation.ts';
import { readsActor, workings } from '../model/workings.ts';
import { type Address, step } from '../reading/address.ts';
import { isAsked, isSaid, type Said, stated } from '../reading/said.ts';
import type { Authentication } from '../vocabulary/parts/authentication.ts';
import type { Rule } from '../vocabulary/rule.ts';

interface Unanswered {
  readonly address: Address;
  readonly at: Span;
}

/**
 * The open points of part 5 without which it cannot be told who may ask for an operation (language §5): its rule;
 * the credentials of the schemes that the rule admits; and what `actor` is, where the operation or its rule reads it.
 */
export function admissionHolds(authentication: Authentication, operation: Operation): readonly Unanswered[] {
  const schemes = stated(authentication.schemes);
  if (schemes === undefined || schemes.size === 0) return [];
  const said = saidOf(authentication, operation);
  const rule = stated(said);
  if (isSaid(said) && rule === undefined) return [];
  const open: Unanswered[] = [];
  const needs = (point: Said<unknown>): void => void (isSaid(point) || open.push(point));
  needs(said);
  if (rule) {
    needs(rule.rule);
    if (isAsked(rule.items)) needs(rule.items);
    for (const actor of unboundActors(authentication, rule)) needs(actor);
  }
  const reads = (rule && readsWho(authentication, rule)) || workings(operation).some(readsActor);
  const admitted = stated(rule?.schemes)?.flat();
  for (const [name, point] of schemes) {
    if (admitted && !admitted.some(({ text }) => text === name)) continue;
    needs(point);
    const scheme = stated(point);
    if (scheme) needs(scheme.credentials);
    if (scheme && reads) needs(scheme.actor);
    const wanted = admitted?.some(({ text, scopes }) => text === name && scopes.length > 0);
    if (scheme && wanted) needs(scheme.scopes);
  }
  return open;
}

/** The operation's rule; where it has none of its own and somebody asks for `otherwise`, that. */
function saidOf(authentication: Authentication, operation: Operation): Said<Rule> {
  const own = stated(authentication.authorization)?.get(operation.name);
  return own === undefined && isAsked(authentication.otherwise)
    ? authentication.otherwise
    : ruleOf(authentication, operation);
}

/** The actors that a rule names and nothing binds: each a point of `actors`. */
function unboundActors(authentication: Authentication, rule: Rule): Said<unknown>[] {
  const { actors } = authentication;
  return grantsOf(rule).flatMap((grant) => {
    if (grant.kind !== 'actor' || isBound(authentication, grant.name)) return [];
    const address = step(actors.address, grant.name);
    return stated(actors)?.get(grant.name) ?? { kind: 'open', question: null, address, at: grant.at };
  });
}

/** Whether part 5 says who is this actor: by an expression, or by a scheme that is theirs alone. */
function isBound({ actors, schemes }: Authentication, name: string): boolean {
  const expression = stated(actors)?.get(name);
  if (expression) return isSaid(expression);
  return [...(stated(schemes)?.values() ?? [])].some((said) => {
    const actor = stated(stated(said)?.actor);
    return actor?.kind === 'actor' && actor.actor.text === name;
  });
}

/** Whether a rule, or what binds an actor that it names, reads `actor`. */
function readsWho({ actors }: Authentication, rule: Rule): boolean {
  return grantsOf(rule).some((grant) => {
    const read =
      grant.kind === 'expression'
        ? grant.expression
        : grant.kind === 'actor'
          ? stated(stated(actors)?.get(grant.name))
          : undefined;
    return read !== undefined && expressionsIn(read.template).some(readsActor);
  });
}
