import { nextTurn } from '../source/turns.ts';
import { isAnyCounted } from '../specification/model/counted.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import { goneTable } from './change/gone.ts';
import { hasTimers, timerTable } from './change/timers.ts';
import type { CompiledDocument } from './compiling.ts';
import { environmentOf } from './content/render.ts';
import { rulesOf } from './evolve/evolve.ts';
import { workTable } from './handlers/work.ts';
import type { Counter } from './limits/counter.ts';
import { openCounter } from './limits/open.ts';
import { together, withoutPrefixes } from './list/indexes.ts';
import type { HostLimits } from './message/host-limits.ts';
import type { ServiceOptions } from './options.ts';
import { answered } from './request/repeats.ts';
import { hasSeeds, seedTable } from './seeds.ts';
import { openStore } from './store/open.ts';
import { openSqliteReader, type SqliteReader } from './store/sqlite/reader.ts';
import type { Replica, Store, Table } from './store/store.ts';
import { clock } from './value/clock.ts';
import type { Edition } from './versions/editions.ts';
import { compileWanted, type Wanted } from './wanted.ts';

/** What is kept, and where requests are counted. */
export interface Opened {
  readonly store: Store;
  /** The same, where this process only reads; else null. */
  readonly reader: SqliteReader | null;
  readonly counter: Counter;
}

/** Opens the store with the tables that a document needs. It takes the counter with it when it closes. */
export async function openKept(
  document: CompiledDocument,
  options: ServiceOptions,
  limits: HostLimits,
): Promise<Opened> {
  const { specification } = document;
  const counter = await openCounter(
    counterPlace(specification, options),
    specification.name,
    options.milliseconds,
  );
  let reader: SqliteReader | null = null;
  const openToRead = (place: string, tables: readonly Table[]): Store => {
    reader = openSqliteReader(place, tables, limits.logBytes);
    return reader;
  };
  const openHere: NonNullable<ServiceOptions['open']> = (place, tables) =>
    openStore(place, tables, limits.logBytes, replicaOf(options));
  const isReader = options.sharing?.role === 'reader';
  const open = closingWithIt(counter, isReader ? openToRead : (options.open ?? openHere));
  const tables = tablesOf(document, options);
  await nextTurn();
  const store = await open(options.data, tables);
  return { store, reader, counter };
}

/** The replica that is read as well; undefined: there is none. */
function replicaOf({ readStore, onRead, onReplica }: ServiceOptions): Replica | undefined {
  return readStore === undefined ? undefined : { place: readStore, onRead, onReplica };
}

/** The tables of resources, and those of the service's own, where the document needs them. */
function tablesOf(document: CompiledDocument, options: ServiceOptions): Table[] {
  const { specification, newest, machines, works, issuer, events, gone } = document;
  return [
    ...resourceTables(document, options),
    ...newest.tables,
    ...(hasSeeds(newest.kept) ? [seedTable] : []),
    ...(hasTimers(machines) ? [timerTable] : []),
    ...(works.length > 0 ? [workTable] : []),
    ...ownTables(specification),
    ...(gone ? [goneTable] : []),
    ...(issuer?.tables ?? []),
    ...(events?.tables ?? []),
  ];
}

/** The tables of resources, with the indexes and columns that any version reads by. */
function resourceTables(document: CompiledDocument, options: ServiceOptions): Table[] {
  const { specification, newest, editions, machines, events } = document;
  const environment = environmentOf(newest.writers);
  const start = (): string => clock(options.milliseconds)();
  const byEach = editions.map(wantedBy);
  const wanted = together([...byEach.map(({ indexes }) => indexes), ...(events?.indexes ?? [])]);
  return newest.kept.map((one) => ({
    ...one.table,
    indexes: withoutPrefixes([...(one.table.indexes ?? []), ...(wanted.get(one.name) ?? [])]),
    columns: byEach.flatMap(({ columns }) => columns.get(one.name) ?? []),
    texts: byEach.flatMap(({ texts }) => texts.flatMap(([of, text]) => (of === one.name ? [text] : []))),
    rules: rulesOf(specification, one, environment, machines.get(one.name) ?? [], start),
  }));
}

/** Where requests are counted: where several processes may keep what they serve, there, unless it is said. */
function counterPlace(specification: Specification, { counter, data }: ServiceOptions): string | undefined {
  const isCounted = specification.operations.some((operation) => isAnyCounted(specification, operation));
  if (!isCounted) return undefined;
  return counter ?? (/^postgres(ql)?:/.test(data) ? data : undefined);
}

/** A store that takes the counter with it, when it closes or cannot be opened. */
function closingWithIt(counter: Counter, open: NonNullable<ServiceOptions['open']>): typeof open {
  return async (place, tables) => {
    try {
      const store = await open(place, tables);
      const close = async (): Promise<void> => {
        await counter.close();
        await store.close();
      };
      return { ...store, close };
    } catch (error) {
      await counter.close();
      throw error;
    }
  };
}

function wantedBy({ specification, resources, writers, model, ...shown }: Edition): Wanted {
  return compileWanted(specification, resources, model, environmentOf(writers), shown);
}

/** The tables of the service's own, where it needs them. */
function ownTables({ operations }: Specification): Table[] {
  return operations.some(({ endpoint }) => stated(endpoint.idempotency)) ? [answered] : [];
}
