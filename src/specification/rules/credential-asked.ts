import { type Lacks, requires } from '../../expression/nulls.ts';
import { ruleOf } from '../model/authorization.ts';
import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import type { Authentication } from '../vocabulary/parts/authentication.ts';
import type { Grant } from '../vocabulary/rule.ts';
import { compileLacks } from './lacking.ts';

/**
 * Reports a list, or a change of every item, that asks nobody for a credential though its rule lets nobody unknown have
 * an item: a request without one is answered as if there were none (language §5.5). Its rule has been typed before.
 */
export function checkCredentialAsked(
  of: Specification,
  authentication: Authentication,
  operation: Operation,
  reading: Reading,
): void {
  const change = stated(operation.does);
  if (change?.verb !== 'list' && change?.subject.kind !== 'every') return;
  const said = ruleOf(authentication, operation);
  const rule = stated(said);
  const lists = [stated(rule?.rule), stated(rule?.items)].filter((list) => list !== undefined);
  // A part that is not about the item is judged first, and asks for a credential, or says that it asks for none.
  if (!lists.every((list) => list.some(isAboutItem))) return;
  const lacks = compileLacks(of);
  if (lists.some((list) => list.every((grant) => needsActor(grant, authentication, lacks))))
    reading.report('credential-not-asked', said.at, { operation: operation.name });
}

/** Whether the rule of an operation may let somebody in whom the service does not know, so that `actor` is null. */
export function admitsUnknown(of: Specification, operation: Operation, lacks: Lacks): boolean {
  const authentication = stated(of.authentication);
  const rule = authentication && stated(ruleOf(authentication, operation));
  if (!authentication || !rule) return false;
  const lists = [stated(rule.rule), stated(rule.items)].filter((list) => list !== undefined);
  return lists.every((list) => list.some((grant) => !needsActor(grant, authentication, lacks)));
}

function isAboutItem(grant: Grant): boolean {
  return grant.kind === 'expression' && grant.aboutItem;
}

/** Whether a part of a rule can let nobody in whom the service does not know. */
function needsActor(grant: Grant, { actors, schemes }: Authentication, lacks: Lacks): boolean {
  if (grant.kind === 'anyone') return false;
  if (grant.kind === 'known') return true;
  const bound = grant.kind === 'actor' ? stated(actors)?.get(grant.name) : undefined;
  const { template } = (grant.kind === 'expression' ? grant.expression : bound && stated(bound)) ?? {};
  if (template) return template.kind === 'expression' && requires(template.expression.syntax, 'actor', lacks);
  // Who is an actor by a scheme has sent its credential.
  return [...(stated(schemes)?.values() ?? [])].some((scheme) => {
    const actor = stated(stated(scheme)?.actor);
    return actor?.kind === 'actor' && grant.kind === 'actor' && actor.actor.text === grant.name;
  });
}
