import {
  compileTemplate,
  type Environment,
  type Frame,
  type Item,
  type Run,
} from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import { worked } from '../../expression/values.ts';
import { ownMember, setMember } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Checked, Failing } from '../message/refusal.ts';
import type { OthersRule } from '../shape/schema.ts';
import type { Brought, Members } from './kept.ts';

/** Whether a client may write a field, as far as that depends on the item. */
type May = (asked: Asked) => boolean;

interface Asked {
  /** The members as they are; null for a new item. */
  readonly before: Members | null;
  /** The value given, as it is kept. */
  readonly value: unknown;
  /** The item as it is, or as it would be made. */
  readonly item: Item;
  readonly frame: Frame;
}

/** What of a change a client may bring, and what is to be said of the rest. */
export interface Admitted {
  readonly brought: Brought;
  readonly checked: Checked | null;
}

export type Admit = (
  brought: Brought,
  before: Members | null,
  item: Item,
  taken: (name: string) => unknown,
  frame: Frame,
) => Admitted;

/**
 * Takes out what a client gives and may not write: that is treated as a member that nobody stated (language §2.2,
 * `writable`). Undefined where it does not depend on the item.
 */
export function compileAdmit(resource: Resource, environment: Environment): Admit | undefined {
  const limits = new Map<string, May>();
  for (const { name, writable } of resource.fields.values()) {
    const said = stated(writable);
    if (said === 'once') limits.set(name, ({ before }) => before === null);
    else if (said === 'same')
      limits.set(name, ({ before, value }) => before === null || equal(ownMember(before, name), value));
    else if (typeof said === 'object')
      limits.set(name, byExpression(compileTemplate(said.template, environment)));
  }
  if (limits.size === 0) return undefined;
  const own: OthersRule = { rule: stated(resource.others) ?? null, address: resource.others.address };
  return (brought, before, item, taken, frame) => {
    const { rule, address } = brought.others ?? own;
    const given: Members = {};
    const untouched: string[] = [];
    const failures: Failing[] = [];
    let isOpen = false;
    for (const [name, value] of Object.entries(brought.given)) {
      const may = limits.get(name);
      if (!may || may({ before, value: taken(name), item, frame })) setMember(given, name, value);
      else if (rule === 'refuse') failures.push(failure(resource, name, value));
      else isOpen ||= rule === null;
    }
    for (const name of [...(brought.gone ?? []), ...(brought.reset ?? [])])
      if (limits.get(name)?.({ before, value: null, item, frame }) === false) untouched.push(name);
    const isTouched = (name: string): boolean => !untouched.includes(name);
    return {
      brought: {
        ...brought,
        given,
        ...(brought.gone && { gone: brought.gone.filter(isTouched) }),
        ...(brought.reset && { reset: brought.reset.filter(isTouched) }),
      },
      checked: failures.length > 0 || isOpen ? { failures, held: isOpen ? { held: [address] } : null } : null,
    };
  };
}

function byExpression(run: Run): May {
  // What cannot be worked out is not true.
  return ({ item, frame }) => worked(() => run({ ...frame, names: { ...frame.names, this: item } })) === true;
}

function failure({ name: of }: Resource, name: string, value: unknown): Failing {
  const subjects = [`${of}.${name}.others`, `${of}.others`];
  return { field: name, keyword: 'others', value, limit: null, subjects };
}
