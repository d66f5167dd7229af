import { path } from '../../expression/expression.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { isBinary, schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Check, type Scenario, scenario, Unreached } from '../check.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { someItem } from '../items.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { all, known, type Truth } from '../verdict.ts';
import { fieldRead } from './field.ts';

/** Bytes that are text as well, so that every content can be compared as it is received. */
export const content = 'abcdefghijkl';

/** An operation that gives an item its bytes: its whole body is the field. */
interface Writer {
  readonly operation: Operation;
  readonly field: string;
}

/** Bytes that were given are read again as they were (language §H.1, `format: binary`). */
export function bytes(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const field = fieldRead(operation);
  const writer = field === undefined ? null : writerOf(trial, resource, field);
  const shape = resource.fields.get(field ?? '')?.shape;
  if (writer === null || field === undefined || shape === undefined) return [];
  const format = shape.keywords.get('format');
  const kept: Check<Done> = {
    name: 'bytes.kept',
    says: `${operation.key} shows the bytes that ${writer.operation.key} was given`,
    cites: {
      address: step(resource.fields.get(field)?.address ?? '', 'format'),
      at: format?.at ?? operation.at,
    },
    guard: ({ exchange }) => all(succeeded(exchange, operation), justThat(trial, operation, writer)),
    claim: ({ exchange }) => ({
      truth: known(exchange.response?.body === content),
      expected: shownAs(content),
      found: shownAs(exchange.response?.body),
    }),
  };
  const observe = async (): Promise<Done> =>
    await perform(trial, operation, { item: await itemWithBytes(trial, resource, writer) });
  return [scenario(trial.of, [...restsOf(operation), ...restsOf(writer.operation)], observe, [kept])];
}

function justThat({ of }: Trial, reader: Operation, { operation }: Writer): Truth {
  return all(doesJustThat(of, reader), doesJustThat(of, operation));
}

/** An item that was given these bytes. Throws `Unreached` where that was refused. */
export async function itemWithBytes(trial: Trial, resource: Resource, writer: Writer): Promise<Item> {
  const item = await someItem(trial, resource);
  const { operation } = writer;
  const media = stated(operation.request?.media)?.find((one) => !one.includes('*')) ?? 'text/plain';
  const { exchange } = await perform(trial, operation, { item, raw: content, media });
  if (succeeded(exchange, operation).value !== true)
    throw new Unreached(`no bytes could be given: ${operation.key} gave ${exchange.response?.status}`);
  return item;
}

/** The operation by which a field of bytes is given; null: the tester knows none. */
export function writerOf({ of }: Trial, resource: Resource, field: string): Writer | null {
  const shape = resource.fields.get(field)?.shape;
  const found = of.operations.find((operation) => {
    const body = operation.request && stated(operation.request.body);
    const change = stated(operation.does);
    const given = (stated(change?.qualifiers.with) ?? []).map(({ template }) => template);
    const members = given.flatMap((one) => (one.kind === 'object' ? (one.members.get(field) ?? []) : []));
    return (
      operation.subject === resource &&
      ['update', 'replace'].includes(change?.verb ?? '') &&
      openHolds(of, operation).length === 0 &&
      body != null &&
      [body, shape].every((one) => one !== undefined && takes('shape' in one ? one.shape : one)) &&
      members.some(
        (one) => one.kind === 'expression' && path(one.expression.syntax)?.join('.') === 'request.body',
      )
    );
  });
  return found ? { operation: found, field } : null;
}

/** Whether a shape is bytes, and takes these. */
function takes(shape: Parameters<typeof isBinary>[0] & Parameters<typeof schemaOf>[0]): boolean {
  const { minLength = 0, maxLength = content.length } = schemaOf(shape) as Record<string, number | undefined>;
  return isBinary(shape) && minLength <= content.length && maxLength >= content.length;
}
