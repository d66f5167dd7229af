import type { About } from '../specification/reading/form.ts';
import type { NameKind } from '../specification/reading/name-use.ts';
import { type Here, hereIn } from './here.ts';
import type { Named } from './names.ts';
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

/**
 * What may stand at an offset of a document: keys of the language, words, or names. Null: nothing that is known.
 *
 * @param names those that the document gives, as far as it could be read. Default: none is known
 */
export function completion(
  file: string,
  content: string,
  offset: number,
  names: readonly Named[] = [],
): Completion | null {
  const here = hereIn(file, content, offset);
  if (here === null) return null;
  if (here.at === 'value') {
    const words = [...new Set([...wordsAt(here.path).map(String), ...namesFor(here, names)])];
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

/** The kinds of names that stand as the value of a key. */
const namedBy: { readonly [key: string]: readonly NameKind[] } = {
  does: ['entry'],
  create: ['entry'],
  read: ['entry'],
  list: ['entry'],
  update: ['entry'],
  replace: ['entry'],
  delete: ['entry'],
  body: ['entry'],
  refers: ['entry'],
  of: ['entry'],
  operations: ['operation'],
  by: ['operation', 'transition'],
  from: ['state'],
  to: ['state'],
  initial: ['state'],
  final: ['state'],
  identifier: ['field'],
  required: ['field'],
  unique: ['field'],
  shows: ['field'],
  omits: ['field'],
  filter: ['field'],
  sort: ['field'],
  order: ['field', 'code'],
};

/** The names that may stand at a place; fields and states only of the resource or the machine that it is in. */
function namesFor({ path }: Here, names: readonly Named[]): readonly string[] {
  const key = path.filter((step) => typeof step === 'string').at(-1) ?? '';
  const kinds = Object.hasOwn(namedBy, key) ? (namedBy[key] ?? []) : [];
  const owner = path[0] === 'resources' || path[0] === 'states' ? `${path[1]}.` : '';
  return names
    .filter(({ kind, declared }) => declared !== null && kinds.includes(kind))
    .filter(({ kind, name }) => !['field', 'state'].includes(kind) || name.startsWith(owner))
    .map(({ kind, name, word }) => (kind === 'transition' ? name : word));
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
