import type { Piece, Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { deviatingExpressions } from './expressions.ts';

/** A template as an implementation might get it wrong: a member left out, another literal, another expression (language §H.3). */
export function deviatingTemplates(template: Template): Template[] {
  switch (template.kind) {
    case 'expression':
      return deviatingExpressions(template.expression).map((expression) => ({ ...template, expression }));
    case 'text':
      return template.pieces.flatMap((piece, place) =>
        deviatingPieces(piece).map((other) => ({ ...template, pieces: template.pieces.with(place, other) })),
      );
    case 'literal':
      return deviatingLiterals(template.value).map((value) => ({ ...template, value }));
    case 'list':
      return template.items.flatMap((item, place) =>
        deviatingTemplates(item).map((other) => ({ ...template, items: template.items.with(place, other) })),
      );
    case 'object':
      return [...template.members].flatMap(([name, member]) => [
        { ...template, members: new Map([...template.members].filter(([other]) => other !== name)) },
        ...deviatingTemplates(member).map((other) => ({
          ...template,
          members: new Map(template.members).set(name, other),
        })),
      ]);
    default:
      return [];
  }
}

function deviatingPieces(piece: Piece): Piece[] {
  if (typeof piece === 'string') return [`${piece}~`];
  return deviatingExpressions(piece.expression).map((expression) => ({ ...piece, expression }));
}

/** Other values of the same type, and null. */
export function deviatingLiterals(value: Json): Json[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  if (typeof value === 'string') return [`${value}~`];
  return value === null ? [] : [null];
}
