import { describe, expect, it } from 'vitest';
import type { HostLimitName, HostLimits } from '../../src/service/message/host-limits.ts';
import { answer, ask, request, type Served, start, wire } from './served.ts';

const notes = `
name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { set: { create: "\${uuid()}" } }, text: {} } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  GET /notes: { operation: all, does: list Note, response: { status: 200, body: "\${page.total}" } }
`;
const row = `errors: { codes: { large: { when: [too large body], status: 422, body: { code: "\${error.code}" } } } }`;

async function served(limits: Partial<HostLimits>, more = ''): Promise<[Served, HostLimitName[]]> {
  const met: HostLimitName[] = [];
  const service = await start(notes + more, { limits, onHostLimit: (name) => void met.push(name) });
  return [service, met];
}

describe('a refusal by a host limit', () => {
  const post = (body: string): Buffer => request('POST /notes', [], body);
  const cases: readonly [Partial<HostLimits>, Buffer | string, number][] = [
    [{ bodyBytes: 10 }, post('{"text":"abcdef"}'), 413],
    [{ jsonDepth: 2 }, post('{"text":[[]]}'), 413],
    [{ jsonNodes: 3 }, post('{"text":[1,2,3,4]}'), 413],
    [{ headerCount: 2 }, request('GET /notes', ['A: 1', 'B: 2']), 431],
    [{ headerBytes: 1000 }, request('GET /notes', [`A: ${'a'.repeat(2000)}`]), 431],
    [{ headersTimeoutMs: 50 }, 'GET /notes HTTP/1.1\r\nHost: a\r\n', 408],
    [{ requestTimeoutMs: 50 }, post('{"text":"abcdef"}').subarray(0, -1), 408],
  ];

  it.each(cases)('is told of by its name: %o', async (limits, bytes, status) => {
    const [service, met] = await served(limits);
    const { send, answer: next } = wire(service);
    send(bytes);
    expect((await next()).status).toBe(status);
    expect(met).toEqual(Object.keys(limits));
    expect((await service.rows()).find(([name]) => /note$/i.test(name))?.[1]).toEqual([]);
  });

  it('of connections closes those that are too many', async () => {
    const [service, met] = await served({ concurrentConnections: 1 });
    const first = wire(service);
    first.send(request('GET /notes'));
    expect(await first.answer()).toEqual(answer(200, 0));
    expect((await wire(service).rest()).text).toBe('');
    expect(met).toEqual(['concurrentConnections']);
    first.send(request('GET /notes'));
    expect(await first.answer()).toEqual(answer(200, 0));
  });

  it('of the parts of a body is answered as the row says that lists a body too large', async () => {
    const [service, met] = await served({ jsonDepth: 2, jsonNodes: 3 }, row);
    const large = answer(422, { code: 'large' });
    expect(await ask(service, 'POST /notes', '{"text":[[]]}')).toEqual(large);
    expect(await ask(service, 'POST /notes', '{"text":[1,2,3,4]}')).toEqual(large);
    expect(await ask(service, 'POST /notes', '{"text":[1]}')).toEqual(answer(201));
    expect(met).toEqual(['jsonDepth', 'jsonNodes']);
  });
});
