import type { Edit } from '../assist/answered.ts';
import { readFound, sourcesOf } from '../load/files.ts';
import { Refused } from '../load/refused.ts';
import { writeWhole } from '../load/writing.ts';
import type { Source } from '../specification/read.ts';
import { offsetOf } from './assisting.ts';
import { type Context, edited, fixed, type Given, textOf } from './context.ts';
import type { Checked, Opening, Renameable } from './editing/edited.ts';
import { faultsIn } from './editing/faults.ts';

/** The texts of the document. */
export interface Texts {
  readonly sources: readonly Source[];
  /** Whether they may be edited here; a description in another format is edited elsewhere. */
  readonly isEditable: boolean;
}

/** The text of each file. */
export function texts(_given: unknown, { desk }: Context): Texts {
  return {
    sources: sourcesOf(readFound(desk.document)),
    isEditable: desk.read().isImported !== true && !desk.isFixed,
  };
}

/** Reads the document as if files had other texts: its faults, and what the edit comes to. Nothing is written. */
export function check(given: Given, { desk, edits }: Context): Promise<Checked> {
  return edits.ask('check', { ...edited(desk), texts: textsIn(given) });
}

/** Tells of the name at an offset of a file whether it may get another. */
export function renameable(given: Given, context: Context): Promise<Renameable> {
  return context.edits.ask('renameable', cursorIn(given, context));
}

/** The edits that give the name at an offset the name `to`, wherever it stands. Nothing is written. */
export function rename(given: Given, context: Context): Promise<readonly Edit[]> {
  return context.edits.ask('rename', { ...cursorIn(given, context), to: textOf(given, 'to') });
}

/** The edit that leaves open what is stated at an offset. Nothing is written. */
export function markOpen(given: Given, context: Context): Promise<Opening> {
  return context.edits.ask('open', cursorIn(given, context));
}

function cursorIn(given: Given, { desk }: Context) {
  return {
    ...edited(desk),
    texts: textsIn(given),
    file: textOf(given, 'file'),
    offset: offsetOf(given),
  };
}

/**
 * Writes files of the document, and has the service follow. They need not be free of faults: the service goes on with
 * the last good statements.
 *
 * @throws Refused if one is no file of the document, or was changed elsewhere since it was read: nothing is written
 */
export async function save(given: Given, { desk }: Context): Promise<Pick<Checked, 'faults'>> {
  if (desk.isFixed) throw new Refused(fixed);
  if (desk.read().isImported) throw new Refused('a description in another format is edited elsewhere');
  const sources = sourcesOf(readFound(desk.document));
  const edited = textsIn(given);
  for (const { file, before } of edited) {
    const source = sources.find((one) => one.file === file);
    if (source === undefined) throw new Refused(`${file} is no file of the document`);
    if (source.content !== before)
      throw new Refused(`${file} was changed elsewhere since it was read here: reload it, and edit it again`);
  }
  for (const { file, content } of edited) writeWhole(file, content);
  await desk.follow();
  return { faults: faultsIn(desk.read().diagnostics) };
}

/** The files that are edited, each with the text that was read `before`. */
function textsIn({ texts: found }: Given): readonly (Source & { readonly before?: string })[] {
  const isRight =
    Array.isArray(found) &&
    found.every(
      (one: Partial<Source> | null) => typeof one?.file === 'string' && typeof one.content === 'string',
    );
  if (!isRight) throw new Refused('texts is missing, or no list of files with their content');
  return found as readonly Source[];
}
