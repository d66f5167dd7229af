import { children, pathsRead, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Change } from '../../specification/change.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';

/** The members that one expression reads, of an item or of a body, and values at which it may turn. */
export interface Turning {
  readonly members: readonly string[];
  /** Its literals, and the numbers beside them. */
  readonly values: readonly Json[];
}

const found = new WeakMap<Specification, readonly Turning[]>();

/** Where guards, invariants and the like may turn from true to false. */
export function turnings(of: Specification): readonly Turning[] {
  const known = found.get(of) ?? [...decisions(of)].flatMap(turningOf);
  found.set(of, known);
  return known;
}

function turningOf(said: Said<PlacedTemplate>): Turning[] {
  if (said.kind !== 'stated') return [];
  const values = new Set<Json>();
  const visit = (syntax: Syntax): void => {
    if (syntax.op === 'value') for (const one of around(syntax.args)) values.add(one);
    children(syntax).forEach(visit);
  };
  const members = new Set<string>();
  for (const { syntax } of expressionsIn(said.value.template)) {
    visit(syntax);
    for (const [first, ...rest] of pathsRead(syntax)) {
      const [name] = first === 'request' && rest[0] === 'body' ? rest.slice(1) : rest;
      if (name !== undefined && ['this', 'old', 'request'].includes(first ?? '')) members.add(name);
    }
  }
  const [held] = /\.fields\.([^.[]+)\.holds/.exec(said.address)?.slice(1) ?? [];
  if (held !== undefined) members.add(held);
  return [{ members: [...members], values: [...values, true, false] }];
}

function around(value: unknown): readonly Json[] {
  if (typeof value === 'bigint' || typeof value === 'number') {
    const number = Number(value);
    return [number, number - 1, number + 1];
  }
  return typeof value === 'string' || typeof value === 'boolean' ? [value] : [];
}

/** The expressions that decide whether something is refused or done. */
function* decisions(of: Specification): Iterable<Said<PlacedTemplate>> {
  for (const said of stated(of.states)?.values() ?? []) {
    const machine = stated(said);
    if (machine === undefined) continue;
    yield machine.initial;
    for (const one of stated(machine.transitions)?.values() ?? []) {
      const move = stated(one);
      if (move) yield move.when;
      yield* ofChanges(move && stated(move.also));
    }
  }
  for (const { fields, invariants } of of.resourcesByName.values()) {
    yield* stated(invariants)?.values() ?? [];
    for (const { holds, writable } of fields.values()) {
      yield* stated(holds)?.values() ?? [];
      if (writable.kind === 'stated' && typeof writable.value === 'object')
        yield { ...writable, value: writable.value };
    }
  }
  for (const { does, endpoint } of of.operations) {
    const change = stated(does);
    if (change?.subject.kind === 'every') yield change.qualifiers.where;
    yield* ofChanges(stated(endpoint.also));
  }
}

function* ofChanges(changes: readonly Change[] | undefined): Iterable<Said<PlacedTemplate>> {
  for (const { qualifiers } of changes ?? []) yield qualifiers.when;
}
