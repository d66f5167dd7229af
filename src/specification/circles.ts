import { callsMade, pathsRead } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import type { Resource } from './parts/resources.ts';
import type { Reading } from './reading.ts';
import { stated } from './said.ts';
import { schemaOf } from './shape.ts';
import type { Specification } from './specification.ts';

interface Vertex {
  readonly at: Span;
  readonly needs: readonly string[];
}

/** Fields that are worked out from one another, and shapes that consist of one another, without end (language §2). */
export function checkCircles(of: Specification, reading: Reading): void {
  circles(fields(of), reading);
  circles(shapes(of), reading);
}

/** `set` and `derived` of a field need the fields of the same item that they read, and all that they show. */
function fields(of: Specification): ReadonlyMap<string, Vertex> {
  const found = new Map<string, Vertex>();
  const workedOut = (resource: Resource) =>
    [...resource.fields.values()].filter((one) => one.derived.kind === 'stated');
  for (const resource of of.resourcesByName.values())
    for (const field of resource.fields.values()) {
      const said = [field.create, field.derived].filter((one) => one.kind === 'stated');
      const expressions = said.flatMap((one) => expressionsIn(one.value.template));
      const read = expressions
        .flatMap(({ syntax }) => pathsRead(syntax))
        .flatMap(([first, name]) =>
          first === 'this' && name !== undefined ? [`${resource.name}.${name}`] : [],
        );
      const shown = expressions
        .flatMap(({ syntax }) => callsMade(syntax))
        .flatMap((name) => of.resourcesByName.get(name) ?? [])
        .flatMap((other) => workedOut(other).map((one) => `${other.name}.${one.name}`));
      found.set(`${resource.name}.${field.name}`, {
        at: said[0]?.at ?? field.at,
        needs: [...read, ...shown],
      });
    }
  return found;
}

/** Keywords whose shapes are of the very value that the shape around them is of. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

function shapes(of: Specification): ReadonlyMap<string, Vertex> {
  const found = new Map<string, Vertex>();
  for (const [name, said] of stated(of.resources) ?? []) {
    const entry = stated(said);
    if (entry?.kind === 'shape') found.set(name, { at: entry.at, needs: namedIn(schemaOf(entry.shape)) });
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

/** Reports each circle once, where its first member stands. */
function circles(graph: ReadonlyMap<string, Vertex>, reading: Reading): void {
  const finished = new Set<string>();
  for (const start of graph.keys()) {
    const trail: { name: string; needs: string[] }[] = [];
    const enter = (name: string): void => {
      const begin = trail.findIndex((one) => one.name === name);
      const vertex = graph.get(name);
      if (begin !== -1) {
        const names = [...trail.slice(begin).map((one) => one.name), name].join(' → ');
        reading.report('circle', vertex?.at as Span, { names });
      } else if (vertex && !finished.has(name)) trail.push({ name, needs: [...vertex.needs] });
    };
    enter(start);
    for (let last = trail.at(-1); last !== undefined; last = trail.at(-1)) {
      const next = last.needs.shift();
      if (next !== undefined) enter(next);
      else {
        finished.add(last.name);
        trail.pop();
      }
    }
  }
}
