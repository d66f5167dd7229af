import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecordedDetail } from '../../src/console/recorded.ts';
import type { Recorded } from '../../src/console/requests.ts';
import type { Exchange } from '../../src/console/send.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { served } from './opened.ts';

const document = [
  '# Desk',
  '## Resources',
  '```yaml',
  'Clerk: { identifier: name, fields: { name: { type: string }, pin: { type: string, secret: hashed } } }',
  '```',
  '## Endpoints',
  '```yaml',
  'POST /clerks: { does: create Clerk, request: { query: { from: { type: string } }, body: Clerk, others: refuse }, response: { status: 201 } }',
  '```',
  '',
].join('\n');

const { file } = temporaryFolder();
let made = 0;

async function desk(isFixed = false) {
  made += 1;
  const one = await served(file(`desk-${made}.md`, document), { isFixed }, { keepsContent: true });
  onTestFinished(one.close);
  const post = async (body: string | Buffer, headers: Record<string, string> = {}): Promise<string> => {
    const sent = { 'Content-Type': 'application/json', Authorization: 'Bearer ada', ...headers };
    await fetch(`${one.service.address}/clerks?from=here`, { method: 'POST', headers: sent, body });
    const [latest] = await one.query<Recorded[]>('requests');
    return String(latest?.id);
  };
  const told = (id: string) => one.query<RecordedDetail>(`request?id=${id}`);
  return { ...one, post, told, resend: (id: string) => one.act<Exchange>('resend', { id }) };
}

describe('what a request brought', () => {
  it('is shown without secrets', async () => {
    const { post, told } = await desk();
    const { brought, canResend } = await told(await post('{"name":"Ada","pin":"1234"}'));
    expect(brought).toMatchObject({
      target: '/clerks?from=here',
      headers: { authorization: '(secret)', 'content-type': 'application/json' },
      body: '{\n  "name": "Ada",\n  "pin": "(secret)"\n}',
    });
    expect([canResend, Object.keys(brought?.headers ?? {})]).toEqual([
      true,
      expect.not.arrayContaining(['host', 'content-length']),
    ]);
  });

  it('is sent again as it came, with what is not shown', async () => {
    const { post, told, resend, query } = await desk();
    const id = await post('{"name":"Ada","pin":"1234"}');
    const exchange = await resend(id);
    expect(exchange).toMatchObject({
      recorded: { condition: 'not unique' },
      request: { body: expect.stringContaining('(secret)') },
    });
    expect(JSON.stringify([exchange, await query('requests')])).not.toContain('1234');
    const { brought } = await told(String(exchange.recorded?.id));
    expect(brought).toEqual((await told(id)).brought);
  });

  it('is kept where the service refuses before it reads it', async () => {
    const { post, told } = await desk();
    expect((await told(await post('{', { 'Content-Type': 'text/plain' }))).brought?.body).toBe('{');
  });

  it('is not kept if it is large, nor sent again without it', async () => {
    const { post, told, resend } = await desk();
    const id = await post(JSON.stringify({ name: 'a'.repeat(40_000) }));
    const { brought, canResend } = await told(id);
    expect([brought?.body, brought?.isLeft, canResend]).toEqual([null, true, false]);
    await expect(resend(id)).rejects.toThrow('400 the content of request 1 was not kept');
  });

  it('is not sent again beside a service that others use', async () => {
    const { post, resend } = await desk(true);
    await expect(resend(await post('{}'))).rejects.toThrow('400 nothing is sent again beside tacet serve');
    await expect(resend('99')).rejects.toThrow('400');
  });
});
