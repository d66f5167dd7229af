import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Events, Kind } from '../../specification/vocabulary/parts/events.ts';
import { type Item, isAbsent } from '../partly.ts';
import { workOut } from '../solve.ts';
import { newestOf } from '../spoken.ts';

/**
 * What part 6 says of the events that come by a way, in the version that is sent by it (language §6.3, `version`). Where
 * that cannot be told, no body is held against anything.
 */
export function eventsAs(of: Specification, events: Events, delivery: Delivery): Events {
  const said = delivery.kind === 'stream' ? undefined : delivery.version;
  if (said === undefined || said.kind === 'open' || said.kind === 'none') return events;
  const template = stated(said)?.template;
  const name = template?.kind === 'literal' ? String(template.value) : undefined;
  if (name !== undefined && name === newestOf(of)) return events;
  const older = name === undefined ? undefined : of.older.get(name)?.specification.events;
  return (older && stated(older)) ?? withoutBodies(events);
}

/**
 * The version whose content is sent to an address that an item keeps, by its name or an alias. Null: none is called so,
 * and nothing is sent; undefined: it cannot be told.
 */
export function versionFor(of: Specification, delivery: Delivery, keeper: Item): string | null | undefined {
  const template = delivery.kind === 'stream' ? undefined : stated(delivery.version)?.template;
  const value = template ? workOut(template, new Map([['this', keeper]])) : null;
  if (value === null || isAbsent(value)) return newestOf(of);
  if (typeof value !== 'string') return undefined;
  const versions = [...(stated(stated(of.versioning)?.versions) ?? [])];
  if (versions.some(([name]) => name === value)) return value;
  const isCalled = (alias: string): boolean =>
    alias.endsWith('*') ? value.startsWith(alias.slice(0, -1)) : alias === value;
  const aliases = versions.flatMap(([name, said]) =>
    (stated(stated(said)?.alias) ?? []).flatMap(({ text }) => (isCalled(text) ? [{ name, text }] : [])),
  );
  return aliases.toSorted((a, b) => b.text.length - a.text.length)[0]?.name ?? null;
}

/** What a version says of a kind; undefined where it says nothing of it. */
export function kindOf(of: Specification, version: string, kind: string): Kind | undefined {
  const told = version === newestOf(of) ? of : of.older.get(version)?.specification;
  return stated(stated(stated(told?.events)?.kinds)?.get(kind));
}

function withoutBodies(events: Events): Events {
  const { kinds } = events;
  if (kinds.kind !== 'stated') return events;
  const value = [...kinds.value].map(([name, said]): [string, Said<Kind>] => {
    if (said.kind !== 'stated') return [name, said];
    const body = { ...said.value.body, kind: 'any' } as Said<never>;
    return [name, { ...said, value: { ...said.value, body } }];
  });
  return { ...events, kinds: { ...kinds, value: new Map(value) } };
}
