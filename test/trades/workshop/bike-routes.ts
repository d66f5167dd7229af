import { actorOf, bikeShown, type Desk, enter, judged, numbered, plain, searchOf, send } from './desk.ts';
import { by, queryOf, sizeOf } from './query.ts';
import * as take from './request.ts';
import { type Body, ensure, Failures } from './request.ts';
import type { Account, Bike } from './store.ts';

const kinds = ['city', 'road', 'mountain', 'cargo'];

const editable = {
  label: [take.string, take.shortest(1), take.longest(40)],
  kind: [take.string, take.oneOf(kinds)],
  year: [take.integerOrNull, take.atLeast(1950), take.atMost(2100)],
};

const frame = [take.string, take.form(/^[A-Za-z0-9-]{5,20}$/)];

/** Without Unicode's white space at both ends. */
const trimmed = (text: string): string => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');

function labelOf(body: Body): string {
  const label = trimmed(String(body['label']));
  const failures = new Failures();
  failures.judge('label', label, editable.label);
  failures.end();
  return label;
}

function ownBike({ store }: Desk, id: unknown, actor: Account): Bike {
  const bike = numbered(store.bikes, id);
  ensure(bike !== undefined && bike.owner === actor.id, 'no-bike');
  return bike;
}

function edit({ broken }: Desk, bike: Bike, body: Body): void {
  const label = body['label'] === undefined ? bike.label : labelOf(body);
  bike.label =
    body['label'] !== undefined && broken('edited-label-untrimmed') ? String(body['label']) : label;
  if (body['kind'] !== undefined) bike.kind = String(body['kind']);
  const { year } = body as { readonly year?: number | null };
  if (broken('year-stays')) bike.year = year ?? bike.year;
  else if (year !== undefined) bike.year = year;
}

function listBikes(desk: Desk, search: string, actor: Account): object {
  const { store, broken } = desk;
  const query = queryOf(
    search,
    {
      kind: [take.string, take.oneOf(kinds)],
      frame: [take.string, take.shortest(1)],
      from: [take.integer, take.atLeast(1)],
      count: [take.integer, take.atLeast(1)],
    },
    { from: 'integer', count: 'integer' },
  );
  const size = sizeOf(query['count']);
  const start = String(query['frame'] ?? '').toUpperCase();
  const found = [...store.bikes.values()]
    .filter((bike) => bike.owner === actor.id || actor.role === 'mechanic' || broken('bikes-of-others'))
    .filter(({ kind }) => query['kind'] === undefined || kind === query['kind'])
    .filter((bike) => bike.frame.startsWith(start))
    .sort(by('label', 'id'));
  const first =
    Number(query['from'] ?? 1) - (broken('start-from-zero') && query['from'] !== undefined ? 0 : 1);
  const page = found.slice(first, first + size);
  const total = broken('total-of-page') ? page.length : found.length;
  return { bikes: page.map((bike) => bikeShown(desk, bike)), total };
}

export function addBikes(desk: Desk): void {
  const { app, store } = desk;
  app.post('/bikes', enter(desk, { who: 'customer', reads: 'body' }), (request, response) => {
    const body = judged(request, response, { frame, ...editable }, ['frame', 'label']);
    const bike = store.addBike({
      owner: actorOf(response).id,
      frame: String(body['frame']).toUpperCase(),
      label: labelOf(body),
      kind: String(body['kind'] ?? 'city'),
      year: (body['year'] as number | null | undefined) ?? null,
    });
    response.setHeader('Location', `/bikes/${bike.id}`);
    send(response, 201, bikeShown(desk, bike));
  });

  app.get('/bikes', enter(desk, { who: 'known' }), (request, response) =>
    send(response, 200, listBikes(desk, searchOf(request), actorOf(response))),
  );

  app.patch('/bikes/:id', enter(desk, { who: 'known', reads: 'body' }), (request, response) => {
    const bike = ownBike(desk, request.params['id'], actorOf(response));
    edit(desk, bike, judged(request, response, editable));
    send(response, 200, bikeShown(desk, bike));
  });

  app.delete('/bikes/:id', enter(desk, { who: 'known' }), (request, response) => {
    const bike = ownBike(desk, request.params['id'], actorOf(response));
    plain(request);
    store.removeBike(bike);
    send(response, 204);
  });
}
