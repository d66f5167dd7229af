import { readFound, sourcesOf } from '../load/files.ts';
import { Refused } from '../load/refused.ts';
import { writeWhole } from '../load/writing.ts';
import type { Source } from '../specification/read.ts';
import { type Context, fixed, type Given, textOf } from './context.ts';
import { type Effect, effectOf } from './effect.ts';
import { type Fault, faultsIn } from './faults.ts';

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

/** What a text would come to. */
export interface Checked {
  readonly faults: readonly Fault[];
  /** Compared with what is saved; null: it has errors. */
  readonly effect: Effect | null;
}

/** Reads the document as if a file had another text: its faults, and what the edit comes to. Nothing is written. */
export function check(given: Given, { desk }: Context): Checked {
  const { diagnostics, specification } = desk.readWith(
    new Map([[textOf(given, 'file'), textOf(given, 'content')]]),
  );
  const isFaulty = diagnostics.some(({ severity }) => severity === 'error');
  return {
    faults: faultsIn(diagnostics),
    effect: isFaulty ? null : effectOf(desk.read().specification, specification),
  };
}

/**
 * Writes a file of the document, and has the service follow. It need not be free of faults: the service goes on with the
 * last good statements.
 *
 * @throws Refused if the file is none of the document's, or was changed elsewhere since it was read
 */
export async function save(given: Given, { desk }: Context): Promise<Pick<Checked, 'faults'>> {
  const [file, content, before] = [textOf(given, 'file'), textOf(given, 'content'), textOf(given, 'before')];
  if (desk.isFixed) throw new Refused(fixed);
  if (desk.read().isImported) throw new Refused('a description in another format is edited elsewhere');
  const source = sourcesOf(readFound(desk.document)).find((one) => one.file === file);
  if (source === undefined) throw new Refused(`${file} is no file of the document`);
  if (source.content !== before)
    throw new Refused(`${file} was changed elsewhere since it was read here: reload it, and edit it again`);
  writeWhole(file, content);
  await desk.follow();
  return { faults: faultsIn(desk.read().diagnostics) };
}
