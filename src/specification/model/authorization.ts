import { step } from '../reading/address.ts';
import { isSaid, type Said, stated } from '../reading/said.ts';
import type { Authentication } from '../vocabulary/parts/authentication.ts';
import type { Grant, Rule } from '../vocabulary/rule.ts';
import type { Operation } from './operation.ts';

/** Verbs that no item is there for before they are carried out (language §5.5). */
const withoutItem = ['create', 'authenticate', 'revoke', 'handled', 'run'];

/** The rule of an operation: its own, or what `otherwise` says of those that are not listed (language §5.5). */
export function ruleOf({ authorization, otherwise }: Authentication, operation: Operation): Said<Rule> {
  const own = stated(authorization)?.get(operation.name);
  if (own) return own;
  if (isSaid(otherwise)) return otherwise;
  const address = step(authorization.address, operation.name);
  return { kind: 'open', question: null, address, at: operation.at };
}

/** Whether there is an item that a rule could be about; undefined while it is open what the operation does. */
export function hasItem({ does, subject }: Operation): boolean | undefined {
  const change = stated(does);
  if (change === undefined) return does.kind === 'open' ? undefined : false;
  if (withoutItem.includes(change.verb)) return false;
  return subject !== null || change.subject.kind === 'expression' || change.subject.kind === 'named';
}

/** All that a rule lets in, by what it says of who asks and of the item. */
export function grantsOf(rule: Rule | undefined): readonly Grant[] {
  return [...(stated(rule?.rule) ?? []), ...(stated(rule?.items) ?? [])];
}
