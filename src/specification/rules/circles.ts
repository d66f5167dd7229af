import { callsMade, pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Specification } from '../model/specification.ts';
import { shownNames } from '../reading/nearest.ts';
import type { Reading } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import { schemaOf } from '../vocabulary/shape.ts';

interface Vertex {
  /** Where a circle through it is told; null: at another. */
  readonly at: Span | null;
  readonly needs: readonly string[];
}

type Graph = ReadonlyMap<string, Vertex>;

/** Fields that are worked out from one another, keys that refer to one another, and shapes that consist of one another, without end (language §2). */
export function checkCircles(of: Specification, reading: Reading): void {
  const report = (names: string, at: Span): void => reading.report('circle', at, { names });
  circles(fields(of, 'create'), report);
  circles(fields(of, 'update'), (names, at, name) => {
    const hint = `old.${name.slice(name.indexOf('.') + 1)} is the value before`;
    reading.report('circle', at, { names }, { hint });
  });
  circles(keys(of), report);
  circles(shapes(of), report);
}

/** What refers is kept as the key of what it refers to, so that no key is a reference that leads back to it. */
function keys(of: Specification): Graph {
  const found = new Map<string, Vertex>();
  for (const { name, fields } of of.resourcesByName.values())
    for (const { name: field, refers: said, at } of fields.values()) {
      const refers = stated(said);
      const identifier = stated(of.resourcesByName.get(refers?.resource ?? '')?.identifier) ?? [];
      const by = refers?.field ? [refers.field] : identifier.map(({ text }) => text);
      found.set(`${name}.${field}`, {
        at,
        needs: refers ? by.map((one) => `${refers.resource}.${one}`) : [],
      });
    }
  return found;
}

/** `set`, as it is then, and `derived` of a field need the fields of the same item that they read, and all that `R(x)` shows. */
function fields(of: Specification, set: 'create' | 'update'): Graph {
  const found = new Map<string, Vertex>();
  for (const { name, fields } of of.resourcesByName.values())
    for (const field of fields.values()) {
      const said = [field[set], field.derived].filter((one) => one.kind === 'stated');
      const syntaxes = said.flatMap((one) => expressionsIn(one.value.template)).map(({ syntax }) => syntax);
      const read = syntaxes
        .flatMap(pathsRead)
        .flatMap(([first, member]) =>
          first === 'this' && member !== undefined ? [`${name}.${member}`] : [],
        );
      const shown = syntaxes.flatMap(callsMade).map((called) => `${called}(…)`);
      // What circles whenever the item changes circles where it is made, and is told of there.
      const isTold = set === 'create' || field.update.kind === 'stated';
      const at = isTold ? (said[0]?.at ?? field.at) : null;
      found.set(`${name}.${field.name}`, { at, needs: [...read, ...shown] });
    }
  for (const { name, at, fields } of of.resourcesByName.values()) {
    const derived = [...fields.values()].filter((field) => field.derived.kind === 'stated');
    found.set(`${name}(…)`, {
      at: set === 'create' ? at : null,
      needs: derived.map((field) => `${name}.${field.name}`),
    });
  }
  return found;
}

/** Keywords whose shapes are of the very value that the shape around them is of. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

function shapes(of: Specification): Graph {
  const found = new Map<string, Vertex>();
  for (const [name, said] of stated(of.resources) ?? []) {
    const entry = stated(said);
    if (entry?.kind === 'shape')
      found.set(name, {
        at: entry.at,
        needs: [...namedIn(schemaOf(entry.shape)), ...requiredIn(schemaOf(entry.shape))],
      });
  }
  return found;
}

function namedIn(schema: Json): string[] {
  if (Array.isArray(schema)) return schema.flatMap((item: Json) => namedIn(item));
  if (schema === null || typeof schema !== 'object') return [];
  const of = schema as { readonly [keyword: string]: Json };
  const name = typeof of['$ref'] === 'string' ? [of['$ref'].slice('#/$defs/'.length)] : [];
  const dependent = Object.values((of['dependentSchemas'] as typeof of | undefined) ?? {});
  return [...name, ...[...inPlace.map((keyword) => of[keyword] ?? true), ...dependent].flatMap(namedIn)];
}

/** The shapes of which each value of a schema holds one: of required members, and of the elements of a list that is not empty. */
function requiredIn(schema: Json): string[] {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return [];
  const of = schema as { readonly [keyword: string]: Json };
  const within = (inner: Json | undefined): string[] =>
    inner === undefined ? [] : [...namedAlone(inner), ...requiredIn(inner)];
  const all = Array.isArray(of['allOf']) ? of['allOf'].flatMap((one: Json) => requiredIn(one)) : [];
  const members = of['properties'] as typeof of | undefined;
  const required = of['type'] === 'object' && Array.isArray(of['required']) ? of['required'] : [];
  const elements = of['type'] === 'array' && Number(of['minItems'] ?? 0) > 0 ? within(of['items']) : [];
  return [...all, ...required.flatMap((name: Json) => within(members?.[String(name)])), ...elements];
}

/** The shape that a schema is, and no choice among several. */
function namedAlone(schema: Json): string[] {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return [];
  const { $ref: name } = schema as { readonly [keyword: string]: Json };
  return typeof name === 'string' ? [name.slice('#/$defs/'.length)] : [];
}

/**
 * Finds circles; of those that hang together, one.
 *
 * @param found hears the names of a circle, in order, where its first member stands that has a place, and that member
 */
export function circles(graph: Graph, found: (names: string, at: Span, member: string) => void): void {
  const finished = new Set<string>();
  const entered = new Map<string, number>();
  const trail: { name: string; next: number }[] = [];
  const enter = (name: string): void => {
    entered.set(name, trail.length);
    trail.push({ name, next: 0 });
  };
  for (const start of graph.keys()) {
    if (!finished.has(start)) enter(start);
    for (let last = trail.at(-1); last !== undefined; last = trail.at(-1)) {
      const next = graph.get(last.name)?.needs[last.next++];
      if (next === undefined) {
        finished.add(last.name);
        trail.pop();
        continue;
      }
      const begin = entered.get(next);
      if (begin === undefined) {
        if (graph.has(next)) enter(next);
      } else if (!finished.has(next)) {
        const around = [...trail.slice(begin).map((one) => one.name), next];
        const told = around.find((name) => graph.get(name)?.at);
        const names = shownNames(around, ' → ');
        if (told !== undefined) found(names, graph.get(told)?.at as Span, told);
        // What hangs together with it is left out: it would be told once for every way around.
        for (const { name } of trail) finished.add(name);
        trail.length = 0;
      }
    }
  }
}
