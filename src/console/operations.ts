import { type OperationEntry, operationEntry } from '../interchange/reference/operation.ts';
import { Items } from '../interchange/schemas/items.ts';
import { asSent, bodiesTaken } from '../interchange/schemas/operations.ts';
import { Refused } from '../load/refused.ts';
import type { Json } from '../source/node.ts';
import { at } from '../source/text.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { isJson } from '../specification/reading/media.ts';
import { type Context, type Given, textOf } from './context.ts';
import { type Example, examplesOf } from './examples.ts';
import { type Sender, sendersOf } from './senders.ts';

/** An operation as a form: what the document states of it, and what a request needs. */
export interface OperationDetail {
  readonly entry: OperationEntry;
  readonly at: string;
  readonly line: number;
  readonly address: string;
  readonly inputs: readonly Input[];
  /** The body as JSON Schema; null: it takes none that is JSON. */
  readonly body: { readonly media: string | null; readonly schema: Json } | null;
  readonly senders: readonly Sender[];
  readonly examples: readonly Example[];
}

/** A parameter that a form asks for. */
export interface Input {
  readonly place: 'path' | 'query' | 'header';
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
}

/** Tells what an operation states, and of what its form is made. */
export function operationDetail(given: Given, { desk }: Context): OperationDetail {
  const name = textOf(given, 'name');
  const { specification } = desk.read();
  const operation = specification.operations.find((one) => one.name === name);
  if (operation === undefined) throw new Refused(`the document has no operation ${name}`);
  const items = new Items(specification);
  const entry = operationEntry(specification, operation, items);
  const place = at(operation.at);
  return {
    entry,
    at: place,
    line: Number(/:(\d+):\d+$/.exec(place)?.[1] ?? 0),
    address: operation.address,
    inputs: entry.parameters.map((row) => ({
      place: row.place,
      name: row.name,
      isRequired: row.isRequired,
      type: row.type.map((piece) => (typeof piece === 'string' ? piece : piece.name)).join(''),
    })),
    body: bodyOf(specification, operation, items),
    senders: sendersOf(specification, desk.running()?.credentials ?? {}),
    examples: examplesOf(operation),
  };
}

/** The first body that is JSON, or that nobody says the media type of. */
function bodyOf(of: Specification, operation: Operation, items: Items): OperationDetail['body'] {
  const contents = bodiesTaken(of, operation, items);
  const found = contents.find(({ media }) => media === null || isJson(media)) ?? contents[0];
  return found ? { media: found.media, schema: asSent(found) as Json } : null;
}
