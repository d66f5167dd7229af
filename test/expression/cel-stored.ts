import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import { children, macroOf, pathsRead, type Syntax } from '../../src/expression/expression.ts';
import { type Type, textType } from '../../src/expression/type.ts';
import { makers } from './answers.ts';
import { type Case, type Rewrite, rewritten, scopeOf } from './cel.ts';
import { type RowCase, rowCase } from './row.ts';
import { parse } from './scope.ts';

/** A case whose values are fields of a row; undefined where no store works it out, or it reads nothing of the row. */
export function storedCase(of: Case): RowCase | undefined {
  const { syntax } = parse(of.text);
  const types = new Map<string, Type>();
  const note: Record<string, unknown> = {};
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
  const found = rowCase(text, types, note);
  return types.size === 0 || typeof found === 'string' ? undefined : found;
}

function boundBy(syntax: Syntax): string[] {
  const macro = macroOf(syntax);
  return [...(macro ? [macro.name] : []), ...children(syntax).flatMap(boundBy)];
}
