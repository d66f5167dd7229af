import { get } from '../../source/node.ts';
import { delivery } from '../delivery.ts';
import { payload } from '../payload.ts';
import {
  entry,
  list,
  listOf,
  named,
  placedText,
  type Read,
  record,
  type Values,
  value,
  word,
} from '../reading.ts';
import { expression, holdsExpression, type PlacedTemplate, textTemplate } from '../templates.ts';

const kindKeys = {
  by: value(listOf(placedText)),
  when: entry(expression),
  subject: entry(textTemplate),
  body: value(payload),
};

export type Kind = Values<typeof kindKeys>;

/** What an event is wrapped in: CloudEvents 1.0, structured JSON, or a payload of one's own. */
export type Envelope =
  | { readonly kind: 'cloudevents' }
  | { readonly kind: 'template'; readonly template: PlacedTemplate };

const envelope: Read<Envelope> = (node, place, reading) => {
  if (node.kind === 'scalar' && !holdsExpression(node)) {
    const kind = word('cloudevents')(node, place, reading);
    return kind && { kind };
  }
  const read = payload(node, place, reading);
  return read && { kind: 'template', template: read };
};

/** Part 6: what is told to others, and how (language §6). */
const keys = {
  kinds: list(named(value(record(kindKeys)), /^[A-Za-z][A-Za-z0-9_.-]*$/)),
  envelope: value(envelope),
  source: entry(textTemplate),
  subject: entry(textTemplate),
  delivery: list(named(value(delivery), /^[A-Za-z][A-Za-z0-9_-]*$/)),
};

/** CloudEvents have a source each (CloudEvents 1.0.2 §3.1), so that without one nothing definite is said. */
const cloudEvents = { ...keys, source: value(textTemplate) };

export type Events = Values<typeof keys>;

export const read: Read<Events> = (node, place, reading) => {
  const wrap = get(node, 'envelope');
  const isCloudEvents = wrap?.kind === 'scalar' && wrap.written === 'cloudevents';
  return record(isCloudEvents ? cloudEvents : keys)(node, place, reading);
};
