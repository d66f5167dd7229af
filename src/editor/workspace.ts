import { dirname, isAbsolute } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Known } from '../assist/known.ts';
import { existingText, readFound, sourcesOf } from '../load/files.ts';
import { ledgerBeside } from '../load/ledger.ts';
import { Refused } from '../load/refused.ts';
import type { Source } from '../specification/read.ts';
import { filesOfSpecification, nameOf } from './belonging.ts';
import { type Clock, Desk } from './desk.ts';
import { documentOf, fileOf } from './positions.ts';
import type { DocumentReader } from './reader.ts';

/** Who hears of what is read of which files. */
interface Hearing {
  readonly onRead: (known: Known, files: readonly string[]) => void;
  readonly onFault: (error: Error) => void;
}

/** The files that are open in an editor, and the specifications that they belong to. */
export class Workspace {
  readonly #open = new Map<string, TextDocument>();
  readonly #desks = new Map<string, Desk>();
  readonly #reader: DocumentReader;
  readonly #clock: Clock;
  readonly #heard: Hearing;

  constructor(reader: DocumentReader, clock: Clock, heard: Hearing) {
    this.#reader = reader;
    this.#clock = clock;
    this.#heard = heard;
  }

  /** A text was opened or edited. */
  edited(document: TextDocument): void {
    const file = fileOf(document.uri);
    const desk = this.#open.has(file) ? this.#deskAround(file) : undefined;
    this.#open.set(file, document);
    (desk ?? this.#deskOf(file))?.edited();
  }

  /** A text is not edited any more: what stands in its file counts from now on. */
  closed(uri: string): readonly string[] {
    const file = fileOf(uri);
    this.#open.delete(file);
    const desk = this.#deskAround(file);
    if (desk === undefined) return [];
    if (desk.files.some((one) => this.#open.has(one))) {
      desk.edited();
      return [];
    }
    this.#forget(desk);
    return desk.files;
  }

  /** Files changed on the disk. */
  changed(uris: readonly string[]): void {
    const folders = new Set(uris.map((uri) => dirname(fileOf(uri))));
    for (const file of this.#open.keys()) if (folders.has(dirname(file))) this.#deskOf(file)?.edited();
  }

  /** The specification that an open text belongs to; undefined: it is none. */
  deskOf(uri: string): Desk | undefined {
    return this.#deskAround(fileOf(uri));
  }

  /** The text of a file as it is now. */
  textOf(file: string): TextDocument {
    const open = this.#open.get(file);
    return open ?? documentOf(file, existingText(file) ?? '');
  }

  close(): void {
    for (const desk of this.#desks.values()) desk.close();
  }

  #deskAround(file: string): Desk | undefined {
    return [...this.#desks.values()].find(({ files }) => files.includes(file));
  }

  /** The desk of a file that was opened; its specification may be of other files than before. */
  #deskOf(file: string): Desk | undefined {
    const source = this.#sourceOf(file);
    const files = filesOfSpecification(source, () => (isAbsolute(file) ? this.#folderOf(file) : []));
    const before = this.#deskAround(file);
    // While somebody types, the head may be missing for a moment.
    if (files.length === 0 || before?.files.join('\n') === files.join('\n')) return before;
    if (before) this.#forget(before);
    const texts = () => ({
      sources: files.map((one) => this.#sourceOf(one)),
      ledger: this.#ledgerOf(nameOf(files)),
    });
    const desk = new Desk(
      files,
      texts,
      { reader: this.#reader, clock: this.#clock },
      {
        onRead: (known) => this.#heard.onRead(known, files),
        onFault: this.#heard.onFault,
      },
    );
    this.#desks.set(nameOf(files), desk);
    return desk;
  }

  #forget(desk: Desk): void {
    desk.close();
    for (const [name, one] of this.#desks) if (one === desk) this.#desks.delete(name);
  }

  #sourceOf(file: string): Source {
    return { file, content: this.textOf(file).getText() };
  }

  #folderOf(file: string): readonly Source[] {
    try {
      return sourcesOf(readFound(dirname(file))).map(({ file: one }) => this.#sourceOf(one));
    } catch (error) {
      if (error instanceof Refused) return [];
      throw error;
    }
  }

  #ledgerOf(name: string): Source | null {
    if (!isAbsolute(name)) return null;
    const file = ledgerBeside(name);
    const content = this.#open.get(file)?.getText() ?? existingText(file);
    return content === null ? null : { file, content };
  }
}
