import type { Frame } from '../../expression/compile.ts';
import { callsMade } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import type { Table, Transaction } from '../store/store.ts';
import { readsOf } from './reads.ts';

/** The last number of each sequence, by the statement that counts and by what it counts for. */
export const sequences: Table = { name: 'sequence', keyFields: ['statement', 'of'] };

/** Whether a template makes what takes a look at what is kept (language §G.4). */
export function makesByKept(template: Template): boolean {
  return expressionsIn(template)
    .flatMap(({ syntax }) => callsMade(syntax))
    .some((name) => name === 'sequence' || name === 'unique');
}

/** Whether a text is taken already, where it is to be unique. */
export type IsTaken = (text: string) => boolean;

/**
 * A frame in which `sequence()` counts for the statement at this address, and `unique()` asks whether a text is
 * taken. Without a transaction neither can be worked out.
 */
export function making(frame: Frame, address: string, isTaken: IsTaken | null): Frame {
  return {
    ...frame,
    makers: {
      ...frame.makers,
      sequence: (values) => next(transactionOf(frame), [address, JSON.stringify(values)]),
      unique: (text) => {
        if (isTaken === null) throw new CannotWorkOut('unique() makes the value of a field');
        return untaken(text, isTaken, frame.makers.random);
      },
    },
  };
}

function next(tx: Transaction, key: readonly [string, string]): number {
  const found = tx.find(sequences.name, key);
  const last = found ? (JSON.parse(found.text) as { readonly last: number }).last : 0;
  const row = { key, text: JSON.stringify({ last: last + 1 }) };
  if (found) tx.update(sequences.name, row);
  else tx.insert(sequences.name, row);
  return last + 1;
}

/** The text, or, if it is taken, the text, `-` and a suffix (language §G.4), longer each time that is taken too. */
function untaken(text: string, isTaken: IsTaken, random: (length: number) => string): string {
  if (!isTaken(text)) return text;
  for (let length = 4; length <= 64; length += 1) {
    const candidate = `${text}-${random(length).toLowerCase()}`;
    if (!isTaken(candidate)) return candidate;
  }
  throw new CannotWorkOut(`no suffix makes ${JSON.stringify(text)} unique`);
}

function transactionOf(frame: Frame): Transaction {
  const reads = readsOf(frame);
  if (!('insert' in reads)) throw new CannotWorkOut('nothing can be kept here');
  return reads as Transaction;
}
