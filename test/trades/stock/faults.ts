import type { Fault, Json, Pattern, Step, Trade } from '../witness.ts';
import { start } from './service.ts';

type Members = Readonly<Record<string, Json>>;

const does = (
  as: string,
  ask: string,
  status: number,
  shows?: Pattern,
  body?: Json,
  keep?: string,
): Step => ({
  ask,
  as,
  status,
  ...(shows !== undefined && { shows }),
  ...(body !== undefined && { body }),
  ...(keep !== undefined && { keep }),
});
const sees = (as: string, path: string, shows: Pattern): Step => does(as, `GET ${path}`, 200, shows);
const refused = (as: string, ask: string, status: number, error: string, body?: Json): Step =>
  does(as, ask, status, { error }, body);

const saw = { sku: 'SAW-001', name: 'Saw', category: 'tools', price: 1500 };
/** Kim adds an article: a saw, or what differs from it. */
const article = (more: Members = {}): Step => does('kim', 'POST /articles', 201, {}, { ...saw, ...more });
const delivers = (delta: number, sku = 'SAW-001'): Step =>
  does('kim', `POST /articles/${sku}/movements`, 201, {}, { delta, reason: 'delivery' });
/** So many saws are there. */
const saws = (units: number, more: Members = {}): Step[] => [article(more), delivers(units)];
const reserves = (as: string, quantity: number, more: Members = {}, sku = 'SAW-001'): Step =>
  does(as, `POST /articles/${sku}/reservations`, 201, {}, { quantity, ...more }, 'r');
const orders = (as = 'ann'): Step =>
  does(as, 'POST /reservations/{r.id}/order', 201, { status: 'placed' }, undefined, 'o');
const cancels: Step = does('ann', 'POST /reservations/{r.id}/cancellation', 200, { status: 'cancelled' });
const discontinues: Step = does('kim', 'POST /articles/SAW-001/discontinuation', 200);
const seen: Step = does('kim', 'GET /articles/SAW-001', 200, {}, undefined, 'seen');
const edits = (body: Members): Step =>
  ({
    ...does('kim', 'PATCH /articles/SAW-001', 200, body, body),
    headers: { 'If-Match': '{seen#etag}' },
  }) as Step;
const reserving = (as: string, status: number, error: string, quantity: number): Step =>
  refused(as, 'POST /articles/SAW-001/reservations', status, error, { quantity });
const moving = (error: string, status: number, body: Members): Step =>
  refused('kim', 'POST /articles/SAW-001/movements', status, error, body);

