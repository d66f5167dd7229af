import { duration, textType, timestamp } from '../../../expression/type.ts';
import { isWritten } from '../../model/denied.ts';
import { exhaustedIn } from '../../model/exhausted.ts';
import {
  initialStates,
  isTimed,
  isWhole,
  reachable,
  transitionsIn,
  twiceIn,
  waysOut,
} from '../../model/machine.ts';
import type { Specification } from '../../model/specification.ts';
import { type Placed, type Reading, unknownName } from '../../reading/reading.ts';
import { isSaid, type Said, stated } from '../../reading/said.ts';
import { qualifierNames, verbs } from '../../vocabulary/change.ts';
import type { Field, Resource } from '../../vocabulary/parts/resources.ts';
import type { Machine, Transition } from '../../vocabulary/parts/states.ts';
import { checkAlso } from '../changing.ts';
import { knownBy } from '../lacking.ts';
import { checkEntry, checkField, nameAt } from '../names.ts';
import type { Bound, Standing } from '../scope.ts';
import type { Typing, Validate } from '../typing.ts';

type Of = Specification;

/** A machine, with what it is of. */
interface Described {
  readonly name: string;
  readonly said: Said<Machine>;
  readonly machine: Machine;
  readonly resource: string;
  readonly field: Field | undefined;
}

/** What part 3 says of itself and of other parts (language §3). */
export const validate: Validate = (of, typing, reading) => {
  const asked = askedFor(of);
  const names = new Map<string, Said<unknown>>();
  for (const [name, said] of stated(of.states) ?? []) {
    const [resource = ''] = name.split('.');
    const field = name.slice(resource.length + 1);
    checkEntry(of, resource, nameAt(of, said), 'a resource', reading);
    checkField(of, resource, field, nameAt(of, said), reading);
    const machine = stated(said);
    if (machine === undefined) continue;
    const described = {
      name,
      said,
      machine,
      resource,
      field: of.resourcesByName.get(resource)?.fields.get(field),
    };
    if (checkStates(described, reading)) checkReach(of, described, reading);
    checkEndless(machine, reading);
    for (const [transition, move] of stated(machine.transitions) ?? []) {
      checkName(of, `${resource}.${transition}`, move, names, reading);
      const one = stated(move);
      if (one === undefined) continue;
      checkTransition(of, one, of.resourcesByName.get(resource), typing, reading);
      checkAsked(of, described, transition, one, asked, reading);
    }
    const standing: Standing = {
      situation: 'set',
      subject: of.resourcesByName.get(resource) ?? null,
      bound: [],
    };
    typing.template(machine.initial, standing, textType);
    checkWork(of, described, reading);
  }
};

/** The states that it moves between are those that it lists, each once, and all that the field may hold; whether so. */
function checkStates({ machine, field, name }: Described, reading: Reading): boolean {
  const states = stated(machine.states);
  const used = statesUsed(machine);
  for (const { text, at } of used) reading.use('state', `${name}.${text}`, at);
  if (states === undefined) return true;
  const known = states.map((one) => one.text);
  const twice = twiceIn(states);
  if (twice)
    reading.report('key-twice', twice.second.at, { key: twice.second.text }, { related: [twice.first.at] });
  const unknown = used.filter((one) => !known.includes(one.text));
  for (const { text, at } of unknown) unknownName(text, at, 'a state', known, reading);
  const values = stated(field?.shape.keywords.get('enum'));
  for (const state of Array.isArray(values) ? states : [])
    if (!(values as readonly unknown[]).includes(state.text))
      reading.report(
        'contradiction',
        state.at,
        { problem: `${state.text} is a state, and none of the values that the field may have` },
        { related: [(field as Field).at] },
      );
  return unknown.length === 0;
}

/** The states that a machine begins in, moves between and ends in, each where it is named. */
function statesUsed(machine: Machine): readonly Placed[] {
  const moves = [...transitionsIn(machine).values()];
  const { initial } = machine;
  const first = initial.kind === 'stated' ? (initialStates(machine) ?? []) : [];
  return [
    ...moves.flatMap((move) => [...(stated(move.from) ?? []), ...[stated(move.to) ?? []].flat()]),
    ...(stated(machine.final) ?? []),
    ...first.map((text) => ({ text, at: initial.at })),
  ];
}

