import { isWholeDivision, staticType } from '../expression/check.ts';
import { children, macroOf, path, type Syntax } from '../expression/expression.ts';
import {
  accepts,
  CannotWorkOut,
  equal,
  type FunctionName,
  functionNamed,
  isFunction,
  order,
  parameterOf,
  runOf,
  written,
} from '../expression/functions.ts';
import { type Form, formOf } from '../expression/ordering.ts';
import type { Template } from '../expression/template.ts';
import { addTimes, instant, subtractTimes } from '../expression/time.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Address } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import {
  absent,
  absentOrNull,
  anything,
  concat,
  hanging,
  holderOf,
  hole,
  isAbsent,
  isHole,
  isItem,
  isKnown,
  isMixed,
  isPlain,
  isReference,
  isShown,
  isWorld,
  leftOut,
  listed,
  type Partly,
  reference,
  shown,
  toJson,
  worldName,
} from './partly.ts';

/** What the names of an expression stand for (language §G.2). A name that is missing is unknown. */
export type Names = ReadonlyMap<string, Partly>;

/**
 * Works a template out as far as what it reads is known (language §H.3); the rest are holes, which an observed
 * value may fill. Written apart from the service's evaluator, so that neither is its own witness.
 */
export function workOut(template: Template, names: Names): Partly {
  switch (template.kind) {
    case 'literal':
      return template.value;
    case 'expression':
      return sentAs(template.expression.syntax, attempt(template.expression.syntax, names));
    case 'handled':
      return hole();
    case 'marker':
      return unsaid[template.marker](template.address);
    case 'text': {
      const pieces = template.pieces.map((piece) =>
        typeof piece === 'string' ? piece : intoText(attempt(piece.expression.syntax, names)),
      );
      return concat(pieces);
    }
    case 'list':
      return template.items.map((item) => orNull(workOut(item, names)));
    case 'object': {
      const members = [...template.members].map(([name, member]) => [name, workOut(member, names)] as const);
      const object = Object.fromEntries(members);
      return template.rest === null ? object : listed(object, template.rest);
    }
  }
}

/** What a marker says of the member that it stands for (language §B, §H.3). */
const unsaid = {
  open: (address: Address) => hole({ points: [address] }),
  none: () => absent,
  any: () => anything,
} as const;

/** What is not there is left out where an expression is wholly it, and where it comes to `absent()` (language §G.3). */
function sentAs(syntax: Syntax, value: Partly): Partly {
  const sent = orNull(value);
  return sent === value || value === leftOut || path(syntax) !== undefined ? value : sent;
}

/** What is not there, where a value must stand. */
function orNull(value: Partly): Partly {
  return isAbsent(value) && value !== absentOrNull ? null : value;
}

/** A value as it is written into text: null as nothing; a list or an object has no such form (language §G.1). */
function intoText(value: Partly): Partly {
  if (isHole(value) || isMixed(value)) return value;
  const json = toJson(value);
  return typeof json === 'object' && json !== null ? hole() : written(json);
}

/** What cannot be worked out is not sent, and nothing is claimed of it (language §H.3). */
function attempt(syntax: Syntax, names: Names): Partly {
  try {
    return evaluate(syntax, names);
  } catch (error) {
    if (error instanceof CannotWorkOut) return hole();
    throw error;
  }
}

