import { type About, type Ask, after, example, of, type Person, type Stage, unused } from '../stage.ts';

const words = (name: string) => ({ email: `${name}@example.org`, name, password: `correct horse ${name}` });

async function enter(ask: Ask, name: string): Promise<Person> {
  const got = await ask('POST /accounts', null, { account: words(name) });
  return { name, actor: { is: name }, scheme: 'token', credential: got.at('account', 'token') };
}

async function published(owner: Person, ask: Ask) {
  const article = { title: unused('On looms '), summary: 's', body: 'b' };
  const id = (await ask('POST /articles', owner, { article })).at('article', 'slug');
  return { id, author: owner.actor['is'] };
}

const ofArticle =
  (then = '', body?: unknown): About =>
  async (owner, _, ask) => ({
    ...of('articles', await published(owner, ask), then),
    ...(body !== undefined && { body }),
  });

export const publishing: Stage = {
  document: example('publishing'),
  carry: { token: after('Token') },
  people: async (ask, pass) => {
    const late = await enter(ask, 'late');
    pass(30 * 86_400_000);
    return [await enter(ask, 'ada'), await enter(ask, 'bob'), { ...late, over: 'one that expired' }];
  },
  owners: (one) => one.over === undefined,
  about: {
    register: () => ({ body: { account: words(unused('new')) } }),
    logIn: (owner) => ({ body: { account: words(owner.name) } }),
    readSelf: () => ({}),
    changeSelf: () => ({ body: { account: { bio: 'weaves' } } }),
    readProfile: (owner) => ({ target: `/profiles/${owner.name}` }),
    // Nobody follows themselves.
    follow: (owner, asker) => ({
      target: `/profiles/${owner.name === asker.name ? 'late' : owner.name}/follow`,
    }),
    unfollow: (owner) => ({ target: `/profiles/${owner.name}/follow` }),
    listArticles: () => ({}),
    readFeed: () => ({}),
    publish: () => ({ body: { article: { title: unused('On cards '), summary: 's', body: 'b' } } }),
    readArticle: ofArticle(),
    reviseArticle: ofArticle('', { article: { body: 'holes' } }),
    withdrawArticle: ofArticle(),
    favour: ofArticle('/favourite'),
    disfavour: ofArticle('/favourite'),
    listComments: ofArticle('/comments'),
    comment: ofArticle('/comments', { comment: { body: 'well woven' } }),
    withdrawComment: async (owner, _, ask) => {
      const { id: slug, author } = await published(owner, ask);
      const said = await ask(`POST /articles/${slug}/comments`, owner, { comment: { body: 'c' } });
      return of(`articles/${slug}/comments`, { id: said.at('comment', 'id'), author });
    },
    listTags: () => ({}),
  },
};
