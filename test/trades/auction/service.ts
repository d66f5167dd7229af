import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type Event, House, type Lot, type Offer } from './house.ts';
import {
  type Body,
  bool,
  check,
  contentOf,
  digits,
  fieldsOf,
  integer,
  isJson,
  kept,
  objectOf,
  oneOf,
  ordering,
  Query,
  Refused,
  require,
  text,
  time,
  word,
} from './request.ts';

interface Options {
  readonly port: number;
  readonly fault: string | null;
  readonly now?: () => number;
}

interface Call {
  readonly method: string;
  readonly path: readonly string[];
  readonly search: string;
  readonly body: Body;
  readonly token: string;
  /** Who asks: null for a guest. */
  readonly actor: string | null;
  readonly response: ServerResponse;
  readonly lastEvent: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  readonly method: string;
  /** Segments of the path; `*` stands for any. */
  readonly path: readonly string[];
  readonly access: 'anyone' | 'known';
  /** Null where the answer is sent already. */
  readonly handle: (call: Call) => Answer | null;
}

const categories = ['art', 'books', 'coins', 'music'];
const statuses = ['draft', 'open', 'sold', 'unsold', 'cancelled'];

const offerRules = {
  title: text(3, 60),
  description: text(0, 500),
  category: oneOf(...categories),
  startPrice: integer(1, 1_000_000),
  step: integer(1, 10_000),
  reserve: integer(1, 2_000_000),
  closesAt: time,
};

const ok = (body: unknown): Answer => ({ status: 200, body });

type Broken = (id: string) => boolean;

function isVisible(lot: Lot, actor: string | null): boolean {
  return lot.status !== 'draft' || lot.seller === actor;
}

/** The lot of the path, if the client may see it. */
function lotOf(house: House, { path, actor }: Call): Lot {
  const lot = house.lots.get(path[1] ?? '');
  require(lot !== undefined && isVisible(lot, actor), 'no_lot');
  return lot;
}

function ownLot(house: House, call: Call): Lot {
  const lot = lotOf(house, call);
  require(lot.seller === call.actor, 'not_yours');
  return lot;
}

