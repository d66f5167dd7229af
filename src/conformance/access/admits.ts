import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import { grantsOf, ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import type { Grant, Rule, Wanted } from '../../specification/vocabulary/rule.ts';
import { stating } from '../guards.ts';
import { isHole, isItem, isMixed, type Partly } from '../partly.ts';
import { member, type Names, workOut } from '../solve.ts';
import { all, type Kleene, known, some, type Truth, unknown, unseen, yes } from '../verdict.ts';

/** Whether the rule of an operation lets in who asks to this item: `this`, among the names (language §5.5). */
export function admitsItem(of: Specification, operation: Operation, names: Names): Truth {
  return admits(of, operation, names, true);
}

/** Whether a list's rule lets who asks to every item of it, whatever the item is like (language §5.5). */
export function admitsToAll(of: Specification, operation: Operation, names: Names): Truth {
  const part = stated(of.authentication);
  const rule = part && stated(ruleOf(part, operation));
  if (!part || !rule) return unseen('no rule is stated');
  return ofRule(part, rule, names, (grants) =>
    some(
      ...grants.filter((grant) => !isAboutItem(grant)).map((grant) => admitsBy(part, grant, names)),
      known(false, 'it depends on the item'),
    ),
  );
}

/** Whether the rule of an operation refuses nobody known where its item is not there: what reads the item is not asked (language §H.4). */
export function admitsToNone(of: Specification, operation: Operation, names: Names): Truth {
  const part = stated(of.authentication);
  const rule = part && stated(ruleOf(part, operation));
  if (!part || !rule) return admits(of, operation, names);
  return ofRule(part, rule, names, (grants) =>
    grants.some(isAboutItem)
      ? known((names.get('actor') ?? null) !== null, 'nobody is known')
      : admitsOf(part, operation, grants, names, true),
  );
}

/** Whether a rule is about the items of an operation, one by one. */
export const hasItemRule = once((of: Specification, operation: Operation): boolean => {
  const part = stated(of.authentication);
  return part !== undefined && grantsOf(stated(ruleOf(part, operation))).some(isAboutItem);
});

/** Whether the rule of an operation reads what is asked. */
export function readsRequest(of: Specification, operation: Operation): boolean {
  return namesRead(of, operation).has('request');
}

/** The names that the rule of an operation reads. */
export const namesRead = once((of: Specification, operation: Operation): ReadonlySet<string> => {
  const part = stated(of.authentication);
  const paths = part ? pathsOf(part, grantsOf(stated(ruleOf(part, operation)))) : [];
  return new Set(paths.flatMap(([root]) => root ?? []));
});

function pathsOf({ actors }: Authentication, grants: readonly Grant[]): readonly (readonly string[])[] {
  const read = grants.flatMap((grant) => {
    if (grant.kind === 'expression') return [grant.expression];
    return grant.kind === 'actor' ? (stated(stated(actors)?.get(grant.name)) ?? []) : [];
  });
  return read.flatMap(({ template }) => expressionsIn(template)).flatMap(({ syntax }) => pathsRead(syntax));
}

function isAboutItem(grant: Grant): boolean {
  return grant.kind === 'expression' && grant.aboutItem;
}

/** Whether part 5 lets a request in: `actor`, among the names, is who sends it (language §5.5). */
export function admits(of: Specification, operation: Operation | null, names: Names, isOne = false): Truth {
  const { authentication: said } = of;
  if (operation === null || said.kind === 'none') return yes;
  return stating(said, (authentication) => {
    if (authentication === null) return yes;
    return stating(ruleOf(authentication, operation), (rule) => {
      if (rule === null) return unknown(said.address);
      return ofRule(authentication, rule, names, (grants) =>
        admitsOf(authentication, operation, grants, names, isOne),
      );
    });
  });
}

/**
 * Tells whether an actor is let in, or to every item of a list: decided once for each, where the rule reads nothing else.
 *
 * @param names what is named beside the actor, who is set among them
 */
export function admitting(
  of: Specification,
  operation: Operation,
  names: () => Map<string, Partly>,
  isToAll = false,
): (actor: Partly) => Kleene {
  const admitted = isToAll ? admitsToAll : admits;
  return (
    admittingAlone(of, operation, isToAll) ??
    ((actor) => admitted(of, operation, names().set('actor', actor)).value)
  );
}

/** The same of a rule that reads nothing but the actor. What is about an item does not count for every item. */
const admittingAlone = once((of: Specification, operation: Operation, isToAll: boolean) => {
  const part = stated(of.authentication);
  const grants = part ? grantsOf(stated(ruleOf(part, operation))) : [];
  const judged = isToAll ? grants.filter((grant) => !isAboutItem(grant)) : grants;
  // What is derived, or what a reference leads to, hangs on more than the actor.
  const isDerived = (name = ''): boolean =>
    [...of.resourcesByName.values()].some(({ fields }) => stated(fields.get(name)?.derived));
  const isOwn = ([root, name, ...further]: readonly string[]): boolean =>
    root === 'actor' && further.length === 0 && !isDerived(name);
  if (part && !pathsOf(part, judged).every(isOwn)) return null;
  const admitted = isToAll ? admitsToAll : admits;
  return once((actor: Partly): Kleene => admitted(of, operation, new Map([['actor', actor]])).value);
});

function admitsOf(
  authentication: Authentication,
  operation: Operation,
  grants: readonly Grant[],
  names: Names,
  isOne: boolean,
): Truth {
  const change = stated(operation.does);
  const isSeveral = change?.verb === 'list' || change?.subject.kind === 'every';
  // What the rule refuses is left out of a list (language §5.5).
  if (isSeveral && !isOne && grants.some(isAboutItem)) return yes;
  return some(...grants.map((grant) => admitsBy(authentication, grant, names)));
}

/** Whether each list of a rule lets in, as `judge` tells of one, and the credential grants what the rule wants. */
function ofRule(
  part: Authentication,
  { rule, items, schemes }: Rule,
  names: Names,
  judge: (grants: readonly Grant[]) => Truth,
): Truth {
  const lists = [stated(rule), stated(items)].filter((list) => list !== undefined);
  return all(...lists.map(judge), grantsScopes(part, stated(schemes) ?? [], names));
}

/** Whether the credential of who asks grants the scopes that a rule wants (language §5.1, `scopes`). */
function grantsScopes(
  { schemes }: Authentication,
  alternatives: readonly (readonly Wanted[])[],
  names: Names,
): Truth {
  const actor = names.get('actor') ?? null;
  if (actor === null || alternatives.length === 0) return yes;
  const truths = alternatives.map((together) =>
    all(
      ...together.flatMap(({ text, scopes }) => {
        if (scopes.length === 0) return [];
        const granting = stated(stated(stated(schemes)?.get(text))?.scopes);
        const granted = granting && workOut(granting.template, new Map(names).set('this', actor));
        if (!Array.isArray(granted)) return [unseen(`what a credential of ${text} grants cannot be told`)];
        return scopes.map((one) => known(granted.includes(one.text), `nobody is granted ${one.text}`));
      }),
    ),
  );
  // By which of several it is asked is not told here.
  const [first = yes] = truths;
  return truths.every(({ value }) => value === first.value)
    ? first
    : unseen('what is granted cannot be told');
}

function admitsBy(authentication: Authentication, grant: Grant, names: Names): Truth {
  const actor = names.get('actor') ?? null;
  switch (grant.kind) {
    case 'anyone':
      return yes;
    case 'known':
      return isHole(actor) && actor.picks === null
        ? unseen('it cannot be told who asks')
        : known(actor !== null, 'nobody is known');
    case 'expression':
      return isTrue(grant.expression.template, names);
    case 'actor': {
      const bound = stated(stated(authentication.actors)?.get(grant.name));
      if (bound) return isTrue(bound.template, names);
      // An actor that a scheme binds is whoever asks by that scheme (language §5.3).
      return isHole(actor) || !bindsActor(authentication, grant.name)
        ? unseen(`whether it is ${grant.name} cannot be told`)
        : known(kindIn(actor) === grant.name, `it is not ${grant.name} who asks`);
    }
  }
}

function bindsActor({ schemes }: Authentication, name: string): boolean {
  return [...(stated(schemes)?.values() ?? [])].some((said) => {
    const actor = stated(stated(said)?.actor);
    return actor?.kind === 'actor' && actor.actor.text === name;
  });
}

/** The name of part 1 that somebody is told by; null for an item, and for nobody. */
function kindIn(actor: Partly): Partly {
  return isItem(actor) ? null : member(actor, 'kind', new Map());
}

function isTrue(template: Template, names: Names): Truth {
  const value = workOut(template, names);
  if (isHole(value) || isMixed(value) || isItem(value))
    return unseen('whether the rule holds cannot be told');
  return known(value === true, 'the rule does not hold');
}
