import { type Expression, parseExpression } from '../../expression/expression.ts';
import { scalar } from '../../source/node.ts';
import type { Open } from '../../specification/reading/said.ts';
import type { Change, Permission, Qualifiers } from '../../specification/vocabulary/change.ts';
import { qualifierNames } from '../../specification/vocabulary/change.ts';
import type { Changes } from '../change/changes.ts';
import type { Perform } from '../change/perform.ts';
import { refuse } from '../message/refusal.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import type { Key, Store } from '../store/store.ts';
import { type Doing, isClear, latest, naming, refuseIt } from '../transaction/doing.ts';
import { compileViewer, type Seen, type Viewer } from './seen.ts';

/** A change that a handler asks for, as data: it is made once the handler has returned. */
export interface Wanted {
  readonly may: Allowed;
  readonly key: Key | null;
  readonly members: Members;
}

/** One change that `may` allows, compiled. */
interface Allowed extends Permission {
  readonly kept: KeptResource;
  readonly perform: Perform;
  readonly viewer: ReturnType<typeof compileViewer>;
}

/** What a handler asked for and saw while it ran. */
export interface Asked {
  readonly wanted: readonly Wanted[];
  readonly seen: readonly Seen[];
}

/** What a handler may ask for (language §I), compiled. */
export interface May {
  /** `tx` for one call, and what came of it; nothing more may be asked for once it is `over`. */
  readonly offer: () => { readonly tx: Tx; readonly asked: Asked; readonly over: () => void };
  /** Makes the changes that were asked for; what stands against them is in `doing`. */
  readonly carryOut: (doing: Doing, asked: Asked) => void;
}

type Tx = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What it takes to carry out what is asked for. */
export interface Means {
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly changes: Changes;
  readonly store: Store;
}

export function compileMay(permissions: readonly Permission[], { resources, changes, store }: Means): May {
  const may = permissions.flatMap((one): Allowed[] => {
    const kept = resources.get(one.resource);
    if (kept === undefined) return [];
    return [
      { ...one, kept, perform: changes.perform(changeOf(one), apart), viewer: compileViewer(kept, store) },
    ];
  });
  return {
    offer: () => {
      const asked = { wanted: [] as Wanted[], seen: [] as Seen[] };
      let isOver = false;
      const tx = offered(may, (one) => {
        if (isOver) throw new TypeError('the operation is over');
        if ('seen' in one) asked.seen.push(one.seen);
        else asked.wanted.push(one.wanted);
      });
      return {
        tx,
        asked,
        over: () => {
          isOver = true;
        },
      };
    },
    carryOut: (doing, { wanted }) => {
      for (const one of wanted) if (isClear(doing)) carryOut(doing, one);
    },
  };
}

/** What it asks for stands apart from the request's body and path. */
const apart = { isFirst: false, bring: () => ({ given: {} }), bound: () => ({}), check: () => {} };
const membersAsked = parseExpression('asked') as Expression;

/** The change that a permission allows, as the document would write it; `asked` is what it sets. */
function changeOf({ verb, resource, at }: Permission): Change {
  const open: Open = { kind: 'open', address: 'tx', at, question: null };
  const others = Object.fromEntries(qualifierNames.map((name) => [name, open])) as unknown as Qualifiers;
  const template = { kind: 'expression', expression: membersAsked, from: 0 } as const;
  const value = [{ template, node: scalar('asked', at) }];
  const said = { kind: 'stated', value, address: open.address, at, assumed: false } as const;
  return { verb, at, subject: { kind: 'one', name: resource, at }, qualifiers: { ...others, with: said } };
}

type Noted = { readonly wanted: Wanted } | { readonly seen: Seen };

/** `tx.VERB.RESOURCE(…)`: what `may` names, and nothing else. */
function offered(may: readonly Allowed[], note: (one: Noted) => void): Tx {
  const tx: Record<string, Record<string, unknown>> = Object.create(null);
  for (const one of may) {
    const of: Record<string, unknown> = tx[one.verb] ?? Object.create(null);
    tx[one.verb] = of;
    const viewer = one.viewer((seen) => note({ seen }));
    of[one.resource] = offer(one, viewer, (key, members) => note({ wanted: { may: one, key, members } }));
  }
  return tx;
}

function offer(one: Allowed, viewer: Viewer, ask: (key: Key | null, members: Members) => void): unknown {
  switch (one.verb) {
    case 'list':
      return viewer.list;
    case 'read':
      return async (key: unknown) => viewer.read(keyOf(one, key));
    case 'create':
      return (members: Members = {}) => ask(null, { ...members });
    default:
      return (key: unknown, members: Members = {}) => ask(keyOf(one, key), { ...members });
  }
}

/** @throws TypeError where it is no key of the resource */
export function keyOf({ kept }: Pick<Allowed, 'kept'>, key: unknown): Key {
  const values = (Array.isArray(key) ? key : [key]) as Key;
  const fits = values.every((one) => typeof one === 'string' || typeof one === 'number');
  if (fits && values.length === kept.keyFields.length) return values;
  throw new TypeError(`this is no key of ${kept.name}: ${JSON.stringify(key)}`);
}

function carryOut(doing: Doing, { may: { kept, perform, verb }, key, members }: Wanted): void {
  const at = naming(doing, { asked: members });
  if (key === null) {
    perform(at, kept, null);
    return;
  }
  const found = doing.tx.find(kept.table.name, key);
  const row = found && latest(doing, kept, found);
  if (row) perform(at, kept, row);
  else if (verb !== 'read') refuseIt(doing, refuse('unknown', kept.name));
}
