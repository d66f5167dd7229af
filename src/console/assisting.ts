import { type Completion, completion } from '../assist/completion.ts';
import type { Hover } from '../assist/hover.ts';
import { Refused } from '../load/refused.ts';
import { type Context, edited, type Given, textOf } from './context.ts';

/** What may stand at an offset of a text that is edited. */
export function complete(given: Given): Completion | null {
  return completion(textOf(given, 'file'), textOf(given, 'content'), offsetOf(given));
}

/** What is known of what stands at an offset of a text that is edited. */
export function hovered(given: Given, { desk, edits }: Context): Promise<Hover | null> {
  const [file, content] = [textOf(given, 'file'), textOf(given, 'content')];
  return edits.ask('hover', { ...edited(desk), texts: [{ file, content }], file, offset: offsetOf(given) });
}

/** A place in a text. Throws {@link Refused} if it is none. */
export function offsetOf(given: Given): number {
  const { offset } = given;
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0)
    throw new Refused('offset is missing, or no place in a text');
  return offset;
}
