import { ofBytes } from '../../expression/bytes.ts';
import { isWholeDivision, staticType } from '../../expression/check.ts';
import { children, type Macro, macroOf, path, readPath, type Syntax } from '../../expression/expression.ts';
import type { Type } from '../../expression/type.ts';
import { once } from '../../source/once.ts';
import { type Arithmetic, arithmetic, negated } from './arithmetic.ts';
import { among, equal, type Form, isSame, ordered } from './compare.ts';
import { call } from './functions.ts';
import { attempt, both, either, every, not, some, type Truth, truthOf } from './truth.ts';
import {
  Collection,
  Item,
  isKnown,
  isList,
  isObject,
  NotComputable,
  Stretch,
  seen,
  Unknown,
  unknown,
  type Value,
} from './value.ts';

/** What an expression reads besides its names. */
export interface World {
  /** The value of a member of an item; null if there is none. */
  readonly member: (item: Item, name: string) => Value;
  readonly has: (item: Item, name: string) => Truth;
  /** What is known of a member of an item of which nothing else is known. */
  readonly memberOfAny: (resource: string, name: string) => Value;
  /** All items of a resource; undefined if the name is no resource's. */
  readonly items: (resource: string) => Value | undefined;
  /**
   * The items of a resource of which a field refers to an item, and all of which that is not known; undefined: it has to be
   * asked of each. Default: it has
   */
  readonly referring?: (resource: string, field: string, to: Item) => Value | undefined;
  /** An item as the resource or view of this name shows it; undefined if the name is of none. */
  readonly show: (name: string, item: Value) => Value | undefined;
  /** What a function makes (`uuid()`, `sequence(…)`); undefined if the name is of no such function. */
  readonly make: (name: string, args: readonly Value[]) => Value | undefined;
  /** The item that a key in a request refers to. */
  readonly follow: (resource: string, by: string | null | undefined, key: Value) => Value;
  /** Hears how a node of an expression comes out. Default: nobody does. */
  readonly decides?: (by: object, outcome: string, operands?: readonly [Value, Value]) => void;
}

/** What the names of an expression stand for (language §G.2). */
export interface Scope {
  readonly names: Readonly<Record<string, Value>>;
  /** The names that stand for something where `names` has none of them. */
  readonly outer?: Scope;
  readonly world: World;
}

/** A member that is left out of its object: what `absent()` comes to (language §G.4). */
export const absent = Symbol('absent');

/**
 * The value of an expression, as far as it is known (language §G).
 *
 * @throws NotComputable if it surely cannot be computed
 */
export function evaluate(node: Syntax, scope: Scope): Value {
  const of = (child: Syntax): Value => evaluate(child, scope);
  switch (node.op) {
    case 'value':
      return literal(node.args);
    case 'id':
      return name(node.args, scope);
    case '.':
    case '.?':
      return memberRead(node.args[0], memberNamed(node), scope);
    case '[]':
    case '[?]':
      return indexed(node.args[0], of(node.args[1]), scope);
    case 'list':
      return computed(node.args.map(of));
    case 'map':
      return objectOf(node.args, scope);
    case '!_':
      return not(truthOf(of(node.args)));
    case '-_':
      return negated(of(node.args));
    case '&&':
      return both(test(node.args[0], scope), () => test(node.args[1], scope));
    case '||':
      return either(test(node.args[0], scope), () => test(node.args[1], scope));
    case '?:':
      return chosen(
        test(node.args[0], scope),
        () => of(node.args[1]),
        () => of(node.args[2]),
      );
    case 'call':
    case 'rcall': {
      const call = callIn(node);
      return 'macro' in call ? overElements(call, scope) : called(call, scope);
    }
    default:
      return operated(node, scope);
  }
}

/** The truth of an operand of `&&`, `||` and `?:`. */
function test(node: Syntax, scope: Scope): Truth {
  const truth = truthOf(evaluate(node, scope));
  if (typeof truth === 'boolean') scope.world.decides?.(node, String(truth));
  return truth;
}

