import Fastify from 'fastify';

const fault = process.env['FAULT'];

interface Body {
  title: string;
  minutes: number;
  servings: number;
  tags: string[];
  steps: string[];
}
interface Recipe extends Body {
  slug: string;
  version: number;
  createdAt: string;
  ratings: { stars: number; comment?: string }[];
}
interface Route {
  Params: { slug: string };
  Querystring: { tag?: string; maxMinutes?: number; sort: string; limit: number; offset: number };
}

class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

const slugs = '^[a-z0-9]+(-[a-z0-9]+)*$';
const properties = {
  title: { type: 'string', minLength: 1, maxLength: 100 },
  minutes: { type: 'integer', minimum: 1, maximum: fault === 'minutes-unbounded' ? 100_000 : 1440 },
  servings: { type: 'integer', minimum: 1, maximum: 100, default: fault === 'wrong-servings' ? 2 : 4 },
  tags: {
    type: 'array',
    maxItems: 10,
    uniqueItems: true,
    default: [],
    items: { type: 'string', pattern: '^[a-z]{2,20}$' },
  },
  steps: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1, maxLength: 500 } },
};
const required = ['title', 'minutes', 'steps'];
const recipeBody = { type: 'object', required, properties };
const newRecipe = {
  type: 'object',
  required: ['slug', ...required],
  properties: { slug: { type: 'string', pattern: slugs, maxLength: 60 }, ...properties },
};
const rating = {
  type: 'object',
  required: ['stars'],
  properties: {
    stars: { type: 'integer', minimum: fault === 'no-stars' ? 0 : 1, maximum: 5 },
    comment: { type: 'string', maxLength: 300 },
  },
};
const querystring = {
  type: 'object',
  properties: {
    tag: { type: 'string' },
    maxMinutes: { type: 'integer', minimum: 1 },
    sort: { type: 'string', enum: ['title', '-createdAt'], default: 'title' },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  },
};

const recipes = new Map<string, Recipe>();
recipes.set('flat-bread', {
  slug: 'flat-bread',
  title: 'Flat bread',
  minutes: 25,
  servings: 4,
  tags: ['bread', 'vegan'],
  steps: ['Mix.', 'Rest for ten minutes.', 'Fry.'],
  version: 1,
  createdAt: '2030-02-03T10:00:00.000Z',
  ratings: [{ stars: 5, comment: 'Easy!' }],
});

const view = ({ version: _, ratings, ...recipe }: Recipe): object => {
  const average = ratings.reduce((sum, { stars }) => sum + stars, 0) / ratings.length;
  const round = fault === 'average-cut-off' ? Math.floor : Math.round;
  return { ...recipe, averageRating: ratings.length === 0 ? null : round(average * 10) / 10 };
};
const etag = ({ slug, version }: Recipe): string => `"${slug}-${version}"`;
const found = (slug: string): Recipe => {
  const recipe = recipes.get(slug);
  if (recipe === undefined) throw new Refusal(404, 'no such recipe');
  return recipe;
};
const picked = ({ title, minutes, servings, tags, steps }: Body): Body => ({
  title,
  minutes,
  servings,
  tags,
  steps,
});

const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
  reply.status(error.statusCode ?? 500).send({ error: error.message });
});
app.addHook('onRequest', async (request) => {
  const { method, url } = request.routeOptions;
  if (method === 'GET' || url?.endsWith('/ratings')) return;
  if (fault === 'auth-skipped-on-delete' && method === 'DELETE') return;
  if (request.headers.authorization !== 'Bearer cook-token') throw new Refusal(401, 'send a token');
});
app.addHook('preValidation', async (request) => {
  const query = request.query as Record<string, unknown>;
  for (const name of ['maxMinutes', 'limit', 'offset']) {
    if (/^\d{1,9}$/.test(String(query[name]))) query[name] = Number(query[name]);
  }
});

app.get<Route>('/recipes', { schema: { querystring } }, async (request, reply) => {
  const { tag, maxMinutes = Infinity, sort, limit, offset } = request.query;
  const matching = [...recipes.values()]
    .filter(
      ({ tags }) => tag === undefined || (fault === 'first-tag-only' ? tags[0] === tag : tags.includes(tag)),
    )
    .filter(({ minutes }) =>
      fault === 'max-minutes-exclusive' ? minutes < maxMinutes : minutes <= maxMinutes,
    );
  if (sort === 'title' && fault !== 'title-unsorted') matching.sort((a, b) => (a.title < b.title ? -1 : 1));
  if (sort === '-createdAt') matching.reverse();
  reply.header('x-total-count', matching.length);
  return matching
    .slice(fault === 'offset-ignored' ? 0 : offset)
    .slice(0, limit)
    .map(view);
});

app.post<Route>('/recipes', { schema: { body: newRecipe } }, async (request, reply) => {
  const { slug } = request.body as Recipe;
  if (recipes.has(slug)) throw new Refusal(fault === 'conflict-as-400' ? 400 : 409, 'the slug is taken');
  const recipe = {
    slug,
    ...picked(request.body as Body),
    version: 1,
    createdAt: new Date().toISOString(),
    ratings: [],
  };
  recipes.set(slug, recipe);
  return reply.status(201).header('location', `/recipes/${slug}`).send(view(recipe));
});

app.get<Route>('/recipes/:slug', async (request, reply) => {
  const recipe = found(request.params.slug);
  return reply.header('etag', etag(recipe)).send(view(recipe));
});

app.put<Route>('/recipes/:slug', { schema: { body: recipeBody } }, async (request, reply) => {
  const before = found(request.params.slug);
  const match = request.headers['if-match'];
  if (match !== undefined && match !== '*' && match !== etag(before) && fault !== 'if-match-ignored') {
    throw new Refusal(412, 'the recipe has changed');
  }
  const ratings = fault === 'put-drops-ratings' ? [] : before.ratings;
  const recipe = { ...before, ...picked(request.body as Body), version: before.version + 1, ratings };
  recipes.set(recipe.slug, recipe);
  return reply.header('etag', etag(recipe)).send(view(recipe));
});

app.delete<Route>('/recipes/:slug', async (request, reply) => {
  recipes.delete(found(request.params.slug).slug);
  return reply.status(204).send();
});

app.get<Route>('/recipes/:slug/ratings', async (request) => found(request.params.slug).ratings);

app.post<Route>('/recipes/:slug/ratings', { schema: { body: rating } }, async (request, reply) => {
  const recipe = found(request.params.slug);
  const { stars, comment } = request.body as Recipe['ratings'][number];
  const given = comment === undefined ? { stars } : { stars, comment };
  recipe.ratings.push(given);
  recipe.version += 1;
  return reply.status(201).send(given);
});

console.log(
  `listening on ${await app.listen({ port: Number(process.env['PORT'] ?? 0), host: '127.0.0.1' })}`,
);
