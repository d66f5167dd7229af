import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import { children, macroOf, pathsRead, type Syntax } from '../../src/expression/expression.ts';
import type { Model } from '../../src/expression/query-operand.ts';
import { storableFaults } from '../../src/expression/storable.ts';
import { type Type, textType } from '../../src/expression/type.ts';
import { makers, question } from './answers.ts';
import { type Case, type Rewrite, rewritten, scopeOf } from './cel.ts';
import { parse } from './scope.ts';
import { type Kept, tables } from './stored.ts';

/** A case whose values are fields of a row, so that a store works it out. */
export interface StoredCase {
  readonly text: string;
  readonly kept: Kept;
  readonly question: ReturnType<typeof question>;
}

/** Undefined where it is beyond what a store works out, or reads nothing of the row. */
export function storedCase(of: Case): StoredCase | undefined {
  const { syntax } = parse(of.text);
  const types = new Map<string, Type>();
  const note: Record<string, unknown> = { id: 1 };
  const keep = (type: Type, value: unknown): string => {
    const name = `v${types.size}`;
    types.set(name, type.kind === 'text' ? textType : type);
    note[name] = value;
    return `this.${name}`;
  };
  const scope = scopeOf(of);
  const typed = (node: Syntax): Type => typeOf(node, scope, () => undefined);
  const bound = boundBy(syntax);
  const rewrite: Rewrite = (node) => {
    const macro = macroOf(node);
    if (macro && pathsRead(macro.over).length === 0) {
      const { start, end } = macro.over;
      const over = of.text.slice(start, end);
      return (inner) => `${over}.${macro.macro}(${macro.name}, ${macro.bodies.map(inner).join(', ')})`;
    }
    const isName = node.op === 'id' && !bound.includes(node.args);
    const isValue = node.op === 'value' || (node.op === 'map' && pathsRead(node).length === 0);
    if (!isName && !isValue) return undefined;
    const run = compile({ text: '', syntax: node }, () => undefined);
    return () => keep(typed(node), run({ names: of.values, makers }));
  };
  typed(syntax);
  const text = rewritten(of.text, syntax, rewrite);
  return asked(text, types, { Author: [], Note: [note] });
}

function asked(text: string, types: ReadonlyMap<string, Type>, kept: Kept): StoredCase | undefined {
  const { syntax } = parse(text);
  const names = new Map<string, Type>([['this', { kind: 'item', resource: 'Note' }]]);
  const scope = { ...scopeOf({ names }), membersOf: () => types };
  const faults: string[] = [];
  typeOf(syntax, scope, ({ message }) => faults.push(message));
  if (faults.length > 0 || types.size === 0) return undefined;
  if (storableFaults(syntax, ['this'], () => false).length > 0) return undefined;
  const model: Model = {
    table: (name) => (name === 'Note' ? tables.Note : undefined),
    field: (_, name) => ({ type: types.get(name) as Type, refers: null, derived: null }),
  };
  return { text, kept, question: question(model, syntax) };
}

function boundBy(syntax: Syntax): string[] {
  const macro = macroOf(syntax);
  return [...(macro ? [macro.name] : []), ...children(syntax).flatMap(boundBy)];
}
