import type { Piece, Template } from '../../../expression/template.ts';
import type { Json } from '../../../source/node.ts';
import type { Siblings } from '../../requests/literals.ts';
import { deviatingExpressions, negated } from './expressions.ts';

/** A template as an implementation might get it wrong. */
export interface OtherTemplate {
  readonly says: string;
  readonly template: Template;
}

/** What is known of a template. */
export interface About {
  /** Whether it says if something holds. */
  readonly isCondition: boolean;
  readonly siblings: Siblings;
}

/**
 * A template with one thing wrong: a member left out, another literal, another expression, or nothing in place of one
 * (language §H.3).
 */
export function deviatingTemplates(template: Template, about: About): OtherTemplate[] {
  const { isCondition, siblings } = about;
  const inside: About = { isCondition: false, siblings };
  switch (template.kind) {
    case 'expression': {
      const { expression } = template;
      const isJoined = ['&&', '||'].includes(expression.syntax.op);
      const others = isCondition && isJoined ? [negated(expression)] : [];
      return [
        ...(isCondition ? [] : [{ says: 'it is null', template: { kind: 'literal' as const, value: null } }]),
        ...[...deviatingExpressions(expression, siblings), ...others].map((other) => ({
          says: `it is ${other.text}`,
          template: { ...template, expression: other },
        })),
      ];
    }
    case 'text':
      return template.pieces.flatMap((piece, place) =>
        deviatingPieces(piece, siblings).map((other) => ({
          says: `it has ${typeof other === 'string' ? JSON.stringify(other) : other.expression.text} in it`,
          template: { ...template, pieces: template.pieces.with(place, other) },
        })),
      );
    case 'literal':
      return deviatingLiterals(template.value, siblings).map((value) => ({
        says: `it is ${JSON.stringify(value)}`,
        template: { ...template, value },
      }));
    case 'list':
      return template.items.flatMap((item, place) =>
        deviatingTemplates(item, inside).map((other) => ({
          says: `element ${place + 1}: ${other.says}`,
          template: { ...template, items: template.items.with(place, other.template) },
        })),
      );
    case 'object':
      return [...template.members].flatMap(([name, member]) => [
        {
          says: `${name} is left out`,
          template: {
            ...template,
            members: new Map([...template.members].filter(([other]) => other !== name)),
          },
        },
        ...deviatingTemplates(member, inside).map((other) => ({
          says: `${name}: ${other.says}`,
          template: { ...template, members: new Map(template.members).set(name, other.template) },
        })),
      ]);
    default:
      return [];
  }
}

function deviatingPieces(piece: Piece, siblings: Siblings): Piece[] {
  if (typeof piece === 'string') return [`${piece}~`];
  return [
    '~',
    ...deviatingExpressions(piece.expression, siblings).map(
      (expression): Piece => ({ ...piece, expression }),
    ),
  ];
}

/** Other values of the same type: of the texts that a field may hold, another one. Null in place of others. */
function deviatingLiterals(value: Json, siblings: Siblings): Json[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  if (typeof value === 'string') return [...(siblings.texts.get(value) ?? [`${value}~`])];
  return value === null ? ['~'] : [null];
}
