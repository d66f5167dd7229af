import { createHash } from 'node:crypto';
import { once } from '../../../source/once.ts';
import type { Operation, PathOf } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import { answerByMedia } from '../../../specification/vocabulary/answer.ts';
import type { Resource } from '../../../specification/vocabulary/parts/resources.ts';
import { payload } from '../../value/payload.ts';
import {
  Bytes,
  Collection,
  Item,
  isList,
  isObject,
  Made,
  NotComputable,
  Snapshot,
  seen,
  Text,
  textOf,
  theirs,
  Unknown,
  unknown,
  type Value,
} from '../../value/value.ts';
import { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { itemOf, type World } from '../../world/world.ts';
import { failing } from '../answer.ts';
import { withDefaults } from '../given/query.ts';

/**
 * The tag of an item (language §4.3, rules 2, 3 and 10): the text of `ETag`. Two tags of one item are equal exactly if its
 * payloads are. Null: the operation states none. If the payload cannot be computed, nor can the tag.
 */
export function tagOf(operation: Operation, stored: Stored, moment: Moment): Value {
  const etag = stated(stated(operation.endpoint.conditional)?.etag);
  const resource = moment.world.specification.resourcesByName.get(stored.resource);
  if (stated(operation.endpoint.conditional)?.etag.kind === 'any') return chosenTag;
  if (etag === undefined || resource === undefined)
    return operation.endpoint.conditional.kind === 'stated' ? unknown([]) : null;
  if (stored.handle === theirs) return unknown([]);
  const item = itemOf(stored, resource);
  if (typeof etag === 'object') return quoted(moment.value(etag, { this: item }));
  if (mayShowMore(resource, moment.world)) return unknown([]);
  const shown = representation(operation, resource, item, moment);
  const unsure = shown === null ? undefined : failing(shown);
  if (unsure && moment.world.decide(unsure)) throw new NotComputable();
  const key = shown === null ? null : written(shown);
  if (key === null) return unknown([]);
  const made = moment.world.tag(stored, `${etag} ${key}`, shown);
  return textOf(etag === 'weak' ? ['W/"', made, '"'] : ['"', made, '"']);
}

/** A tag that a client makes up, and no service chooses. */
export const madeUpTag = '"nonsense"';

/** A tag that the service chooses (language §4.3, rule 11). When it changes, nobody says. */
const chosenTag = new Unknown(new Set(), false, [madeUpTag]);

/** Whether payloads may have members that are not stated yet (language §D.2). */
function mayShowMore({ address }: Resource, { mayAdd, specification }: World): boolean {
  return mayAdd && specification.completeness.closed(`${address}.fields`) === undefined;
}

function quoted(text: Value): Value {
  const found = seen(text);
  if (typeof found === 'string') return `"${found}"`;
  return found instanceof Made ? textOf(['"', found, '"']) : unknown([found]);
}

/** What an item is read as; null: that depends on more than the item. */
function representation(operation: Operation, resource: Resource, item: Item, moment: Moment): Value | null {
  const reading = readerOf(operation, resource.name, moment.world.specification);
  if (reading === undefined) return moment.show(resource.name, item) ?? null;
  const [answer, ...others] = stated(reading.response) ?? [];
  const body = answer && stated(answer.body);
  // Of several media types, `Accept` chooses one, and each has a tag of its own.
  if (!body || others.length > 0 || answerByMedia(answer).length > 1) return null;
  const request = { ...(moment.names['request'] as object), query: withDefaults(reading, {}) };
  return payload(body.template, new Moment(moment.world, moment.names).scope({ this: item, request }));
}

/** GET at the same path; else a GET that reads such items, one with a tag before others. */
const readerOf = once((operation: Operation, name: string, all: Specification): Operation | undefined => {
  const readers = all.operations.filter(
    ({ method, does, subject }) =>
      method === 'GET' && stated(does)?.verb === 'read' && subject?.name === name,
  );
  const isThere = ({ path }: Pick<PathOf, 'path'>): boolean =>
    JSON.stringify(path) === JSON.stringify(operation.path);
  const tagged = (reader: Operation): boolean =>
    stated(stated(reader.endpoint.conditional)?.etag) !== undefined;
  return readers.find(isThere) ?? readers.find(tagged) ?? readers[0];
});

/** A text that is the same for equal payloads alone; null: something of the payload is unknown. */
function written(value: Value): string | null {
  if (value instanceof Snapshot || value instanceof Item) return written(value.key);
  if (value instanceof Made) return `#${value.series} ${value.place}`;
  if (value instanceof Text) return `[${value.pieces.map(written).join()}]`;
  if (value instanceof Collection) return value.closed && value.ordered ? written(value.items) : null;
  if (value instanceof Bytes) return `bytes ${createHash('sha256').update(value.content).digest('hex')}`;
  const parts = isList(value) ? value : isObject(value) ? Object.entries(value) : null;
  if (parts === null) return typeof value === 'object' && value !== null ? null : JSON.stringify(value);
  const texts = isList(value)
    ? value.map(written)
    : Object.entries(value as object).map(([name, member]) => {
        const text = written(member as Value);
        return text === null ? null : `${JSON.stringify(name)}:${text}`;
      });
  if (texts.includes(null)) return null;
  return isList(value) ? `[${texts.join()}]` : `{${texts.toSorted().join()}}`;
}
