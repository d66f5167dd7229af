import { Bytes } from '../../expression/bytes.ts';
import { staticType } from '../../expression/check.ts';
import {
  type Brings,
  broughtTo,
  compile,
  compileItem,
  compileMember,
  compileTemplate,
  type Environment,
  type Follow,
  type Frame,
  type Run,
  type Sets,
} from '../../expression/compile.ts';
import { type Expression, path, readPath, type Syntax } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import type { Template } from '../../expression/template.ts';
import { isItem } from '../../expression/values.ts';
import { forEach } from '../store/reads.ts';

/** Writes a value as JSON text; undefined: the member is left out (language §G.3). */
export type Render = (frame: Frame) => string | undefined;

/** What payloads are written with: how `R(x)` writes one item as JSON text, and how sets of items are read. */
export interface Writers {
  (name: string): ((item: unknown, frame: Frame) => string) | undefined;
  readonly sets?: Sets;
  readonly follow?: Follow;
  readonly brings?: Brings;
}

/** Stands for a list that is sent piece by piece, until its place in the text is found. */
export const pieces: unique symbol = Symbol('a list, sent piece by piece');

/** Stands on either side of what such a list is shown by, at its place in a text: no JSON text holds U+0000 as it is. */
export const piecesMark = '\u0000';

/** Items that a store has put together as JSON text, for those who only show them. */
export class Written {
  readonly text: string;

  /** @param items with commas between them */
  constructor(items: string) {
    this.text = `[${items}]`;
  }
}

/** Compiles a payload to a function that writes JSON text, without making the values in between. */
export function compileRender(template: Template, writers: Writers): Render {
  const environment = environmentOf(writers);
  switch (template.kind) {
    case 'literal': {
      const text = JSON.stringify(template.value);
      return () => text;
    }
    case 'marker':
      return () => undefined;
    case 'handled':
    case 'text': {
      const run = compileTemplate(template, environment);
      return (frame) => JSON.stringify(run(frame));
    }
    case 'expression':
      return renderExpression(
        template.expression,
        compileMember(template.expression, environment),
        writers,
        environment,
      );
    case 'list': {
      const items = template.items.map((item) => compileRender(item, writers));
      return (frame) => `[${items.map((item) => item(frame) ?? 'null').join(',')}]`;
    }
    case 'object': {
      const members = [...template.members].map(
        ([name, item]) => [JSON.stringify(name), compileRender(item, writers)] as const,
      );
      return (frame) => {
        const written: string[] = [];
        for (const [name, item] of members) {
          const text = item(frame);
          if (text !== undefined) written.push(`${name}:${text}`);
        }
        return `{${written.join(',')}}`;
      };
    }
  }
}

function renderExpression(
  expression: Expression,
  run: Run,
  writers: Writers,
  environment: Environment,
): Render {
  const { syntax } = expression;
  if (syntax.op === 'call') {
    const [name, [argument]] = syntax.args;
    const write = writers(name);
    if (write && argument) {
      const of = compileItem({ ...expression, syntax: argument }, environment);
      return (frame) => {
        const value = of(frame);
        if (value instanceof Written) return value.text;
        if (value === pieces) return `${piecesMark}${name}${piecesMark}`;
        if (!Array.isArray(value)) return value === null ? 'null' : write(value, frame);
        // One frame does for all of them: nothing of it is kept once an item is written.
        const names: Record<string, unknown> = { ...frame.names };
        const inner: Frame = { ...frame, names };
        let written = '[';
        forEach(frame.reads, value, (item) => {
          names['this'] = item;
          if (written !== '[') written += ',';
          written += item === null ? 'null' : write(item, inner);
        });
        return `${written}]`;
      };
    }
  }
  const chain = readPath(syntax);
  if (chain === undefined) return renderJoined(expression, run, environment) ?? ((frame) => text(run(frame)));
  const brought = broughtIn(syntax, environment);
  if (brought !== undefined) return renderBrought(expression, brought, run, environment);
  const [root = '', member, further] = chain;
  return (frame) => {
    const of = frame.names[root];
    const kept = member !== undefined && further === undefined && isItem(of) ? of.text?.(member) : undefined;
    return kept ?? (isThere(frame.names, chain) ? text(run(frame)) : undefined);
  };
}

/** The reference of a request that a chain of members follows; undefined: it follows none. */
function broughtIn(syntax: Syntax, environment: Environment): Syntax | undefined {
  if (syntax.op !== '.' && syntax.op !== '[]') return undefined;
  const [over] = syntax.args;
  return broughtIn(over, environment) ?? (broughtTo(over, environment) ? over : undefined);
}

/** Writes a member of an item that a request refers to. */
function renderBrought(expression: Expression, brought: Syntax, run: Run, environment: Environment): Render {
  const of = compileItem({ ...expression, syntax: brought }, environment);
  const members = (path(expression.syntax) ?? []).slice(path(brought)?.length);
  return (frame) => (isThere({ of: of(frame) }, ['of', ...members]) ? text(run(frame)) : undefined);
}

/** Writes a text that is made of others with `+` part by part; undefined where it is none. */
function renderJoined(expression: Expression, run: Run, environment: Environment): Render | undefined {
  const parts = joined(expression.syntax).map((part) =>
    escaping(compile({ ...expression, syntax: part }, environment)),
  );
  if (parts.length < 2) return undefined;
  return (frame) => {
    let written = '"';
    for (const part of parts) {
      const piece = part(frame);
      if (piece === undefined) return text(run(frame));
      written += piece;
    }
    return `${written}"`;
  };
}

/** The texts that an expression puts together. */
export function joined(syntax: Syntax): readonly Syntax[] {
  const isJoin = syntax.op === '+' && syntax.args.every((one) => staticType(one).kind === 'text');
  return isJoin ? syntax.args.flatMap(joined) : [syntax];
}

/** Texts that stand within JSON as they are. */
const plain = /^[ !#-[\]-~]*$/;

/** A text as it stands within JSON; undefined where it is none. One that comes again and again is escaped once. */
function escaping(run: Run): Render {
  let [last, escaped] = ['', ''];
  return (frame) => {
    const value = run(frame);
    if (typeof value !== 'string') return undefined;
    if (value !== last)
      [last, escaped] = [value, plain.test(value) ? value : JSON.stringify(value).slice(1, -1)];
    return escaped;
  };
}

/** Whether each member on a chain is there, null or not; a chain that ends early is not. */
function isThere(names: Readonly<Record<string, unknown>>, chain: readonly string[]): boolean {
  let here: unknown = names;
  for (const name of chain) {
    if (typeof here !== 'object' || here === null) return false;
    const item = here as { has?: (name: string) => boolean; member?: (name: string) => unknown };
    if (typeof item.member === 'function' && typeof item.has === 'function') {
      if (!item.has(name)) return false;
      here = item.member(name);
    } else {
      if (!Object.hasOwn(here, name)) return false;
      here = (here as Record<string, unknown>)[name];
    }
  }
  return true;
}

function text(value: unknown): string | undefined {
  if (value === pieces) throw new CannotWorkOut('this list is too long to be worked with');
  if (value instanceof Bytes) throw new CannotWorkOut('these are bytes, which JSON does not hold');
  return JSON.stringify(value);
}

/** What expressions are compiled against that stand in a payload, or work out values of an item. */
export function environmentOf(writers: Writers): Environment {
  const { sets, follow, brings } = writers;
  return {
    show: (name) => {
      const write = writers(name);
      return write && ((item, frame) => JSON.parse(write(item, frame)) as unknown);
    },
    ...(sets && { sets }),
    ...(follow && { follow }),
    ...(brings && { brings }),
  };
}
