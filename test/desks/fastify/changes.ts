import { createHmac, randomBytes } from 'node:crypto';
import type { Asked, Course } from './asked.ts';
import type { Events } from './events.ts';
import { duration } from './items.ts';
import type { Desk } from './judges.ts';
import type { Item, Scene } from './kinds.ts';

const cursorKey = randomBytes(32);

/** Where a page ended, so that only this desk can say it. */
function cursorOf(number: number): string {
  const mark = createHmac('sha256', cursorKey).update(String(number)).digest('base64url').slice(0, 16);
  return Buffer.from(`${number}.${mark}`).toString('base64url');
}

export function positionOf(cursor: string): number | null {
  const [number = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  return /^\d+$/.test(number) && cursorOf(Number(number)) === cursor ? Number(number) : null;
}

/** Carries out what an endpoint does; returns what its answer may read. */
export function carriedOut(desk: Desk, events: Events, asked: Asked, course: Course): Scene {
  const { items, table } = desk;
  const { endpoint, body, version, scene, item } = asked;
  const { does, operation } = endpoint;
  const verb = does?.verb ?? verbs[operation];
  const told = (scene: Scene): Scene => (course.rate ? { ...scene, rate: course.rate } : scene);
  if (verb === 'create') {
    const resource = does?.resource ?? resources[operation] ?? '';
    const given = items.taken(resource, version, body, scene);
    const whole =
      resource === 'Scan' ? ((does?.with?.({ ...scene, body: given }) as Item | undefined) ?? given) : given;
    const made = items.made(resource, whole, scene);
    if (resource === 'Parcel') {
      made['status'] = table.states['Parcel.status'].initial;
      expireInTime(desk, events, made);
    }
    if (does) items.keep(resource, made);
    if (does && resource === 'Parcel') events.tell(operation, { ...scene, item: made });
    return told({ ...scene, item: made });
  }
  if (verb === 'update') {
    const changed = { ...item, ...items.taken('Parcel', version, course.merged ?? {}, scene) };
    if (does) items.keep('Parcel', changed);
    return told({ ...scene, item: changed });
  }
  if (verb === 'delete') {
    if (does) items.hooks.delete(item?.['id']);
    return told(scene);
  }
  if (verb === 'list') return told(listed(desk, asked, course));
  if (verb === 'read') return told(scene);
  const moved = does ? moveOn(desk, events, String(verb), scene) : { ...item };
  for (const { with: given } of endpoint.also ?? [])
    items.keep('Scan', items.made('Scan', given(scene), scene));
  return told({ ...scene, item: moved });
}

/** What an operation does whose statement about it is gone: nothing is kept, and it is answered all the same. */
const verbs: Record<string, string> = {
  registerAccount: 'create',
  registerParcel: 'create',
  scanParcel: 'create',
  addHook: 'create',
  correctParcel: 'update',
  removeHook: 'delete',
};
const resources: Record<string, string> = {
  registerAccount: 'Account',
  registerParcel: 'Parcel',
  scanParcel: 'Scan',
  addHook: 'Hook',
};

function moveOn({ items, table }: Desk, events: Events, name: string, scene: Scene): Item {
  const move = table.states['Parcel.status'].transitions[name];
  const moved: Item = { ...scene.item };
  if (move) moved['status'] = move.to;
  for (const [field, value] of Object.entries(move?.set ?? {})) moved[field] = value(scene);
  items.keep('Parcel', moved);
  events.tell(`Parcel.${name}`, { ...scene, item: moved });
  return moved;
}

/** A parcel that nobody picks up is cancelled by itself. */
function expireInTime(desk: Desk, events: Events, parcel: Item): void {
  const { expire } = desk.table.states['Parcel.status'].transitions;
  if (expire?.after === undefined) return;
  const expires = (): void => {
    const item = desk.items.parcels.get(parcel['id']);
    if (!item || ![expire.from].flat().includes(String(item['status']))) return;
    moveOn(desk, events, 'expire', { actor: null, now: new Date(desk.clock.now()).toISOString(), item });
  };
  desk.clock.after(duration(expire.after), expires);
}

function listed(desk: Desk, asked: Asked, course: Course): Scene {
  const { items, table } = desk;
  const { endpoint, scene, item: parcel } = asked;
  const { where, order = [], resource } = endpoint.does ?? {};
  const isOfParcels = endpoint.operation === 'listParcels';
  const rules = table.authentication.authorization[endpoint.operation];
  const filters = Object.entries(endpoint.request.query ?? {}).flatMap(([name, { filter }]) =>
    filter && course.values[name] !== undefined ? [{ filter, given: course.values[name] }] : [],
  );
  const all: Item[] = resource === undefined ? [] : isOfParcels ? [...items.parcels.values()] : items.scans;
  const chosen = all.filter((item) => {
    const about = { ...scene, item };
    if (isOfParcels && rules && !rules.some((rule) => rule(about))) return false;
    return (
      (where?.({ ...about, given: parcel?.['id'] }) ?? true) &&
      filters.every(({ filter, given }) => filter({ ...about, given }))
    );
  });
  const sign = order[0]?.startsWith('-') ? -1 : 1;
  const at = (item: Item): number => Number(item['number']);
  if (order.length > 0) chosen.sort((a, b) => sign * (at(a) - at(b)));
  const { limit, after } = course.values;
  const from = typeof after === 'string' ? (positionOf(after) ?? 0) : null;
  const rest = from === null ? chosen : chosen.filter((item) => sign * (at(item) - from) > 0);
  const page = typeof limit === 'number' ? rest.slice(0, limit) : rest;
  const last = page.at(-1);
  const next = page.length < rest.length && last ? cursorOf(at(last)) : null;
  return { ...scene, page: { items: page, next } };
}
