import type { About } from '../specification/reading/form.ts';
import { hereIn } from './here.ts';
import { keysAt, wordsAt } from './vocabulary.ts';

/** A word that may stand somewhere. */
export interface Offered {
  readonly label: string;
  /** What is put into the text. */
  readonly insert: string;
  /** The section of the reference; empty for words. */
  readonly detail: string;
  /** What it states, in a sentence. */
  readonly info: string;
}

export interface Completion {
  /** Offset (UTF-16 code units) from which on it replaces what is typed. */
  readonly from: number;
  readonly options: readonly Offered[];
}

/** What may stand at an offset of a document: keys of the language, or words. Null: nothing that is known. */
export function completion(file: string, content: string, offset: number): Completion | null {
  const here = hereIn(file, content, offset);
  if (here === null) return null;
  if (here.at === 'value') {
    const words = wordsAt(here.path).map(String);
    return {
      from: here.from,
      options: words.map((word) => ({ label: word, insert: word, detail: '', info: '' })),
    };
  }
  const options = keysAt(here.path)
    .filter(({ about }) => about?.quiet !== true)
    .map(({ name, about }) => ({
      label: name,
      insert: `${name}: `,
      detail: about ? `§${about.section}` : '',
      info: about?.states ?? '',
    }));
  return { from: here.from, options };
}

/** What is said of a key: what it states, what follows for the service and the tester, and what holds while it is open. */
export function saidOf({ states, must, see, open }: About): readonly string[] {
  return [
    states,
    ...(must === undefined ? [] : [`The service must ${must}.`]),
    ...(see === undefined ? [] : [`The tester can see: ${see}.`]),
    ...(open === undefined ? [] : [`While it is open: ${open}.`]),
  ];
}
