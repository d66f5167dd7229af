import { staticType } from './check.ts';
import { children, type Fault, macroOf, path, type Syntax } from './expression.ts';
import { functions } from './functions.ts';
import type { Type } from './type.ts';

/** Whether a member of an item, or of `actor`, may be null, or may not be there. */
export type Lacks = (resource: string, member: string) => boolean;

/** A condition that is known to be true, or false, where an expression stands. */
export interface Known {
  readonly syntax: Syntax;
  readonly is: boolean;
}

/** What is known not to be null, each by its key. */
type Facts = ReadonlySet<string>;

/**
 * Where null can reach a function or operator that does not take it (language §G.6). The expression has been typed before.
 *
 * @param nullable the names that may be null
 */
export function nullFaults(
  syntax: Syntax,
  lacks: Lacks,
  known: readonly Known[] = [],
  nullable: readonly string[] = [],
): Fault[] {
  const faults: Fault[] = [];
  nullness(lacks, (fault) => faults.push(fault), nullable)(syntax, factsOf(known, lacks));
  return faults;
}

/** Whether an expression may come to null. */
export function mayBeNull(syntax: Syntax, lacks: Lacks): boolean {
  return nullness(lacks, () => {})(syntax, new Set());
}

/** Whether a condition can be true only where a name is not null. It has been typed before. */
export function requires(syntax: Syntax, name: string, lacks: Lacks): boolean {
  return whenIs(syntax, true, lacks).includes(JSON.stringify(name));
}

/** Functions that give null for null, and work out what is not null. */
const passing: readonly string[] = ['pick', 'omit'];
/** What goes over a list gives null if the list has no elements. */
const extremes: readonly string[] = ['min', 'max'];
const arithmetic: readonly string[] = ['+', '-', '*', '/', '%'];
const logic: readonly string[] = ['&&', '||'];

/** Tells, of an expression, whether it may come to null, and reports what does not take the null that may reach it. */
function nullness(
  lacks: Lacks,
  report: (fault: Fault) => void,
  nullable: readonly string[] = [],
): (node: Syntax, facts: Facts) => boolean {
  const need = (node: Syntax, facts: Facts, taker: string): void => {
    if (!visit(node, facts)) return;
    const { start, end } = node;
    report({ message: `${taker} does not take null, and this may be null`, start, end });
  };
  const member = (node: Syntax, over: Syntax, name: string, facts: Facts): boolean => {
    const isOfNull = visit(over, facts);
    const isLeftOut =
      over.op === 'id' && over.args === 'actor'
        ? lacks('actor', name)
        : isLacking(staticType(over), name, lacks);
    return !facts.has(keyOf(node)) && (isOfNull || isLeftOut);
  };
  const macro = (over: Syntax, name: string, body: Syntax, taker: string, facts: Facts): boolean => {
    need(over, facts, taker);
    visit(body, new Set([...facts, ...elementFacts(over, name, lacks)]));
    return false;
  };
  const call = (node: Syntax, name: string, args: readonly Syntax[], facts: Facts): boolean => {
    if (name === 'has') return false;
    const found = functions.get(name);
    const [first] = args;
    // `R(x)` of null is null, and so is absent().
    if (found === undefined) return args.map((one) => visit(one, facts)).includes(true);
    if (name === 'absent') return true;
    // Of null bytes they give null (language §G.4).
    if (first && staticType(first).kind === 'bytes') return visit(first, facts);
    const takesNull = found.takesNull === true && !(name === 'string' && args.length > 1);
    for (const one of args) {
      if (takesNull) visit(one, facts);
      else need(one, facts, name);
    }
    if (first === undefined || facts.has(keyOf(node))) return false;
    if (passing.includes(name)) return visitQuietly(first, facts);
    return extremes.includes(name) && !isFilled(first) && !facts.has(sizeOf(first));
  };
  const visitQuietly = (node: Syntax, facts: Facts): boolean =>
    nullness(lacks, () => {}, nullable)(node, facts);
  const choice = (test: Syntax, yes: Syntax, no: Syntax, facts: Facts): boolean => {
    visit(test, facts);
    const [one, other] = [
      visit(yes, new Set([...facts, ...whenIs(test, true, lacks)])),
      visit(no, new Set([...facts, ...whenIs(test, false, lacks)])),
    ];
    return one || other;
  };
  const visit = (node: Syntax, facts: Facts): boolean => {
    switch (node.op) {
      case 'value':
        return node.args === null;
      case 'id':
        return nullable.includes(node.args) && !facts.has(keyOf(node));
      case '.':
      case '.?':
        return member(node, node.args[0], node.args[1], facts);
      case '[]':
      case '[?]': {
        const [over, by] = node.args;
        if (by.op === 'value' && typeof by.args === 'string') return member(node, over, by.args, facts);
        visit(by, facts);
        const isOfNull = visit(over, facts);
        const isThere = facts.has(keyOf(node)) || facts.has(sizeOf(over)) || isFirstPiece(over, by);
        return !isThere && (isOfNull || staticType(over).kind === 'list');
      }
      case '?:':
        return choice(node.args[0], node.args[1], node.args[2], facts);
      case '-_':
        need(node.args, facts, 'the sign -');
        return false;
      case 'call':
        return call(node, node.args[0], node.args[1], facts);
      case 'rcall': {
        const found = macroOf(node);
        if (found) return macro(found.over, found.name, found.bodies[0] as Syntax, found.macro, facts);
        return call(node, node.args[0], [node.args[1], ...node.args[2]], facts);
      }
      default: {
        const parts = children(node);
        if (arithmetic.includes(node.op)) for (const one of parts) need(one, facts, node.op);
        else if (logic.includes(node.op)) {
          const [left, right] = parts as [Syntax, Syntax];
          visit(left, facts);
          visit(right, new Set([...facts, ...whenIs(left, node.op === '&&', lacks)]));
        } else for (const one of parts) visit(one, facts);
        return false;
      }
    }
  };
  return visit;
}

