import { compileTemplate } from '../../expression/compile.ts';
import { setMember } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { operationRun } from '../../specification/model/run.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isJson } from '../../specification/reading/media.ts';
import { stated } from '../../specification/reading/said.ts';
import { environmentOf } from '../content/render.ts';
import type { FrameOf } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import { isStream, type Reply } from '../message/reply.ts';
import { compileRequest, type Means } from './request.ts';

/** Asks for an operation as if a client had; null: nobody knows what became of it. */
export type Ask = (operation: Operation, incoming: Incoming) => Reply | null | Promise<Reply | null>;

/** The answer to one request, as expressions read it (language §H.2). */
interface Result {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there is none. */
  readonly body: unknown;
  /** The code of the row of part 7 that refused it; null: none did. */
  readonly code: string | null;
}

/** What an operation sends to another, for its client (language §H.2, `run`). */
export interface CompiledRun {
  /** Works out every request. Throws where one of them cannot be. */
  readonly prepare: (frame: FrameOf) => Prepared;
}

/**
 * Sends the requests in order, each once the one before is answered, until the time of the request that they are sent
 * for has passed. Null: the fate of one is unknown.
 */
export type Prepared = (by: Incoming) => Promise<readonly Result[] | null>;

/** Compiles a `run`; null where the operation is none. */
export function compileRun(
  specification: Specification,
  operation: Operation,
  around: Means,
  ask: Ask,
): CompiledRun | null {
  const inner = operationRun(specification, operation);
  const { qualifiers } = stated(operation.does) ?? {};
  const list = qualifiers && stated(qualifiers.for);
  if (inner === undefined || qualifiers === undefined || list === undefined) return null;
  const elements = compileTemplate(list.template, environmentOf(around.writers));
  const request = compileRequest(specification, inner, stated(qualifiers.request) ?? null, around);
  return {
    prepare: (frame) => {
      const values = elements(frame({}));
      const requests = Array.isArray(values) ? values.map((value: unknown) => request(frame({ value }))) : [];
      return async (by) => {
        const results: Result[] = [];
        for (const make of requests) {
          if (by.tally?.deadline?.isPast()) break;
          const reply = await ask(inner, make(by));
          if (reply === null) return null;
          results.push(await resultOf(reply));
        }
        return results;
      };
    },
  };
}

async function resultOf(reply: Reply): Promise<Result> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < reply.headers.length; index += 2) {
    const name = (reply.headers[index] as string).toLowerCase();
    const value = reply.headers[index + 1] as string;
    setMember(headers, name, Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value);
  }
  const text = await textOf(reply.body);
  const type = headers['content-type'];
  const body = text !== null && (type === undefined || isJson(type)) ? JSON.parse(text) : text;
  return { status: reply.status, headers, body, code: reply.because?.code ?? null };
}

async function textOf(body: Reply['body']): Promise<string | null> {
  if (body === null || typeof body === 'string') return body;
  if (!isStream(body)) return Buffer.from(body).toString();
  let text = '';
  for await (const chunk of body.chunks()) text += chunk;
  return text;
}
