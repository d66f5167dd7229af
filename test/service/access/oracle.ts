import { path, pathsRead, type Syntax } from '../../../src/expression/expression.ts';
import { expressionsIn, type Template } from '../../../src/expression/template.ts';
import { ruleOf } from '../../../src/specification/model/authorization.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import type { Grant } from '../../../src/specification/vocabulary/rule.ts';

/** What is known of an item, or of somebody: its members, and under `is` its key. */
export interface Known {
  readonly [member: string]: unknown;
}

/** Who asks, about what. */
export interface Asking {
  readonly actor: Known | null;
  /** The item that the operation is about, what the path binds, and `request`. */
  readonly names: Readonly<Record<string, Known>>;
}

/** A credential that a request comes with. */
export interface Credential {
  readonly scheme: string;
  /** Who asks by it; null: it is not good. */
  readonly actor: Known | null;
  readonly scopes?: readonly string[];
}

/**
 * What comes of a request, as far as part 5 goes: it is let through, or refused for a condition. `by` is who asks then;
 * null: nobody is known.
 */
export interface Fate {
  readonly is: 'through' | 'credential missing' | 'credential wrong' | 'not authorized' | 'not authorized R';
  readonly by: Known | null;
}

type Names = Asking['names'];

/** What part 5 says of a request (language §5), worked out from the model by itself: several, where that is a choice (§F.1). */
export function fatesOf(
  of: Specification,
  operation: Operation,
  names: Names,
  credentials: readonly Credential[],
): readonly Fate[] {
  const part = stated(of.authentication);
  if (!part) return [{ is: 'through', by: null }];
  const order = [...(stated(part.schemes)?.keys() ?? [])];
  const wanted =
    stated(stated(ruleOf(part, operation))?.schemes)?.map((all) =>
      all.map(({ text, scopes }) => ({ scheme: text, scopes: scopes.map((one) => one.text) })),
    ) ?? order.map((scheme) => [{ scheme, scopes: [] }]);
  const presented = credentials
    .filter(({ scheme }) => wanted.flat().some((one) => one.scheme === scheme))
    .sort((a, b) => order.indexOf(a.scheme) - order.indexOf(b.scheme));
  const whole = wanted.filter((all) => all.every((one) => presented.some(isOf(one))));
  if (whole.length === 0) return [asNobody(of, operation, names)];
  const exact = whole.filter((all) => all.length === presented.length);
  const by = (all: (typeof wanted)[number]) => fatesBy(of, operation, names, presented, all);
  if (exact.length > 0) return exact.flatMap(by);
  switch (stated(part.several)) {
    case 'refuse':
      return [{ is: 'credential wrong', by: null }];
    case 'first':
      return whole.filter((all) => all.some((one) => presented.findIndex(isOf(one)) === 0)).flatMap(by);
    default:
      return [{ is: 'credential wrong', by: null }, ...whole.flatMap(by)];
  }
}

const isOf =
  (one: { readonly scheme: string }) =>
  ({ scheme }: Credential): boolean =>
    scheme === one.scheme;

/** What comes of a request by the credentials of these schemes, all together. */
function fatesBy(
  of: Specification,
  operation: Operation,
  names: Names,
  presented: readonly Credential[],
  all: readonly { readonly scheme: string; readonly scopes: readonly string[] }[],
): readonly Fate[] {
  const found = all.flatMap((one) => presented.filter(isOf(one)));
  const wrong = found.find(({ actor }) => actor === null);
  if (wrong) return fatesOfWrong(of, operation, names, wrong);
  const lacks = all.some((one) =>
    one.scopes.some((scope) => !presented.find(isOf(one))?.scopes?.includes(scope)),
  );
  const by = found[0]?.actor ?? null;
  if (lacks) return [{ is: 'not authorized', by }];
  if (admits(of, operation, { actor: by, names })) return [{ is: 'through', by }];
  return [{ is: isPlain(of, operation, { actor: by, names }) ? 'not authorized' : 'not authorized R', by }];
}

/** A wrong credential is refused; where none is needed, as its scheme states (language §5.1, `wrong`). */
function fatesOfWrong(
  of: Specification,
  operation: Operation,
  names: Names,
  { scheme }: Credential,
): readonly Fate[] {
  const refused: Fate = { is: 'credential wrong', by: null };
  const ignored = asNobody(of, operation, names);
  if (ignored.is !== 'through') return [refused];
  const said = stated(stated(stated(stated(of.authentication)?.schemes)?.get(scheme))?.wrong);
  return said === undefined ? [refused, ignored] : [said === 'refuse' ? refused : ignored];
}

function asNobody(of: Specification, operation: Operation, names: Names): Fate {
  const lets = admits(of, operation, { actor: null, names });
  return { is: lets ? 'through' : 'credential missing', by: null };
}

/** Whether a rule lets somebody in: of a list, to the whole of it. */
export function admits(of: Specification, operation: Operation, asking: Asking, isOne = false): boolean {
  const isList = stated(operation.does)?.verb === 'list';
  return listsOf(of, operation).every(
    (grants) =>
      // What a list's rule says of its items leaves them out, one by one.
      (isList && !isOne && grants.some(isAboutItem)) || isIn(of, grants, asking),
  );
}

