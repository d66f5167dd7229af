import type { Frame } from '../expression/compile.ts';
import { setMember } from '../source/node.ts';
import { step } from '../specification/address.ts';
import type { Outcome } from '../specification/answer.ts';
import type { Operation } from '../specification/operation.ts';
import type { Field } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import type { BodyReader } from './body/body.ts';
import { givenBy, isFailing, type Patch, writableMembers } from './body/given.ts';
import type { KeptResource } from './parts/resources.ts';
import type { Checked, Held } from './refusal.ts';
import type { Key, Row, Transaction } from './store/store.ts';

type Write = (tx: Transaction) => void;

/** What a change leads to, before it is known whether it is refused. */
export type Prepared =
  | {
      readonly writes: readonly Write[];
      /** The item as it is afterwards; null where there is none to show. */
      readonly row: Row | null;
      readonly outcome: Outcome | null;
      readonly checked: Checked | null;
    }
  | Held;

/** A change, compiled: what it leads to for the item as it was found. */
export interface CompiledChange {
  /** Whether it writes, and so belongs into a transaction. */
  readonly writes: boolean;
  readonly prepare: (asked: Asked) => Prepared;
}

/** What a request asks of a change. */
interface Asked {
  /** The item that it is about; null where there is none, or none yet. */
  readonly row: Row | null;
  /** The path's parameters, as values of their types. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly patch: Patch | null;
  readonly frame: (names: Readonly<Record<string, unknown>>) => Frame;
}

const still: Prepared = { writes: [], row: null, outcome: null, checked: null };

/** Compiles what an operation does (language §H.2). */
export function compileChange(
  operation: Operation,
  kept: KeptResource | undefined,
  body: BodyReader | undefined,
): CompiledChange {
  const change = stated(operation.does);
  if (change === undefined || kept === undefined) return { writes: false, prepare: () => still };
  const { resource, name } = kept;
  // A body with a shape of its own may hold what is no field of the resource; that is not kept with it.
  const written = operation.request ? stated(operation.request.body) : undefined;
  const ownBody = written?.of?.name === name;
  if (change.verb === 'create') {
    const bound = [...operation.bindings].flatMap(([parameter, one]) =>
      one.kind === 'subject' ? [{ parameter, field: one.field }] : [],
    );
    return {
      writes: true,
      prepare: ({ path, body: value, frame }) => {
        const given = writableMembers(value, resource, [], ownBody);
        const set: Record<string, unknown> = {};
        for (const { parameter, field } of bound) setMember(set, field, path[parameter]);
        const made = kept.create({ given, set }, frame({}));
        if ('missing' in made) return { held: [step(step(made.missing.address, 'set'), 'create')] };
        const wrong = kept.keyFields.find((one) => !isKey(made.members[one], resource.fields.get(one)));
        if (wrong !== undefined)
          return { held: [step(step(step(resource.address, 'fields'), wrong), 'type')] };
        const row = kept.row(made.members);
        return { writes: [(tx) => tx.insert(name, row)], row, outcome: 'created', checked: made.checked };
      },
    };
  }
  if (change.verb === 'update')
    return {
      writes: true,
      prepare: ({ row, body: value, patch, frame }) => {
        if (row === null) return still;
        const before = kept.members(row);
        const asked = givenBy(patch, value, before);
        if (isFailing(asked)) return { ...still, checked: { failures: [asked], held: null } };
        const { set, gone } = asked;
        const given = writableMembers(set, resource, kept.keyFields, ownBody);
        const going = Object.keys(writableMembers(gone, resource, kept.keyFields, ownBody));
        const result = { ...before, ...given };
        for (const name of going) delete result[name];
        const wrong = body?.checkResult(writableMembers(result, resource, [], true)) ?? null;
        if (wrong !== null) return { ...still, checked: wrong };
        const { members, changed, checked } = kept.change(before, { given, gone: going }, frame({}));
        if (checked !== null) return { ...still, checked };
        if (!changed) return { ...still, row, outcome: 'unchanged' };
        const after = kept.row(members);
        return {
          writes: [(tx) => tx.update(name, after)],
          row: after,
          outcome: 'changed',
          checked: null,
        };
      },
    };
  if (change.verb === 'delete' && change.subject.kind === 'every')
    return {
      writes: true,
      prepare: () => ({
        writes: kept.keyFields.length === 0 ? [] : [(tx) => tx.removeEvery(name)],
        row: null,
        outcome: 'deleted',
        checked: null,
      }),
    };
  if (change.verb === 'delete')
    return {
      writes: true,
      prepare: ({ row }) =>
        row === null
          ? still
          : {
              writes: [(tx) => tx.remove(name, row.key)],
              row,
              outcome: 'deleted',
              checked: null,
            },
    };
  return { writes: false, prepare: ({ row }) => ({ ...still, row }) };
}

/** Whether an item can be found by a value again: a number in a path is one only where the type says so. */
function isKey(value: unknown, field: Field | undefined): boolean {
  const isTyped = field !== undefined && (field.shape.name !== null || field.shape.keywords.has('type'));
  return typeof value === 'string' || (typeof value === 'number' && isTyped);
}

/** The identifier that the path's parameters give; undefined where one of them can be none. */
export function compileKey(
  operation: Operation,
  kept: KeptResource,
): (path: Readonly<Record<string, unknown>>) => Key | undefined {
  const names = kept.keyFields.map((name) => {
    const bound = [...operation.bindings].find(([, one]) => one.kind === 'subject' && one.field === name);
    return bound?.[0] ?? name;
  });
  return (path) => {
    const key = names.map((name) => path[name]);
    const fits = key.every((one) => typeof one === 'string' || typeof one === 'number');
    return fits ? (key as Key) : undefined;
  };
}
