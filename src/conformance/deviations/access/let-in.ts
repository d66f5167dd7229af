import { pathsRead } from '../../../expression/expression.ts';
import { expressionsIn } from '../../../expression/template.ts';
import { hasItem } from '../../../specification/model/authorization.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import type { Said } from '../../../specification/reading/said.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../../specification/reading/templates.ts';
import type { Grant, Wanted } from '../../../specification/vocabulary/rule.ts';
import { changed, statementsOf } from '../changed.ts';
import { type Deviation, implementing, type Kind, keyOf, restating } from '../deviation.ts';
import { negated } from '../expressions/expressions.ts';
import { isRecord } from '../record.ts';

/** A rule that lets in others than it should, and an actor that is nobody or everybody (language §5.4, §5.5). */
export const letIn: Kind = (said, specification) => {
  if (said.kind !== 'stated') return [];
  if (/^service\.actors\./.test(said.address)) return [withoutActor(said, specification)];
  if (/^authentication\.actors\./.test(said.address))
    return [
      restating(said, specification, 'everybody is this actor', {
        ...said,
        value: { ...(said.value as PlacedTemplate), template: { kind: 'literal', value: true } },
      }),
    ];
  if (isRule(said))
    return [
      ...wide(said, specification),
      ...turned(said, specification),
      ...thatOfAnother(said, specification),
    ];
  return keyOf(said) === 'schemes' ? schemesOfRule(said, specification) : [];
};

/** Whoever sends the request is let in: anybody, or anybody with a good credential. */
function wide(said: Said<unknown> & { readonly kind: 'stated' }, specification: Specification): Deviation[] {
  const { at } = said;
  const grants = said.value as readonly Grant[];
  return ways
    .filter(({ kind }) => !grants.some((grant) => grant.kind === kind || grant.kind === 'anyone'))
    .map(({ kind, says }) => restating(said, specification, says, { ...said, value: [{ kind, at }] }));
}

const ways = [
  { kind: 'anyone', says: 'anybody is let in' },
  { kind: 'known', says: 'anybody with a good credential is let in' },
] as const;

/** Whom one of its conditions lets in is refused, and all others are let in. */
function turned(
  said: Said<unknown> & { readonly kind: 'stated' },
  specification: Specification,
): Deviation[] {
  const grants = said.value as readonly Grant[];
  const actors = stated(stated(specification.authentication)?.actors);
  return grants.flatMap((grant, place) => {
    const by = grant.kind === 'actor' ? actors?.get(grant.name) : undefined;
    const placed = grant.kind === 'expression' ? grant.expression : by && stated(by);
    if (placed?.template.kind !== 'expression') return [];
    const { template } = placed;
    const other: Grant = {
      kind: 'expression',
      expression: { ...placed, template: { ...template, expression: negated(template.expression) } },
      aboutItem: grant.kind === 'expression' && grant.aboutItem,
      at: grant.at,
    };
    const name = grant.kind === 'actor' ? grant.name : template.expression.text;
    const says = `whoever is not ${name} is let in, and the others are refused`;
    return [restating(said, specification, says, { ...said, value: grants.with(place, other) })];
  });
}

/** The rule of another operation on the same resource is taken for it. */
function thatOfAnother(
  said: Said<unknown> & { readonly kind: 'stated' },
  specification: Specification,
): Deviation[] {
  const rules = stated(stated(specification.authentication)?.authorization);
  const ruled = specification.operations.flatMap((operation) => {
    const rule = stated(rules?.get(operation.name) ?? undefined);
    return rule ? [{ operation, rule }] : [];
  });
  const own = ruled.find(({ rule }) => rule.rule === said || rule.items === said);
  if (own === undefined) return [];
  const key = own.rule.rule === said ? 'rule' : 'items';
  const text = textOf(said.value as readonly Grant[]);
  const others = ruled.flatMap(({ operation, rule }): [string, Deviation][] => {
    const grants = stated(rule[key]);
    if (grants === undefined || operation.subject !== own.operation.subject) return [];
    if (hasItem(operation) !== hasItem(own.operation)) return [];
    if (!grants.every((grant) => isOfItems(grant, specification))) return [];
    const says = `it is the rule of ${operation.name}`;
    return [[textOf(grants), restating(said, specification, says, { ...said, value: grants })]];
  });
  return [...new Map(others.toReversed())].flatMap(([other, deviation]) =>
    other === text || ways.some(({ kind }) => kind === other) ? [] : deviation,
  );
}

/** A rule as a text, the same for the same one. */
function textOf(grants: readonly Grant[]): string {
  return grants
    .map((grant) => {
      if (grant.kind === 'actor') return grant.name;
      const template = grant.kind === 'expression' ? grant.expression.template : undefined;
      return template?.kind === 'expression' ? template.expression.text : grant.kind;
    })
    .join();
}

/** Whether a grant reads nothing but items and the actor, so that it means the same in every operation. */
function isOfItems(grant: Grant, { resourcesByName }: Specification): boolean {
  if (grant.kind !== 'expression') return true;
  return expressionsIn(grant.expression.template)
    .flatMap(({ syntax }) => pathsRead(syntax))
    .every(([name = '']) => name === 'this' || name === 'actor' || resourcesByName.has(name));
}

const kinds: readonly unknown[] = ['anyone', 'known', 'actor', 'expression'] satisfies Grant['kind'][];

/** Whether a statement says whom a rule lets in. */
export function isRule(said: Said<unknown>): boolean {
  if (said.kind !== 'stated' || !/^authentication\.(authorization|otherwise)/.test(said.address))
    return false;
  const { value } = said;
  return Array.isArray(value) && value.every((each) => isRecord(each) && kinds.includes(each['kind']));
}

/** Nobody is taken for an actor of part 1. */
function withoutActor(said: Said<unknown>, specification: Specification): Deviation {
  const actor = keyOf(said);
  const others = (): Map<Said<unknown>, Said<unknown>> =>
    new Map(
      statementsOf(specification).flatMap((rule): [Said<unknown>, Said<unknown>][] => {
        if (rule.kind !== 'stated' || !isRule(rule)) return [];
        const grants = rule.value as readonly Grant[];
        const left = grants.filter((grant) => grant.kind !== 'actor' || grant.name !== actor);
        return left.length === grants.length ? [] : [[rule, { ...rule, value: left }]];
      }),
    );
  return {
    said,
    says: 'nobody is this actor',
    operation: null,
    isUnread: true,
    implementation: () => implementing(changed(specification, others())),
  };
}

/** Scopes are not checked, or one credential will do where several are wanted together (language §5.5, rule 18). */
function schemesOfRule(
  said: Said<unknown> & { readonly kind: 'stated' },
  specification: Specification,
): readonly Deviation[] {
  if (!/^authentication\.(authorization|otherwise)\b/.test(said.address)) return [];
  const lists = said.value as readonly (readonly Wanted[])[];
  const deviation = (says: string, value: typeof lists): Deviation =>
    restating(said, specification, says, { ...said, value });
  const isScoped = lists.flat().some(({ scopes }) => scopes.length > 0);
  const areTogether = lists.some((list) => list.length > 1);
  const unscoped = lists.map((list) => list.map((each) => ({ ...each, scopes: [] })));
  const alone = lists.flatMap((list) => list.map((each) => [each]));
  return [
    ...(isScoped ? [deviation('scopes are not checked', unscoped)] : []),
    ...(areTogether ? [deviation('one credential will do', alone)] : []),
  ];
}
