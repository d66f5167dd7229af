import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Exchange } from '../http.ts';
import { type Truth, unseen, yes } from '../verdict.ts';

/** Whether a service can send to the addresses that a request gives for webhooks: those of HTTP (language §6.3). */
export function addressable(of: Specification, { subject }: Operation, { request }: Exchange): Truth {
  const ways = [...(stated(stated(of.events)?.delivery)?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  const fields = ways.flatMap((way) => {
    const to = way.kind === 'webhook' ? stated(way.webhook) : undefined;
    return to && 'field' in to && to.resource === subject?.name ? [to.field] : [];
  });
  const body = fields.length > 0 ? membersOf(request.body) : {};
  const odd = fields.find((name) => typeof body[name] === 'string' && !isOfHttp(body[name]));
  return odd === undefined ? yes : unseen(`nothing can be sent to the ${odd}, and a host may refuse it`);
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(body ?? '{}'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isOfHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
