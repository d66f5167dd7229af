import { answered as answering, type Edit } from '../../assist/answered.ts';
import { type Hover, hover } from '../../assist/hover.ts';
import { addressOf } from '../../assist/keys.ts';
import { type Known, knownBy } from '../../assist/known.ts';
import { kindNamed, type Renaming, rename, renameable } from '../../assist/rename.ts';
import { readWithTexts } from '../../load/document.ts';
import { readFound, readText, sourcesOf } from '../../load/files.ts';
import { added, ledgerBeside, openLedger, readAssumed } from '../../load/ledger.ts';
import { Refused } from '../../load/refused.ts';
import { shown, stating, typedValue } from '../../load/stating.ts';
import { notStated } from '../../report/status.ts';
import { once } from '../../source/once.ts';
import { text } from '../../source/text.ts';
import type { Assumption } from '../../specification/openness/ledger.ts';
import type { Reader, Source } from '../../specification/read.ts';
import { outline } from '../../specification/reading/document.ts';
import type { NameUse } from '../../specification/reading/name-use.ts';
import { type Effect, effectOf } from './effect.ts';
import { type Fault, faultsIn } from './faults.ts';

/** The document that is edited. Plain data, as all that is asked here and all that is told. */
export interface About {
  readonly document: string;
  readonly ledger: string | undefined;
  readonly isImported: boolean;
  /** The names of the functions that the operator gives. */
  readonly handlers: readonly string[];
}

/** Files of the document with texts that are not saved yet. */
export type Texts = readonly Source[];

/** What texts would come to. */
export interface Checked {
  readonly faults: readonly Fault[];
  /** Compared with what is saved; null: it has errors. */
  readonly effect: Effect | null;
}

/** What an answer comes to, and what has to be written for it. */
export interface Tried {
  readonly effect: Effect;
  /** The file that holds it, or would. */
  readonly file: string;
  /** The line of the document in which it stands; null: it stands in a ledger. */
  readonly line: number | null;
  /** What stands there then. */
  readonly excerpt: string;
  /** The files of the document that change, with their texts. */
  readonly texts: Texts;
  /** All that the ledger holds then; null: it stays as it is. */
  readonly assumptions: readonly Assumption[] | null;
}

/** A name that may get another, and where it stands (UTF-16 code units, the end exclusive). */
export interface Renameable {
  readonly word: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** At how many places it stands. */
  readonly places: number;
}

/** The edit that leaves a point open. */
export interface Opening {
  readonly address: string;
  readonly edit: Edit;
}

/** What is asked, by its name. */
export interface Works {
  /** Reads what is saved, with which edits are compared. */
  readonly read: (asked: About) => null;
  readonly check: (asked: About & { readonly texts: Texts }) => Checked;
  readonly answer: (asked: About & Answering) => Tried;
  readonly hover: (asked: About & Cursor) => Hover | null;
  readonly renameable: (asked: About & Cursor) => Renameable;
  readonly rename: (asked: About & Cursor & { readonly to: string }) => readonly Edit[];
  readonly open: (asked: About & Cursor) => Opening;
}