const articles: readonly Fault[] = [
  {
    id: 'sku-unanchored',
    statement: 'resources.Article.fields.sku.pattern',
    what: 'A number of an article may have more before and after it.',
    witness: [refused('kim', 'POST /articles', 422, 'invalid', { ...saw, sku: 'SAW-0010' })],
  },
  {
    id: 'sku-overwritten',
    statement: 'resources.Article.identifier',
    what: 'An article that exists is replaced by a new one with its number.',
    witness: [article(), refused('kim', 'POST /articles', 409, 'sku_taken', saw)],
  },
  {
    id: 'most-default',
    statement: 'resources.Article.fields.most.default',
    what: 'Without a bound of its own, an article has the greatest one.',
    witness: [does('kim', 'POST /articles', 201, { most: 10 }, saw)],
  },
  {
    id: 'price-below',
    statement: 'endpoints["GET /articles"].request.query.maxPrice.filter',
    what: 'The filter by price leaves out articles of exactly this price.',
    witness: [article(), sees('ann', '/articles?maxPrice=1500', { total: 1 })],
  },
  {
    id: 'available-as-on-hand',
    statement: 'endpoints["GET /articles"].request.query.available.filter',
    what: 'The filter by available units counts units that are reserved.',
    witness: [...saws(2), reserves('ann', 1), sees('ann', '/articles?available=2', { total: 0 })],
  },
  {
    id: 'sort-by-first',
    statement: 'endpoints["GET /articles"].request.query.sort.sort',
    what: 'Only the first of several fields sorts the articles.',
    witness: [
      article({ name: 'Z' }),
      article({ sku: 'SAW-002', name: 'A' }),
      sees('ann', '/articles?sort=price,name', { articles: [{ name: 'A' }, { name: 'Z' }] }),
    ],
  },
  {
    id: 'articles-total',
    statement: 'endpoints["GET /articles"].response.body.total',
    what: 'The total ignores the filters.',
    witness: [article(), sees('ann', '/articles?category=wood', { total: 0 })],
  },
  {
    id: 'tag-without-stock',
    statement: 'endpoints["GET /articles/{sku}"].conditional.etag',
    what: 'The entity tag of an article stays the same when its stock changes.',
    witness: [
      article(),
      seen,
      delivers(1),
      {
        ...sees('ann', '/articles/SAW-001', { onHand: 1 }),
        headers: { 'If-None-Match': '{seen#etag}' },
      } as Step,
    ],
  },
  {
    id: 'if-match-optional',
    statement: 'endpoints["PATCH /articles/{sku}"].conditional.ifMatch',
    what: 'An article is changed by a client that does not say which state it has seen.',
    witness: [article(), refused('kim', 'PATCH /articles/SAW-001', 428, 'no_tag', { price: 1 })],
  },
  {
    id: 'delete-once-reserved',
    statement: 'resources.Reservation.fields.article.ifDeleted',
    what: 'An article is deleted although a reservation that is over refers to it.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      cancels,
      refused('kim', 'DELETE /articles/SAW-001', 409, 'in_use'),
    ],
  },
  {
    id: 'movements-outlive-article',
    statement: 'resources.Movement.fields.article.ifDeleted',
    what: 'An article that takes the number of a deleted one shows its movements.',
    witness: [
      ...saws(1),
      does('kim', 'DELETE /articles/SAW-001', 204),
      article(),
      sees('kim', '/articles/SAW-001/movements', { total: 0 }),
    ],
  },
  {
    id: 'discontinued-twice',
    statement: 'states["Article.status"].transitions.discontinue.from',
    what: 'An article may be discontinued twice.',
    witness: [
      article(),
      discontinues,
      refused('kim', 'POST /articles/SAW-001/discontinuation', 409, 'wrong_status'),
    ],
  },
  {
    id: 'summary-of-all',
    statement: 'endpoints["GET /summary"].response.body.units',
    what: 'The summary counts articles that are discontinued.',
    witness: [...saws(3), discontinues, sees('kim', '/summary', { units: 0 })],
  },
];

const movements: readonly Fault[] = [
  {
    id: 'movement-of-nothing',
    statement: 'resources.Movement.fields.delta.not',
    what: 'A movement of no units is accepted.',
    witness: [article(), moving('invalid', 422, { delta: 0, reason: 'loss' })],
  },
  {
    id: 'return-by-hand',
    statement: 'errors.codes.by_order.when',
    what: 'A clerk may write down a return without an order.',
    witness: [article(), moving('by_order', 409, { delta: 1, reason: 'return' })],
  },
  {
    id: 'loss-of-reserved',
    statement: 'errors.codes.too_few_left.when',
    what: 'Units may be lost that are reserved.',
    witness: [...saws(2), reserves('ann', 2), moving('too_few_left', 409, { delta: -1, reason: 'loss' })],
  },
  {
    id: 'movements-for-all',
    statement: 'authentication.authorization.listMovements',
    what: 'Customers may see the movements of an article.',
    witness: [article(), refused('ann', 'GET /articles/SAW-001/movements', 403, 'not_allowed')],
  },
  {
    id: 'movements-oldest-first',
    statement: 'endpoints["GET /articles/{sku}/movements"].does.order',
    what: 'The oldest movement comes first.',
    witness: [
      ...saws(1),
      delivers(2),
      sees('kim', '/articles/SAW-001/movements', { movements: [{ delta: 2 }, { delta: 1 }] }),
    ],
  },
];

