import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { Scope } from '../../src/expression/check.ts';
import { children, isFault, parseExpression, type Syntax } from '../../src/expression/expression.ts';
import {
  any,
  bool,
  duration,
  integer,
  list,
  nullType,
  number,
  object,
  type Type,
  textType,
  timestamp,
} from '../../src/expression/type.ts';
import { scope } from './scope.ts';

/** CEL's conformance data (cel-spec), as far as its values have a form in this language. */

export interface Case {
  /** `basic / variables / self_eval_unbound_lookup`. */
  readonly name: string;
  readonly text: string;
  readonly names: ReadonlyMap<string, Type>;
  readonly values: Readonly<Record<string, unknown>>;
  /** `none`: it cannot be worked out, or is refused when it is read. `read`: it is only read. */
  readonly expected: unknown;
}

/** A case about what this language has not: bytes, unsigned integers, messages, enumerations, types. */
export interface Foreign {
  readonly name: string;
  readonly foreign: string;
}

type Json = Readonly<Record<string, unknown>>;

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: Json }[];
}

class NoForm extends Error {}

export function cases(): (Case | Foreign)[] {
  const visit = ({ suites = [], tests: own = [] }: Suite, path: readonly string[]): (Case | Foreign)[] => [
    ...own.map(({ original }) => caseOf(original, [...path, original['name']].join(' / '))),
    ...suites.flatMap((one) => visit(one, [...path, one.name])),
  ];
  return visit(tests as Suite, []);
}

function caseOf(of: Json, name: string): Case | Foreign {
  try {
    const bindings = Object.entries((of['bindings'] ?? {}) as Record<string, { value: Json }>);
    const declared = (of['typeEnv'] ?? []) as { name: string; ident?: { type: Json } }[];
    const typed = new Map<string, Type>(declared.map((one) => [one.name, typeOfName(one.ident)]));
    return {
      name,
      text: withoutDyn(of['expr'] as string),
      names: new Map([...bindings.map(([bound]) => [bound, any] as const), ...typed]),
      values: Object.fromEntries(bindings.map(([bound, one]) => [bound, valueFor(one.value)])),
      expected: expectedOf(of),
    };
  } catch (error) {
    if (error instanceof NoForm) return { name, foreign: error.message };
    throw error;
  }
}

/** Where nothing is said, it is to be true. */
function expectedOf(of: Json): unknown {
  const { result } = (of['typedResult'] ?? {}) as { result?: Json };
  const value = (of['value'] as Json | undefined) ?? result;
  if (value) return valueFor(value);
  return of['checkOnly'] ? 'read' : 'evalError' in of ? 'none' : true;
}

export function scopeOf({ names }: Pick<Case, 'names'>): Scope {
  return { ...scope, names, isResource: () => false, shows: new Set() };
}

function typeOfName(ident: { type: Json } | undefined): Type {
  if (ident === undefined) throw new NoForm('a function of its own');
  return typeFor(ident.type);
}

const primitives = new Map<unknown, Type>([
  ['INT64', integer],
  ['DOUBLE', number],
  ['STRING', textType],
  ['BOOL', bool],
  ['google.protobuf.Timestamp', timestamp],
  ['google.protobuf.Duration', duration],
  ['TIMESTAMP', timestamp],
  ['DURATION', duration],
]);

function typeFor(type: Json): Type {
  if ('null' in type) return nullType;
  if ('listType' in type) return list(typeFor((type['listType'] as { elemType: Json }).elemType));
  if ('mapType' in type) {
    const { keyType } = type['mapType'] as { keyType: Json };
    if (keyType['primitive'] === 'STRING') return object([], true);
  }
  const found = primitives.get(type['primitive'] ?? type['messageType'] ?? type['wellKnown']);
  if (found === undefined) throw new NoForm(JSON.stringify(type));
  return found;
}

/** Integers past what is exact have no form either (language §G.6). */
function valueFor(value: Json): unknown {
  const [[kind, of] = ['', null]] = Object.entries(value);
  const { entries = [], values = [] } = (of ?? {}) as {
    entries?: { key: Json; value: Json }[];
    values?: Json[];
  };
  switch (kind) {
    case 'int64Value':
    case 'doubleValue': {
      const found = Number(of);
      if (kind === 'int64Value' && !Number.isSafeInteger(found)) throw new NoForm('an integer past ±(2⁵³−1)');
      return found === 0 ? 0 : found;
    }
    case 'stringValue':
    case 'boolValue':
    case 'nullValue':
      return of;
    case 'listValue':
      return values.map(valueFor);
    case 'mapValue':
      return Object.fromEntries(entries.map(({ key, value: one }) => [keyOf(key), valueFor(one)]));
    default:
      throw new NoForm(kind === 'objectValue' ? String((of as Json)['@type']) : kind);
  }
}

function keyOf(key: Json): string {
  if (typeof key['stringValue'] === 'string') return key['stringValue'];
  throw new NoForm('a key that is no text');
}

/** `dyn(x)` is a value of a type that is not known; this language says that by a list of several types. */
function withoutDyn(text: string): string {
  const parsed = parseExpression(text);
  return isFault(parsed)
    ? text
    : rewritten(text, parsed.syntax, (node) => {
        const [of] = node.op === 'call' && node.args[0] === 'dyn' ? node.args[1] : [];
        return of && ((inner) => `[${inner(of)}, true, 0][0]`);
      });
}

/** How a node is written otherwise, given how those within it are; undefined: as it is. */
export type Rewrite = (node: Syntax) => ((inner: (node: Syntax) => string) => string) | undefined;

/** The text of an expression with some of its nodes written otherwise. */
export function rewritten(text: string, syntax: Syntax, rewrite: Rewrite): string {
  const write = (node: Syntax): string => {
    const own = rewrite(node);
    if (own) return own(write);
    let [found, at] = ['', node.start];
    for (const child of children(node).toSorted((a, b) => a.start - b.start)) {
      found += text.slice(at, child.start) + write(child);
      at = child.end;
    }
    return found + text.slice(at, node.end);
  };
  return text.slice(0, syntax.start) + write(syntax) + text.slice(syntax.end);
}
