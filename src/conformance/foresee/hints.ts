import { children, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Change } from '../../specification/change.ts';
import { type Said, stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';

const found = new WeakMap<Specification, readonly Json[]>();

/** Values at which guards and invariants may turn: the literals of their expressions, and the numbers beside them. */
export function hints(of: Specification): readonly Json[] {
  const known = found.get(of) ?? collect(of);
  found.set(of, known);
  return known;
}

function collect(of: Specification): readonly Json[] {
  const values = new Set<Json>();
  const visit = (syntax: Syntax): void => {
    if (syntax.op === 'value') around(syntax.args).forEach((one) => void values.add(one));
    children(syntax).forEach(visit);
  };
  for (const said of decisions(of))
    for (const { syntax } of said.kind === 'stated' ? expressionsIn(said.value.template) : []) visit(syntax);
  return [...values];
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
  for (const { endpoint } of of.operations) yield* ofChanges(stated(endpoint.also));
}

function* ofChanges(changes: readonly Change[] | undefined): Iterable<Said<PlacedTemplate>> {
  for (const { qualifiers } of changes ?? []) yield qualifiers.when;
}