function literal(value: unknown): Value {
  if (typeof value !== 'bigint') return value as Value;
  if (!Number.isSafeInteger(Number(value))) throw new NotComputable('this integer is past its bounds');
  return Number(value);
}

function name(text: string, scope: Scope): Value {
  for (let within: Scope | undefined = scope; within; within = within.outer)
    if (Object.hasOwn(within.names, text)) return within.names[text] as Value;
  return scope.world.items(text) ?? null;
}

/** The value of an operand whose members are read: a reference in a request is followed to its item (language §G.3). */
function followed(node: Syntax, scope: Scope): Value {
  const value = evaluate(node, scope);
  const brought = broughtBy(node);
  if (brought === null || value === null || value instanceof Item) return value;
  return scope.world.follow(brought.resource, brought.by, value);
}

/** What a member of a request refers to, by its type; null: it is no reference, or of no request. */
const broughtBy = once((node: Syntax): Extract<Type, { kind: 'item' }> | null => {
  const type = staticType(node);
  return type.kind === 'item' && path(node)?.[0] === 'request' ? type : null;
});

function memberRead(over: Syntax, name: string, scope: Scope): Value {
  const value = followed(over, scope);
  if (!(value instanceof Unknown)) return member(value, name, scope.world);
  const type = staticType(over);
  if (type.kind === 'item') return unknown([value, scope.world.memberOfAny(type.resource, name)]);
  // It may be an item, and a derived member of an item may not be computable.
  return unknown([value], type.kind === 'any');
}

function member(value: Value, name: string, world: World): Value {
  const over = seen(value);
  if (over instanceof Item) return world.member(over, name);
  if (over instanceof Unknown) return unknown([over]);
  return isObject(over) && Object.hasOwn(over, name) ? (over[name] as Value) : null;
}

/** The member that `.name` or `['name']` reads. Names of header fields match in any case. */
const memberNamed = once((node: Syntax & { readonly op: '.' | '.?' | '[]' }): string => {
  const chain = readPath(node);
  if (chain?.length === 3 && chain[1] === 'headers') return chain[2] as string;
  return node.op === '[]' ? String((node.args[1] as { args: unknown }).args) : node.args[1];
});

function indexed(over: Syntax, by: Value, scope: Scope): Value {
  const value = seen(followed(over, scope));
  const index = seen(by);
  if (value instanceof Unknown || index instanceof Unknown) return unknown([value, index]);
  if (typeof index === 'string') {
    const isHeader = path(over)?.join('.') === 'request.headers';
    return memberRead(over, isHeader ? index.toLowerCase() : index, scope);
  }
  if (isList(value)) return typeof index === 'number' ? (value[index] ?? null) : unknownIf(index);
  if (value instanceof Collection && value.closed && value.ordered && typeof index === 'number')
    return value.items[index] ?? null;
  return value instanceof Collection || value instanceof Stretch ? unknown([value]) : null;
}

/** Null, unless the index is a number of which only something is known. */
function unknownIf(index: Value): Value {
  return typeof index === 'object' && index !== null && !isList(index) && !isObject(index)
    ? unknown([index])
    : null;
}

/** A list or an object cannot be computed if something in it cannot. */
function computed(list: readonly Value[]): readonly Value[] | Unknown {
  return list.some((value) => value instanceof Unknown && value.mayFail) ? unknown(list) : list;
}

function objectOf(members: readonly (readonly [Syntax, Syntax])[], scope: Scope): Value {
  const found: [string, Value][] = [];
  for (const [key, value] of members) {
    const name = seen(evaluate(key, scope));
    if (name instanceof Unknown) return unknown([name], true);
    if (typeof name !== 'string') throw new NotComputable('the name of a member is a text');
    const shown = memberOf(value, scope);
    if (shown === undefined) return unknown([], true);
    if (shown !== absent) found.push([name, shown]);
  }
  const failing = computed(found.map(([, value]) => value));
  return failing instanceof Unknown ? failing : Object.fromEntries(found);
}