/** Timers that are due at once, and lead back to where they begin: an item would move for ever (language §3.3). */
function checkEndless(machine: Machine, reading: Reading): void {
  const atOnce = [...transitionsIn(machine).values()].flatMap((move) => {
    const after = stated(move.after);
    const isAtOnce = after?.kind === 'duration' && after.duration.rest === 0 && after.duration.months === 0;
    const to = stated(move.to)?.text;
    const from = (stated(move.from) ?? []).map((one) => one.text);
    return isAtOnce && to !== undefined && !isSaid(move.when) ? [{ at: move.after.at, from, to }] : [];
  });
  for (const { at, from, to } of atOnce) {
    const found = new Set([to]);
    for (const state of found) for (const next of atOnce) if (next.from.includes(state)) found.add(next.to);
    if (!from.some((state) => found.has(state))) continue;
    const problem =
      'this timer is due at once and leads back to where it begins, so that an item moves for ever';
    reading.report('contradiction', at, { problem }, { hint: 'wait for some time, or state a guard' });
    return;
  }
}

/** Where its list of transitions is closed: a state that nothing leads to, or that nothing leads out of. */
function checkReach(of: Of, { machine, said }: Described, reading: Reading): void {
  const final = stated(machine.final)?.map((one) => one.text) ?? [];
  for (const state of stated(machine.final) ?? []) {
    const [out] = waysOut(machine, state.text);
    const from = stated(out?.from)?.find((one) => one.text === state.text);
    if (from)
      reading.report(
        'contradiction',
        from.at,
        { problem: `${state.text} is final, and this transition leads out of it` },
        { related: [state.at] },
      );
  }
  const states = stated(machine.states);
  const isClosed = of.completeness.closed(`${said.address}.transitions`) !== undefined;
  if (states === undefined || !isClosed || !isWhole(machine)) return;
  const begin = initialStates(machine);
  const found = begin && reachable(machine, begin);
  const isAsked = machine.final.kind === 'open' && isWritten(of, machine.final);
  for (const { text, at } of states) {
    if (found && !found.has(text)) reading.report('unreachable-state', at, { state: text });
    else if (!isAsked && !final.includes(text) && waysOut(machine, text).length === 0)
      reading.report('dead-end', at, { state: text });
  }
}

/** Names of transitions are unique in a resource, and none of the words that a change is made of (language §3.1). */
function checkName(
  of: Of,
  name: string,
  said: Said<unknown>,
  seen: Map<string, Said<unknown>>,
  reading: Reading,
): void {
  const own = name.slice(name.indexOf('.') + 1);
  const words: readonly string[] = [...verbs, ...qualifierNames];
  const at = nameAt(of, said);
  if (words.includes(own))
    reading.report('bad-name', at, { name: own }, { hint: 'it is a word of every change (language §H.2)' });
  const twin = seen.get(name);
  if (twin) reading.report('key-twice', at, { key: own }, { related: [nameAt(of, twin)] });
  seen.set(name, said);
}