/** The value of an expression, three-valued: what hangs on a hole is one. Throws `CannotWorkOut`. */
export function evaluate(syntax: Syntax, names: Names): Partly {
  switch (syntax.op) {
    case 'value':
      return (typeof syntax.args === 'bigint' ? Number(syntax.args) : syntax.args) as Json;
    case 'id':
      return (
        names.get(syntax.args) ?? (names.has(syntax.args) ? null : (itemsOf(syntax.args, names) ?? hole()))
      );
    case '.':
    case '.?':
      return member(evaluate(syntax.args[0], names), syntax.args[1], names);
    case '[]':
    case '[?]': {
      const [over, by] = [evaluate(syntax.args[0], names), evaluate(syntax.args[1], names)];
      if (typeof by === 'string') return member(over, by, names);
      if (isHole(over) || typeof by !== 'number') return hanging(over, by);
      return Array.isArray(over) ? ((over[by] as Partly | undefined) ?? null) : null;
    }
    case 'list':
      return syntax.args.map((item) => orNull(evaluate(item, names)));
    case 'map':
      return Object.fromEntries(
        syntax.args
          .map(([key, item]) => [String(toJson(evaluate(key, names))), evaluate(item, names)] as const)
          .filter(([, value]) => value !== leftOut)
          .map(([key, value]) => [key, orNull(value)]),
      );
    case '!_': {
      const value = evaluate(syntax.args, names);
      const truth = truthOf(value);
      return truth === null ? hanging(value) : !truth;
    }
    case '-_':
      return operator('-', 0, evaluate(syntax.args, names));
    case '&&':
    case '||': {
      const decides = syntax.op === '||';
      const left = evaluate(syntax.args[0], names);
      return truthOf(left) === decides ? decides : decided([left, evaluate(syntax.args[1], names)], decides);
    }
    case '?:': {
      const test = evaluate(syntax.args[0], names);
      const truth = truthOf(test);
      return truth === null ? hanging(test) : evaluate(truth ? syntax.args[1] : syntax.args[2], names);
    }
    case 'call':
      return call(syntax.args[0], syntax.args[1], names);
    case 'rcall': {
      const macro = macroOf(syntax);
      if (macro === undefined) return call(syntax.args[0], [syntax.args[1], ...syntax.args[2]], names);
      const over = evaluate(macro.over, names);
      if (!Array.isArray(over)) return hanging(over);
      const body = macro.bodies[0] as Syntax;
      const results = over.map((item: Partly) => evaluate(body, new Map(names).set(macro.name, item)));
      return macros[macro.macro](over, results);
    }
    default: {
      const left = evaluate(syntax.args[0], names);
      const right = evaluate(syntax.args[1], names);
      const form = formAt(syntax);
      if (form) return ofTimes(syntax.op, form, left, right);
      const result = operator(syntax.op, left, right);
      return isWholeDivision(syntax) && typeof result === 'number' ? Math.trunc(result) : result;
    }
  }
}

/** A member of what is known: of an item, what was seen, or what its statements derive (language §2, G.3). */
export function member(over: Partly, name: string, names: Names): Partly {
  if (isItem(over)) {
    const value = over.known.get(name);
    if (value !== undefined) {
      const to = stated(over.resource.fields.get(name)?.refers);
      return to?.field && value !== null ? refer(to.resource, to.field, value, names) : value;
    }
    if (over.absent.has(name)) return absent;
    if (over.foreseen.has(name)) return over.foreseen.get(name) as Partly;
    const derived = stated(over.resource.fields.get(name)?.derived);
    return derived
      ? workOut(derived.template, new Map(names).set('this', over))
      : hole({ of: { item: over, field: name } });
  }
  if (isReference(over)) {
    if (over.item) return member(over.item, name, names);
    return name === over.field ? over.key : hole();
  }
  if (over === anything) return anything;
  if (isHole(over) || isMixed(over) || isShown(over)) return hanging(over);
  if (typeof over !== 'object' || over === null || Array.isArray(over) || !Object.hasOwn(over, name))
    return absent;
  return (over as { readonly [member: string]: Partly })[name] as Partly;
}

function refer(resource: string, field: string, key: Json, names: Names): Partly {
  const all = names.get(worldName);
  return reference(key, field, isWorld(all) ? all.find(resource, field, key) : null);
}

/** The set of a resource's items, where all of them are known (language §G.2). */
function itemsOf(name: string, names: Names): readonly Partly[] | null {
  const all = names.get(worldName);
  return isWorld(all) ? all.all(name) : null;
}

function call(name: string, args: readonly Syntax[], names: Names): Partly {
  if (name === 'absent') return leftOut;
  const [first] = args;
  const given = args.map((arg) => evaluate(arg, names));
  const [of = null] = given;
  if (name === 'has' && first?.op === '.') return isHole(of) ? hanging(of) : !isAbsent(of) && of !== null;
  // `R(x)`: no function of the profile begins with a capital letter (language §G.4).
  if (/^[A-Z]/.test(name))
    return of === null || isAbsent(of) ? null : shown(Array.isArray(of) || (isHole(of) && of.list));
  if (name === 'size' && Array.isArray(of)) return of.length;
  if (!isFunction(name)) return hanging(...given);
  const found = functionNamed(name);
  // Keys are nobody's to foresee.
  if (name === 'jwks') return hole();
  if (found.maker) return hole({ picks: made(name, of) });
  const run = (...known: readonly Partly[]): Json => {
    const values = known.map(toJson);
    // A function of null, or of what it does not take, cannot be worked out (language §G.6).
    const takes = (value: Json, index: number): boolean =>
      (value === null && found.takesNull === true) || accepts(parameterOf(found, index), value);
    if (!values.every(takes)) throw new CannotWorkOut(`${name} does not take this`);
    const own = runOf(name, args.map(staticType));
    return own(values, { uuid: () => '', random: () => '' }) as Json;
  };
  // What these give holds items, of which no more than the key would be left.
  if (keepingItems.includes(name) && given.some(holdsReference)) return hole();
  if (given.every(isKnown)) return run(...given);
  const [, ...others] = given;
  if (!isHole(of) || of.between === null || !others.every(isKnown) || !keepsOrder(name, of.between, others))
    return hanging(...given);
  const [least, most] = of.between.map((one) => run(one, ...others)) as [Json, Json];
  return equal(least, most) ? least : hole({ between: [least, most] });
}

