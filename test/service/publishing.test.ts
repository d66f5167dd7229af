import { afterAll, describe, expect, it } from 'vitest';
import { ask, type Got, password, publishing, register, tokenOf } from './publishing.ts';
import { bench, type Running } from './running.ts';

const { serving, end } = bench();
afterAll(end);

/** A clock that stands still, so that `now` is told apart by microseconds alone. */
const start = Date.UTC(2026, 0, 2, 3, 4, 5);
const options = { milliseconds: () => start };

/** What came back, with each time of the conversation as `NOW`. */
function told({ status, body }: Got): readonly [number, unknown] {
  const text = JSON.stringify(body).replaceAll(/"2026-01-02T03:04:05\.\d{6}Z"/g, '"NOW"');
  return [status, JSON.parse(text) as unknown];
}

const ada = { name: 'ada', bio: null, portrait: null, following: false };
const bob = { ...ada, name: 'bob' };
const teaser = {
  slug: 'on-looms',
  title: 'On looms',
  summary: 'what they weave',
  tags: ['looms', 'algebra'],
  createdAt: 'NOW',
  updatedAt: 'NOW',
  author: ada,
  favourite: false,
  favourites: 0,
};
const article = { ...teaser, body: 'patterns' };
const { title, summary, tags } = teaser;
const draft = { title, summary, tags, body: 'patterns' };

const conversing = (use: (running: Running, ada: string, bob: string) => Promise<void>) =>
  serving(
    publishing(),
    async (running) => use(running, await register(running, 'ada'), await register(running, 'bob')),
    options,
  );

