import { callsMade, children, pathsRead, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { span } from '../../expression/time.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Change } from '../../specification/vocabulary/change.ts';

/** The members that one expression reads, of an item or of a body, and values at which it may turn. */
export interface Turning {
  readonly members: readonly string[];
  /** Its literals, and what is just beside them. */
  readonly values: readonly Json[];
  /** How many characters or elements a text or a list has at which it turns. */
  readonly sizes: readonly number[];
  /** The durations in it, in milliseconds. */
  readonly spans: readonly number[];
  readonly readsNow: boolean;
}

/** Where guards, invariants and the like may turn from true to false. */
export const turnings = once((of: Specification): readonly Turning[] => {
  return [...decisions(of)].flatMap(turningOf);
});

/** Where one of these expressions may turn; none while it is open. */
export function turningOf(said: Said<PlacedTemplate>): Turning[] {
  if (said.kind !== 'stated') return [];
  const all = expressionsIn(said.value.template).map(({ syntax }) => syntax);
  const literals = all.flatMap(literalsIn);
  const calls = all.flatMap(callsMade);
  const ofParts = calls.some((name) => ['startsWith', 'endsWith', 'contains'].includes(name));
  const values = literals.flatMap((one) => [
    ...beside(one),
    ...(ofParts && typeof one === 'string' ? [`${one}a`, `a${one}`] : []),
  ]);
  const paths = all.flatMap(pathsRead);
  const spans = literals
    .map(span)
    .flatMap((one, index) => (one === literals[index] ? [] : [Number(one) / 1000]));
  const members = paths.flatMap(([first, ...rest]) => {
    const [name] = first === 'request' && rest[0] === 'body' ? rest.slice(1) : rest;
    return name !== undefined && ['this', 'old', 'request'].includes(first ?? '') ? [name] : [];
  });
  const [held] = /\.fields\.([^.[]+)\.holds/.exec(said.address)?.slice(1) ?? [];
  const sizes = calls.includes('size')
    ? values.filter((one) => typeof one === 'number' && one >= 0 && one <= longest)
    : [];
  return [
    {
      members: [...new Set([...members, ...(held === undefined ? [] : [held])])],
      values: [...new Set([...values, true, false])],
      sizes: [...new Set(sizes as number[])],
      spans: [...new Set(spans)],
      readsNow: paths.some(([first]) => first === 'now'),
    },
  ];
}

/** Longer texts and lists are not made for the sake of a size. */
const longest = 2000;

/** The literals of an expression, in the order of its text. */
export function literalsIn(syntax: Syntax): Json[] {
  const own = syntax.op === 'value' ? [syntax.args as unknown] : [];
  const plain = own.map((one) => (typeof one === 'bigint' ? Number(one) : one) as Json);
  return [...plain, ...children(syntax).flatMap(literalsIn)];
}

/** A value, and what is just beside it: a comparison with it turns there. */
export function beside(value: Json): readonly Json[] {
  if (typeof value === 'number') return [value, value - 1, value + 1];
  return typeof value === 'string' || typeof value === 'boolean' ? [value] : [];
}

/** The expressions that decide whether something is refused, done or told. */
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
  for (const { fields, guards, invariants } of of.resourcesByName.values()) {
    yield* Object.values(stated(guards) ?? {});
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
  for (const said of stated(stated(of.events)?.kinds)?.values() ?? []) {
    const kind = stated(said);
    if (kind) yield kind.when;
  }
  for (const said of stated(stated(of.errors)?.codes)?.values() ?? []) {
    const when = stated(said)?.when;
    for (const { expression } of (when && stated(when)) ?? [])
      if (when?.kind === 'stated' && expression) yield { ...when, value: expression };
  }
}

function* ofChanges(changes: readonly Change[] | undefined): Iterable<Said<PlacedTemplate>> {
  for (const { qualifiers } of changes ?? []) yield qualifiers.when;
}
