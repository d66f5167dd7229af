import type { Diagnostic } from '../source/diagnostic.ts';
import { migrate } from '../specification/migration/migration.ts';
import type { Source } from '../specification/read.ts';
import { nearest } from '../specification/reading/nearest.ts';
import type { Edit } from './answered.ts';
import type { KeyPlace } from './keys.ts';
import { isAt, type Place, wordIn } from './place.ts';

/** A change that a document may be given. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** What its message suggests to do about a fault: the word that was most likely meant. */
export function fixesOf({ hint, span }: Diagnostic): readonly Fix[] {
  const meant = /^did you mean ['"]?(.+?)['"]?\?$/.exec(hint ?? '')?.[1] ?? null;
  if (meant === null) return [];
  const shown = span.text.content.slice(span.start, span.end);
  const words = shown.match(/[\p{L}\p{N}_$-]+/gu) ?? [];
  const wrong = words.length === 1 ? words[0] : nearest(meant, words);
  const place = wrong === undefined ? null : wordIn(span, wrong, 'last');
  if (place === null || wrong === meant) return [];
  return [{ title: `Write ${meant}`, edits: [{ ...place, text: meant }] }];
}

/** What the document may be given where a caret stands: a question in the place of a value, or notation spelled out. */
export function fixesAt(keys: readonly KeyPlace[], { file, start }: Place): readonly Fix[] {
  const around = keys.filter(
    (key) => key.file === file && isAt({ file, start: key.start, end: key.to }, start),
  );
  const here = around.at(-1);
  // What is put into JSON would have to be JSON.
  if (here === undefined || /\.json$/i.test(file)) return [];
  const isEmpty = here.from === here.to;
  // The reader makes no point of a key without a value.
  const mayBeOpen = (here.isPoint || (isEmpty && here.isOfLanguage)) && !here.isOpen;
  const replaced = (title: string, text: string): Fix => {
    // The value of a key without one begins after a space.
    const gap = isEmpty ? ' ' : '';
    return { title, edits: [{ file, start: here.from, end: here.to, text: `${gap}${text}` }] };
  };
  return [
    ...(mayBeOpen ? [replaced(`Leave ${here.path.at(-1)} open`, '(open)')] : []),
    ...(here.spelled === undefined ? [] : [replaced('Spell the notation out', here.spelled)]),
  ];
}

/** The words that the language no longer has, written anew in every text, as `tacet check --fix` does; null: none. */
export function writtenAnew(sources: readonly Source[]): Fix | null {
  const { texts, changes } = migrate(sources);
  if (changes.length === 0) return null;
  const edits = texts.flatMap(({ file, content }) => {
    const before = sources.find((one) => one.file === file)?.content ?? '';
    return before === content ? [] : [{ file, start: 0, end: before.length, text: content }];
  });
  return { title: 'Write the document in the words of today', edits };
}
