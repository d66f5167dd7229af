import { children, path, type Syntax } from '../../expression/expression.ts';
import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { isItem, isKnown, type Partly, toJson } from '../partly.ts';
import { evaluate, type Names } from '../solve.ts';

/** Members with which an item may meet a condition. */
export type Meeting = ReadonlyMap<string, Json>;

/**
 * The ways in which members of `this` could make a condition true, found in its form: what they are compared with, and
 * what is looked for in them. Whether one does is for whoever asks to work out.
 *
 * @param names what else the condition reads; without `this`
 */
export function meetings(
  syntax: Syntax,
  resource: Resource,
  names: Names,
  isWanted = true,
): readonly Meeting[] {
  const sub = (one: Syntax, wanted = isWanted): readonly Meeting[] => meetings(one, resource, names, wanted);
  const own = memberOf(syntax);
  if (own !== null) return [new Map([[own, isWanted]])];
  switch (syntax.op) {
    case '!_':
      return sub(syntax.args, !isWanted);
    case '&&':
    case '||': {
      const [left, right] = [sub(syntax.args[0]), sub(syntax.args[1])];
      const isBoth = (syntax.op === '&&') === isWanted;
      return isBoth ? left.flatMap((one) => right.map((other) => together(one, other))) : [...left, ...right];
    }
    case '==':
    case '!=': {
      if ((syntax.op === '==') !== isWanted) return [new Map()];
      const [left, right] = children(syntax) as [Syntax, Syntax];
      return [compared(left, right), compared(right, left)].find((one) => one !== null) ?? [new Map()];
    }
    case 'in': {
      const [left, right] = children(syntax) as [Syntax, Syntax];
      const name = memberOf(right);
      const value = name === null || !isWanted ? null : worth(left);
      return value === null || name === null ? [new Map()] : [new Map<string, Json>([[name, [value]]])];
    }
    default:
      return [new Map()];
  }

  function compared(left: Syntax, right: Syntax): readonly Meeting[] | null {
    const name = memberOf(left);
    const value = name === null ? null : worth(right, name ?? undefined);
    return name === null || value === null ? null : [new Map([[name, value]])];
  }

  /** What is known of a value, an item by the key that a field refers by; null where that is not enough. */
  function worth(one: Syntax, field?: string): Json | null {
    const value: Partly = evaluate(one, names);
    if (isItem(value)) {
      const to = field === undefined ? undefined : stated(resource.fields.get(field)?.refers);
      return to?.field ? (value.known.get(to.field) ?? null) : null;
    }
    return isKnown(value) ? toJson(value) : null;
  }
}

/** The member of `this` that an expression is; null where it is none. */
function memberOf(syntax: Syntax): string | null {
  const [first, name, ...rest] = path(syntax) ?? [];
  return first === 'this' && name !== undefined && rest.length === 0 ? name : null;
}

/** Both: what is looked for in one list stands in it side by side. */
function together(one: Meeting, other: Meeting): Meeting {
  const found = new Map(one);
  for (const [name, value] of other) {
    const before = found.get(name);
    found.set(
      name,
      Array.isArray(before) && Array.isArray(value) ? [...new Set([...before, ...value])] : value,
    );
  }
  return found;
}
