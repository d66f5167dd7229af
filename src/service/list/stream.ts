import { CannotWorkOut } from '../../expression/functions.ts';
import type { AnswerTo } from '../content/answers.ts';
import { pieces, piecesMark } from '../content/render.ts';
import type { FrameOf } from '../message/frame.ts';
import type { Held } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';

/** An answer with a gap in its body, where the list belongs. */
interface Outline {
  readonly reply: Reply;
  readonly before: string;
  /** The resource or view by which it is shown. */
  readonly shownBy: string;
  readonly after: string;
}

/** The answer with its items sent piece by piece; all of it where it shows none; null where it takes more than to show them once. */
export function streamed(
  answer: AnswerTo,
  frame: FrameOf,
  written: (shownBy: string) => AsyncIterable<string>,
): Reply | Held | null {
  const outline = outlined(answer, frame);
  if (outline === null || !('before' in outline)) return outline;
  const { reply, before, shownBy, after } = outline;
  const chunks = async function* (): AsyncIterable<string> {
    // Nothing is sent before the first items are there, so that what others do once something was is not in it.
    let ahead = `${before}[`;
    for await (const piece of written(shownBy)) {
      yield ahead + piece;
      ahead = ',';
    }
    yield `${ahead === ',' ? '' : ahead}]${after}`;
  };
  return { ...reply, body: { chunks } };
}

/** The answer but for the items, or all of it where it shows none; null where it takes more than to show them once. */
function outlined(answer: AnswerTo, frame: FrameOf): Outline | Reply | Held | null {
  let read = 0;
  const whole = (): never => {
    read += 2;
    throw new CannotWorkOut('this takes the whole page');
  };
  const page = {
    get items() {
      read += 1;
      return pieces;
    },
  };
  for (const name of ['total', 'size', 'offset', 'number', 'next', 'previous', 'links', 'url'])
    Object.defineProperty(page, name, { enumerable: true, get: whole });
  try {
    const reply = answer(null, frame({ page }));
    if (read === 0) return reply;
    if (read > 1 || 'held' in reply) return null;
    const [before, shownBy, after, ...others] =
      typeof reply.body === 'string' ? reply.body.split(piecesMark) : [];
    if (before === undefined || shownBy === undefined || after === undefined || others.length > 0)
      return null;
    return { reply, before, shownBy, after };
  } catch (error) {
    if (error instanceof CannotWorkOut) return null;
    throw error;
  }
}