/** What a member of an object holds; `absent`; or undefined if it is unknown which of the two. */
export function memberOf(node: Syntax, scope: Scope): Value | typeof absent | undefined {
  if (node.op === 'call' && node.args[0] === 'absent') return absent;
  if (node.op !== '?:') return evaluate(node, scope);
  const test = truthOf(evaluate(node.args[0], scope));
  if (!(test instanceof Unknown)) return memberOf(node.args[test ? 1 : 2], scope);
  const yes = memberOf(node.args[1], scope);
  const no = memberOf(node.args[2], scope);
  if (yes === absent || no === absent || yes === undefined || no === undefined) return undefined;
  return chosen(
    test,
    () => yes,
    () => no,
  );
}

function chosen(test: Truth, yes: () => Value, no: () => Value): Value {
  if (!(test instanceof Unknown)) return test ? yes() : no();
  const [one, other] = [attempt(yes), attempt(no)];
  return !test.mayFail && isSame(one, other) ? one : unknown([test, one, other]);
}

const operationIn = once((node: Syntax): { readonly operands: readonly Syntax[]; readonly form: Form } => {
  const operands = children(node);
  return { operands, form: formOf(operands.map(staticType)) };
});

/** An operand that may not be computable leaves the result so, whatever the other operand is. */
function operated(node: Syntax, scope: Scope): Value {
  const { operands, form } = operationIn(node);
  const values = operands.map((operand) => evaluate(operand, scope)) as [Value, Value];
  const result = operatorOn(node, values, form);
  if (typeof result === 'boolean') scope.world.decides?.(node, `${result}${distance(values, form)}`, values);
  const mayFail = values.some((value) => value instanceof Unknown && value.mayFail);
  return mayFail ? unknown([result, ...values]) : result;
}

/** How far apart two numbers are: equal, one apart, or further; whether two times are equal. Of other values nothing is said. */
function distance([a, b]: readonly [Value, Value], form: Form): string {
  const [one, other] = [seen(a), seen(b)];
  if (form === 'time') return equal(a, b, form) === true ? ' 0' : '';
  if (typeof one !== 'number' || typeof other !== 'number') return '';
  return ` ${Math.sign(one - other) * Math.min(Math.ceil(Math.abs(one - other)), 2)}`;
}

function operatorOn(node: Syntax, [a, b]: readonly [Value, Value], form: Form): Value {
  switch (node.op) {
    case '==':
      return equal(a, b, form);
    case '!=':
      return not(equal(a, b, form));
    case 'in':
      return among(a, b, form);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ordered(a, node.op, b, form);
    default:
      return arithmetic(node.op as Arithmetic, a, b, {
        times: form !== 'plain',
        wholeDivision: isWholeDivision(node),
      });
  }
}

/** How values of these types compare: one that is a time makes all of them times. */
function formOf(types: readonly Type[]): Form {
  const kinds = types.map(elementary);
  if (kinds.includes('timestamp')) return 'time';
  return kinds.includes('duration') ? 'duration' : 'plain';
}

function elementary(type: Type): Type['kind'] {
  return type.kind === 'list' ? elementary(type.of) : type.kind;
}

/** A function and its arguments. */
interface Call {
  readonly name: string;
  readonly args: readonly Syntax[];
  readonly form: Form;
  /** Whether it takes bytes: of null bytes it gives null (language §H.1, rule 12). */
  readonly takesBytes: boolean;
  /** Whether it may be `R(x)`. */
  readonly mayShow: boolean;
}

