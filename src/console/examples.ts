import { type Json, json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';

/** A request that the document gives as an example (language §4.6), to fill a form. */
export interface Example {
  readonly name: string;
  readonly path: Readonly<Record<string, Json>>;
  readonly query: Readonly<Record<string, Json>>;
  readonly header: Readonly<Record<string, Json>>;
  /** As JSON; null: it has none. */
  readonly body: string | null;
  /** Whether it has expressions, which a form does not evaluate: they stand as they are written. */
  readonly hasExpressions: boolean;
}

/** The examples of an operation. */
export function examplesOf({ endpoint }: Operation): readonly Example[] {
  return [...endpoint.examples].flatMap(([name, said]) => {
    const request = stated(stated(said)?.request);
    if (request === undefined) return [];
    const body = stated(request.body);
    const example = {
      name,
      path: valuesOf(request.path),
      query: valuesOf(request.query),
      header: valuesOf(request.headers),
      body: body ? JSON.stringify(json(body.node), null, 2) : null,
    };
    return [{ ...example, hasExpressions: JSON.stringify(example).includes('${') }];
  });
}

function valuesOf(said: Said<ReadonlyMap<string, Said<PlacedTemplate>>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...(stated(said) ?? [])].flatMap(([name, value]) => {
      const template = stated(value);
      return template ? [[name, json(template.node)]] : [];
    }),
  );
}
