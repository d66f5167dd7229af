import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { parse } from 'yaml';

const fault = process.env['FAULT'];

interface Input {
  name: string;
  category: string;
  price: number;
  reorderLevel: number;
}
interface Product extends Input {
  sku: string;
  stock: number;
  updatedAt: string;
}
interface Movement {
  id: number;
  sku: string;
  quantity: number;
  reason: string;
  stockAfter: number;
  at: string;
}
interface Route {
  Params: { sku: string };
  Querystring: { category?: string; inStock?: boolean; page?: number; perPage?: number };
}

class Refusal extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Bodies, paths and queries are checked by the schemas of the description. */
const description = parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));
const strict = new Ajv2020({ strict: false, multipleOfPrecision: 6 });
const loose = new Ajv2020({ strict: false, coerceTypes: true, useDefaults: true });
for (const ajv of [strict, loose]) ajv.addSchema(description, 'openapi');
const at = (pointer: string): object => ({ $ref: `openapi#${pointer}` });
const params = { type: 'object', properties: { sku: at('/components/parameters/sku/schema') } };
const [category, inStock, page, perPage] = [0, 1, 2, 3].map((index) =>
  at(`/paths/~1products/get/parameters/${index}/schema`),
);

const products = new Map<string, Product>();
const movements: Movement[] = [];
products.set('BOLT8', {
  sku: 'BOLT8',
  name: 'Hex bolt M8',
  category: 'hardware',
  price: 0.35,
  reorderLevel: 10,
  stock: 0,
  updatedAt: '2030-01-01T00:00:00.000Z',
});

const app = Fastify();
app.setValidatorCompiler(({ schema, httpPart }) =>
  (httpPart === 'body' ? strict : loose).compile(schema as object),
);
app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
  reply.status(error.statusCode ?? 500).send({ error: error.message });
});
app.addHook('onRequest', async (request) => {
  const isOpen =
    fault === 'auth-skipped-on-movements' && request.url.includes('/movements') && request.method === 'GET';
  if (request.headers.authorization !== 'Bearer stock-token' && !isOpen) throw new Refusal(401, 'token');
});

const found = (sku: string): Product => {
  const product = products.get(sku);
  if (product === undefined) throw new Refusal(404, 'no such product');
  return product;
};
const defaults = { reorderLevel: 10 };
const store = (product: Product): Product => {
  const stored = { ...product, updatedAt: new Date().toISOString() };
  products.set(product.sku, stored);
  return stored;
};

app.get<Route>(
  '/products',
  { schema: { querystring: { type: 'object', properties: { category, inStock, page, perPage } } } },
  async (request, reply) => {
    const { page = 1, perPage = 30, ...query } = request.query;
    const matching = [...products.values()]
      .filter((each) => query.category === undefined || each.category === query.category)
      .filter(
        (each) =>
          query.inStock === undefined ||
          (fault === 'in-stock-false-ignored' && !query.inStock) ||
          each.stock > 0 === query.inStock,
      );
    if (fault !== 'list-unsorted') matching.sort((a, b) => (a.sku < b.sku ? -1 : 1));
    const start = (page - 1) * (fault === 'page-skips-one' ? perPage + 1 : perPage);
    reply.header('x-total-count', fault === 'total-ignores-filter' ? products.size : matching.length);
    return matching.slice(start, start + perPage);
  },
);

app.get<Route>('/products/:sku', { schema: { params } }, async (request) => found(request.params.sku));

app.put<Route>(
  '/products/:sku',
  { schema: { params, body: at('/components/schemas/ProductInput') } },
  async (request, reply) => {
    const { sku } = request.params;
    const before = products.get(sku);
    const stock = fault === 'put-resets-stock' ? 0 : (before?.stock ?? 0);
    const rest = fault === 'put-keeps-reorder-level' && before ? { reorderLevel: before.reorderLevel } : {};
    const product = store({
      ...defaults,
      ...rest,
      ...(request.body as Input),
      sku,
      stock,
      updatedAt: '',
    });
    if (fault === 'price-rounded') product.price = Math.round(product.price);
    return reply.status(before === undefined && fault !== 'create-answers-200' ? 201 : 200).send(product);
  },
);

app.patch<Route>(
  '/products/:sku',
  {
    schema: {
      params,
      body: at('/paths/~1products~1{sku}/patch/requestBody/content/application~1json/schema'),
    },
  },
  async (request) => store({ ...found(request.params.sku), ...(request.body as Partial<Input>) }),
);

app.delete<Route>('/products/:sku', { schema: { params } }, async (request, reply) => {
  const { sku, stock } = found(request.params.sku);
  if (stock > 0 && fault !== 'delete-with-stock') throw new Refusal(409, 'the product has stock');
  products.delete(sku);
  for (let index = movements.length - 1; index >= 0; index -= 1) {
    if (movements[index]!.sku === sku) movements.splice(index, 1);
  }
  return reply.status(204).send();
});

app.get<Route>('/products/:sku/movements', { schema: { params } }, async (request) => {
  const { sku } = found(request.params.sku);
  return movements.filter((movement) => movement.sku === sku);
});

let lastId = 0;
app.post<Route>(
  '/products/:sku/movements',
  { schema: { params, body: at('/components/schemas/MovementInput') } },
  async (request, reply) => {
    const product = found(request.params.sku);
    const { quantity, reason } = request.body as Pick<Movement, 'quantity' | 'reason'>;
    const stockAfter = product.stock + quantity;
    if (fault === 'last-one-stays' ? quantity < 0 && stockAfter <= 0 : stockAfter < 0) {
      throw new Refusal(409, 'not enough stock');
    }
    store({ ...product, stock: fault === 'stock-replaced' && quantity > 0 ? quantity : stockAfter });
    lastId += 1;
    const movement = {
      id: lastId,
      sku: product.sku,
      quantity,
      reason,
      stockAfter,
      at: new Date().toISOString(),
    };
    movements.push(movement);
    return reply.status(201).send(movement);
  },
);

console.log(
  `listening on ${await app.listen({ port: Number(process.env['PORT'] ?? 0), host: '127.0.0.1' })}`,
);