/** Whether values of a type may lack a member, so that it reads as null (language §G.3). */
function isLacking(type: Type, name: string, lacks: Lacks): boolean {
  if (type.kind === 'item') return lacks(type.resource, name);
  if (type.kind !== 'object' || type.optional === undefined) return false;
  const lower = name.toLowerCase();
  return type.caseless
    ? [...type.optional].some((one) => one.toLowerCase() === lower)
    : type.optional.has(name);
}

/** A text has a first piece, wherever it is split. */
function isFirstPiece(over: Syntax, by: Syntax): boolean {
  const isSplit = (over.op === 'call' || over.op === 'rcall') && over.args[0] === 'split';
  return isSplit && by.op === 'value' && by.args === 0n;
}

/** Whether a list has an element that is not null, as it is written. */
function isFilled(node: Syntax): boolean {
  return node.op === 'list' && node.args.some((one) => one.op === 'value' && one.args !== null);
}

/** What is the same of two nodes that are written alike. */
export function keyOf(node: Syntax): string {
  const chain = path(node);
  if (chain) return chain.map((one) => JSON.stringify(one)).join('.');
  if (node.op === 'value') return typeof node.args === 'bigint' ? `${node.args}` : JSON.stringify(node.args);
  const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : node.op === '.' ? node.args[1] : '';
  return `${node.op} ${name}(${children(node).map(keyOf).join()})`;
}

/** The fact that somebody looked how many elements a list has. */
function sizeOf(node: Syntax): string {
  return `size of ${keyOf(node)}`;
}

function factsOf(known: readonly Known[], lacks: Lacks): Facts {
  return new Set(known.flatMap(({ syntax, is }) => whenIs(syntax, is, lacks)));
}

/** What is not null where a condition is true, or where it is not. */
function whenIs(node: Syntax, is: boolean, lacks: Lacks): string[] {
  const of = (one: Syntax, state: boolean): string[] => whenIs(one, state, lacks);
  switch (node.op) {
    case '!_':
      return of(node.args, !is);
    case '&&':
    case '||': {
      const [left, right] = [of(node.args[0], is), of(node.args[1], is)];
      // Both are so, or at least one of them is.
      return (node.op === '&&') === is ? [...left, ...right] : left.filter((one) => right.includes(one));
    }
    case '==':
    case '!=': {
      const [left, right] = node.args;
      if (isText(right, 'null') || isText(left, 'null')) return [];
      if ((node.op === '==') !== is) return [...unlessNull(left, right), ...unlessNull(right, left)];
      const isThere = (one: Syntax): boolean => !mayBeNull(one, lacks);
      return [...(isThere(right) ? evident(left) : []), ...(isThere(left) ? evident(right) : [])];
    }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return is ? [...evident(node.args[0]), ...evident(node.args[1])] : sizesIn(node);
    case 'in':
      return is ? [...evident(node.args[0]), ...evident(node.args[1])] : [];
    case 'call':
    case 'rcall': {
      const [of] = node.op === 'call' ? node.args[1] : [node.args[1]];
      return of === undefined || (node.args[0] === 'has' && !is) ? [] : [...evident(of), ...sizesIn(node)];
    }
    default:
      return is ? evident(node) : [];
  }
}

function isText(node: Syntax, text: string): boolean {
  return node.op === 'value' && node.args === text;
}

/** Of what is compared with null: it is something else. */
function unlessNull(one: Syntax, other: Syntax): string[] {
  return other.op === 'value' && other.args === null ? evident(one) : sizesIn(one);
}

/** What cannot be null if this is not: itself, and all that it is read of. */
function evident(node: Syntax): string[] {
  const inner = node.op === '.' || node.op === '[]' ? evident(node.args[0]) : [];
  const isType = (node.op === 'call' || node.op === 'rcall') && node.args[0] === 'type';
  if (isType) return children(node).flatMap(evident);
  return [keyOf(node), ...inner, ...sizesIn(node)];
}

/** The lists whose sizes are looked at. */
function sizesIn(node: Syntax): string[] {
  const isSize = (node.op === 'call' || node.op === 'rcall') && node.args[0] === 'size';
  const own = isSize ? children(node).map(sizeOf) : [];
  return [...own, ...children(node).flatMap(sizesIn)];
}

/** What is known of the elements of a list that was filtered, by the name that they go by now. */
function elementFacts(over: Syntax, name: string, lacks: Lacks): string[] {
  const inner = macroOf(over);
  if (inner?.macro !== 'filter') return [];
  const [own, now] = [inner.name, name].map((one) => JSON.stringify(one)) as [string, string];
  const facts = whenIs(inner.bodies[0] as Syntax, true, lacks);
  return [...facts, ...elementFacts(inner.over, inner.name, lacks)].map((fact) =>
    fact === own || fact.startsWith(`${own}.`) ? now + fact.slice(own.length) : fact,
  );
}
