import { afterAll, expect, it } from 'vitest';
import { ask, type Got, password, publishing, register, tokenOf } from './publishing.ts';
import { bench, type Running } from './running.ts';

const { serving, end } = bench();
afterAll(end);

/** Who may ask: anybody, whoever is known, or the one whose it is; and what a success is answered with. */
const operations: Readonly<Record<string, readonly ['anyone' | 'writer' | 'owner', number, unknown?]>> = {
  'GET /account': ['writer', 200],
  'PUT /account': ['writer', 200, { account: { bio: 'weaves' } }],
  'GET /profiles/ada': ['anyone', 200],
  'POST /profiles/eve/follow': ['writer', 200],
  'DELETE /profiles/eve/follow': ['writer', 200],
  'GET /articles': ['anyone', 200],
  'GET /feed': ['writer', 200],
  'POST /articles': ['writer', 201, { article: { title: 'On cards', summary: 's', body: 'b' } }],
  'GET /articles/SLUG': ['anyone', 200],
  'PUT /articles/SLUG': ['owner', 200, { article: { body: 'holes' } }],
  'POST /articles/SLUG/favourite': ['writer', 200],
  'DELETE /articles/SLUG/favourite': ['writer', 200],
  'GET /articles/SLUG/comments': ['anyone', 200],
  'POST /articles/SLUG/comments': ['writer', 201, { comment: { body: 'well woven' } }],
  'GET /tags': ['anyone', 200],
  'DELETE /articles/SLUG/comments/COMMENT': ['owner', 204],
  'DELETE /articles/SLUG': ['owner', 204],
};

const day = 86_400_000;

/** What each operation answers to those who ask: the owner, another, and who brings nothing or nothing good. */
function expected(who: 'owner' | 'another' | 'none' | 'wrong', rule: string, success: number) {
  if (who === 'wrong') return [401, 'is not valid'];
  if (rule === 'anyone' || who === 'owner') return [success, null];
  if (who === 'none') return [401, 'is missing'];
  return rule === 'writer' ? [success, null] : [403, 'is yours'];
}

function seen({ status, body }: Got): unknown[] {
  const { errors } = (body ?? {}) as { readonly errors?: Readonly<Record<string, readonly string[]>> };
  const said = errors && Object.values(errors)[0]?.[0]?.replace('is not yours', 'is yours');
  return [status, said ?? null];
}

/** An article and a comment of the owner's, and the line with their keys in it. */
async function prepared(running: Running, as: string, line: string): Promise<string> {
  if (!line.includes('SLUG')) return line;
  const article = { title: 'On looms', summary: 's', body: 'b' };
  const made = await ask(running, 'POST /articles', { as, body: { article } });
  const { slug } = (made.body as { article: { slug: string } }).article;
  const at = `/articles/${slug}/comments`;
  const said = await ask(running, `POST ${at}`, { as, body: { comment: { body: 'c' } } });
  const { id } = (said.body as { comment: { id: number } }).comment;
  return line.replace('SLUG', slug).replace('COMMENT', String(id));
}

it('lets each operation be asked for by those whom the document admits, and by nobody else', async () => {
  let time = Date.UTC(2026, 0, 2);
  const cells: string[] = [];
  const wrong: unknown[] = [];
  await serving(
    publishing(),
    async (running) => {
      const late = await register(running, 'late');
      time += 30 * day;
      const [owner, another] = [await register(running, 'ada'), await register(running, 'bob')];
      await register(running, 'eve');
      const before = await running.rows();
      const token = owner.slice('Token '.length);
      const flipped = token.slice(0, 20) + (token[20] === 'A' ? 'B' : 'A') + token.slice(21);
      const askers: readonly (readonly [string, Parameters<typeof expected>[0], string | undefined])[] = [
        ['who expired', 'wrong', late],
        ['whose token was tampered with', 'wrong', `Token ${flipped}`],
        ['whose token was cut', 'wrong', `Token ${token.slice(0, -1)}`],
        ['with a token of nobody', 'wrong', 'Token e30.e30.'],
        ['with no token', 'wrong', 'Token '],
        ['by another scheme', 'none', `Bearer ${token}`],
        ['with nothing', 'none', undefined],
        ['another', 'another', another],
        ['the owner', 'owner', owner],
      ];
      for (const [line, [rule, success, body]] of Object.entries(operations))
        for (const [what, who, as] of askers) {
          const ready = await prepared(running, owner, line);
          const found = seen(await ask(running, ready, { body, ...(as !== undefined && { as }) }));
          const wanted = expected(who, rule, success);
          cells.push(`${line} ${what}`);
          if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ line, what, wanted, found });
        }
      expect(await running.rows()).not.toEqual(before);
      expect(running.held()).toEqual([]);
    },
    { milliseconds: () => time, onFault: (fault) => void wrong.push(fault) },
  );
  expect(wrong).toEqual([]);
  expect(cells.length).toBe(17 * 9);
});

it('changes nothing for those whom it sends away', async () => {
  await serving(publishing(), async (running) => {
    const [owner, another] = [await register(running, 'ada'), await register(running, 'bob')];
    const lines = await Promise.all(
      Object.entries(operations).map(
        async ([line, of]) => [await prepared(running, owner, line), of] as const,
      ),
    );
    const before = running.kept.dump();
    for (const [line, [rule, , body]] of lines) {
      if (rule === 'anyone') continue;
      const { status } = await ask(running, line, { body });
      expect(`${line} ${status}`).toBe(`${line} 401`);
      if (rule === 'owner') expect((await ask(running, line, { body, as: another })).status).toBe(403);
    }
    expect(running.kept.dump()).toBe(before);
  });
});

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
