import type { Key, Row, Statement } from '../../store.ts';
import { tablesOf } from '../../touches.ts';
import type { Statements } from '../statements.ts';
import type { Gave, Need } from './needs.ts';
import { type Pointed, pointedBy } from './pointed.ts';
import { type Pass, reads, rowName, type Taken } from './replay.ts';

/** What a plan wrote. */
export type Write =
  | { readonly kind: 'insert' | 'update'; readonly table: string; readonly row: Row }
  | { readonly kind: 'remove'; readonly table: string; readonly key: Key }
  | { readonly kind: 'clear'; readonly table: string };

/** A plan met a row that is there. */
export class Met extends Error {
  readonly table: string;

  constructor(table: string) {
    super('a row with this key is there');
    this.table = table;
  }
}

/** What a query gave, and after how many of the batch's writes it was asked. */
interface Answered {
  readonly after: number;
  readonly gave: Gave;
}

/** What is known in a transaction: rows as they were before it, what it wrote since, and what queries gave meanwhile. */
export class Overlay {
  /** What was written, in order. */
  readonly writes: Write[] = [];
  /** How many of them were sent. */
  sent = 0;
  readonly #before = new Map<string, Row | null>();
  readonly #rows = new Map<string, Row | null>();
  readonly #cleared = new Set<string>();
  readonly #answered = new Map<string, Answered[]>();

