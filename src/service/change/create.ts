import { equal } from '../../expression/functions.ts';
import { ownMember } from '../../source/node.ts';
import { step } from '../../specification/reading/address.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { refuse } from '../message/refusal.ts';
import type { Brought, KeptResource, Members } from '../resource/kept.ts';
import { uniquesMet } from '../resource/unique.ts';
import { isWritable } from '../shape/schema.ts';
import type { Row } from '../store/store.ts';
import { type Doing, hold, isClear, refuseChecked, refuseIt } from '../transaction/doing.ts';
import type { CompiledMachine } from './machines.ts';
import type { Moving } from './move.ts';
import { askedOf, moveAsked } from './states.ts';
import type { Updating } from './update.ts';
import type { Writing } from './write.ts';

export interface Creation {
  readonly brought: Brought;
  /** Whether the client may give what it may write. */
  readonly takesBody: boolean;
  readonly present: 'keep' | 'match' | 'update' | 'replace' | null;
  /** Whether it is a change of an item that is there to leave every value as it was (language §H.2, `same`). */
  readonly isAnyway: boolean;
}

export interface Created {
  readonly outcome: Outcome;
  /** The item as it was, where it was there. */
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Makes an item, or does what `present` says of one that is there; null where it was refused (language §H.2). */
export type Creating = (doing: Doing, kept: KeptResource, creation: Creation) => Created | null;

export function creating(
  machines: ReadonlyMap<string, readonly CompiledMachine[]>,
  writing: Writing,
  move: Moving,
  update: Updating,
): Creating {
  return (doing, kept, creation) => {
    const own = machines.get(kept.name) ?? [];
    const asked = askedOf(own, creation.brought);
    const made = kept.create(asked.brought, doing.frame({}));
    if ('missing' in made) {
      hold(doing, [step(step(made.missing.address, 'set'), 'create')]);
      return null;
    }
    const { members, checked, isFresh, isGiven } = made;
    const odd = kept.keyFields.find((one) => !isKey(ownMember(members, one), kept.resource.fields.get(one)));
    if (odd !== undefined) {
      hold(doing, [step(step(step(kept.resource.address, 'fields'), odd), 'type')]);
      return null;
    }
    if (creation.present !== null) {
      const there = uniquesMet(kept, isGiven)
        .map((one) => one.find(doing.tx, members))
        .find((row) => row !== null);
      if (there) {
        // A state that is given is compared as any other value, though only a move would write it.
        const given = asked.states.map(({ machine, to }) => [machine.field, to] as const);
        const wanted = { ...members, ...Object.fromEntries(given) };
        return isClear(doing) ? meeting(doing, kept, there, wanted, creation) : null;
      }
    }
    // What is wrong with an item matters only if it is made (language §H.4, rule 12).
    if (checked) refuseChecked(doing, checked);
    if (!isClear(doing)) return null;
    const row = writing.write(doing, kept, null, members, undefined, isFresh);
    const after = isClear(doing) ? moveAsked(doing, kept, row, asked, move) : null;
    return isClear(doing) ? { outcome: 'created', before: null, after } : null;
  };

  /** What becomes of an item that is there already. */
  function meeting(
    doing: Doing,
    kept: KeptResource,
    there: Row,
    made: Members,
    { brought, present, takesBody, isAnyway }: Creation,
  ): Created | null {
    if (present === 'update' || present === 'replace') {
      const settled = withoutKey(kept, brought);
      const after = update(doing, kept, there, {
        brought: settled,
        replaces: present === 'replace',
        isAnyway,
        check: () => {},
      });
      if (!isClear(doing)) return null;
      return { outcome: after === there ? 'unchanged' : 'changed', before: there, after };
    }
    const before = kept.members(there);
    const givable = [...kept.resource.fields.values()].filter(
      (field) =>
        field.derived.kind !== 'stated' &&
        ((takesBody && isWritable(field)) || Object.hasOwn(brought.set ?? {}, field.name)),
    );
    if (
      present === 'match' &&
      !givable.every(({ name }) => equal(ownMember(made, name), ownMember(before, name)))
    ) {
      refuseIt(doing, refuse('different', kept.name));
      return null;
    }
    return { outcome: 'unchanged', before: there, after: there };
  }
}

/** An item's identifier stays as it is. */
function withoutKey(kept: KeptResource, brought: Brought): Brought {
  const less = (members: Members): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !kept.keyFields.includes(name)));
  return { ...brought, given: less(brought.given), set: less(brought.set ?? {}) };
}

/** Whether an item can be found by a value again: a number in a path is one only where the type says so. */
function isKey(value: unknown, field: Field | undefined): boolean {
  const isTyped =
    field !== undefined &&
    (field.shape.name !== null || field.shape.keywords.has('type') || field.refers.kind === 'stated');
  return typeof value === 'string' || (typeof value === 'number' && isTyped);
}
