import { path, type Syntax } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import { absent, evaluate, memberOf, type Scope } from './evaluate.ts';
import { written } from './functions.ts';
import { attempt } from './truth.ts';
import {
  Item,
  isObject,
  isPartial,
  Made,
  seen,
  Text,
  textOf,
  Unknown,
  unknown,
  type Value,
} from './value.ts';

/**
 * The value of a template (language §H.3). A member of an object is left out if it comes to `absent()`, if it is wholly an
 * expression that reads something which is not there (§G.3), or if a marker stands in its place.
 *
 * @throws NotComputable if it surely cannot be computed
 */
export function payload(template: Template, scope: Scope): Value {
  switch (template.kind) {
    case 'literal':
      return template.value as Value;
    case 'expression':
      return evaluate(template.expression.syntax, scope);
    case 'handled':
      return unknown([], true);
    case 'marker':
      return template.marker === 'none' ? null : new Unknown(new Set([template.address]));
    case 'text':
      return text(
        template.pieces.map((piece) =>
          typeof piece === 'string' ? piece : evaluate(piece.expression.syntax, scope),
        ),
      );
    case 'list':
      return template.items.map((item) => payload(item, scope));
    case 'object':
      return object(template.members, scope);
  }
}

function object(members: ReadonlyMap<string, Template>, scope: Scope): Value {
  const found: [string, Value][] = [];
  for (const [name, member] of members) {
    if (member.kind === 'marker' && member.marker === 'none') continue;
    const value =
      member.kind === 'expression' ? memberOf(member.expression.syntax, scope) : payload(member, scope);
    if (value === undefined) return unknown([], true);
    const isLeftOut =
      value === absent || (member.kind === 'expression' && isMissing(member.expression.syntax, value, scope));
    if (!isLeftOut) found.push([name, value as Value]);
  }
  return Object.fromEntries(found);
}

/** Whether an expression is a path that leads to nothing: a stored null is sent, a member that is not there is not. */
function isMissing(node: Syntax, value: Value | typeof absent, scope: Scope): boolean {
  if (value !== null || path(node) === undefined || node.op !== '.') return false;
  const over = attempt(() => evaluate(node.args[0], scope));
  if (over instanceof Item) return scope.world.has(over, node.args[1]) !== true;
  return !(isObject(over) && Object.hasOwn(over, node.args[1]));
}

/** Whether a member comes to `absent()`, or a marker stands in its place. */
export function isAbsent(member: Template, scope: Scope): boolean {
  return member.kind !== 'expression' || memberOf(member.expression.syntax, scope) === absent;
}

/** A text of which a piece is unknown is unknown, but a text. */
function text(pieces: readonly Value[]): Value {
  const texts = pieces.map(pieceOf);
  const open = texts.filter((piece) => piece instanceof Unknown);
  return open.length > 0 ? unknown(open) : textOf((texts as Exclude<Piece, Unknown>[]).flat());
}

type Piece = string | Made | readonly (string | Made)[] | Unknown;

function pieceOf(value: Value): Piece {
  const piece = seen(value);
  if (piece instanceof Item && piece.by !== null) return pieceOf(piece.key);
  if (piece instanceof Text) return piece.pieces;
  if (piece instanceof Made) return piece;
  return isPartial(piece) ? unknown([piece], true) : written(piece);
}

/** The content of an answer: its body, or the object whose one member holds the body (`under`, language §H.3). */
export function content(template: Template, under: string | undefined, scope: Scope): Value {
  const body = payload(template, scope);
  return under === undefined ? body : { [under]: body };
}
