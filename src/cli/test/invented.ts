import { curl, type Exchange } from '../../conformance/http.ts';
import type { Invention } from '../../conformance/inventions/inventions.ts';
import type { Result } from '../../conformance/result.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { count } from '../command.ts';

/** What was seen at several endpoints, once. */
export interface Invented {
  readonly kind: Invention['kind'];
  readonly name: string;
  readonly status: number | undefined;
  /** The endpoints, as `METHOD /path`, or a path; null: where none is listed. */
  readonly operations: readonly (string | null)[];
  readonly times: number;
  readonly exchange: Exchange;
}

/** Inventions that are alike but for the endpoint, together; what most endpoints show comes first. */
export function inventedAlike(inventions: readonly Invention[]): readonly Invented[] {
  const alike = Map.groupBy(inventions, ({ kind, name, status }) => JSON.stringify([kind, name, status]));
  return [...alike.values()]
    .map((group) => {
      const { kind, name, status, exchange } = group[0] as Invention;
      const operations = group.map(({ operation }) => operation);
      return {
        kind,
        name,
        status,
        operations,
        times: group.reduce((sum, one) => sum + one.times, 0),
        exchange,
      };
    })
    .sort((a, b) => b.operations.length - a.operations.length);
}

/** What was seen, in words: `the member /created, with 201`. */
export function inventedWords({ kind, name, status }: Pick<Invented, 'kind' | 'name' | 'status'>): string {
  return `the ${kind} ${name}${status === undefined ? '' : `, with ${status}`}`;
}

/** The example as a command line that sends its request again. */
export function exampleOf({ exchange }: Invented): string {
  return curl(exchange.request);
}

/**
 * What is invented as what fails, for reports that know nothing else: each as a result against its endpoint. It is no
 * verdict on a statement, and the operator's wish alone.
 */
export function asFailures(inventions: readonly Invention[], of: Specification): Result[] {
  return inventions.map(({ operation, exchange, ...one }) => {
    const endpoint = of.operations.find(({ key }) => key === operation);
    const { address, at: where } = endpoint ?? { address: 'endpoints', at: of.endpoints.at };
    return {
      check: 'invention',
      says: `${operation ?? 'where no endpoint is listed'}: ${inventedWords({ status: undefined, ...one })}`,
      statement: { address, at: at(where) },
      verdict: 'violates',
      assumed: false,
      expected: 'nothing that nobody stated (--no-inventions)',
      found: `it, ${count(one.times, 'time')}`,
      request: exchange.request,
      response: exchange.response,
      curl: curl(exchange.request),
      sequence: [exchange],
    };
  });
}
