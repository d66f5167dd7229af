import { type Scope, typeOf } from '../../src/expression/check.ts';
import { type Expression, type Fault, isFault, parseExpression } from '../../src/expression/expression.ts';
import {
  any,
  bool,
  described,
  integer,
  list,
  nullType,
  number,
  object,
  type Type,
  textType,
  timestamp,
} from '../../src/expression/type.ts';
import { nearest } from '../../src/specification/reading/nearest.ts';

/** A scope with a name of each type. */
export const scope: Scope = {
  names: new Map<string, Type>([
    ['any', any],
    ['flag', bool],
    ['whole', integer],
    ['number', number],
    ['text', textType],
    ['time', timestamp],
    ['nothing', nullType],
    ['texts', list(textType)],
    ['numbers', list(number)],
    ['object', object([['name', textType]])],
    ['more', object([['name', textType]], true)],
    ['todo', { kind: 'item', resource: 'Todo' }],
    ['unknown', { kind: 'item', resource: 'Unknown' }],
  ]),
  isResource: (name) => name === 'Todo',
  mayHave: () => false,
  suggest: nearest,
  membersOf: (resource) =>
    resource === 'Todo'
      ? new Map<string, Type>([
          ['title', textType],
          ['done', bool],
          ['order', integer],
        ])
      : undefined,
  shows: new Set(['Todo']),
  makers: true,
};

export function parse(text: string): Expression {
  const parsed = parseExpression(text);
  if (isFault(parsed)) throw new Error(parsed.message);
  return parsed;
}

/** Its type, and what is wrong with it: the words at fault, and why. */
export function typed(text: string, within: Scope = scope): { type: string; faults: string[] } {
  const faults: Fault[] = [];
  const type = typeOf(parse(text).syntax, within, (fault) => faults.push(fault));
  return {
    type: described(type),
    faults: faults.map(({ start, end, message }) => `${text.slice(start, end)}: ${message}`),
  };
}
