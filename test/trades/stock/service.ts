import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import {
  type Body,
  check,
  compare,
  contentOf,
  digits,
  integer,
  isReadable,
  objectOf,
  oneOf,
  query,
  Refused,
  require,
  sorting,
  tagsOf,
  text,
  word,
} from './request.ts';

interface Options {
  readonly port: number;
  readonly fault: string | null;
  readonly now?: () => number;
}

interface Person {
  readonly name: string;
  readonly role: 'clerk' | 'customer';
}

interface Article {
  readonly sku: string;
  name: string;
  category: string;
  price: number;
  most: number;
  onHand: number;
  status: 'active' | 'discontinued';
  readonly createdAt: string;
}

interface Movement {
  readonly id: number;
  readonly article: string;
  readonly delta: number;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

interface Reservation {
  readonly id: string;
  readonly article: string;
  readonly customer: string;
  quantity: number;
  status: 'held' | 'ordered' | 'cancelled' | 'expired';
  expiresAt: string;
  readonly createdAt: string;
}

interface Order {
  readonly id: string;
  readonly number: number;
  readonly customer: string;
  readonly article: string;
  readonly quantity: number;
  readonly price: number;
  status: 'placed' | 'shipped' | 'cancelled';
  readonly placedAt: string;
  shippedAt: string | null;
}

interface Call {
  readonly actor: Person;
  readonly key: string;
  readonly search: string;
  readonly body: Body;
  readonly headers: IncomingMessage['headers'];
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Handler = (call: Call) => Answer;

const people = new Map<string, Person>([
  ['kim-2f9a71d0', { name: 'kim', role: 'clerk' }],
  ['ann-c35b80e4', { name: 'ann', role: 'customer' }],
  ['bob-91d7a6f2', { name: 'bob', role: 'customer' }],
]);
const articleRules = {
  name: text(1, 60),
  category: oneOf('tools', 'paint', 'wood'),
  price: integer(1, 100_000),
  most: integer(1, 50),
};
const seconds = integer(1, 600);
const quantityRule = integer(1, 50);
const secondMicros = 1_000_000;

const ok = (body: unknown): Answer => ({ status: 200, body });

/** The shelf, what is reserved of it, and what was ordered; all in memory. */
class Stock {
  readonly articles = new Map<string, Article>();
  readonly reservations = new Map<string, Reservation>();
  readonly orders = new Map<string, Order>();
  movements: Movement[] = [];
  #movement = 0;
  #order = 0;
  #latest = 0;
  readonly #clock: () => number;
  readonly #broken: (fault: string) => boolean;

  constructor(clock: () => number, broken: (fault: string) => boolean) {
    this.#clock = clock;
    this.#broken = broken;
  }

  /** The time of the request, in microseconds since 1970. It stays the same until the next request. */
  now(): number {
    return this.#latest;
  }

