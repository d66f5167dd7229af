import type { Json, Members } from '../service/document.ts';
import type { Chance } from './chance.ts';
import type { ResourceDraft, World } from './draft.ts';
import type { Expressions } from './expressions.ts';

const all = ['new', 'going', 'held', 'done'];

/** Gives some resources a machine, whose field is another of theirs. */
export function draftMachines(world: World, chance: Chance): void {
  for (const one of world.resources) {
    if (one === world.account || one === world.hook || !chance.percent(40)) continue;
    const states = all.slice(0, chance.between(2, 4));
    const transitions = ['start', 'stop', 'finish', 'tick'].slice(0, chance.between(1, 4));
    one.machine = { field: 'status', states, transitions };
    const isWritten = chance.percent(15);
    one.fields.push({
      name: 'status',
      kind: 'text',
      isGiven: isWritten,
      isShown: true,
      isStorable: true,
      isSure: true,
      values: states,
      statement: { type: 'string', ...(isWritten && { writable: true }) },
    });
  }
}

/** Part 3 of a document. */
export function writeStates(world: World, chance: Chance, write: Expressions): Members {
  return Object.fromEntries(
    world.resources.flatMap((one) =>
      one.machine ? [[`${one.name}.${one.machine.field}`, machine(world, one, chance, write)]] : [],
    ),
  );
}

function machine(world: World, one: ResourceDraft, chance: Chance, write: Expressions): Members {
  const { states, transitions } = one.machine as NonNullable<ResourceDraft['machine']>;
  const hasFinal = states.length > 2 && chance.percent(50);
  const from = hasFinal ? states.slice(0, -1) : states;
  const moves = transitions.map((name) => [name, transition(world, one, name, from, chance, write)] as const);
  return {
    states: [...states],
    initial: chance.percent(90) ? (states[0] as string) : `\${true ? '${states[0]}' : '${states[0]}'}`,
    ...(hasFinal && { final: [states.at(-1) as string] }),
    transitions: Object.fromEntries(moves),
  };
}

function transition(
  world: World,
  one: ResourceDraft,
  name: string,
  from: readonly string[],
  chance: Chance,
  write: Expressions,
): Members {
  const { states } = one.machine as NonNullable<ResourceDraft['machine']>;
  const isTimer = name === 'tick';
  const names = [
    { path: 'this', kind: { item: one.name }, isSure: true, isStorable: true, isRow: true },
    { path: 'now', kind: 'time' as const, isSure: true, isStorable: true, isRow: false },
    ...write.members('this', one, true),
  ];
  const scope = { names, isStorable: false, hasSets: true };
  const settable = one.fields.filter(
    ({ kind, statement, values }) =>
      !values && ['text', 'integer'].includes(kind as string) && isSettable(statement),
  );
  return {
    from: chance.percent(50) ? chance.pick(from) : [...from],
    to: chance.percent(8) && !isTimer ? '(none)' : chance.pick(states),
    ...chance.maybe(30, () => ({ when: `\${${write.of('boolean', scope)}}` })),
    ...chance.maybe(30, () => ({
      set: Object.fromEntries(
        settable.slice(0, 1).map((field) => [field.name, `\${${write.of(field.kind, scope, 1)}}`]),
      ),
    })),
    ...(isTimer &&
      chance.pick<Members>([{ after: 'P1D' }, { after: 'PT2H', within: 'PT1M' }, { after: 'operator' }])),
    ...chance.maybe(15, () => ({ also: alsoOf(world, one, chance) })),
  } as Members;
}

/** Further changes: of the items that are bound, and of every item of a resource. */
function alsoOf(world: World, one: ResourceDraft, chance: Chance): Json {
  const others = world.resources.filter((other) => other !== one && other !== world.account);
  if (others.length === 0) return [];
  const other = chance.pick(others);
  return [{ delete: `every ${other.name}`, where: '${this == null}' }];
}

/** A kept field that no key, set or secret keeps from being set. */
export function isSettable(statement: Members): boolean {
  return ![
    'set',
    'derived',
    'unique',
    'secret',
    'refers',
    'pattern',
    'format',
    'enum',
    'holds',
    'minLength',
    'maximum',
    'multipleOf',
    'minimum',
  ].some((key) => key in statement);
}
