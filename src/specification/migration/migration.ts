import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { byFile, type Span, type Text, text } from '../../source/text.ts';
import { type Outline, outline } from '../reading/document.ts';
import { collide, type Edit, edited } from './edits.ts';
import { type Removal, type Site, sites } from './removal.ts';
import { title } from './title.ts';
import { nobody, signed, sizes, uniqueAlone, versionFields } from './words.ts';

/** A finder for each word that the language no longer has. */
const finders = [title, signed, uniqueAlone, nobody, versionFields, sizes];

/** The words of a document that the language no longer has. */
export function removals(of: Pick<Outline, 'tree' | 'head'>): Removal[] {
  return sites(of).flatMap((site) => finders.flatMap((find) => find(site)).map(possibleIn(site)));
}

function possibleIn({ within }: Site): (one: Removal) => Removal {
  const isIn = ({ span }: Edit): boolean =>
    within === undefined || (span.start >= within.start && span.end <= within.end);
  return (one) => ({ ...one, edits: one.edits?.every(isIn) ? one.edits : null });
}

/** What the reader says of such a word. */
export function diagnosed({ at, word, instead, edits }: Removal): Diagnostic {
  const how = edits ? 'tacet check --fix does it' : 'tacet check --fix cannot do it here';
  return diagnose('removed-word', at, { word }, { hint: `${instead}; ${how}` });
}

/** What a migration did to some documents. */
export interface Migration {
  readonly texts: readonly Text[];
  /** Each points into the text as it was when the change was made. */
  readonly changes: readonly { readonly at: Span; readonly done: string }[];
  /** Words that only the author can replace. */
  readonly refused: readonly Removal[];
}

/** So many times a document is looked through: words whose edits meet are replaced one after the other. */
const mostPasses = 100;

/**
 * Writes documents in the words of today. Comments and layout stay. Documents whose YAML is at fault stay as they are.
 *
 * @param sources the documents of one specification
 */
export function migrate(sources: readonly { readonly file: string; readonly content: string }[]): Migration {
  let texts = sources.map(({ file, content }) => text(file, content)).sort(byFile);
  const changes: { at: Span; done: string }[] = [];
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const outlined = outline(texts);
    const found = removals(outlined);
    const possible = outlined.unreadable.length > 0 ? [] : withoutCollisions(found);
    const edits = possible.flatMap((one) => one.edits ?? []);
    const next = texts.map((one) => edited(one, edits));
    // Text that could not be read any more is not written.
    if (edits.length === 0 || outline(next).unreadable.length > 0) return { texts, changes, refused: found };
    changes.push(...possible.map(({ at, word, edits }) => ({ at, done: doing(word, edits ?? []) })));
    texts = next;
  }
  return { texts, changes, refused: removals(outline(texts)) };
}

/** What was changed, for people: what is written now, or that something was taken out. */
function doing(word: string, edits: readonly Edit[]): string {
  const written = edits.flatMap((one) => one.with.trim().replace(/^, /, '') || []);
  return written.length === 0 ? `${word} is taken out` : `${word} becomes ${written.join(', ')}`;
}

/** The removals that can be made at once: those of one place come one after the other. */
function withoutCollisions(found: readonly Removal[]): Removal[] {
  const taken: Edit[] = [];
  return found.filter(({ edits }) => {
    if (edits === null || edits.some((one) => taken.some((other) => collide(one, other)))) return false;
    taken.push(...edits);
    return true;
  });
}
