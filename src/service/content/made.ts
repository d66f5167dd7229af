import {
  compileMember,
  compileTemplate,
  type Environment,
  type Frame,
  type Run,
} from '../../expression/compile.ts';
import { callsMade } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import { readsOf } from '../store/reads.ts';
import type { Table, Transaction } from '../store/store.ts';

/** The last number of each sequence, by the statement that counts and by what it counts for. */
export const sequences: Table = { name: 'sequence', keyFields: ['statement', 'of'] };

/** Whether a text is taken already, where it is to be unique. */
export type IsTaken = (text: string) => boolean;

/** Compiles a template of the statement at an address, for which `sequence()` counts (language §G.4). */
export function compileMade(template: Template, address: string, environment: Environment): Run {
  return told(compileTemplate(template, environment), template, address);
}

/** The same for a member, which is left out where it comes to `absent()`. */
export function compileMadeMember(template: Template, address: string, environment: Environment): Run {
  if (template.kind !== 'expression') return compileMade(template, address, environment);
  return told(compileMember(template.expression, environment), template, address);
}

function told(run: Run, template: Template, address: string): Run {
  return counts(template) ? (frame) => run(counting(frame, address)) : run;
}

/** Whether a template counts, so that it has to be told for which statement. */
export function counts(template: Template): boolean {
  return expressionsIn(template).some(({ syntax }) => callsMade(syntax).includes('sequence'));
}

/** A frame in which `sequence()` counts for the statement at this address. Without a transaction it cannot. */
export function counting(frame: Frame, address: string): Frame {
  const sequence = (values: readonly unknown[]): number =>
    next(transactionOf(frame), [address, JSON.stringify(values)]);
  return { ...frame, makers: { ...frame.makers, sequence } };
}

/** A frame in which `unique()` asks whether a text is taken. */
export function uniquely(frame: Frame, isTaken: IsTaken): Frame {
  const unique = (text: string): string => untaken(text, isTaken, frame.makers.random);
  return { ...frame, makers: { ...frame.makers, unique } };
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

export function transactionOf(frame: Frame): Transaction {
  const reads = readsOf(frame);
  if (!('insert' in reads)) throw new CannotWorkOut('nothing can be kept here');
  return reads as Transaction;
}
