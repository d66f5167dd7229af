import type { Json } from '../../source/node.ts';
import type { Pool } from './pool.ts';

/** A value that is nearly the same: one character, one element or a little more, less or other. */
export function nearTo(value: Json, pool: Pool): Json {
  const { random } = pool;
  if (typeof value === 'string') return random.pick(textsNear(value));
  if (typeof value === 'number')
    return random.pick([value - 1, value + 1, -value, value + 0.5, String(value)]);
  if (typeof value === 'boolean') return random.pick<Json>([!value, String(value), Number(value)]);
  if (Array.isArray(value)) return random.pick(listsNear(value as readonly Json[]));
  return value === null ? random.pick<Json>(['', 0, 'null']) : {};
}

/** The text in capitals; in small letters, if it has capitals. */
export function swappedCase(text: string): string {
  return text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase();
}

function textsNear(text: string): readonly string[] {
  return [
    `${text}0`,
    `0${text}`,
    [...text].slice(0, -1).join(''),
    swappedCase(text),
    ` ${text}`,
    `${text} `,
    `${text}\n`,
  ];
}

function listsNear(list: readonly Json[]): readonly Json[][] {
  return [[...list, ...list.slice(0, 1)], list.slice(1), list.toReversed(), [...list, null], []];
}
