import { stated } from '../reading/said.ts';
import { withoutNames } from '../vocabulary/paths.ts';
import type { Operation } from './operation.ts';

/** Where a request has parameters. */
export const parameterPlaces = ['path', 'query', 'headers'] as const;
export type ParameterPlace = (typeof parameterPlaces)[number];

type Of = Pick<Operation, 'endpoint' | 'method' | 'path' | 'request'>;

/** A parameter with its operation: `listNotes query.limit`. What the path calls its parameters is no part of that. */
export function parameterName({ endpoint, method, path }: Of, place: ParameterPlace, name: string): string {
  const operation = stated(endpoint.operation)?.text ?? `${method} ${withoutNames(path)}`;
  return `${operation} ${place}.${name}`;
}

/** The names of the parameters of this name, of those operations that have one; header fields in any case. */
export function parametersNamed(
  operations: readonly Of[],
  place: ParameterPlace,
  name: string,
): readonly string[] {
  return operations.flatMap((operation) => {
    const known = parametersAt(operation, place);
    const found =
      known.find((one) => one === name) ?? (place === 'headers' ? known.find(caseless(name)) : undefined);
    return found === undefined ? [] : [parameterName(operation, place, found)];
  });
}

/** The names of the parameters that an operation has at a place. */
export function parametersAt({ path, request }: Of, place: ParameterPlace): readonly string[] {
  if (place === 'path') return path.flatMap((one) => ('parameter' in one ? [one.parameter] : []));
  return [...((request && stated(request[place])) ?? new Map<string, unknown>()).keys()];
}

function caseless(name: string): (other: string) => boolean {
  return (other) => other.toLowerCase() === name.toLowerCase();
}