const reservations: readonly Fault[] = [
  {
    id: 'expired-still-held',
    statement: 'resources.Article.fields.available.derived',
    what: 'Units of an expired reservation are not free again.',
    witness: [
      ...saws(2),
      reserves('ann', 1, { seconds: 2 }),
      { wait: 3 },
      sees('ann', '/articles/SAW-001', { available: 2 }),
    ],
  },
  {
    id: 'reserve-discontinued',
    statement: 'errors.codes.discontinued.when',
    what: 'A discontinued article may be reserved.',
    witness: [...saws(1), discontinues, reserving('ann', 409, 'discontinued', 1)],
  },
  {
    id: 'sold-out-first',
    statement: 'errors.order',
    what: 'The stock is looked at before the bound of the article.',
    witness: [...saws(1, { most: 1 }), reserving('ann', 409, 'too_many', 2)],
  },
  {
    id: 'free-ignores-reserved',
    statement: 'errors.codes.sold_out.when',
    what: 'Units that others have reserved may be reserved again.',
    witness: [...saws(1), reserves('bob', 1), reserving('ann', 409, 'sold_out', 1)],
  },
  {
    id: 'last-unit-kept',
    statement: 'errors.codes.sold_out.when',
    what: 'The last unit cannot be reserved.',
    witness: [...saws(1), reserves('ann', 1)],
  },
  {
    id: 'reservation-for-all',
    statement: 'endpoints["GET /reservations/{id}"].does.where',
    what: 'Every customer may read every reservation.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      refused('bob', 'GET /reservations/{r.id}', 404, 'no_reservation'),
    ],
  },
  {
    id: 'clerk-extends',
    statement: 'authentication.authorization.extendReservation.items',
    what: 'A clerk may extend the reservation of a customer.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      refused('kim', 'POST /reservations/{r.id}/extension', 403, 'not_allowed', { seconds: 5 }),
    ],
  },
  {
    id: 'reservations-of-all',
    statement: 'endpoints["GET /reservations"].does.where',
    what: 'The list shows the reservations of other customers.',
    witness: [...saws(1), reserves('ann', 1), sees('bob', '/reservations', { total: 0 })],
  },
  {
    id: 'article-filter',
    statement: 'endpoints["GET /reservations"].request.query.article.filter',
    what: 'The filter by article is ignored.',
    witness: [...saws(1), reserves('ann', 1), sees('ann', '/reservations?article=SAW-002', { total: 0 })],
  },
  {
    id: 'page-from-zero',
    statement: 'endpoints["GET /reservations"].request.query.page.page',
    what: 'The second page shows the reservations of the third.',
    witness: [
      ...saws(5),
      reserves('ann', 1),
      reserves('ann', 2),
      sees('ann', '/reservations?limit=1&page=2', { reservations: [{ quantity: 2 }] }),
    ],
  },
  {
    id: 'change-expired',
    statement: 'errors.codes.over.when',
    what: 'A reservation that has expired may be changed.',
    witness: [
      ...saws(3),
      reserves('ann', 1, { seconds: 2 }),
      { wait: 3 },
      refused('ann', 'PATCH /reservations/{r.id}', 409, 'over', { quantity: 2 }),
    ],
  },
  {
    id: 'change-counts-itself',
    statement: 'errors.codes.sold_out_now.when',
    what: 'The units that a reservation holds already count as taken when it changes.',
    witness: [
      ...saws(3),
      reserves('ann', 2),
      does('ann', 'PATCH /reservations/{r.id}', 200, { quantity: 3, total: 4500 }, { quantity: 3 }),
    ],
  },
  {
    id: 'extension-forgotten',
    statement: 'endpoints["POST /reservations/{id}/extension"].does.with.expiresAt',
    what: 'A reservation that was extended expires at the old time.',
    witness: [
      ...saws(1),
      reserves('ann', 1, { seconds: 2 }),
      does('ann', 'POST /reservations/{r.id}/extension', 200, { status: 'held' }, { seconds: 9 }),
      { wait: 3 },
      sees('ann', '/reservations/{r.id}', { status: 'held' }),
    ],
  },
  {
    id: 'cancel-expired',
    statement: 'states["Reservation.status"].transitions.cancel.from',
    what: 'A reservation that has expired may be cancelled.',
    witness: [
      ...saws(1),
      reserves('ann', 1, { seconds: 2 }),
      { wait: 3 },
      refused('ann', 'POST /reservations/{r.id}/cancellation', 409, 'wrong_status'),
    ],
  },
];

