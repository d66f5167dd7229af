import type { Key, Row, Statement } from '../../store.ts';
import type { Statements } from '../statements.ts';
import { borneOn } from './divisions.ts';
import type { Gave, Need } from './needs.ts';
import { type Pass, reads, rowName, type Taken } from './replay.ts';
import { counted, pointed, type Search, type Sought, soughtBy } from './searches.ts';

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

/** A query, and what it looks for in each table that it reads. */
export interface Question {
  readonly statement: Statement;
  readonly sought: readonly Sought[];
}

/** Where a query was asked that is not known: behind so many writes, and whether further ones may change what it gives. */
interface Behind {
  readonly position: number;
  readonly sought: readonly Sought[];
  readonly isExact: boolean;
}

/** Which writes bear on the rows that have certain values: each by its place, and how many more such rows there are by it. */
interface Bearing {
  readonly at: number;
  readonly more: -1 | 0 | 1;
}

/** The writes to a table, by the values of the rows on which they bear. */
interface ByValues {
  upTo: number;
  /** Rows as they are after those writes, by name. */
  readonly rows: Map<string, Row | null>;
  readonly bearing: Map<string, Bearing[]>;
  /** The places of writes of which it is not known on what they bear, because what was there before is not. */
  readonly unknown: number[];
}

/** What one pass wrote, over what was written before it. */
class OwnWrites {
  readonly own: Write[] = [];
  readonly #overlay: Overlay;
  readonly #rows = new Map<string, Row | null>();
  readonly #cleared = new Set<string>();
  readonly #byValues = new Map<Search, ByValues>();

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
  /** Whether a write bears on what a query gives: one from a place on, and before another. */
  isTouched(sought: readonly Sought[], from: number, to = this.position): boolean {
    if (from >= to) return false;
    const isIn = (at: number): boolean => at >= from && at < to;
    return sought.some(({ table, search, wanted }) => {
      if (search === null || wanted === undefined) {
        for (let index = from; index < to; index++) if (this.#at(index).table === table) return true;
        return false;
      }
      const { bearing, unknown } = this.#bearing(search, table);
      if (unknown.some(isIn)) return true;
      return wanted !== null && (bearing.get(wanted) ?? []).some(({ at }) => isIn(at));
    });
  }
  /** What a query gives by now that gave this before some writes; undefined: that cannot be told. */
  brought(gave: Gave, after: number, { statement, sought: [sought] }: Question): Gave | undefined {
    const { table = '', wanted } = sought ?? {};
    if (wanted === undefined || 'error' in gave) return undefined;
    if (wanted === null) return gave;
    const one = pointed(statement);
    if (one && 'rows' in gave) return this.#brought(gave.rows, one, table, wanted);
    const search = counted(statement);
    if (!search || !('value' in gave)) return undefined;
    const { bearing, unknown } = this.#bearing(search, table);
    if (unknown.some((at) => at >= after)) return undefined;
    const since = (bearing.get(wanted) ?? []).filter(({ at }) => at >= after);
    return countedOn(gave.value, statement, since);
  }

  /** The row that has certain values of which no two rows have the same. */
  #brought(rows: readonly Row[], search: Search, table: string, wanted: string): Gave | undefined {
    const isIt = (row: Row): boolean => search.by.valuesOf(row) === wanted;
    const [there] = rows;
    if (there) {
      const now = this.row(table, rowName(table, there.key));
      if (now === undefined) return { rows };
      return now !== null && isIt(now) ? { rows: [{ ...there, ...now }] } : undefined;
    }
    for (const { at } of this.#bearing(search, table).bearing.get(wanted) ?? []) {
      const write = this.#at(at);
      const now = 'row' in write ? this.row(table, rowName(table, write.row.key)) : null;
      if (now && isIt(now)) return { rows: [now] };
    }
    return { rows };
  }

