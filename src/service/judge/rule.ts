import { compileTemplate, type Environment, type Frame } from '../../expression/compile.ts';
import { type Expression, pathsRead, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { worked } from '../../expression/values.ts';
import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { boundBy } from '../../specification/rules/names.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import type { Grant } from '../../specification/vocabulary/rule.ts';

/** Whether it holds; `actor`, and what else it reads, are in the frame. */
export type Test = (frame: Frame) => boolean;

/** A part of a rule that is judged before an item is looked for (language §5.5). */
export interface PlainRule {
  readonly holds: Test;
  /** The items bound by the path that it reads: where one of them is not there, it refuses nothing. */
  readonly about: readonly string[];
  /** Whether it lets anyone in, whatever there is. */
  readonly isFree: boolean;
}

/** A part of a rule that is judged for each item; `this` is the item. */
export interface ItemRule {
  readonly holds: Test;
  /** Whether it holds whatever the item, for the one who asks. */
  readonly always: Test;
  /** What of it is about the item, as rows are found by it. */
  readonly expression: Expression;
}

export interface CompiledRule {
  readonly plain: readonly PlainRule[];
  readonly items: readonly ItemRule[];
}

/** Who asks by a scheme that is one actor's alone (language §5.3): every other member of it is null. */
export class Kind {
  readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }
}

/** Compiles the rule of an operation; null: none is stated. */
export function compileRule(
  authentication: Authentication,
  operation: Operation,
  environment: Environment,
): CompiledRule | null {
  const rule = stated(ruleOf(authentication, operation));
  if (rule === undefined) return null;
  const bound = boundBy(operation).map(({ name }) => name);
  const lists = [stated(rule.rule), stated(rule.items)].filter((list) => list !== undefined);
  const plain: PlainRule[] = [];
  const items: ItemRule[] = [];
  for (const grants of lists) {
    const about = grants.flatMap((grant) => (isAboutItem(grant) ? [onlyExpression(grant)] : []));
    const others = grants.filter((grant) => !isAboutItem(grant));
    const always = any(others.map((grant) => compileGrant(authentication, grant, environment)));
    const [first] = about;
    if (first === undefined) {
      const read = new Set(others.flatMap(rootsRead));
      const isFree = others.some(({ kind }) => kind === 'anyone');
      plain.push({ holds: always, about: bound.filter((name) => read.has(name)), isFree });
    } else {
      const tests = grants.map((grant) => compileGrant(authentication, grant, environment));
      items.push({ holds: any(tests), always, expression: about.slice(1).reduce(either, first) });
    }
  }
  return { plain, items };
}

type AboutItem = Extract<Grant, { kind: 'expression' }>;

function isAboutItem(grant: Grant): grant is AboutItem {
  return grant.kind === 'expression' && grant.aboutItem;
}

function onlyExpression({ expression }: AboutItem): Expression {
  return expressionsIn(expression.template)[0] as Expression;
}

function rootsRead(grant: Grant): string[] {
  if (grant.kind !== 'expression') return [];
  return expressionsIn(grant.expression.template).flatMap(({ syntax }) =>
    pathsRead(syntax).map(([root = '']) => root),
  );
}

/** Their types are known node by node, so that the tree is made of theirs. */
function either(a: Expression, b: Expression): Expression {
  const { start } = a.syntax;
  const syntax = { op: '||', args: [a.syntax, b.syntax], start, end: start } as unknown as Syntax;
  return { text: `${a.text} || ${b.text}`, syntax };
}

function any(tests: readonly Test[]): Test {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (frame) => tests.some((test) => test(frame));
}

function compileGrant(authentication: Authentication, grant: Grant, environment: Environment): Test {
  switch (grant.kind) {
    case 'anyone':
      return () => true;
    case 'known':
      return ({ names }) => (names['actor'] ?? null) !== null;
    case 'actor': {
      const bound = stated(stated(authentication.actors)?.get(grant.name));
      if (bound) return holding(compileTemplate(bound.template, environment));
      return ({ names: { actor } }) => actor instanceof Kind && actor.kind === grant.name;
    }
    case 'expression':
      return holding(compileTemplate(grant.expression.template, environment));
  }
}

/** What cannot be worked out is not true. */
function holding(run: (frame: Frame) => unknown): Test {
  return (frame) => worked(() => run(frame)) === true;
}
