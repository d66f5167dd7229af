import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idsOf, type RequestIds } from '../../src/service/http/request-ids.ts';
import { serve } from '../../src/service/service.ts';
import { reader } from './running.ts';

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const traceparent = `00-${traceId}-${spanId}-01`;
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const idsFor = (
  headers: Readonly<Record<string, string | string[]>>,
  isProxy = true,
  makes = false,
): RequestIds => idsOf({ headers, from: { isProxy } }, makes);

describe('the ids of a request', () => {
  it('are those that a proxy of the operator’s gives', () => {
    expect(idsFor({ 'x-request-id': 'edge-1', traceparent })).toEqual({
      request: 'edge-1',
      trace: traceId,
      parent: { traceId, spanId, flags: 1 },
    });
  });

  it('are made where a client gives them, or nobody does', () => {
    for (const ids of [idsFor({ 'x-request-id': 'mine', traceparent }, false), idsFor({})])
      expect(ids).toEqual({ request: expect.stringMatching(uuid), trace: null, parent: null });
  });

  it.each(['', 'two words', 'ä', 'x'.repeat(201)])('are made in the place of %j', (given) => {
    expect(idsFor({ 'x-request-id': given }).request).toMatch(uuid);
  });

  it('are made in the place of several', () => {
    expect(idsFor({ 'x-request-id': ['a', 'b'] }).request).toMatch(uuid);
  });

  it.each([
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
  ])('take no trace of %s', (given) => {
    expect(idsFor({ traceparent: given })).toMatchObject({ trace: null, parent: null });
  });

  it('take what is known of a later version of the field', () => {
    expect(idsFor({ traceparent: `01-${traceId}-${spanId}-00-more` }).parent).toEqual({
      traceId,
      spanId,
      flags: 0,
    });
  });

  it('have a trace of their own where each request is to be traced', () => {
    expect(idsFor({}, false, true)).toMatchObject({
      trace: expect.stringMatching(/^[\da-f]{32}$/),
      parent: null,
    });
    expect(idsFor({ traceparent }, true, true).trace).toBe(traceId);
  });
});

describe('a service', () => {
  const document = `name: Sums
complete: true
resources:
  Sum: { identifier: id, fields: { id: { type: string }, by: { type: integer }, each: { derived: "\${1 / this.by}" } } }
endpoints:
  others: refuse
  PUT /sums/{id}: { operation: put, does: create Sum, request: { body: Sum }, response: 204 }
  GET /sums/{id}: { operation: get, does: read Sum, response: { status: 200, body: Sum } }
`;

  /** What is heard of a request with an id that is answered, and of one that is a fault; and the fields of its answer. */
  async function heardOf(trustedProxies: readonly string[]): Promise<{ heard: string[]; fields: string[] }> {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-ids-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const heard: string[] = [];
    const service = await serve(reader(document).specification, {
      data: join(folder, 'data.sqlite'),
      trustedProxies,
      onAnswered: ({ status }, { request, trace }) => heard.push(`${status} ${request} ${trace}`),
      onFault: (_, ids) => heard.push(`fault ${ids?.request} ${ids?.trace}`),
    });
    onTestFinished(() => service.close());
    const ask = (id: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${service.address}/sums/a`, {
        ...init,
        headers: { 'Content-Type': 'application/json', 'X-Request-Id': id, traceparent },
      });
    await ask('r1', { method: 'PUT', body: '{"by":0}' });
    const { headers } = await ask('r2');
    return { heard, fields: [...headers.keys()] };
  }

  it('tells them of answers and faults alike, and never in an answer', async () => {
    const { heard, fields } = await heardOf(['127.0.0.1']);
    expect(heard).toEqual([`204 r1 ${traceId}`, `fault r2 ${traceId}`, `500 r2 ${traceId}`]);
    expect(fields).toEqual(['content-length', 'date']);
  });

  it('takes none of a client that is no proxy', async () => {
    const { heard } = await heardOf(['192.0.2.1']);
    const [made, fault, answer] = heard.map((one) => one.split(' ')[1] ?? '');
    expect([made, fault]).toEqual([expect.stringMatching(uuid), answer]);
    expect(heard.join()).not.toMatch(/r1|r2|0af76/);
  });
});