interface Answering {
  readonly addresses: readonly string[];
  /** YAML or JSON. */
  readonly value: string;
  /** Why it is assumed, of a description in another format. */
  readonly why: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface Cursor {
  readonly texts: Texts;
  readonly file: string;
  readonly offset: number;
}

/** A document as it was read, and the names that are used in it. */
interface Read {
  readonly key: string;
  readonly reader: Reader;
  readonly sources: Texts;
  readonly uses: readonly NameUse[];
}

/** So many readings are kept: what is saved, what is tried, and what was before. */
const most = 3;
const kept: Read[] = [];

/** Reads a document as if some files had other texts; what was read lately is not read again. */
function readOf({ document, ledger, handlers }: About, texts: Texts): Read {
  const other = new Map(texts.map(({ file, content }) => [file, content]));
  const sources = sourcesOf(readFound(document)).map(({ file, content }) => ({
    file,
    content: other.get(file) ?? content,
  }));
  const key = JSON.stringify([sources, ledger === undefined ? null : readText(ledger), handlers]);
  const place = kept.findIndex((one) => one.key === key);
  const [known] = place === -1 ? [] : kept.splice(place, 1);
  const found = known ?? { key, sources, ...readNow(document, ledger, other, handlers) };
  kept.unshift(found);
  kept.splice(most);
  return found;
}

function readNow(
  document: string,
  ledger: string | undefined,
  texts: ReadonlyMap<string, string>,
  handlers: readonly string[],
): Pick<Read, 'reader' | 'uses'> {
  const uses: NameUse[] = [];
  const reader = readWithTexts(document, ledger, texts, uses);
  return { uses, reader: withHandlers(reader, handlers) };
}

function withHandlers<R extends Reader>(reader: R, handlers: readonly string[]): R {
  return { ...reader, specification: { ...reader.specification, handlers: new Set(handlers) } };
}

const effectBetween = once(effectOf);

/** What is worked out about edits; nothing is written. */
export const works: Works = {
  read: (asked) => {
    readOf(asked, []);
    return null;
  },
  check: ({ texts, ...about }) => {
    const { reader } = readOf(about, texts);
    const isFaulty = reader.diagnostics.some(({ severity }) => severity === 'error');
    return {
      faults: faultsIn(reader.diagnostics),
      effect: isFaulty ? null : effectBetween(readOf(about, []).reader.specification, reader.specification),
    };
  },
  answer: (asked) => (asked.isImported ? assumed(asked) : answered(asked)),
  hover: (asked) => hover(knownIn(readOf(asked, asked.texts)), asked.file, asked.offset),
  renameable: (asked) => {
    const found = renameable(knownIn(readOf(asked, asked.texts)).names, asked.file, asked.offset);
    if ('refused' in found) throw new Refused(found.refused);
    const { at, named } = found;
    return {
      ...{ word: named.word, kind: kindNamed[named.kind], start: at.start, end: at.end },
      places: named.uses.length + 1,
    };
  },
  rename: (asked) => {
    const found: Renaming = rename(
      knownIn(readOf(asked, asked.texts)).names,
      asked.file,
      asked.offset,
      asked.to,
    );
    if ('refused' in found) throw new Refused(found.refused);
    return found.edits;
  },
  open: (asked) => {
    const read = readOf(asked, asked.texts);
    const address = statedAt(read, asked);
    const edit = address === null ? null : answering(read.sources, address, '(open)');
    if (address === null || edit === null)
      throw new Refused('nothing is stated here that could be left open by itself');
    return { address, edit };
  },
};

/** What an editor knows of a document: its keys, its names, and what is open. */
const knownIn = once(({ reader, sources, uses }: Read): Known => {
  const outlined = outline(sources.map(({ file, content }) => text(file, content)));
  const besides = { points: notStated(reader.specification), diagnostics: [] };
  return knownBy(reader, { sources, outlined, uses }, besides);
});

/** The innermost point that is stated at a cursor: at its key, or in its value. Null: none is. */
function statedAt(read: Read, { file, offset }: Cursor): string | null {
  const { points } = read.reader.specification;
  const found = knownIn(read).keys.flatMap((key) => {
    const isHere = key.file === file && key.start <= offset && offset <= key.to;
    const address = addressOf(key.path);
    return isHere && points.get(address)?.state === 'stated' ? [{ address, size: key.to - key.start }] : [];
  });
  return found.sort((a, b) => a.size - b.size)[0]?.address ?? null;
}

function answered({ addresses, value, ...about }: About & Answering): Tried {
  const { reader: before, sources } = readOf(about, []);
  const after = stating(
    sources,
    addresses,
    typedValue(value),
    before,
    (texts) => readOf(about, listed(texts)).reader,
  );
  return {
    effect: effectBetween(before.specification, after.reader.specification),
    ...after.place,
    texts: listed(after.texts),
    assumptions: null,
  };
}

function listed(texts: ReadonlyMap<string, string>): Texts {
  return [...texts].map(([file, content]) => ({ file, content }));
}

/** Answers points of a description, which says nothing of tacet's own: beside it. */
function assumed({ addresses, value, why, now, document, ledger, handlers }: About & Answering): Tried {
  if (why === '') throw new Refused('say why: whoever reads the ledger will want to know');
  const before = readAssumed(document, openLedger(ledger ?? ledgerBeside(document)));
  let after = before;
  for (const address of addresses) {
    const next = added(document, after, { address, value, why }, now);
    if ('refused' in next) throw new Refused(shown(next.refused));
    after = next;
  }
  const { file } = after.ledger;
  const assumptions = after.ledger.assumptions.map(({ placed: _, ...one }) => one);
  const specificationOf = (reader: Reader) => withHandlers(reader, handlers).specification;
  return {
    effect: effectOf(specificationOf(before), specificationOf(after)),
    ...{ file, line: null, excerpt: JSON.stringify(assumptions.at(-1)?.value), texts: [], assumptions },
  };
}
