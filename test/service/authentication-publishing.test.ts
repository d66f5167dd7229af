import { afterAll, expect, it } from 'vitest';
import { ask, password, publishing, register, tokenOf } from './publishing.ts';
import { bench } from './running.ts';

const { serving, end } = bench();
afterAll(end);

it('tells nobody of an account that is not there by what it answers', async () => {
  await serving(publishing(), async (running) => {
    await register(running, 'ada');
    const log = (email: string, given: string) =>
      ask(running, 'POST /sessions', { body: { account: { email, password: given } } });
    const unknown = await log('nobody@example.org', `${password} ada`);
    expect(await log('ada@example.org', `${password} bob`)).toEqual(unknown);
    expect(unknown.status).toBe(401);
    expect(tokenOf(await log('ada@example.org', `${password} ada`))).toMatch(/^[\w-]+$/);
  });
});
