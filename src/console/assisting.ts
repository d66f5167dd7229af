import { type Completion, completion } from '../assist/completion.ts';
import { type Hover, hover } from '../assist/hover.ts';
import { readFound, sourcesOf } from '../load/files.ts';
import { Refused } from '../load/refused.ts';
import { type Context, type Given, textOf } from './context.ts';

/** What may stand at an offset of a text that is edited. */
export function complete(given: Given): Completion | null {
  return completion(textOf(given, 'file'), textOf(given, 'content'), offsetOf(given));
}

/** What the reference says of what stands at an offset of a text that is edited. */
export function hovered(given: Given, { desk }: Context): Hover | null {
  const [file, content] = [textOf(given, 'file'), textOf(given, 'content')];
  const sources = sourcesOf(readFound(desk.document)).map((source) =>
    source.file === file ? { file, content } : source,
  );
  return hover(sources, file, offsetOf(given));
}

/** A place in a text. Throws {@link Refused} if it is none. */
export function offsetOf(given: Given): number {
  const { offset } = given;
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0)
    throw new Refused('offset is missing, or no place in a text');
  return offset;
}