const callIn = once((node: Syntax & { readonly op: 'call' | 'rcall' }): Call | Macro => {
  const macro = macroOf(node);
  if (macro) return macro;
  const name = node.args[0];
  const args = children(node);
  const types = args.map(staticType);
  const takesBytes = types[0]?.kind === 'bytes' && ofBytes.includes(name);
  const mayShow = args.length === 1 && /^[A-Z]/.test(name);
  return { name, args, form: formOf(types), takesBytes, mayShow };
});

function called({ name, args, form, takesBytes, mayShow }: Call, scope: Scope): Value {
  const { world } = scope;
  const [first] = args;
  if (name === 'has' && first && (first.op === '.' || first.op === '[]')) return has(first, scope);
  if (first && mayShow) {
    const shown = shownBy(name, first, scope);
    if (shown !== undefined) return shown;
  }
  const given = args.map((one) => evaluate(one, scope));
  if (given[0] === null && takesBytes) return null;
  return world.make(name, given) ?? call(name, given, form);
}

function has(node: Syntax & { readonly op: '.' | '[]' }, scope: Scope): Truth {
  const over = seen(followed(node.args[0], scope));
  const name = memberNamed(node);
  if (over instanceof Item) return scope.world.has(over, name);
  if (over instanceof Unknown) return unknown([over]);
  return isObject(over) && Object.hasOwn(over, name);
}

/** `R(x)`: of a list, each of its items; of null, null (language §G.4). Undefined if R shows nothing. */
function shownBy(name: string, argument: Syntax, scope: Scope): Value | undefined {
  const value = seen(followed(argument, scope));
  if (value === null) return null;
  if (isList(value)) return value.map((item) => scope.world.show(name, item) ?? null);
  const of = (item: Value): Value => scope.world.show(name, item) ?? null;
  if (value instanceof Stretch) return stretched(value, of);
  if (!(value instanceof Collection)) return scope.world.show(name, value);
  return listOf(value, value.items.map(of), othersOf(value, of));
}

/** What a macro goes through. Where its condition first asks what an element refers to, the others need no look. */
function elementsOf({ macro, over, name, bodies: [body] }: Macro, scope: Scope): Value {
  const asked = macro === 'exists' || macro === 'filter' ? askedFirst(body as Syntax, name) : null;
  if (asked && over.op === 'id' && scope.world.referring) {
    const to = attempt(() => evaluate(asked.to, scope));
    const found = to instanceof Item ? scope.world.referring(over.args, asked.field, to) : undefined;
    if (found) return found;
  }
  return seen(evaluate(over, scope));
}

/** The reference of an element that a condition asks for first, as in `m.room == room && …`; null: it asks for something else. */
const askedFirst = once((body: Syntax, name: string): { field: string; to: Syntax } | null => {
  if (body.op === '&&') return askedFirst(body.args[0], name);
  if (body.op !== '==') return null;
  const [left, right] = body.args;
  for (const [read, to] of [
    [left, right],
    [right, left],
  ] as const)
    if (read.op === '.' && read.args[0].op === 'id' && read.args[0].args === name && !reads(to, name))
      return { field: memberNamed(read), to };
  return null;
});

function reads(node: Syntax, name: string): boolean {
  return (node.op === 'id' && node.args === name) || children(node).some((child) => reads(child, name));
}

function overElements(macro: Macro, scope: Scope): Value {
  const value = elementsOf(macro, scope);
  return value instanceof Unknown ? unknown([value], true) : ofElements(macro, value, scope);
}

function ofElements({ macro, name, bodies: [body] }: Macro, value: Value, scope: Scope): Value {
  const list = listFrom(value);
  if (list === null) throw new NotComputable(`${macro} takes a list`);
  const of = (item: Value): Value =>
    evaluate(body as Syntax, { names: { [name]: item }, outer: scope, world: scope.world });
  const holds = (item: Value): Truth => truthOf(of(item));
  if (macro === 'map' && value instanceof Stretch) return stretched(value, of);
  switch (macro) {
    case 'exists':
      return amongAll(list, () => some(list.items, holds), holds, true);
    case 'all':
      return amongAll(list, () => every(list.items, holds), holds, false);
    case 'map':
      return listOf(list, list.items.map(of), othersOf(list, of));
    case 'filter':
      return filtered(list, holds, body as Syntax, scope);
    case 'group':
      return grouped(list, of, formOf([staticType(body as Syntax)]));
  }
}