  /** A row as it is by now; undefined: it is not known. */
  row(table: string, name: string): Row | null | undefined {
    const row = this.#rows.get(name);
    if (row !== undefined) return row;
    return this.#cleared.has(table) ? null : this.#before.get(name);
  }
  learnRow(name: string, row: Row | null): void {
    if (!this.#before.has(name)) this.#before.set(name, row);
  }
  /** A row as it was before the transaction; undefined: it is not known. */
  before(name: string): Row | null | undefined {
    return this.#before.get(name);
  }
  /** Whether what a row is by now was written in the transaction. */
  isWritten(table: string, name: string): boolean {
    return this.#rows.has(name) || this.#cleared.has(table);
  }
  learnAnswer(name: string, after: number, gave: Gave): void {
    const all = this.#answered.get(name) ?? [];
    all.push({ after, gave });
    this.#answered.set(name, all);
  }
  answers(name: string): readonly Answered[] {
    return this.#answered.get(name) ?? [];
  }
  /** Forgets what was asked after more writes than these, since those were undone. */
  forget(after: number): void {
    for (const [name, all] of this.#answered)
      this.#answered.set(
        name,
        all.filter((one) => one.after <= after),
      );
    this.sent = Math.min(this.sent, after);
  }
  keep(writes: readonly Write[]): void {
    for (const write of writes) {
      this.writes.push(write);
      if (write.kind === 'clear') {
        this.#cleared.add(write.table);
        for (const name of this.#rows.keys()) if (name.startsWith(`${write.table} `)) this.#rows.delete(name);
      } else {
        const row = write.kind === 'remove' ? null : write.row;
        this.#rows.set(rowName(write.table, write.kind === 'remove' ? write.key : write.row.key), row);
      }
    }
  }
}

/** A pass of a plan over what is known in its transaction. */
export interface PlanPass extends Pass {
  /** What it wrote. Behind the first thing that it lacks, what it wrote is a guess. */
  readonly own: readonly Write[];
  /** How many of these are no guess. */
  readonly sure: () => number;
  /** Whether what is written so far has to be sent before what it lacks first is asked. */
  readonly isBehindWrites: () => boolean;
  /** What it lacks, as far as that can be asked when so many of all writes have been sent. */
  readonly wanted: (sent: number) => readonly Need[];
  /** The rows that it looked for and that nothing had been written of, by name. */
  readonly looked: ReadonlyMap<string, { readonly table: string; readonly key: Key }>;
  /** What it asked, by name. */
  readonly asked: ReadonlyMap<string, Question>;
}

/** A query, and what its parameters were. */
export interface Question {
  readonly statement: Statement;
  readonly parameters: readonly unknown[];
}

/** Where a query was asked that is not known: behind so many writes, and whether further ones may change what it gives. */
interface Behind {
  readonly position: number;
  readonly tables: ReadonlySet<string>;
  readonly isExact: boolean;
}

/** What one pass wrote, over what was written before it. */
class OwnWrites {
  readonly own: Write[] = [];
  readonly #overlay: Overlay;
  readonly #rows = new Map<string, Row | null>();
  readonly #cleared = new Set<string>();
  readonly #byValues = new Map<Pointed, { upTo: number; readonly rows: Map<string, Row[]> | null }>();

  constructor(overlay: Overlay) {
    this.#overlay = overlay;
  }

  get position(): number {
    return this.#overlay.writes.length + this.own.length;
  }
  /** A row as it is by now; undefined: it is not known. */
  row(table: string, name: string): Row | null | undefined {
    const row = this.#rows.get(name);
    if (row !== undefined) return row;
    return this.#cleared.has(table) ? null : this.#overlay.row(table, name);
  }
  isWritten(table: string, name: string): boolean {
    return this.#rows.has(name) || this.#cleared.has(table) || this.#overlay.isWritten(table, name);
  }
  add(one: Write): void {
    this.own.push(one);
    if (one.kind === 'clear') {
      this.#cleared.add(one.table);
      for (const name of this.#rows.keys()) if (name.startsWith(`${one.table} `)) this.#rows.delete(name);
    } else if (one.kind === 'remove') this.#rows.set(rowName(one.table, one.key), null);
    else this.#rows.set(rowName(one.table, one.row.key), one.row);
  }
  isTouched(tables: ReadonlySet<string>, from: number, to = this.position): boolean {
    for (let index = from; index < to; index++) if (tables.has(this.#at(index).table)) return true;
    return false;
  }
  /** What a query gives by now that gave this before some writes; undefined: that cannot be told. */
  brought(gave: Gave, pointed: Pointed, table: string, parameters: readonly unknown[]): Gave | undefined {
    const wanted = pointed.wanted(parameters);
    if (wanted === undefined || !('rows' in gave)) return undefined;
    if (wanted === null) return gave;
    const [there] = gave.rows;
    if (there) {
      const now = this.row(table, rowName(table, there.key));
      if (now === undefined) return gave;
      return now !== null && pointed.valuesOf(now) === wanted ? { rows: [{ ...there, ...now }] } : undefined;
    }
    const written = this.#written(pointed, table);
    if (written === null) return undefined;
    for (const { key } of written.get(wanted) ?? []) {
      const now = this.row(table, rowName(table, key));
      if (now && pointed.valuesOf(now) === wanted) return { rows: [now] };
    }
    return gave;
  }

  /** The rows that were written to a table, by the values that a query looks for; null: some have others than can be told. */
  #written(pointed: Pointed, table: string): ReadonlyMap<string, readonly Row[]> | null {
    const known = this.#byValues.get(pointed) ?? { upTo: 0, rows: new Map<string, Row[]>() };
    let { rows } = known;
    for (let index = known.upTo; index < this.position && rows !== null; index++) {
      const write = this.#at(index);
      if (write.table !== table || !('row' in write)) continue;
      const values = pointed.valuesOf(write.row);
      if (values === undefined) rows = null;
      else if (values !== null) rows.set(values, [...(rows.get(values) ?? []), write.row]);
    }
    this.#byValues.set(pointed, { upTo: this.position, rows });
    return rows;
  }
  #at(index: number): Write {
    const { writes } = this.#overlay;
    return (index < writes.length ? writes[index] : this.own[index - writes.length]) as Write;
  }
}

/** What a query gives by now, of what it was answered before; or how many of its answers do not tell that. */
function answerTo(
  overlay: Overlay,
  written: OwnWrites,
  name: string,
  statement: Statement,
  parameters: readonly unknown[],
): Gave | { readonly known: number } {
  const tables = tablesOf(statement.query);
  const known = overlay.answers(name).filter(({ after }) => after <= written.position);
  const untouched = known.find(({ after }) => !written.isTouched(tables, after));
  if (untouched) return untouched.gave;
  const pointed = pointedBy(statement);
  const [table = ''] = tables;
  for (const { gave } of pointed ? known : []) {
    const brought = written.brought(gave, pointed as Pointed, table, parameters);
    if (brought) return brought;
  }
  return { known: known.length };
}

export function planPass(overlay: Overlay, { asking }: Pick<Statements, 'asking'>, taken: Taken): PlanPass {
  const lacks: Need[] = [];
  const written = new OwnWrites(overlay);
  const behind = new Map<string, Behind>();
  const looked = new Map<string, { readonly table: string; readonly key: Key }>();
  const questions = new Map<string, Question>();
  let sure = 0;
  const asked = (name: string, statement: Statement, parameters: readonly unknown[]): Gave | undefined => {
    const answer = answerTo(overlay, written, name, statement, parameters);
    // What is asked again further on is asked for where it was lacked first.
    if (!('known' in answer)) return answer;
    const { position } = written;
    const isExact = answer.known > 0 || pointedBy(statement) === null;
    if (!behind.has(name)) behind.set(name, { position, tables: tablesOf(statement.query), isExact });
    return undefined;
  };
  let statement: Statement;
  let given: readonly unknown[] = [];
  const { find, ...others } = reads(
    lacks,
    {
      find: (name) => written.row(name.slice(0, name.indexOf(' ')), name),
      asked: (name) => asked(name, statement, given),
    },
    (of, gives, parameters) => {
      [statement, given] = [of, parameters];
      const need = asking(of, gives, parameters);
      questions.set(need.name, { statement: of, parameters });
      return need;
    },
  );
  const look = (table: string, key: Key, name: string): void => {
    if (!written.isWritten(table, name)) looked.set(name, { table, key });
  };
  const write = (one: Write): void => {
    written.add(one);
    if (lacks.length === 0) sure += 1;
  };
  const isBehind = ({ name }: Need, sent: number): boolean => {
    const { position = 0, tables = none, isExact = false } = behind.get(name) ?? {};
    return isExact && written.isTouched(tables, sent, position);
  };
  return {
    ...others,
    find: (table, key) => {
      look(table, key, rowName(table, key));
      const row = find(table, key);
      return row && { key: row.key, text: row.text, ...(row.bytes && { bytes: row.bytes }) };
    },
    taken,
    lacks,
    own: written.own,
    looked,
    asked: questions,
    sure: () => sure,
    isBehindWrites: () => lacks[0] !== undefined && isBehind(lacks[0], overlay.sent),
    wanted: (sent) => lacks.filter((need) => !isBehind(need, sent)),
    insert: (table, row) => {
      // A key of which nothing is known is left to the table.
      const name = rowName(table, row.key);
      if (written.row(table, name)) {
        look(table, row.key, name);
        throw new Met(table);
      }
      write({ kind: 'insert', table, row });
    },
    update: (table, row) => write({ kind: 'update', table, row }),
    remove: (table, key) => write({ kind: 'remove', table, key }),
    removeEvery: (table) => write({ kind: 'clear', table }),
  };
}

const none: ReadonlySet<string> = new Set();
