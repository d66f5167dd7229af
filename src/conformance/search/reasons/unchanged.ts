import { children, namesIn, type Syntax } from '../../../expression/expression.ts';
import { expressionsIn, isWholeBody, type Template } from '../../../expression/template.ts';
import { ruleOf } from '../../../specification/model/authorization.ts';
import { changesIn } from '../../../specification/model/changes.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import { fieldValues } from '../../../specification/vocabulary/answer-field.ts';
import type { Change } from '../../../specification/vocabulary/change.ts';
import type { Resource } from '../../../specification/vocabulary/parts/resources.ts';
import { keyOf, operationOf } from '../../deviations/deviation.ts';
import { membersOf } from '../../deviations/ignored.ts';
import { asksForSomebody, isActor, mayBeNobody } from '../../deviations/shown.ts';
import { exchanged } from './exchanged.ts';
import type { Rule } from './same-meaning.ts';
import { versionsOf } from './versions.ts';

/** `same` says whether `set.update`, events and the outcome follow (language §H.2). */
const sameAnyway: Rule = {
  name: 'nothing follows of an update that leaves every value as it was',
  reason: 'equal',
  holds: ({ said }, specification) => {
    const operation = operationOf(said, specification);
    const change = operation && stated(operation.does);
    const resource = specification.resourcesByName.get(change?.subject.name ?? '');
    if (!operation || change?.qualifiers.same !== said || resource === undefined) return false;
    const isMarked = [...resource.fields.values()].some(({ update }) => update.kind === 'stated');
    const hasOutcome = (stated(operation.response) ?? []).some(({ when }) => when.kind === 'stated');
    return !isMarked && !hasOutcome && specification.events.kind !== 'stated';
  },
};

/** A former value is one that is there no more, of an item that is still there. */
const neverFormer: Rule = {
  name: 'no item that authenticates is ever changed',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    if (!/^a former \S+ is still good$/.test(says)) return false;
    const scheme = /^authentication\.schemes\.([^.]+)/.exec(said.address)?.[1] ?? '';
    const own = stated(stated(stated(specification.authentication)?.schemes)?.get(scheme));
    const credentials = own && stated(own.credentials);
    const kept = credentials?.kind === 'kept' ? stated(credentials.kept) : undefined;
    const names = kept
      ? kept.map(({ resource }) => resource)
      : [operationOf(said, specification)?.subject?.name];
    return names.every(
      (name) =>
        name !== undefined && !versionsOf(specification).some((version) => isRewritten(name, version)),
    );
  },
};

/** Whether a field of an item that is there may get another value. If that is not sure, it may. */
function isRewritten(name: string, specification: Specification): boolean {
  const { states, resourcesByName } = specification;
  const isMachine = [...(stated(states)?.keys() ?? [])].some((key) => key.startsWith(`${name}.`));
  const isCleared = [...(resourcesByName.get(name)?.fields.values() ?? [])].some(
    ({ ifDeleted }) => stated(ifDeleted) === 'clear',
  );
  const rewrites = ({ verb, subject, qualifiers }: Change): boolean => {
    if (['handled', 'run'].includes(verb)) return true;
    const isOf = subject.kind === 'expression' || subject.name === name;
    if (verb === 'create') return isOf && ['update', 'replace'].includes(stated(qualifiers.present) ?? '');
    return isOf && !['read', 'list', 'delete', 'authenticate', 'revoke'].includes(verb);
  };
  return isMachine || isCleared || changesIn(specification).some(rewrites);
}

/** What is set first and last differs only in members that both give (language §H.2, `with`). */
const apartMembers: Rule = {
  name: 'no member is given twice',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const operation = operationOf(said, specification);
    if (!operation || keyOf(said) !== 'with') return false;
    const [one, other] = exchanged<{ readonly template: Template }>({ said, says }).map(({ template }) =>
      given(template, operation, specification),
    );
    return one !== undefined && other !== undefined && !one.some((name) => other.includes(name));
  },
};

/** The members that a template gives; undefined: that is not sure. */
function given(
  template: Template,
  operation: Operation,
  specification: Specification,
): readonly string[] | undefined {
  if (template.kind === 'object') return [...template.members.keys()];
  const others = operation.request && stated(operation.request.others)?.body;
  if (!isWholeBody(template) || !others || stated(others) !== 'refuse') return undefined;
  return membersOf(operation, specification).map(([name]) => name);
}

/** What a list shows of the number of its items (language §4.5). */
const counts = /^(total|size|sum|count|number|offset|next|previous|first|last|url|request|exists|all)$/;

/** Only numbers of an answer follow the filters otherwise: its items do as they should. */
const uncounted: Rule = {
  name: 'the answer counts nothing',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const operation = operationOf(said, specification);
    if (says !== 'what the answer counts does not follow the filters' || !operation) return false;
    return (stated(operation.response) ?? []).every(({ body, content, headers }) => {
      const written = stated(body);
      if (content.kind === 'stated' || body.kind === 'any') return false;
      const templates = [
        ...(written ? [written.template] : []),
        ...[...(fieldValues(headers)?.values() ?? [])].flatMap((said) => stated(said)?.template ?? []),
      ];
      const words = templates
        .flatMap((template) => expressionsIn(template))
        .flatMap(({ syntax }) => wordsOf(syntax));
      return !words.some((word) => counts.test(word));
    });
  },
};

/** Names, and texts by which a member may be read. */
function wordsOf(syntax: Syntax): readonly string[] {
  const texts = syntax.op === 'value' && typeof syntax.args === 'string' ? [syntax.args] : [];
  return [...namesIn(syntax), ...texts, ...children(syntax).flatMap(wordsOf)];
}

/** Both rules ask for a credential, and for one item alone they are one rule (language §5.2, §H.4, rule 10). */
const knownByItem: Rule = {
  name: 'the rule about the item lets nobody in who is not known',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, name] = /^authentication\.authorization\.(\w+)\.rule$/.exec(said.address) ?? [];
    const operation = specification.operations.find((each) => each.name === name);
    const part = stated(specification.authentication);
    const rule = operation && part && stated(ruleOf(part, operation));
    const resource = specification.resourcesByName.get(operation?.subject?.name ?? '');
    if (says !== 'anybody is let in' || !rule || !resource) return false;
    if (stated(operation?.does ?? undefined)?.verb === 'list') return false;
    const isOwner = (node: Syntax): boolean => isForOwner(node, resource, specification);
    return (
      stated(rule.rule)?.every(({ kind }) => kind === 'known') === true &&
      stated(rule.items)?.every((grant) => asksForSomebody(grant, isOwner)) === true
    );
  },
};

/** Whether an expression only holds of the actor to which a field of an item refers: `this.owner == actor`. */
function isForOwner(node: Syntax, resource: Resource, specification: Specification): boolean {
  const sides = node.op === '==' ? children(node) : [];
  const owner = sides.some(isActor) ? sides.find(({ op }) => op === '.') : undefined;
  if (owner === undefined) return false;
  const [of, name] = owner.args as readonly [Syntax, string];
  const field = of.op === 'id' && of.args === 'this' ? resource.fields.get(name) : undefined;
  return field !== undefined && !mayBeNobody(field, specification);
}

/** Rules about what leaves everything as it was. */
export const unchanged: readonly Rule[] = [sameAnyway, neverFormer, apartMembers, uncounted, knownByItem];
