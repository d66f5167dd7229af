import type { Frame } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { machinesOf } from '../../interchange/wording/machines.ts';
import { Refused } from '../../load/refused.ts';
import { timerTable } from '../../service/change/timers.ts';
import type { KeptResource } from '../../service/resource/kept.ts';
import type { Key, Reads, Row } from '../../service/store/store.ts';
import { clock } from '../../service/value/clock.ts';
import { makers } from '../../service/value/makers.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Context, type Given, textOf } from '../context.ts';
import type { Desk } from '../desk.ts';
import type { Recorded } from '../requests.ts';
import { beside, resourcesOf, runningOf } from './beside.ts';
import { concealed, hidden, isSecret } from './concealed.ts';
import { type Cell, cellOf, columnsOf, keptNamed, membersShown } from './items.ts';
import { type Timer, timersIn } from './machines.ts';

/** One item, whole. */
export interface ItemDetail {
  readonly resource: string;
  readonly key: string;
  /** Null: there is none any more. */
  readonly members: readonly Member[] | null;
  /** The machines that it is in a state of. */
  readonly machines: readonly { readonly name: string; readonly state: string }[];
  readonly timers: readonly Timer[];
  /** The fields of other items that refer to it, and how many do. */
  readonly referrers: readonly Referring[];
  /** The requests that made and changed it, the latest first, with the fields that each changed. */
  readonly history: readonly Change[];
}

export interface Member {
  readonly name: string;
  readonly kind: 'identifier' | 'stored' | 'derived' | 'secret' | 'not a field';
  /** Null: it has no value, or a derived one cannot be evaluated here. */
  readonly cell: Cell | null;
}

export interface Referring {
  readonly resource: string;
  readonly field: string;
  readonly items: number;
  /** The value by which they are found, if there is one alone. */
  readonly is: string | null;
}

/** What a request did to the item. */
export interface Change {
  readonly request: Recorded;
  readonly how: 'created' | 'changed' | 'deleted';
  readonly fields: readonly string[];
}

/** So many characters of a value are shown, and so many referring items are counted. */
const mostShown = 64 * 1024;

/** Tells of one item, by its `resource` and its `key` as JSON. */
export async function itemDetail(given: Given, { desk, requests }: Context): Promise<ItemDetail> {
  const running = runningOf(desk);
  const { specification } = running;
  const kept = keptNamed(specification, textOf(given, 'resource'));
  const key = keyOf(textOf(given, 'key'), kept);
  const written = JSON.stringify(key);
  const tables = [...resourcesOf(specification).values()].map(({ table }) => table);
  const history = historyOf(requests.all(), kept.name, written);
  return beside(running, [...tables, timerTable], async (store, has) => {
    const none = {
      resource: kept.name,
      key: written,
      members: null,
      machines: [],
      timers: [],
      referrers: [],
      history,
    };
    if (!has(kept.table)) return none;
    const found = await store.read((reads) => {
      const row = reads.find(kept.table.name, key);
      return (
        row && {
          members: membersOf(specification, kept, row, frameOf(desk, reads)),
          machines: machinesIn(specification, kept, row),
          referrers: referrersOf(kept, row, reads, (name) => has(keptNamed(specification, name).table)),
        }
      );
    });
    const timers = has(timerTable) ? await timersIn(store, kept.name) : [];
    return { ...none, ...(found ?? {}), timers: timers.filter((one) => one.key === written) };
  });
}

function keyOf(text: string, { keyFields, name }: KeptResource): Key {
  let key: unknown;
  try {
    key = JSON.parse(text);
  } catch {
    key = null;
  }
  const isKey =
    Array.isArray(key) &&
    key.length === keyFields.length &&
    key.every((part) => typeof part === 'string' || typeof part === 'number');
  if (!isKey)
    throw new Refused(`the key of an item of ${name} is a JSON list of its ${keyFields.join(', ')}`);
  return key as Key;
}

/** What derived fields find: what is stored, the time, and nobody who asks. */
function frameOf(desk: Desk, reads: Reads): Frame {
  const { address } = runningOf(desk);
  return {
    names: { service: { url: address }, actor: null, request: null, now: clock()() },
    makers: makers(),
    reads,
    handlers: undefined,
  };
}

function membersOf(of: Specification, kept: KeptResource, row: Row, frame: Frame): readonly Member[] {
  const shown = membersShown(of, kept, row);
  const columns = columnsOf(kept);
  const others = Object.keys(shown).filter((name) => !columns.includes(name));
  const derived = [...kept.resource.fields.values()].filter((field) => stated(field.derived));
  const member = (name: string, kind: Member['kind']): Member => ({
    name,
    kind: shown[name] === hidden ? 'secret' : kind,
    cell: Object.hasOwn(shown, name) ? cellOf(of, kept, name, shown[name], mostShown) : null,
  });
  return [
    ...columns.map((name) => member(name, kept.keyFields.includes(name) ? 'identifier' : 'stored')),
    ...derived.map(({ name }): Member => {
      const value = isSecret(of, name) ? null : workedOut(kept, row, name, frame);
      const cell = value === null ? null : cellOf(of, kept, name, concealed(of, value), mostShown);
      return { name, kind: 'derived', cell };
    }),
    ...others.map((name) => member(name, 'not a field')),
  ];
}

/** A derived field as plain data; null: it has none, or it cannot be evaluated without a request. */
function workedOut(kept: KeptResource, row: Row, name: string, frame: Frame): unknown {
  try {
    const value = kept.item(row, () => frame).member(name);
    return value === null || value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null');
  } catch (error) {
    if (error instanceof CannotWorkOut || error instanceof TypeError) return null;
    throw error;
  }
}

function machinesIn(of: Specification, kept: KeptResource, row: Row): ItemDetail['machines'] {
  const members = kept.members(row);
  return [...machinesOf(of).keys()].flatMap((name) => {
    const [resource, field = ''] = name.split('.');
    return resource === kept.name && typeof members[field] === 'string'
      ? [{ name, state: String(members[field]) }]
      : [];
  });
}

function referrersOf(
  kept: KeptResource,
  row: Row,
  reads: Reads,
  isStored: (resource: string) => boolean,
): readonly Referring[] {
  const [only, second] = row.key;
  return kept.referrers
    .filter(({ resource }) => isStored(resource))
    .map((one) => ({
      resource: one.resource,
      field: one.field.name,
      items: one.rows(reads, row).length,
      is:
        second === undefined && (stated(one.field.refers)?.field ?? kept.keyFields[0]) === kept.keyFields[0]
          ? String(only)
          : null,
    }));
}

function historyOf(requests: readonly Recorded[], resource: string, key: string): readonly Change[] {
  return requests.flatMap((request) =>
    (request.wrote ?? [])
      .filter((one) => one.resource === resource && one.key === key)
      .map(({ how, fields }) => ({ request, how, fields })),
  );
}