describe('the publishing site, as people use it', () => {
  it('registers, logs in whatever the case of the address, and shows one’s own account', async () => {
    await serving(publishing(), async (running) => {
      const account = { email: 'Ada@example.org', name: 'ada', password };
      const made = await ask(running, 'POST /accounts', { body: { account } });
      const self = { email: 'Ada@example.org', name: 'ada', bio: null, portrait: null };
      expect(made).toEqual({
        status: 201,
        body: { account: { ...self, token: expect.stringMatching(/^[\w-]+$/) } },
        challenge: [],
      });
      const given = { email: 'ADA@EXAMPLE.ORG', password };
      const logged = await ask(running, 'POST /sessions', { body: { account: given } });
      expect(logged).toMatchObject({ status: 200, body: { account: self } });
      const read = await ask(running, 'GET /account', { as: `Token ${tokenOf(logged)}` });
      expect(read).toMatchObject({ status: 200, body: { account: self } });
      const changed = await ask(running, 'PUT /account', {
        as: `token ${tokenOf(made)}`,
        body: { account: { bio: 'weaves', password: 'another one' } },
      });
      expect(changed).toMatchObject({ status: 200, body: { account: { ...self, bio: 'weaves' } } });
      const old = await ask(running, 'POST /sessions', { body: { account: given } });
      expect(told(old)).toEqual([401, { errors: { credentials: ['are not right'] } }]);
      const renewed = { account: { ...given, password: 'another one' } };
      expect((await ask(running, 'POST /sessions', { body: renewed })).status).toBe(200);
    });
  });

  it('publishes, revises and withdraws an article', () =>
    conversing(async (running, as) => {
      const made = await ask(running, 'POST /articles', { as, body: { article: draft } });
      expect(told(made)).toEqual([201, { article }]);
      expect(told(await ask(running, 'GET /articles/on-looms'))).toEqual([200, { article }]);
      expect(told(await ask(running, 'GET /articles'))).toEqual([200, { articles: [teaser], count: 1 }]);
      const revision = { article: { body: 'holes', tags: ['cards'] } };
      const revised = await ask(running, 'PUT /articles/on-looms', { as, body: revision });
      expect(told(revised)).toEqual([200, { article: { ...article, ...revision.article } }]);
      expect(told(await ask(running, 'GET /tags'))).toEqual([200, { tags: ['algebra', 'cards', 'looms'] }]);
      const again = await ask(running, 'POST /articles', { as, body: { article: draft } });
      expect(again).toMatchObject({
        status: 201,
        body: { article: { slug: expect.stringMatching(/^on-looms-/) } },
      });
      expect(told(await ask(running, 'DELETE /articles/on-looms', { as }))).toEqual([204, null]);
      expect(told(await ask(running, 'GET /articles/on-looms'))).toEqual([
        404,
        { errors: { article: ['not found'] } },
      ]);
    }));

  it('follows, and fills the feed of those who do', () =>
    conversing(async (running, author, reader) => {
      await ask(running, 'POST /articles', { as: author, body: { article: draft } });
      const followed = { ...ada, following: true };
      for (let time = 0; time < 2; time += 1)
        expect(told(await ask(running, 'POST /profiles/ada/follow', { as: reader }))).toEqual([
          200,
          { profile: followed },
        ]);
      expect(told(await ask(running, 'GET /profiles/ada', { as: reader }))).toEqual([
        200,
        { profile: followed },
      ]);
      expect(told(await ask(running, 'GET /profiles/ada', { as: author }))).toEqual([200, { profile: ada }]);
      expect(told(await ask(running, 'GET /profiles/ada'))).toEqual([200, { profile: ada }]);
      expect(told(await ask(running, 'GET /feed', { as: reader }))).toEqual([
        200,
        { articles: [{ ...teaser, author: followed }], count: 1 },
      ]);
      expect(told(await ask(running, 'GET /feed', { as: author }))).toEqual([
        200,
        { articles: [], count: 0 },
      ]);
      expect(told(await ask(running, 'DELETE /profiles/ada/follow', { as: reader }))).toEqual([
        200,
        { profile: ada },
      ]);
      expect(told(await ask(running, 'GET /feed', { as: reader }))).toEqual([
        200,
        { articles: [], count: 0 },
      ]);
      expect(told(await ask(running, 'POST /profiles/ada/follow', { as: author }))).toEqual([
        422,
        { errors: { profile: ['is your own'] } },
      ]);
    }));

  it('favours, each for oneself', () =>
    conversing(async (running, author, reader) => {
      await ask(running, 'POST /articles', { as: author, body: { article: draft } });
      const favoured = { favourite: true, favourites: 1 };
      for (let time = 0; time < 2; time += 1)
        expect(told(await ask(running, 'POST /articles/on-looms/favourite', { as: reader }))).toEqual([
          200,
          { article: { ...article, ...favoured } },
        ]);
      const others = { ...teaser, favourites: 1 };
      for (const [as, shown] of [
        [reader, { ...teaser, ...favoured }],
        [author, others],
        [undefined, others],
      ] as const)
        expect(told(await ask(running, 'GET /articles?favourite=bob', as ? { as } : {}))).toEqual([
          200,
          { articles: [shown], count: 1 },
        ]);
      for (const query of ['favourite=ada', 'author=bob', 'tag=tapestry', 'offset=1'])
        expect(await ask(running, `GET /articles?${query}`)).toMatchObject({ body: { articles: [] } });
      for (const query of ['author=ada&tag=looms', 'limit=1', 'tag=algebra&favourite=bob'])
        expect(told(await ask(running, `GET /articles?${query}`))).toEqual([
          200,
          { articles: [others], count: 1 },
        ]);
      expect(told(await ask(running, 'DELETE /articles/on-looms/favourite', { as: reader }))).toEqual([
        200,
        { article },
      ]);
    }));

  it('comments, and withdraws one’s own', () =>
    conversing(async (running, author, reader) => {
      await ask(running, 'POST /articles', { as: author, body: { article: draft } });
      const comment = { id: 1, body: 'well woven', author: bob, createdAt: 'NOW' };
      const at = '/articles/on-looms/comments';
      const given = { comment: { body: 'well woven' } };
      expect(told(await ask(running, `POST ${at}`, { as: reader, body: given }))).toEqual([201, { comment }]);
      expect(told(await ask(running, `GET ${at}`))).toEqual([200, { comments: [comment] }]);
      expect(told(await ask(running, `DELETE ${at}/1`, { as: author }))).toEqual([
        403,
        { errors: { comment: ['is not yours'] } },
      ]);
      expect(told(await ask(running, `DELETE ${at}/2`, { as: author }))).toEqual([
        404,
        { errors: { comment: ['not found'] } },
      ]);
      expect(told(await ask(running, `DELETE ${at}/1`, { as: reader }))).toEqual([204, null]);
      expect(told(await ask(running, `GET ${at}`))).toEqual([200, { comments: [] }]);
    }));

  it('tells errors by field, in the order that is stated', () =>
    conversing(async (running, as) => {
      const errors = async (line: string, more: Parameters<typeof ask>[2] = {}) => {
        const [status, body] = told(await ask(running, line, more));
        return [status, (body as { readonly errors: unknown }).errors];
      };
      expect(
        await errors('POST /accounts', { body: { account: { email: 'x', name: '', password: 'short' } } }),
      ).toEqual([
        422,
        { email: ['is not well formed'], name: ["can't be blank"], password: ['is too short'] },
      ]);
      expect(await errors('POST /accounts', { body: {} })).toEqual([422, { account: ['is missing'] }]);
      const twin = { email: 'ADA@example.org', name: 'grace', password };
      expect(await errors('POST /accounts', { body: { account: twin } })).toEqual([
        409,
        { email: ['is taken already'] },
      ]);
      expect(await errors('POST /accounts', { body: { account: { ...twin, name: 'ada' } } })).toEqual([
        409,
        { email: ['is taken already'], name: ['is taken already'] },
      ]);
      expect(await errors('PUT /account', { as, body: { account: { name: 'bob' } } })).toEqual([
        409,
        { name: ['is taken already'] },
      ]);
      expect(await errors('POST /articles', { as, body: { article: { title: '', tags: [1] } } })).toEqual([
        422,
        {
          title: ["can't be blank"],
          summary: ['is missing'],
          body: ['is missing'],
          'tags.0': ['is not of the right kind'],
        },
      ]);
      // Who asks goes before what is asked for, and that before what is given.
      expect(await errors('POST /articles', { body: { article: {} } })).toEqual([
        401,
        { token: ['is missing'] },
      ]);
      expect(await errors('PUT /articles/none', { as, body: {} })).toEqual([404, { article: ['not found'] }]);
      expect(await errors('POST /sessions', { body: { account: { email: 'ada@example.org' } } })).toEqual([
        422,
        { password: ['is missing'] },
      ]);
    }));
});