function listFrom(value: Value): Collection | null {
  if (isList(value)) return new Collection(value, { rest: undefined, ordered: true });
  if (value instanceof Stretch) return value.known;
  return value instanceof Collection ? value : null;
}

/** The elements of a page, each made something else of. */
function stretched({ items, rest, window }: Stretch, of: (item: Value) => Value): Value {
  const made = items.map((item) => attempt(() => of(item)));
  const others = rest === undefined ? undefined : attempt(() => of(rest));
  const all = computed(others === undefined ? made : [...made, others]);
  return all instanceof Unknown ? all : new Stretch(made, others, window);
}

/** Other elements may decide before a known one, or after it, or may not be computable. */
function amongAll(
  list: Collection,
  known: () => Truth,
  holds: (item: Value) => Truth,
  decides: boolean,
): Truth {
  const { rest } = list;
  const others = rest === undefined ? !decides : attempt(() => holds(rest));
  if (others === !decides) return known();
  const found = attempt(known);
  const isDecided = found === decides && !(others instanceof Unknown && others.mayFail);
  return isDecided ? found : unknown([found, others]);
}

function filtered(list: Collection, holds: (item: Value) => Truth, by: Syntax, scope: Scope): Value {
  const judged = list.items.map((item) => [item, holds(item)] as const);
  const rest = list.rest === undefined ? false : attempt(() => holds(list.rest as Value));
  const undecided = [...judged.map(([, truth]) => truth).filter((truth) => truth instanceof Unknown)];
  if (undecided.length > 0 || (rest instanceof Unknown && rest.mayFail)) return unknown([...undecided, rest]);
  const found = judged.filter(([, truth]) => truth === true).map(([item]) => item);
  scope.world.decides?.(by, `${Math.min(found.length, 2)} of ${Math.min(judged.length, 3)}`);
  return listOf(list, found, rest === false ? undefined : list.rest);
}

/** The elements of each key, by ascending key; null comes first (language §4.5). */
function grouped(list: Collection, keyOf: (item: Value) => Value, form: Form): Value {
  const keyed = list.items.map((item) => [keyOf(item), item] as const);
  if (!list.closed || !list.ordered || !keyed.every(([key]) => isKnown(key)))
    return unknown(
      keyed.map(([key]) => key),
      true,
    );
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  for (const [key, item] of keyed) {
    const group = groups.find((one) => equal(one.key, key, form) === true);
    if (group) group.items.push(item);
    else groups.push({ key, items: [item] });
  }
  const rank = (key: Value): number => (key === null ? 0 : 1);
  const order = (a: Value, b: Value): number =>
    ordered(a, '<', b, form) === true ? -1 : ordered(a, '>', b, form) === true ? 1 : 0;
  return groups
    .sort((a, b) => rank(a.key) - rank(b.key) || order(a.key, b.key))
    .map(({ key, items }) => ({ key, items }));
}

/** What comes of the elements that are not known. There may be none of them, so nothing is sure to fail. */
function othersOf({ rest }: Collection, of: (item: Value) => Value): Value | undefined {
  return rest === undefined ? undefined : attempt(() => of(rest));
}

/** A list of other elements in the order of this one. It cannot be computed if one of them cannot. */
function listOf({ ordered }: Collection, items: readonly Value[], rest: Value | undefined): Value {
  const all = computed(rest === undefined ? items : [...items, rest]);
  if (all instanceof Unknown) return all;
  return rest === undefined && ordered ? items : new Collection(items, { rest, ordered });
}