  written(micros = this.now()): string {
    const fraction = String(micros % secondMicros).padStart(6, '0');
    return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${fraction}Z`;
  }

  /** A request begins, later than every one before it. Lets the reservations go whose time is over. */
  begin(): void {
    this.#latest = Math.max(this.#clock() * 1000, this.#latest + 1);
    const now = this.written();
    for (const one of this.reservations.values())
      if (one.status === 'held' && one.expiresAt <= now) one.status = 'expired';
  }

  held(sku: string): number {
    const all = [...this.reservations.values()].filter(({ article }) => article === sku);
    const found = all.filter(
      ({ status }) => status === 'held' || (status === 'expired' && this.#broken('expired-still-held')),
    );
    return found.reduce((sum, { quantity }) => sum + quantity, 0);
  }

  free(article: Article): number {
    return article.onHand - this.held(article.sku);
  }

  move(sku: string, delta: number, reason: string, by: string): Movement {
    this.#movement += 1;
    const movement = { id: this.#movement, article: sku, delta, reason, by, at: this.written() };
    this.movements.push(movement);
    const article = this.articles.get(sku);
    if (article !== undefined) article.onHand += delta;
    return movement;
  }

  place({ article, quantity }: Reservation, customer: string, price: number): Order {
    this.#order += 1;
    const placedAt = this.written();
    const order: Order = {
      ...{ id: randomUUID(), number: this.#order, customer, article, quantity, price },
      ...{ status: 'placed', placedAt, shippedAt: null },
    };
    this.orders.set(order.id, order);
    return order;
  }

  showArticle(article: Article): object {
    const reserved = this.held(article.sku);
    return { ...article, reserved, available: article.onHand - reserved };
  }

  showReservation(one: Reservation): object {
    return { ...one, total: one.quantity * (this.articles.get(one.article)?.price ?? 0) };
  }

  showOrder(order: Order): object {
    const price = this.#broken('order-at-price-of-now')
      ? (this.articles.get(order.article)?.price ?? 0)
      : order.price;
    return { ...order, price, total: order.quantity * price };
  }
}

type Routes = Readonly<Record<string, Handler>>;
type Broken = (fault: string) => boolean;

/** A page by its number or by its offset. */
function pageOf<T>(items: readonly T[], asked: Partial<Record<string, string>>, size: number): readonly T[] {
  const limit = Number(asked['limit'] ?? size);
  const first = Number(asked['offset'] ?? (Number(asked['page'] ?? 1) - 1) * limit);
  return items.slice(first, first + limit);
}

/** The article of the path; for clerks alone, if `clerk`. */
function articleIn(stock: Stock, { key, actor }: Call, clerk: boolean): Article {
  const article = stock.articles.get(key);
  require(article !== undefined, 'no_article');
  require(!clerk || actor.role === 'clerk', 'not_allowed');
  return article;
}

function articleRoutes(stock: Stock, broken: Broken): Routes {
  const tagOf = (article: Article): string => {
    const shown = broken('tag-without-stock') ? article : stock.showArticle(article);
    const { onHand: _, ...kept } = article;
    const content = JSON.stringify(broken('tag-without-stock') ? kept : shown);
    return `"${createHash('sha256').update(content).digest('base64url')}"`;
  };
  const tagged = (article: Article, status = 200): Answer => ({
    status,
    headers: { ETag: tagOf(article) },
    ...(status === 200 && { body: stock.showArticle(article) }),
  });

  return {
    'POST /articles': ({ actor, search, body }) => {
      require(actor.role === 'clerk', 'not_allowed');
      query(search);
      const sku = broken('sku-unanchored')
        ? text(0, 100, /[A-Z]{3}-[0-9]{3}/)
        : text(7, 7, /^[A-Z]{3}-[0-9]{3}$/);
      check(body, { ...articleRules, sku }, ['sku', 'name', 'category', 'price']);
      require(!stock.articles.has(String(body['sku'])) || broken('sku-overwritten'), 'sku_taken');
      const article = {
        ...{ most: broken('most-default') ? 50 : 10, ...body },
        ...{ onHand: 0, status: 'active', createdAt: stock.written() },
      } as Article;
      stock.articles.set(article.sku, article);
      const headers = { Location: `/articles/${article.sku}` };
      return { status: 201, headers, body: stock.showArticle(article) };
    },

    'GET /articles': ({ search }) => {
      const asked = query(search, {
        ...{ category: articleRules.category, status: oneOf('active', 'discontinued') },
        ...{ q: text(1, Number.POSITIVE_INFINITY), maxPrice: digits(1), available: digits(1) },
        ...{ sort: sorting('sku', 'name', 'price'), limit: digits(1, 50), offset: digits(0) },
      });
      const { category, status, q, maxPrice, available, sort = 'sku' } = asked;
      const most = broken('price-below') ? Number(maxPrice) - 1 : Number(maxPrice);
      const stocked = (one: Article): number =>
        broken('available-as-on-hand') ? one.onHand : stock.free(one);
      const found = [...stock.articles.values()].filter(
        (one) =>
          (category === undefined || one.category === category) &&
          (status === undefined || one.status === status) &&
          (q === undefined || one.name.toLowerCase().includes(q.toLowerCase())) &&
          (maxPrice === undefined || one.price <= most) &&
          (available === undefined || stocked(one) >= Number(available)),
      );
      const fields = [...sort.split(',').slice(0, broken('sort-by-first') ? 1 : undefined), 'sku'];
      found.sort((a, b) => {
        for (const field of fields) {
          const name = field.replace(/^-/, '') as 'sku' | 'name' | 'price';
          const order = compare(a[name], b[name]) * (field.startsWith('-') ? -1 : 1);
          if (order !== 0) return order;
        }
        return 0;
      });
      const page = pageOf(found, asked, 10).map((one) => stock.showArticle(one));
      const whole = broken('articles-total') ? stock.articles.size : found.length;
      return ok({ articles: page, total: whole });
    },

    'GET /articles/*': (call) => {
      const article = articleIn(stock, call, false);
      query(call.search);
      const tags = tagsOf(call.headers['if-none-match']) ?? [];
      const isSame = tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === tagOf(article));
      return tagged(article, isSame ? 304 : 200);
    },

    'PATCH /articles/*': (call) => {
      const article = articleIn(stock, call, true);
      query(call.search);
      check(call.body, articleRules);
      require(Object.keys(call.body).length > 0, 'invalid');
      const tags = tagsOf(call.headers['if-match']);
      require(tags !== null || broken('if-match-optional'), 'no_tag');
      const isSame = tags === null || tags.includes('*') || tags.includes(tagOf(article));
      require(isSame, 'changed');
      Object.assign(article, call.body);
      return tagged(article);
    },

    'DELETE /articles/*': (call) => {
      const article = articleIn(stock, call, true);
      query(call.search);
      const isOf = (one: Reservation | Order): boolean => one.article === article.sku;
      const reserved = [...stock.reservations.values()].some(
        (one) => isOf(one) && (one.status === 'held' || !broken('delete-once-reserved')),
      );
      require(!reserved && ![...stock.orders.values()].some(isOf), 'in_use');
      stock.articles.delete(article.sku);
      if (!broken('movements-outlive-article'))
        stock.movements = stock.movements.filter((one) => one.article !== article.sku);
      return { status: 204 };
    },

    'POST /articles/*/discontinuation': (call) => {
      const article = articleIn(stock, call, true);
      query(call.search);
      require(article.status === 'active' || broken('discontinued-twice'), 'wrong_status');
      article.status = 'discontinued';
      return ok(stock.showArticle(article));
    },

    'POST /articles/*/movements': (call) => {
      const article = articleIn(stock, call, true);
      query(call.search);
      const delta = integer(-1000, 1000);
      const rules = {
        delta: (value: unknown) => delta(value) && (value !== 0 || broken('movement-of-nothing')),
        reason: oneOf('delivery', 'loss', 'order', 'return'),
      };
      check(call.body, rules, ['delta', 'reason']);
      const { delta: units, reason } = call.body as { delta: number; reason: string };
      require(!['order', ...(broken('return-by-hand') ? [] : ['return'])].includes(reason), 'by_order');
      const kept = broken('loss-of-reserved') ? 0 : stock.held(article.sku);
      require(article.onHand + units >= kept, 'too_few_left');
      const movement = stock.move(article.sku, units, reason, call.actor.name);
      return { status: 201, body: { movement, article: stock.showArticle(article) } };
    },

    'GET /articles/*/movements': (call) => {
      const article = articleIn(stock, call, !broken('movements-for-all'));
      const reason = oneOf('delivery', 'loss', 'order', 'return');
      const asked = query(call.search, { reason, limit: digits(1, 50), page: digits(1) });
      const found = stock.movements
        .filter((one) => one.article === article.sku)
        .filter((one) => asked['reason'] === undefined || one.reason === asked['reason']);
      if (!broken('movements-oldest-first')) found.reverse();
      const page = Number(asked['page'] ?? 1);
      return ok({ movements: pageOf(found, asked, 5), page, total: found.length });
    },
  };
}

function reservationRoutes(stock: Stock, broken: Broken): Routes {
  const isFor = (one: { readonly customer: string }, actor: Person): boolean =>
    one.customer === actor.name || actor.role === 'clerk';

  const reservationOf = ({ key, actor }: Call, own: boolean): Reservation => {
    const one = stock.reservations.get(key);
    require(one !== undefined, 'no_reservation');
    require(isFor(one, actor) || (broken('reservation-for-all') && !own), 'no_reservation');
    require(!own || one.customer === actor.name || broken('clerk-extends'), 'not_allowed');
    return one;
  };
  const expiry = (given: unknown): string => stock.written(stock.now() + Number(given ?? 60) * secondMicros);

  return {
    'POST /articles/*/reservations': (call) => {
      const article = articleIn(stock, call, false);
      require(call.actor.role === 'customer', 'not_allowed');
      query(call.search);
      check(call.body, { quantity: quantityRule, seconds }, ['quantity']);
      const quantity = Number(call.body['quantity']);
      require(article.status === 'active' || broken('reserve-discontinued'), 'discontinued');
      if (broken('sold-out-first')) require(quantity <= stock.free(article), 'sold_out');
      require(quantity <= article.most, 'too_many');
      const free = broken('free-ignores-reserved') ? article.onHand : stock.free(article);
      require(broken('last-unit-kept') ? quantity < free : quantity <= free, 'sold_out');
      const one: Reservation = {
        ...{ id: randomUUID(), article: article.sku, customer: call.actor.name, quantity, status: 'held' },
        ...{ expiresAt: expiry(call.body['seconds']), createdAt: stock.written() },
      };
      stock.reservations.set(one.id, one);
      const headers = { Location: `/reservations/${one.id}` };
      return { status: 201, headers, body: stock.showReservation(one) };
    },

    'GET /reservations': ({ actor, search }) => {
      const status = oneOf('held', 'ordered', 'cancelled', 'expired');
      const asked = query(search, { status, article: word, limit: digits(1, 50), page: digits(1) });
      const found = [...stock.reservations.values()].filter(
        (one) =>
          (isFor(one, actor) || broken('reservations-of-all')) &&
          (asked['status'] === undefined || one.status === asked['status']) &&
          (asked['article'] === undefined || one.article === asked['article'] || broken('article-filter')),
      );
      const page = Number(asked['page'] ?? 1);
      const from = broken('page-from-zero') ? { ...asked, page: String(page + 1) } : asked;
      const shown = pageOf(found, page === 1 ? asked : from, 5).map((one) => stock.showReservation(one));
      return ok({ reservations: shown, page, total: found.length });
    },

    'GET /reservations/*': (call) => {
      const one = reservationOf(call, false);
      query(call.search);
      return ok(stock.showReservation(one));
    },

    'PATCH /reservations/*': (call) => {
      const one = reservationOf(call, true);
      query(call.search);
      check(call.body, { quantity: quantityRule }, ['quantity']);
      const quantity = Number(call.body['quantity']);
      const article = stock.articles.get(one.article) as Article;
      require(one.status === 'held' || (broken('change-expired') && one.status === 'expired'), 'over');
      require(quantity <= article.most, 'too_many');
      const more = broken('change-counts-itself') ? quantity : quantity - one.quantity;
      require(more <= stock.free(article), 'sold_out');
      one.quantity = quantity;
      return ok(stock.showReservation(one));
    },

    'POST /reservations/*/extension': (call) => {
      const one = reservationOf(call, true);
      query(call.search);
      check(call.body, { seconds }, ['seconds']);
      require(one.status === 'held', 'over');
      const expiresAt = expiry(call.body['seconds']);
      if (!broken('extension-forgotten')) one.expiresAt = expiresAt;
      return ok({ ...stock.showReservation(one), expiresAt });
    },

    'POST /reservations/*/cancellation': (call) => {
      const one = reservationOf(call, false);
      query(call.search);
      require(one.status === 'held' ||
        (broken('cancel-expired') && one.status === 'expired'), 'wrong_status');
      one.status = 'cancelled';
      return ok(stock.showReservation(one));
    },

    'POST /reservations/*/order': (call) => {
      const one = stock.reservations.get(call.key);
      require(one !== undefined && one.customer === call.actor.name, 'no_reservation');
      query(call.search);
      require(one.status === 'held' || (broken('order-twice') && one.status === 'ordered'), 'over');
      const article = stock.articles.get(one.article) as Article;
      const order = stock.place(one, call.actor.name, article.price);
      one.status = 'ordered';
      stock.move(one.article, broken('order-keeps-stock') ? 0 : -one.quantity, 'order', call.actor.name);
      return { status: 201, headers: { Location: `/orders/${order.id}` }, body: stock.showOrder(order) };
    },
  };
}

function orderRoutes(stock: Stock, broken: Broken): Routes {
  const isFor = (order: Order, actor: Person): boolean =>
    order.customer === actor.name || actor.role === 'clerk';

  const orderOf = ({ key, actor }: Call): Order => {
    const order = stock.orders.get(key);
    require(order !== undefined && (isFor(order, actor) || broken('order-for-all')), 'no_order');
    return order;
  };

  return {
    'GET /orders': ({ actor, search }) => {
      const status = oneOf('placed', 'shipped', 'cancelled');
      const asked = query(search, { status, limit: digits(1, 50), offset: digits(0) });
      const found = [...stock.orders.values()]
        .filter((order) => isFor(order, actor))
        .filter((order) => asked['status'] === undefined || order.status === asked['status'])
        .reverse();
      const page = pageOf(found, asked, 5).map((order) => stock.showOrder(order));
      return ok({ orders: page, total: found.length });
    },

    'GET /orders/*': (call) => {
      const order = orderOf(call);
      query(call.search);
      return ok(stock.showOrder(order));
    },

    'POST /orders/*/shipment': (call) => {
      require(call.actor.role === 'clerk' || broken('shipped-by-customer'), 'not_allowed');
      const order = orderOf(call);
      query(call.search);
      require(order.status === 'placed', 'wrong_status');
      order.status = 'shipped';
      if (!broken('no-time-of-shipment')) order.shippedAt = stock.written();
      return ok(stock.showOrder(order));
    },

    'POST /orders/*/cancellation': (call) => {
      const order = orderOf(call);
      query(call.search);
      require(order.status === 'placed' ||
        (broken('cancel-shipped') && order.status === 'shipped'), 'wrong_status');
      order.status = 'cancelled';
      if (!broken('cancelled-not-returned'))
        stock.move(order.article, order.quantity, 'return', call.actor.name);
      return ok(stock.showOrder(order));
    },

    'GET /summary': ({ actor, search }) => {
      require(actor.role === 'clerk', 'not_allowed');
      query(search);
      const active = [...stock.articles.values()].filter(
        ({ status }) => status === 'active' || broken('summary-of-all'),
      );
      const held = [...stock.reservations.values()].filter(({ status }) => status === 'held');
      return ok({
        articles: active.length,
        units: active.reduce((sum, { onHand }) => sum + onHand, 0),
        held: held.reduce((sum, { quantity }) => sum + quantity, 0),
      });
    },
  };
}

const withBody = /^(POST \/articles|PATCH .*|POST .*\/(movements|reservations|extension))$/;

/** The routes of a path, by their methods, and what stands in place of `*`. */
function routesAt(
  routes: Routes,
  pathname: string,
): { readonly here: Map<string, string>; readonly key: string } {
  const segments = pathname.split('/');
  const here = new Map<string, string>();
  let key = '';
  for (const route of Object.keys(routes)) {
    const [method = '', template = ''] = route.split(' ');
    const parts = template.split('/');
    const fits = (part: string, index: number): boolean =>
      part === segments[index] || (part === '*' && segments[index] !== '');
    if (parts.length !== segments.length || !parts.every(fits)) continue;
    here.set(method, route);
    key = segments[parts.indexOf('*')] ?? '';
  }
  return { here, key };
}

async function answer(request: IncomingMessage, routes: Routes, stock: Stock): Promise<Answer> {
  const content = await contentOf(request);
  const [pathname = '', search = ''] = (request.url ?? '').split(/\?(.*)/s);
  const { here, key } = routesAt(routes, pathname);
  if (here.size === 0) return { status: 404 };
  const route = here.get(request.method === 'HEAD' ? 'GET' : (request.method ?? ''));
  const handler = route === undefined ? undefined : routes[route];
  if (route === undefined || handler === undefined) {
    const allowed = [...here.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return { status: 405, headers: { Allow: allowed.join(', ') } };
  }
  const given = request.headers['x-key'];
  require(given !== undefined, 'no_key');
  const actor = people.get(String(given));
  require(actor !== undefined, 'bad_key');
  const body = withBody.test(route) ? objectOf(request, content) : {};
  require(isReadable(request.url ?? ''), 'unreadable');
  stock.begin();
  return handler({ actor, key: decodeURIComponent(key), search, body, headers: request.headers });
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const type = content !== undefined && {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(content),
  };
  response.writeHead(status, { ...headers, ...type }).end(content);
}

function refusal(error: unknown): Answer {
  if (!(error instanceof Refused)) return { status: 500 };
  return {
    status: error.status,
    headers: error.status === 401 ? { 'WWW-Authenticate': 'Key' } : {},
    body: { error: error.code, message: error.message },
  };
}

export async function start({ port, fault, now = Date.now }: Options): Promise<{
  address: string;
  close: () => Promise<void>;
}> {
  const broken: Broken = (id) => id === fault;
  const stock = new Stock(now, broken);
  const routes = {
    ...articleRoutes(stock, broken),
    ...reservationRoutes(stock, broken),
    ...orderRoutes(stock, broken),
  };
  const server = createServer((request, response) => {
    answer(request, routes, stock)
      .catch(refusal)
      .then((found) => send(response, found));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, fault: { type: 'string' } } });
  const { address } = await start({ port: Number(values.port ?? 0), fault: values.fault ?? null });
  console.log(address);
}
