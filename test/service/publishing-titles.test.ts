import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask, start } from './served.ts';

const example = (name: string): string =>
  readFileSync(new URL(`../../examples/${name}.md`, import.meta.url), 'utf8');

describe('the publishing site', () => {
  it('can be read also where a title has no letter and no digit', async () => {
    const service = await start(example('publishing'));
    const account = { name: 'ann', email: 'ann@x.test', password: 'a long password' };
    const { body } = await ask(service, 'POST /accounts', { account });
    const by = `Authorization: Token ${(body as { account: { token: string } }).account.token}`;
    const article = { title: '???', summary: 'Why', body: 'Because' };
    const made = await ask(service, 'POST /articles', { article }, [by]);
    expect((made.body as { article: { slug: string } }).article.slug).toBe('article');
    expect((await ask(service, 'GET /articles/article')).status).toBe(200);
  });
});
