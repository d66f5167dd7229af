import { worked } from '../../expression/values.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { Unsent } from '../message/reply.ts';
import { type Doing, itemOf } from '../transaction/doing.ts';
import type { Told } from '../transaction/told.ts';
import type { Edition } from '../versions/editions.ts';
import { compileFind } from '../versions/versioning.ts';
import { compileEnvelope } from './envelope.ts';
import { type Event, eventNames } from './event.ts';
import { compileKinds } from './kinds.ts';
import { deliveriesIn } from './operators.ts';

type Bare = Omit<Event, 'content' | 'item' | 'ways' | 'versions'>;

/** What older versions are sent in place of the newest's content; undefined: all are sent the same. */
export type OlderContents = (
  doing: Doing,
  told: Told,
  bare: Bare,
  content: string,
) => Readonly<Record<string, string | null>> | undefined;

/** What of an event is sent in a version, by its name or an alias; undefined: there is no such version, null: nothing is. */
export type ContentOf = (event: Event, version: string | null) => string | null | undefined;

/** Whether any way sends what an older version says: a stream that of its request, others where `version` is stated. */
function isVersioned({ events }: Specification): boolean {
  const part = stated(events);
  const ways = part ? deliveriesIn(part) : [];
  return ways.some(([, way]) => way.kind === 'stream' || stated(way.version) !== undefined);
}

/** Null where nobody is sent what an older version says. */
export function compileOlderContents(
  newest: Specification,
  older: ReadonlyMap<string, Edition>,
  fault: (error: unknown) => void,
): OlderContents | null {
  if (!isVersioned(newest) || older.size === 0) return null;
  const isActorOpen = newest.authentication.kind === 'open';
  const compiled = [...keysOf(older)].flatMap(([edition, key]) => {
    const events = stated(edition.specification.events);
    if (events === undefined) return [];
    const kinds = new Map(compileKinds(events, edition.writers, isActorOpen).map((one) => [one.name, one]));
    return [{ key, edition, kinds, envelope: compileEnvelope(events, edition.writers) }];
  });
  return (doing, { by, kept, before, after }, bare, content) => {
    const contents: Record<string, string | null> = {};
    for (const { key, edition, kinds, envelope } of compiled) {
      const own = kept && edition.resources.get(kept.name);
      const row = after ?? before;
      const item = own && row ? itemOf(doing, own, row) : null;
      const old = own && before ? itemOf(doing, own, before) : null;
      const frame = doing.frame({ request: null, this: item, old, event: { by } });
      const render = kinds.get(bare.kind)?.body;
      const lost = (error: unknown) =>
        fault(new Unsent(`event ${bare.kind}: not delivered to version ${key}`, error));
      const body = render && worked(() => render(frame), lost);
      const isOpen = render === undefined || (render !== null && body === undefined);
      const said = { ...bare, body: body ?? null };
      const about = () => ({
        ...frame,
        names: { service: frame.names['service'], event: eventNames(said, item) },
      });
      const sent = isOpen ? null : (worked(() => envelope?.(said, about), lost) ?? null);
      if (sent !== content) contents[key] = sent;
    }
    return Object.keys(contents).length === 0 ? undefined : contents;
  };
}

/** Versions that say the same have one name among the contents: that of the newest of them. */
function keysOf(older: ReadonlyMap<string, Edition>): ReadonlyMap<Edition, string> {
  const keys = new Map<Edition, string>();
  for (const [name, edition] of older) if (!keys.has(edition)) keys.set(edition, name);
  return keys;
}

export function compileContentOf(newest: Specification, older: ReadonlyMap<string, Edition>): ContentOf {
  const versioning = stated(newest.versioning);
  const find = versioning ? compileFind(versioning.versions) : () => undefined;
  const keys = keysOf(older);
  return ({ content, versions }, version) => {
    if (version === null) return content;
    const name = find(version);
    if (name === undefined) return undefined;
    const edition = older.get(name);
    const key = edition && keys.get(edition);
    return key !== undefined && versions && key in versions ? versions[key] : content;
  };
}

/** What an attempt comes to whose version is none. */
export const noVersion = 'there is no such version';

/** A version's name as an expression gives it; null: none, and the newest is meant. */
export function nameOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