/** Whether somebody is refused whatever the item: by a list of grants none of which is about it (language §5.5). */
function isPlain(of: Specification, operation: Operation, asking: Asking): boolean {
  return listsOf(of, operation).some((grants) => !grants.some(isAboutItem) && !isIn(of, grants, asking));
}

function isIn(of: Specification, grants: readonly Grant[], asking: Asking): boolean {
  return grants.some((grant) => admitsBy(of, grant, asking));
}

function isAboutItem(grant: Grant): boolean {
  return grant.kind === 'expression' && grant.aboutItem;
}

function listsOf(of: Specification, operation: Operation): readonly (readonly Grant[])[] {
  const part = stated(of.authentication);
  const rule = part && stated(ruleOf(part, operation));
  if (!part || !rule) throw new TypeError(`no rule is stated for ${operation.name}`);
  return [stated(rule.rule), stated(rule.items)].filter((one) => one !== undefined);
}

function admitsBy(of: Specification, grant: Grant, { actor, names }: Asking): boolean {
  switch (grant.kind) {
    case 'anyone':
      return true;
    case 'known':
      return actor !== null;
    case 'expression':
      return isTrue(grant.expression.template, { ...names, actor });
    case 'actor': {
      const bound = stated(stated(stated(of.authentication)?.actors)?.get(grant.name));
      return bound ? isTrue(bound.template, { ...names, actor }) : actor?.['kind'] === grant.name;
    }
  }
}

function isTrue(template: Template, names: Readonly<Record<string, unknown>>): boolean {
  const [expression, more] = expressionsIn(template);
  if (expression === undefined || more !== undefined) throw new TypeError('a rule is one expression');
  return worth(expression.syntax, names) === true;
}

/** The little of CEL that the rules of the examples are written in. */
function worth(syntax: Syntax, names: Readonly<Record<string, unknown>>): unknown {
  if (syntax.op === 'value') return syntax.args;
  const steps = path(syntax);
  if (steps) return steps.slice(1).reduce<unknown>(member, names[steps[0] as string] ?? null);
  if (syntax.op === '!_') return worth(syntax.args, names) !== true;
  if (syntax.op === '&&') return syntax.args.every((one) => worth(one, names) === true);
  if (syntax.op === '||') return syntax.args.some((one) => worth(one, names) === true);
  if (syntax.op === 'call' && syntax.args[0] === 'has')
    return syntax.args[1].every((one) => worth(one, names) !== null);
  if (syntax.op === '==' || syntax.op === '!=') {
    const [left, right] = (syntax.args as [Syntax, Syntax]).map((one) => keyOf(worth(one, names)));
    return (left === right) === (syntax.op === '==');
  }
  throw new TypeError(`no rule of an example has had ${syntax.op} so far`);
}

function member(over: unknown, name: string): unknown {
  return (over as Known | null)?.[name] ?? null;
}

/** A reference is compared by its key (language §G.3). */
function keyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? ((value as Known)['is'] ?? value) : value;
}

/** What a refusal is answered with. */
export interface Refusal {
  readonly status: number;
  /** What the payload says as `error.code`; null: it does not say it. */
  readonly code: string | null;
  /** It is as if there were no such item. */
  readonly conceals: boolean;
}

/** A refusal as the row that fits best has it (language §H.4), or the floor. */
export function refusalOf(
  of: Specification,
  operation: Operation,
  condition: string,
  subject: string,
): Refusal {
  const rows = [...(stated(stated(of.errors)?.codes) ?? [])].flatMap(([name, said]) => {
    const row = stated(said);
    const named = stated(row?.operations)?.map((one) => one.text);
    if (row === undefined || (named && !named.includes(operation.name))) return [];
    const fits = (stated(row.when) ?? []).filter(
      (one) => (one.names as readonly string[]).includes(condition) && ['', subject].includes(one.subject),
    );
    return fits.map((one) => ({ name, row, weight: (named ? 1000 : 0) + one.subject.length }));
  });
  const [best] = rows.sort((a, b) => b.weight - a.weight);
  if (best === undefined) return { status: floor[condition] as number, code: null, conceals: false };
  const as = stated(best.row.as);
  if (!as) {
    const [status] = stated(best.row.status) as readonly [number];
    const code = tellsCode(of) ? (stated(best.row.code) ?? best.name) : null;
    return { status, code, conceals: false };
  }
  const own = subject === '' ? (operation.subject?.name ?? '') : subject;
  const resource = as.subject === '' ? own : as.subject;
  return { ...refusalOf(of, operation, as.names[0] as string, resource), conceals: true };
}

function tellsCode(of: Specification): boolean {
  const body = stated(stated(stated(of.errors)?.payload)?.body);
  const paths = body ? expressionsIn(body.template).flatMap(({ syntax }) => pathsRead(syntax)) : [];
  return paths.some(([root, member]) => root === 'error' && member === 'code');
}

/** Where no row lists a condition; in these documents each scheme has a challenge. */
const floor: Readonly<Record<string, number>> = {
  'credential missing': 401,
  'credential wrong': 401,
  'not authorized': 400,
  unknown: 404,
};