const keepingItems: readonly FunctionName[] = ['merge', 'object', 'pick', 'omit', 'type'];

function holdsReference(value: Partly): boolean {
  if (isReference(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsReference);
}

/** Whether what comes of two values is in their order, or the same. */
function keepsOrder(name: FunctionName, between: readonly Partly[], others: readonly Partly[]): boolean {
  // The texts of times are in the order of the times; those of numbers and of durations are in none.
  if (name === 'string') return between.every((one) => instant(one) !== one);
  return name === 'timestamp' || name === 'int' || (name === 'substring' && others[0] === 0);
}

/** What a function that makes something new can give (language §G.4, F.1). */
function made(name: FunctionName, argument: Partly): RegExp {
  if (name === 'sequence') return /^[1-9]\d*$/;
  // The text itself or, where that is taken, with a suffix; of a text that is not known, any.
  if (name === 'unique') return typeof argument === 'string' ? suffixed(argument) : /^[\s\S]+$/;
  if (name === 'issue') return /^[\s\S]+$/;
  if (name === 'random') return new RegExp(`^[A-Za-z0-9]{${Number(argument)}}$`);
  return argument === 7
    ? /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
    : /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
}

function suffixed(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(-[^]+)?$`);
}

type Macro = (list: readonly Partly[], results: readonly Partly[]) => Partly;

const macros: Readonly<Record<'map' | 'filter' | 'exists' | 'all' | 'group', Macro>> = {
  // Groups of items are not foreseen.
  group: () => hole(),
  map: (_list, results) => results.map(orNull),
  filter: (list, results) =>
    results.some((one) => truthOf(one) === null)
      ? hanging(...results)
      : list.filter((_, index) => results[index] === true),
  exists: (_list, results) => decided(results, true),
  all: (_list, results) => decided(results, false),
};

/** Kleene's `||` (one that is true decides) and `&&` (one that is false does). */
function decided(values: readonly Partly[], decides: boolean): Partly {
  const truths = values.map(truthOf);
  if (truths.includes(decides)) return decides;
  return truths.includes(null) ? hanging(...values) : !decides;
}

function operator(op: string, one: Partly, other: Partly): Partly {
  const left = comparedAs(one, other);
  const right = comparedAs(other, one);
  if (isPlain(left) && isPlain(right)) return ofValues(op, left, right);
  if (isItem(left) || isItem(right)) return ofItems(op, left, right);
  if (op === '+' && isTextual(left) && isTextual(right) && !(isHole(left) && isHole(right)))
    return concat([left, right]);
  if (isMade(left, right)) return op === '!=' ? true : op === '==' ? false : hanging(left, right);
  if (!isKnown(left) || !isKnown(right)) return ofBounds(op, operator, left, right) ?? hanging(left, right);
  return ofValues(op, toJson(left), toJson(right));
}

function ofValues(op: string, a: Json, b: Json): Json {
  const comparable = a !== null && typeof a === typeof b;
  switch (op) {
    case '==':
      return equal(a, b);
    case '!=':
      return !equal(a, b);
    case '<':
      return comparable && order(a, b) < 0;
    case '<=':
      return comparable && order(a, b) <= 0;
    case '>':
      return comparable && order(a, b) > 0;
    case '>=':
      return comparable && order(a, b) >= 0;
    case 'in':
      if (Array.isArray(b)) return b.some((one) => equal(one, a));
      return typeof b === 'object' && b !== null && Object.hasOwn(b, String(a));
    default:
      if (op === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
      if (op === '+' && Array.isArray(a) && Array.isArray(b)) return [...a, ...b] as Json;
      return arithmetic(op, a, b);
  }
}

/** Whether two items are one, as far as what is known of them tells (language §G.3). */
function ofItems(op: string, left: Partly, right: Partly): Partly {
  if (op !== '==' && op !== '!=') return hanging(left, right);
  const isSame = sameItem(left, right);
  return isSame === null ? hanging(left, right) : isSame === (op === '==');
}

function sameItem(left: Partly, right: Partly): boolean | null {
  if (left === right) return true;
  if (!isItem(left) || !isItem(right)) {
    const other = isItem(left) ? right : left;
    return other === null || isAbsent(other) ? false : null;
  }
  if (left.resource !== right.resource) return false;
  const [one, other] = [holderOf(left), holderOf(right)];
  if (one && other) return one === other;
  const keys = (stated(left.resource.identifier) ?? []).map(({ text }) => text);
  const both = (name: string): boolean => left.known.has(name) && right.known.has(name);
  if (keys.every(both)) return keys.every((name) => equal(left.known.get(name), right.known.get(name)));
  // What is unique tells them apart.
  const unique = [...left.resource.fields.values()]
    .filter(({ unique: said }) => stated(said))
    .map(({ name }) => name);
  const told = unique.filter(both);
  return told.length > 0 ? told.every((name) => equal(left.known.get(name), right.known.get(name))) : null;
}

/** Whether one is what the service makes, whatever it is, and the other is nothing: no such value is null. */
function isMade(left: Partly, right: Partly): boolean {
  const [made, other] = isHole(left) || isMixed(left) ? [left, right] : [right, left];
  const isValue = isMixed(made) || (isHole(made) && made.picks instanceof RegExp);
  return isValue && (other === null || isAbsent(other));
}

/** Times are instants, and durations as long as they are, however they are written (language §G.6). */
function ofTimes(op: string, form: Form, left: Partly, right: Partly): Partly {
  if (!isKnown(left) || !isKnown(right)) {
    const told = ofBounds(op, (name, one, other) => ofTimes(name, form, one, other), left, right);
    if (told !== undefined) return told;
    // That a time which is made is not null can be told, whatever time it is.
    const isMadeAndNull = (op === '==' || op === '!=') && isMade(left, right);
    return isMadeAndNull ? op === '!=' : hanging(left, right);
  }
  const [a, b] = [toJson(left), toJson(right)];
  if (op === '+') return addTimes(a, b);
  if (op === '-') return subtractTimes(a, b);
  const formed = (value: Json): Json =>
    Array.isArray(value) ? value.map(formed) : ((form(value) ?? null) as Json);
  return operator(op, formed(a), formed(b));
}

/** What comes of an operator on values that are known to lie between two others; undefined where that does not tell. */
function ofBounds(op: string, as: typeof operator, left: Partly, right: Partly): Partly | undefined {
  const [a, b] = [boundsOf(left), boundsOf(right)];
  if (a === null || b === null) return undefined;
  switch (op) {
    case '+':
      return hole({ between: [as(op, a[0], b[0]), as(op, a[1], b[1])] });
    case '-':
      return hole({ between: [as(op, a[0], b[1]), as(op, a[1], b[0])] });
    case '==':
    case '!=':
      return as('<', a[1], b[0]) === true || as('<', b[1], a[0]) === true ? op === '!=' : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const [least, most] = [as(op, a[1], b[0]), as(op, a[0], b[1])];
      return least === most ? least : undefined;
    }
    default:
      return undefined;
  }
}

/** What a value lies between: both are itself where it is known. */
function boundsOf(value: Partly): readonly [Partly, Partly] | null {
  if (isHole(value)) return value.between;
  return isKnown(value) ? [value, value] : null;
}

/** The form in which the values of an operator compare. */
const formAt = once((syntax: Syntax) => formOf(children(syntax).map(staticType)));

/** A reference is compared, with another, with an item or with a value, by its key (language §G.3). */
function comparedAs(value: Partly, other: Partly): Partly {
  if (isPlain(value)) return value;
  if (isReference(value)) return value.key;
  return isItem(value) && isReference(other) ? (value.known.get(other.field) ?? hole()) : value;
}

/** Text, or what the type checker found to be added to text: a hole beside a text is one. */
function isTextual(value: Partly): boolean {
  return typeof value === 'string' || isMixed(value) || isHole(value);
}

function arithmetic(op: string, a: Json, b: Json): Json {
  if (typeof a !== 'number' || typeof b !== 'number') throw new CannotWorkOut(`${op} wants numbers`);
  const results: Readonly<Record<string, number>> = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': a / b,
    '%': a % b,
  };
  const result = results[op] as number;
  const whole = op !== '/' && Number.isInteger(a) && Number.isInteger(b);
  if (!Number.isFinite(result) || (whole && !Number.isSafeInteger(result)))
    throw new CannotWorkOut('the result is past the bounds of numbers');
  return result;
}

function truthOf(value: Partly): boolean | null {
  return isHole(value) || isMixed(value) ? null : value === true;
}