function checkTransition(
  of: Of,
  move: Transition,
  resource: Resource | undefined,
  typing: Typing,
  reading: Reading,
): void {
  const known = knownBy(stated(move.when), true);
  const standing = { subject: resource ?? null, bound: [] as Bound[], known };
  if (move.when.kind === 'stated') typing.truth(move.when.value, { ...standing, situation: 'item' });
  for (const [name, said] of stated(move.set) ?? []) {
    if (resource) checkField(of, resource.name, name, nameAt(of, said), reading);
    const field = resource?.fields.get(name);
    const at = { ...standing, situation: 'set on update' } as const;
    if (field === undefined) typing.template(said, at);
    else if (said.kind === 'stated') typing.kept(said.value, at, field, typing.fieldType(field));
  }
  const isDeleted = move.to.kind === 'none';
  checkAlso(of, stated(move.also) ?? [], { ...standing, isDeleted }, typing, reading);
  const after = stated(move.after);
  if (after?.kind === 'expression')
    typing.check(after.expression, { ...standing, situation: 'item' }, duration);
  if (move.at.kind === 'stated') {
    typing.check(move.at.value, { ...standing, situation: 'item' }, timestamp);
    if (move.after.kind === 'stated')
      reading.report(
        'contradiction',
        nameAt(of, move.at),
        { problem: 'a transition happens so long after entry, or at a time, and not both' },
        { related: [nameAt(of, move.after)] },
      );
  }
  if (move.within.kind === 'stated' && !isTimed(move))
    reading.report('idle', nameAt(of, move.within), {
      key: 'within',
      where: 'a transition that is asked for',
    });
}

/** A transition that no operation, no other change, no time and no handler asks for, where no more of them can be stated. */
function checkAsked(
  of: Of,
  { field, resource, said, machine }: Described,
  name: string,
  move: Transition,
  asked: ReadonlySet<string>,
  reading: Reading,
): void {
  const isClosed = ['endpoints', `${said.address}.transitions`].every(
    (list) => of.completeness.closed(list) !== undefined,
  );
  const isWritten = field?.writable.kind === 'stated' && field.writable.value !== false;
  const isWorkedOn = machine.work.kind === 'stated';
  const own = stated(machine.transitions)?.get(name);
  if (!isClosed || isWritten || isWorkedOn || isTimed(move) || own === undefined) return;
  if (asked.has(`${resource}.${name}`) || asked.has(`*.${name}`) || asked.has('*')) return;
  reading.report('idle-transition', nameAt(of, own), { transition: name });
}

/** Every change that operations and transitions ask for, as `R.verb`; `*.verb` where it cannot be told of what. */
function askedFor(of: Of): ReadonlySet<string> {
  const moves = [...(stated(of.states)?.values() ?? [])].flatMap((said) => {
    const machine = stated(said);
    return machine ? [...transitionsIn(machine).values()] : [];
  });
  const operations = of.operations.flatMap(({ endpoint }) => [
    ...[stated(endpoint.does) ?? []].flat(),
    ...(stated(endpoint.also) ?? []),
  ]);
  const found = new Set(exhaustedIn(of).map(({ resource, transition }) => `${resource}.${transition}`));
  const entries = [...(stated(of.endpoints)?.entries.values() ?? [])];
  if (!entries.every(isSaid) || of.operations.some(({ does }) => does.kind === 'open')) found.add('*');
  for (const change of [...operations, ...moves.flatMap((move) => stated(move.also) ?? [])]) {
    const { verb, subject, qualifiers } = change;
    const isNamed = subject.kind === 'one' || subject.kind === 'every';
    found.add(`${isNamed ? subject.name : '*'}.${verb}`);
    for (const one of stated(qualifiers.may) ?? []) found.add(`${one.resource}.${one.verb}`);
    if (verb === 'handled' && qualifiers.may.kind === 'open') found.add('*');
  }
  return found;
}

/** What is done in a state, and the moves that it may ask for (language §3.1, `work`). */
function checkWork(of: Of, { machine, resource, name: machineName }: Described, reading: Reading): void {
  const states = stated(machine.states)?.map((one) => one.text);
  for (const [state, said] of stated(machine.work) ?? []) {
    reading.use('state', `${machineName}.${state}`, nameAt(of, said));
    if (states && !states.includes(state)) unknownName(state, nameAt(of, said), 'a state', states, reading);
    for (const { verb, resource: name, at } of stated(stated(said)?.may) ?? []) {
      checkEntry(of, name, at, 'a resource', reading);
      const known = [...transitionsIn(machine).keys()];
      reading.use('transition', `${name}.${verb}`, at);
      if (name === resource && !known.includes(verb) && !(verbs as readonly string[]).includes(verb))
        unknownName(verb, at, 'a transition', known, reading);
    }
  }
}
