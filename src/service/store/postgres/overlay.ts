import type { Key, Row, Statement } from '../store.ts';
import { tablesOf } from '../touches.ts';
import type { Gave, Need } from './needs.ts';
import { type Known, type Pass, reads, rowName, type Taken } from './replay.ts';
import type { Statements } from './statements.ts';

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

/** What a pass of a plan lacks, and whether what was written has to be sent before that is asked. */
export interface PlanPass extends Pass {
  readonly own: readonly Write[];
  readonly isBehindWrites: () => boolean;
}

/** A pass of a plan over what is known in its transaction. */
export function planPass(overlay: Overlay, { asking }: Pick<Statements, 'asking'>, taken: Taken): PlanPass {
  const lacks: Need[] = [];
  const own: Write[] = [];
  const rows = new Map<string, Row | null>();
  const cleared = new Set<string>();
  let isBehind = false;
  const find = (table: string, name: string): Row | null | undefined => {
    const row = rows.get(name);
    if (row !== undefined) return row;
    return cleared.has(table) ? null : overlay.row(table, name);
  };
  const position = (): number => overlay.writes.length + own.length;
  const at = (index: number): Write =>
    (index < overlay.writes.length ? overlay.writes[index] : own[index - overlay.writes.length]) as Write;
  const isTouched = (tables: ReadonlySet<string>, from: number): boolean => {
    for (let index = from; index < position(); index++) if (tables.has(at(index).table)) return true;
    return false;
  };
  const asked = (name: string, statement: Statement): Gave | undefined => {
    const tables = tablesOf(statement.query);
    const here = position();
    for (const { after, gave } of overlay.answers(name))
      if (after <= here && !isTouched(tables, after)) return gave;
    isBehind ||= isTouched(tables, overlay.sent);
    return undefined;
  };
  let statement: Statement;
  const known: Known = {
    find: (name) => find(name.slice(0, name.indexOf(' ')), name),
    asked: (name) => asked(name, statement),
  };
  const write = (one: Write): void => {
    own.push(one);
    if (one.kind === 'clear') {
      cleared.add(one.table);
      for (const name of rows.keys()) if (name.startsWith(`${one.table} `)) rows.delete(name);
    } else if (one.kind === 'remove') rows.set(rowName(one.table, one.key), null);
    else rows.set(rowName(one.table, one.row.key), one.row);
  };
  const { find: findRow, ...others } = reads(lacks, known, (of, gives, parameters) => {
    statement = of;
    return asking(of, gives, parameters);
  });
  return {
    ...others,
    find: (table, key) => {
      const row = findRow(table, key);
      return row && { key: row.key, text: row.text, ...(row.bytes && { bytes: row.bytes }) };
    },
    taken,
    lacks,
    own,
    isBehindWrites: () => isBehind,
    insert: (table, row) => {
      // A key of which nothing is known is left to the table.
      if (find(table, rowName(table, row.key))) throw new Met(table);
      write({ kind: 'insert', table, row });
    },
    update: (table, row) => write({ kind: 'update', table, row }),
    remove: (table, key) => write({ kind: 'remove', table, key }),
    removeEvery: (table) => write({ kind: 'clear', table }),
  };
}
