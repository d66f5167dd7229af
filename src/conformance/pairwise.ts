import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import { stated } from '../specification/reading/said.ts';
import { type Scenario, scenario } from './check.ts';
import type { Members } from './item.ts';
import { isShownBy } from './shown-in.ts';
import { succeeds } from './success.ts';
import { givenBack, staysAsGiven, type Taking } from './taking.ts';
import { restsOf } from './trial.ts';

/**
 * Requests in which of every two members that may be left out each stands with and without the other: what works with
 * all of them, and with none, need not work with some.
 */
export function pairwise(taking: Taking): Scenario[] {
  const { trial, body } = taking;
  const optional = optionalOf(taking, taking.usual());
  if (optional.length < 2) return [];
  return covering(optional.length).flatMap((row) => {
    const left = optional.filter((_, index) => !row[index]);
    // All of them, and none of them, are tried elsewhere.
    if (left.length === 0 || left.length === optional.length) return [];
    const given = Object.entries(telling(taking)).filter(([name]) => !left.includes(name));
    const members: Members = Object.fromEntries(given);
    return trial.tools.failures(body.schema, members).length > 0 ? [] : [without(taking, members, optional)];
  });
}

/** The members that may be left out. */
function optionalOf({ body }: Taking, members: Members): readonly string[] {
  const required = (body.schema['required'] ?? []) as readonly string[];
  return Object.keys(members).filter((name) => !required.includes(name));
}

/** A request with these members, and without the others that may be left out: taken, and given back as given. */
function without(taking: Taking, members: Members, optional: readonly string[]): Scenario {
  const { trial, operation, resource, body } = taking;
  const left = optional.filter((name) => !Object.hasOwn(members, name));
  const says = `${operation.key} without ${left.join(', ')}`;
  const cites = { address: resource.address, at: resource.at };
  const shown = optionalOf(taking, members).flatMap((name) => {
    const field = resource.fields.get(name);
    return field && staysAsGiven(operation, field) && isShownBy(trial.of, operation, resource, field)
      ? [field]
      : [];
  });
  const checks = [
    succeeds(trial, operation, says, Object.keys(members), cites),
    ...shown.map((field) => givenBack(taking, field, says, members)),
  ];
  return {
    ...scenario(trial.of, restsOf(operation), () => taking.ask(members, undefined), checks),
    smaller: function* () {
      for (const fewer of withFewer(members, optionalOf(taking, members)))
        if (trial.tools.failures(body.schema, fewer).length === 0) yield without(taking, fewer, optional);
    },
  };
}

/** Members with fewer of those that may be left out: with none of them, with each by itself, and without each. */
function* withFewer(members: Members, optional: readonly string[]): Iterable<Members> {
  const but = (left: readonly string[]): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !left.includes(name)));
  if (optional.length > 0) yield but(optional);
  if (optional.length > 2) for (const one of optional) yield but(optional.filter((name) => name !== one));
  if (optional.length > 1) for (const one of optional) yield but([one]);
}

/** Usual members, of which few are what they would be if they were left out. */
function telling({ usual, resource }: Taking): Members {
  const isDefault = ([name, value]: readonly [string, Json]): boolean =>
    equal(stated(resource.fields.get(name)?.default), value);
  const turned = ([name, value]: readonly [string, Json]) =>
    [name, typeof value === 'boolean' && isDefault([name, value]) ? !value : value] as const;
  const best = new Map(Object.entries(usual()).map(turned));
  for (let drawn = 1; drawn < 5; drawn++)
    for (const [name, value] of Object.entries(usual()))
      if (isDefault([name, best.get(name) ?? null])) best.set(name, value);
  return Object.fromEntries(best);
}

/**
 * The fewest rows in which any two of so many columns hold all four pairs of true and false: columns of `rows` bits
 * that begin with false, of which half, rounded up, are true (Kleitman and Spencer, 1973; Katona, 1973).
 */
export function covering(columns: number): readonly (readonly boolean[])[] {
  let rows = 4;
  while (combinations(rows - 1, Math.ceil(rows / 2)) < columns) rows += 1;
  const bits = chosen(rows - 1, Math.ceil(rows / 2), columns);
  return Array.from({ length: rows }, (_, row) => bits.map((own) => row > 0 && own.has(row - 1)));
}

function combinations(of: number, many: number): number {
  let count = 1;
  for (let i = 0; i < many; i++) count = (count * (of - i)) / (i + 1);
  return count;
}

/** The first so many sets of `many` numbers below `of`. */
function chosen(of: number, many: number, count: number): readonly ReadonlySet<number>[] {
  const found: ReadonlySet<number>[] = [];
  const choose = (from: number, so: readonly number[]): void => {
    if (found.length >= count) return;
    if (so.length === many) found.push(new Set(so));
    else for (let next = from; next < of; next++) choose(next + 1, [...so, next]);
  };
  choose(0, []);
  return found;
}
