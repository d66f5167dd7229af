import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, isUnder } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import { type About, conventions } from './conventions.ts';

/** A value that the field usually states at a point, with its source. */
export interface Offer {
  readonly value: Json;
  readonly why: string;
  readonly source: string;
}

/** What the field usually states at an open point: offered, and taken by nobody but who asks (principles, rule 4). */
export function offers(of: Specification, address: Address): Offer[] {
  const fitting = conventions.filter(({ at }) => at.test(address));
  if (fitting.length === 0) return [];
  const about = aboutOf(of, address);
  return fitting
    .filter(({ where }) => where?.(about) ?? true)
    .map(({ value, why, source }) => ({
      value: typeof value === 'function' ? value(about) : value,
      why,
      source,
    }));
}

function aboutOf(of: Specification, address: Address): About {
  const operation = of.operations.find((one) => isUnder(address, one.address));
  const resource = [...of.resourcesByName.values()].find((one) => isUnder(address, one.address));
  const field = [...(resource?.fields.values() ?? [])].find((one) => isUnder(address, one.address));
  const row = [...(stated(stated(of.errors)?.codes)?.values() ?? [])].find((one) =>
    isUnder(address, one.address),
  );
  const type = field?.shape.keywords.get('type');
  return {
    method: operation?.method ?? null,
    one: operation !== undefined && 'parameter' in (operation.path.at(-1) ?? {}),
    resource: operation ? (operation.subject?.name ?? resourceOf(of, operation)) : null,
    lists: stated(operation?.does)?.verb === 'list',
    comesTo: operation ? comesTo(operation, address) : null,
    content: operation ? content(operation, address) : null,
    fields: [...(resource?.fields.keys() ?? [])],
    type: (type && stated(type)) ?? null,
    conditions: (row && stated(stated(row)?.when))?.flatMap(({ names }) => names) ?? [],
  };
}

/** The resource that the path names, in singular or plural; or, where it names none, the only one that is kept. */
function resourceOf(of: Specification, { path }: Operation): string | null {
  const kept = [...of.resourcesByName.keys()];
  const named = path.flatMap((segment) => ('literal' in segment ? [segment.literal] : []));
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const last = plain(named.at(-1) ?? '');
  const fitting = kept.find((name) => [plain(name), `${plain(name)}s`, `${plain(name)}es`].includes(last));
  return fitting ?? (kept.length === 1 ? (kept[0] ?? null) : null);
}

function answerAt(operation: Operation, address: Address) {
  return stated(operation.response)?.find((one) => [one.status.address, one.body.address].includes(address));
}

function comesTo(operation: Operation, address: Address): About['comesTo'] {
  const when = stated(answerAt(operation, address)?.when);
  const outcome = when?.kind === 'outcomes' ? when.outcomes[0] : undefined;
  if (outcome) return outcome === 'unchanged' ? 'changed' : outcome;
  if (operation.does.kind === 'none') return operation.method === 'GET' ? 'shown' : 'changed';
  const verb = stated(operation.does)?.verb;
  switch (verb) {
    case undefined:
      return null;
    case 'create':
      return 'created';
    case 'read':
    case 'list':
    case 'authenticate':
      return 'shown';
    case 'delete':
    case 'revoke':
      return 'deleted';
    default:
      return 'changed';
  }
}

function content(operation: Operation, address: Address): boolean | null {
  const body = answerAt(operation, address)?.body;
  if (body === undefined || body.kind === 'open') return null;
  return body.kind !== 'none';
}
