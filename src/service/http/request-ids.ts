import { randomBytes, randomUUID } from 'node:crypto';
import { type Arrived, single } from '../message/incoming.ts';

/** By what a request is found in the logs of several programs. It is in no answer. */
export interface RequestIds {
  /** `X-Request-Id` of a proxy of the operator's, or else made. */
  readonly request: string;
  /** The trace that it is part of; null: none is known, and none is made. */
  readonly trace: string | null;
  /** The span of the proxy that it came from; null: it has begun here. */
  readonly parent: Parent | null;
}

/** A span of another program, by the field `traceparent` (W3C Trace Context §3.2). */
export interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/** What a proxy may name a request by: visible characters, not many. */
const name = /^[\x21-\x7e]{1,200}$/;

/**
 * The ids of a request. What a client sends that is no proxy of the operator's says nothing: it could put another one's
 * requests under its own id, or have all its requests traced.
 *
 * @param makesTrace whether one is made where none is known
 */
export function idsOf({ from, headers }: Pick<Arrived, 'from' | 'headers'>, makesTrace: boolean): RequestIds {
  const given = from.isProxy === true ? headers : {};
  const named = single(given['x-request-id']);
  const parent = parentIn(single(given['traceparent']));
  const made = makesTrace ? randomBytes(16).toString('hex') : null;
  return {
    request: named !== undefined && name.test(named) ? named : randomUUID(),
    trace: parent?.traceId ?? made,
    parent,
  };
}

/** A later version may have more behind the flags; ids of zeros are none (W3C Trace Context §3.2.2, §4.3). */
function parentIn(field: string | undefined): Parent | null {
  const found = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(
    field ?? '',
  );
  if (found === null) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = found;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