  /** The writes to a table, by the values by which a query looks for rows. */
  #bearing(search: Search, table: string): ByValues {
    const known: ByValues = this.#byValues.get(search) ?? {
      upTo: 0,
      rows: new Map(),
      bearing: new Map(),
      unknown: [],
    };
    this.#byValues.set(search, known);
    for (; known.upTo < this.position; known.upTo += 1) {
      const write = this.#at(known.upTo);
      if (write.table !== table) continue;
      if (write.kind === 'clear') known.unknown.push(known.upTo);
      else this.#bear(search, known, write);
    }
    return known;
  }
  #bear(
    search: Search,
    { upTo: at, rows, bearing, unknown }: ByValues,
    write: Exclude<Write, { kind: 'clear' }>,
  ) {
    const key = write.kind === 'remove' ? write.key : write.row.key;
    const name = rowName(write.table, key);
    const found = rows.has(name) ? rows.get(name) : this.#overlay.before(name);
    // Where a row is there already that is inserted, the transaction fails.
    const before = found === undefined && write.kind === 'insert' ? null : found;
    const after = write.kind === 'remove' ? null : write.row;
    rows.set(name, after);
    if (before === undefined) unknown.push(at);
    const { by } = search;
    const reads = search.givesRows ? null : search.reads;
    for (const values of borneOn({ by, reads }, before ?? null, after)) {
      const isOf = (row: Row | null | undefined): number => (row && by.valuesOf(row) === values ? 1 : 0);
      const all = bearing.get(values) ?? [];
      all.push({ at, more: (isOf(after) - isOf(before)) as Bearing['more'] });
      bearing.set(values, all);
    }
  }
  #at(index: number): Write {
    const { writes } = this.#overlay;
    return (index < writes.length ? writes[index] : this.own[index - writes.length]) as Write;
  }
}

/** How many rows there are by now, or whether there are any, of what was told of that before some writes. */
function countedOn(
  value: unknown,
  { query: { gives } }: Statement,
  since: readonly Bearing[],
): Gave | undefined {
  const kind = gives === 'rows' ? gives : gives.kind;
  const more = since.reduce((sum, one) => sum + one.more, 0);
  if (kind === 'count') return { value: Number(value) + more };
  // How many there were is not known of them, only whether there were any.
  const wasThere = value === (kind === 'exists');
  if (wasThere && since.some((one) => one.more < 0)) return undefined;
  const isThere = wasThere || more > 0;
  return { value: isThere === (kind === 'exists') };
}

/** What a query gives by now, of what it was answered before; or how many of its answers do not tell that. */
function answerTo(
  overlay: Overlay,
  written: OwnWrites,
  name: string,
  question: Question,
): Gave | { readonly known: number } {
  const known = overlay.answers(name).filter(({ after }) => after <= written.position);
  const untouched = known.find(({ after }) => !written.isTouched(question.sought, after));
  if (untouched) return untouched.gave;
  if (!isFollowed(question.statement)) return { known: known.length };
  for (const { gave, after } of known) {
    const brought = written.brought(gave, after, question);
    if (brought) return brought;
  }
  return { known: known.length };
}

/** Whether what a query gives after writes can be told by what it gave before them. */
function isFollowed(statement: Statement): boolean {
  return pointed(statement) !== null || counted(statement) !== null;
}

export function planPass(overlay: Overlay, { asking }: Pick<Statements, 'asking'>, taken: Taken): PlanPass {
  const lacks: Need[] = [];
  const written = new OwnWrites(overlay);
  const behind = new Map<string, Behind>();
  const looked = new Map<string, { readonly table: string; readonly key: Key }>();
  const questions = new Map<string, Question>();
  let sure = 0;
  const asked = (name: string): Gave | undefined => {
    const question = questions.get(name) as Question;
    const answer = answerTo(overlay, written, name, question);
    // What is asked again further on is asked for where it was lacked first.
    if (!('known' in answer)) return answer;
    const { statement, sought } = question;
    const isExact = answer.known > 0 || !isFollowed(statement);
    if (!behind.has(name)) behind.set(name, { position: written.position, sought, isExact });
    return undefined;
  };
  const { find, ...others } = reads(
    lacks,
    { find: (name) => written.row(name.slice(0, name.indexOf(' ')), name), asked },
    (statement, gives, parameters) => {
      const need = asking(statement, gives, parameters);
      if (!questions.has(need.name))
        questions.set(need.name, { statement, sought: soughtBy(statement, parameters) });
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
    const { position = 0, sought = [], isExact = false } = behind.get(name) ?? {};
    return isExact && written.isTouched(sought, sent, position);
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