/** Accounts and sessions. */
function accountRoutes(house: House, broken: Broken): Route[] {
  return [
    {
      method: 'POST',
      path: ['accounts'],
      access: 'anyone',
      handle: ({ body, search }) => {
        new Query(search, {});
        const password = text(broken('password-bound') ? 7 : 8, 60);
        check(body, { name: text(3, 20, /^[a-z][a-z0-9_]{2,19}$/), password }, ['name', 'password']);
        const name = String(body['name']);
        require(!house.accounts.has(name), 'name_taken');
        return { status: 201, body: house.account(house.register(name, String(body['password']))) };
      },
    },
    {
      method: 'POST',
      path: ['sessions'],
      access: 'anyone',
      handle: ({ body, search }) => {
        new Query(search, {});
        check(body, { name: word, password: word }, ['name', 'password']);
        const name = String(body['name']);
        if (broken('unknown-name-told')) require(house.accounts.has(name), 'bad_token');
        const token = house.logIn(name, String(body['password']));
        require(token !== null, 'wrong_password');
        return { status: 201, body: { token, account: name } };
      },
    },
    {
      method: 'DELETE',
      path: ['session'],
      access: 'known',
      handle: ({ token, search }) => {
        new Query(search, {});
        house.logOut(token);
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: ['me'],
      access: 'known',
      handle: ({ actor, search }) => {
        new Query(search, {});
        const account = house.accounts.get(actor ?? '');
        return ok(account && house.account(account));
      },
    },
  ];
}

/** Lots, as everybody sees them. */
function lotRoutes(house: House, broken: Broken): Route[] {
  return [
    {
      method: 'POST',
      path: ['lots'],
      access: 'known',
      handle: ({ body, actor, search }) => {
        new Query(search, {});
        check(body, offerRules, ['title', 'category', 'startPrice', 'closesAt']);
        const offer = { description: '', step: broken('step-default') ? 10 : 1, ...body } as Offer;
        const lot = house.addLot(actor ?? '', { ...offer, closesAt: kept(offer.closesAt) });
        return { status: 201, headers: { Location: `/lots/${lot.id}` }, body: house.lot(lot, actor) };
      },
    },
    { method: 'GET', path: ['lots'], access: 'anyone', handle: (call) => ok(listLots(house, broken, call)) },
    {
      method: 'GET',
      path: ['lots', '*'],
      access: 'anyone',
      handle: (call) => {
        const hidden = broken('draft-read') ? house.lots.get(call.path[1] ?? '') : undefined;
        const lot = hidden ?? lotOf(house, call);
        new Query(call.search, {});
        return ok(house.lot(lot, call.actor));
      },
    },
  ];
}

/** What sellers do with their lots. */
function sellerRoutes(house: House, broken: Broken): Route[] {
  return [
    {
      method: 'PATCH',
      path: ['lots', '*'],
      access: 'known',
      handle: (call) => {
        const lot = ownLot(house, call);
        new Query(call.search, {});
        check(call.body, offerRules, []);
        require(Object.keys(call.body).length > 0, 'invalid');
        require(lot.status === 'draft' || (broken('edit-published') && lot.price === null), 'not_draft');
        Object.assign(lot, call.body);
        lot.closesAt = kept(lot.closesAt);
        return ok(house.lot(lot, call.actor));
      },
    },
    {
      method: 'POST',
      path: ['lots', '*', 'publication'],
      access: 'known',
      handle: (call) => {
        const lot = ownLot(house, call);
        new Query(call.search, {});
        require(lot.status === 'draft', 'wrong_status');
        require(Date.parse(lot.closesAt) > house.now(), 'too_late');
        house.publish(lot);
        return ok(house.lot(lot, call.actor));
      },
    },
    {
      method: 'POST',
      path: ['lots', '*', 'cancellation'],
      access: 'known',
      handle: (call) => {
        const lot = broken('cancel-by-anyone') ? lotOf(house, call) : ownLot(house, call);
        new Query(call.search, {});
        require(lot.status === 'draft' || lot.status === 'open', 'wrong_status');
        require(lot.price === null || broken('cancel-with-bids'), 'has_bids');
        house.cancel(lot);
        return ok(house.lot(lot, call.actor));
      },
    },
  ];
}

function listLots(house: House, broken: Broken, { search, actor }: Call): Body {
  const query = new Query(search, {
    status: oneOf(...statuses),
    category: oneOf(...categories),
    seller: word,
    q: text(1, Number.POSITIVE_INFINITY),
    maxPrice: digits(1),
    closingBefore: time,
    sort: fieldsOf('closesAt', 'startPrice', 'title'),
    limit: digits(1, 50),
    cursor: word,
  });
  const [status, category, seller] = ['status', 'category', 'seller'].map((name) => query.text(name));
  const q = query.text('q')?.toLowerCase();
  const most = query.number('maxPrice');
  const before = query.text('closingBefore');
  const price = (lot: Lot): number =>
    broken('max-price-of-price') ? (lot.price ?? lot.startPrice) : house.minimumBid(lot);
  const matches = (lot: Lot): boolean =>
    (status === undefined || lot.status === status) &&
    (category === undefined || lot.category === category) &&
    (seller === undefined || lot.seller === seller) &&
    (q === undefined || lot.title.toLowerCase().includes(q)) &&
    (most === undefined || price(lot) <= most) &&
    (before === undefined || Date.parse(lot.closesAt) <= Date.parse(kept(before)));
  const order = ordering(`${query.text('sort') ?? 'closesAt'},closesAt,id`);
  const all = [...house.lots.values()].filter(matches).sort(order);
  const found = all.filter((lot) => isVisible(lot, actor));
  const first = begin(found, query.text('cursor'), order, broken);
  const limit = query.number('limit', 10);
  const page = found.slice(first, first + limit);
  const isMore = first + limit < found.length || (broken('next-after-last') && page.length === limit);
  return {
    lots: page.map((lot) => house.summary(lot)),
    next: isMore ? cursorAfter(page.at(-1), first + limit) : null,
    total: (broken('draft-in-total') ? all : found).length,
  };
}

/** A cursor holds what the list is sorted by, so that it stays good when lots come and go. */
function cursorAfter(lot: Lot | undefined, place: number): string {
  const { id = '', closesAt = '', startPrice = 0, title = '' } = lot ?? {};
  return Buffer.from(JSON.stringify({ id, closesAt, startPrice, title, place })).toString('base64url');
}

function begin(
  lots: readonly Lot[],
  cursor: string | undefined,
  order: (a: object, b: object) => number,
  broken: Broken,
): number {
  if (cursor === undefined) return 0;
  try {
    const last = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Lot & { place: number };
    if (broken('cursor-by-place')) return last.place;
    const first = lots.findIndex((lot) => order(lot, last) > 0);
    return first === -1 ? lots.length : first;
  } catch {
    throw new Refused('invalid');
  }
}

/** Placing a bid. */
function bidRoutes(house: House, broken: Broken): Route[] {
  return [
    {
      method: 'POST',
      path: ['lots', '*', 'bids'],
      access: 'known',
      handle: (call) => {
        const lot = lotOf(house, call);
        const actor = call.actor ?? '';
        new Query(call.search, {});
        check(call.body, { amount: integer(1, 5_000_000) }, ['amount']);
        const amount = Number(call.body['amount']);
        const least = house.minimumBid(lot);
        const isEnough = broken('minimum-excluded') ? amount > least : amount >= least;
        require(lot.seller !== actor || broken('own-lot-bid'), 'own_lot');
        require(lot.status === 'open' ||
          (broken('bid-on-cancelled') && lot.status === 'cancelled'), 'not_open');
        if (broken('low-before-leading')) require(isEnough, 'too_low');
        require(lot.leader !== actor || broken('leader-bids-again'), 'leading');
        require(isEnough, 'too_low');
        return { status: 201, body: house.bid(lot, actor, amount) };
      },
    },
  ];
}

/** Lists of bids. */
function bidListRoutes(house: House, broken: Broken): Route[] {
  return [
    {
      method: 'GET',
      path: ['lots', '*', 'bids'],
      access: 'known',
      handle: (call) => {
        const hidden = broken('draft-bids-shown') ? house.lots.get(call.path[1] ?? '') : undefined;
        const lot = hidden ?? lotOf(house, call);
        const query = new Query(call.search, { limit: digits(1, 50), offset: digits(0) });
        const found = house.bidsFor(lot).sort(ordering(broken('bids-ascending') ? 'amount' : '-amount'));
        const offset = query.number('offset', 0);
        return ok({ bids: found.slice(offset, offset + query.number('limit', 10)), total: found.length });
      },
    },
    {
      method: 'GET',
      path: ['me', 'bids'],
      access: 'known',
      handle: ({ search, actor }) => {
        const rules = { status: oneOf('open', 'sold', 'unsold'), limit: digits(1, 50), page: digits(1) };
        const query = new Query(search, rules);
        const status = query.text('status');
        const found = house.bids
          .filter((bid) => bid.bidder === actor)
          .filter((bid) => status === undefined || house.lots.get(bid.lot)?.status === status)
          .reverse();
        const limit = query.number('limit', 10);
        const first = (query.number('page', 1) - 1) * limit;
        const page = found.slice(first, first + limit).map((bid) => house.ownBid(bid));
        return ok({ bids: page, total: found.length });
      },
    },
  ];
}

/** What members watch. */
function watchRoutes(house: House, broken: Broken): Route[] {
  return [
    {
      method: 'PUT',
      path: ['lots', '*', 'watch'],
      access: 'known',
      handle: (call) => {
        const lot = lotOf(house, call);
        new Query(call.search, {});
        const isNew = house.watch(lot, call.actor ?? '');
        return { status: isNew || broken('watch-again-created') ? 201 : 204 };
      },
    },
    {
      method: 'DELETE',
      path: ['lots', '*', 'watch'],
      access: 'known',
      handle: (call) => {
        const lot = lotOf(house, call);
        new Query(call.search, {});
        house.unwatch(lot, call.actor ?? '');
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: ['me', 'watches'],
      access: 'known',
      handle: ({ search, actor }) => {
        const open = new Query(search, { open: bool }).text('open');
        const found = house.watches
          .filter((one) => one.member === actor)
          .sort(ordering('since,lot'))
          .map((one) => house.lots.get(one.lot) as Lot)
          .filter(
            (lot) =>
              open === undefined || broken('watches-filter') || (lot.status === 'open') === (open === 'true'),
          );
        return ok(found.map((lot) => house.summary(lot)));
      },
    },
  ];
}

/** The stream of events. */
function eventRoutes(house: House): Route[] {
  return [
    {
      method: 'GET',
      path: ['events'],
      access: 'anyone',
      handle: ({ search, response, lastEvent, method }) => {
        new Query(search, {});
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        if (method === 'HEAD') {
          response.end();
          return null;
        }
        response.flushHeaders();
        const send = ({ id, kind, data }: Event): void =>
          void response.write(`id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
        if (lastEvent !== undefined)
          for (const event of house.events) if (event.id > Number(lastEvent)) send(event);
        response.on('close', house.listen(send));
        return null;
      },
    },
  ];
}

/** Answers one request. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  all: readonly Route[],
  house: House,
  broken: Broken,
): Promise<Answer | null> {
  const [pathname = '', search = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  const segments = pathname.split('/').slice(1);
  const here = all.filter(
    ({ path }) =>
      path.length === segments.length &&
      path.every((part, index) => part === segments[index] || (part === '*' && segments[index] !== '')),
  );
  if (here.length === 0) return { status: 404 };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = here.find((one) => one.method === method);
  if (route === undefined) {
    const allowed = here.flatMap((one) => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]));
    return { status: 405, headers: { Allow: allowed.join(', ') } };
  }
  const { token, actor } = identify(request, house, route.access, broken);
  const content = await contentOf(request);
  require(content.length <= 8192, 'too_large');
  const takesBody =
    route.method === 'PATCH' ||
    (route.method === 'POST' && /^(accounts|sessions|lots|bids)$/.test(segments.at(-1) ?? ''));
  if (takesBody && content.length > 0) require(isJson(request) || broken('media-ignored'), 'not_json');
  decoded(search);
  const call: Call = {
    method: request.method ?? '',
    path: segments.map(decoded),
    search,
    body: takesBody ? objectOf(content) : {},
    token,
    actor,
    response,
    lastEvent: request.headers['last-event-id'] as string | undefined,
  };
  if (!broken('bid-after-time') || route.path.at(-1) !== 'bids') house.settle();
  return route.handle(call);
}

function identify(
  request: IncomingMessage,
  house: House,
  access: Route['access'],
  broken: Broken,
): { readonly token: string; readonly actor: string | null } {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') {
    require(access === 'anyone', 'no_token');
    return { token: '', actor: null };
  }
  const actor = house.who(token);
  require(actor !== null || (access === 'anyone' && broken('bad-token-as-guest')), 'bad_token');
  return { token, actor };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refused('unreadable');
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const content = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(content),
  });
  response.end(content);
}

function refusal(error: unknown): Answer {
  if (!(error instanceof Refused)) return { status: 500 };
  return {
    status: error.status,
    headers: error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
    body: { error: error.code, message: error.message },
  };
}

export async function start({ port, fault, now = Date.now }: Options): Promise<{
  address: string;
  close: () => Promise<void>;
}> {
  const broken: Broken = (id) => id === fault;
  const house = new House(broken, now);
  const all = [
    ...accountRoutes(house, broken),
    ...lotRoutes(house, broken),
    ...sellerRoutes(house, broken),
    ...bidRoutes(house, broken),
    ...bidListRoutes(house, broken),
    ...watchRoutes(house, broken),
    ...eventRoutes(house),
  ];
  const server = createServer((request, response) => {
    answer(request, response, all, house, broken)
      .catch(refusal)
      .then((found) => {
        if (found !== null) send(response, found);
      });
  });
  const sweep = broken('bid-after-time') ? undefined : setInterval(() => house.settle(), 100);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        clearInterval(sweep);
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