const ordering: readonly Fault[] = [
  {
    id: 'order-twice',
    statement: 'errors.codes.over_already.when',
    what: 'A reservation may be ordered twice.',
    witness: [
      ...saws(2),
      reserves('ann', 1),
      orders(),
      refused('ann', 'POST /reservations/{r.id}/order', 409, 'over'),
    ],
  },
  {
    id: 'order-keeps-stock',
    statement: 'endpoints["POST /reservations/{id}/order"].also[2].with.onHand',
    what: 'An order takes no units off the stock.',
    witness: [
      ...saws(3),
      reserves('ann', 1),
      orders(),
      sees('ann', '/articles/SAW-001', { onHand: 2, available: 2 }),
    ],
  },
  {
    id: 'order-at-price-of-now',
    statement: 'endpoints["POST /reservations/{id}/order"].does.with.price',
    what: 'The price of an order changes with the price of the article.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      orders(),
      seen,
      edits({ price: 9 }),
      sees('ann', '/orders/{o.id}', { price: 1500, total: 1500 }),
    ],
  },
  {
    id: 'order-for-all',
    statement: 'endpoints["GET /orders/{id}"].does.where',
    what: 'Every customer may read every order.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      orders(),
      refused('bob', 'GET /orders/{o.id}', 404, 'no_order'),
    ],
  },
  {
    id: 'shipped-by-customer',
    statement: 'authentication.authorization.shipOrder',
    what: 'Customers may say that their order is shipped.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      orders(),
      refused('ann', 'POST /orders/{o.id}/shipment', 403, 'not_allowed'),
    ],
  },
  {
    id: 'no-time-of-shipment',
    statement: 'states["Order.status"].transitions.ship.set.shippedAt',
    what: 'A shipped order does not show when it was shipped.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      orders(),
      does('kim', 'POST /orders/{o.id}/shipment', 200, { status: 'shipped', shippedAt: /^\d{4}-/ }),
    ],
  },
  {
    id: 'cancel-shipped',
    statement: 'states["Order.status"].transitions.cancel.from',
    what: 'An order may be cancelled after it was shipped.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      orders(),
      does('kim', 'POST /orders/{o.id}/shipment', 200),
      refused('ann', 'POST /orders/{o.id}/cancellation', 409, 'wrong_status'),
    ],
  },
  {
    id: 'cancelled-not-returned',
    statement: 'endpoints["POST /orders/{id}/cancellation"].also',
    what: 'The units of an order that is cancelled do not come back.',
    witness: [
      ...saws(1),
      reserves('ann', 1),
      orders(),
      does('ann', 'POST /orders/{o.id}/cancellation', 200, { status: 'cancelled' }),
      sees('ann', '/articles/SAW-001', { onHand: 1, available: 1 }),
    ],
  },
];

export const stock: Trade = {
  name: 'stock',
  document: new URL('stock.md', import.meta.url),
  start: ({ fault, now }) => start({ port: 0, fault, now }),
  credentials: {
    kim: { 'X-Key': 'kim-2f9a71d0' },
    ann: { 'X-Key': 'ann-c35b80e4' },
    bob: { 'X-Key': 'bob-91d7a6f2' },
  },
  faults: [...articles, ...movements, ...reservations, ...ordering],
};
