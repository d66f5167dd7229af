import { get } from '../../../source/node.ts';
import { eventKinds, nameOf, section } from '../../reading/form.ts';
import {
  absent,
  either,
  entry,
  type Formed,
  formed,
  list,
  listOf,
  named,
  placedText,
  record,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import { expression, holdsExpression, type PlacedTemplate, textTemplate } from '../../reading/templates.ts';
import { delivery } from '../delivery.ts';
import { payload } from '../payload.ts';

const about = section('6.1', 'events.kinds');

const kindKeys = {
  by: value(
    listOf(placedText),
    about('The operations, and transitions as `R.name`, that emit the event.', {
      must: 'store an event in the transaction of each such change; none of a kind that is not listed',
      see: 'an event for each change; none for a refusal',
      open: 'none is emitted',
    }),
  ),
  when: entry(
    expression,
    about('An expression: only a change for which it is true emits the event.', {
      must: 'emit it only if true',
      see: 'both sides',
      open: 'always',
    }),
  ),
  subject: entry(
    textTemplate,
    about('The subject of these events, in place of the `subject` of 6.2.', {
      must: 'send it',
      see: 'the subject',
      open: "6.2's",
    }),
  ),
  body: value(
    payload,
    about('The payload: a template over `this`, `old`, `actor`, `now` and `event.by`.', {
      must: 'send it',
      see: 'every member',
      open: 'stored, not delivered; so too if it cannot be computed',
    }),
  ),
};

export type Kind = Values<typeof kindKeys>;

/** What an event is wrapped in: CloudEvents 1.0, structured JSON, or a payload of one's own. */
export type Envelope =
  | { readonly kind: 'cloudevents' }
  | { readonly kind: 'template'; readonly template: PlacedTemplate };

const cloudevents = word('cloudevents');

const envelope: Formed<Envelope> = either(
  (node, place, reading) => {
    if (node.kind === 'scalar' && !holdsExpression(node)) {
      const kind = cloudevents(node, place, reading);
      return kind && { kind };
    }
    const read = payload(node, place, reading);
    return read && { kind: 'template', template: read };
  },
  cloudevents,
  payload,
);

const around = section('6.2', 'events');

const kindSnippets = [
  {
    label: 'kind',
    description: 'A kind of event',
    body: { '${1:thing.changed}': { by: ['${2:changeThing}'], body: { '${3:id}': '\\${this.${3:id}\\}' } } },
  },
];

const deliverySnippets = [
  {
    label: 'webhook',
    description: 'To every item of a resource, by POST',
    body: {
      '${1:hooks}': {
        webhook: '${2:Hook.url}',
        where: '\\${event.kind in this.kinds\\}',
        retries: ['PT5S', 'PT5M'],
      },
    },
  },
  {
    label: 'stream',
    description: 'As Server-Sent Events of an endpoint',
    body: { '${1:feed}': { stream: 'GET /${2:events}' } },
  },
];

/** Part 6: what is told to others, and how (language §6). */
const keys = {
  kinds: list(
    named(value(record(kindKeys, { title: 'kind of event' })), eventKinds, kindSnippets),
    section('6.1', 'events')(
      'The kinds of events, by name (6.1). The events of one change are sent in listed order.',
      { open: 'none is emitted' },
    ),
  ),
  envelope: value(
    envelope,
    around(
      'What is put around the body: `cloudevents`, a template over `event`, or `(none)`: the body alone.',
      { rules: '7 and 8', must: 'send it so', see: 'every member', open: 'events are stored, not delivered' },
    ),
  ),
  source: entry(
    textTemplate,
    around('The source of every event: a template over `service.url`.', {
      must: 'send it',
      see: 'the source',
      open: 'CloudEvents: stored, not delivered',
    }),
  ),
  subject: entry(
    textTemplate,
    around('The subject of an event: a template over `this`, `old`, `actor` and `event.by`.', {
      must: 'send it',
      see: 'the subject',
      open: 'no subject',
    }),
  ),
  delivery: list(
    named(value(delivery), nameOf('delivery name'), deliverySnippets),
    section('6.3', 'events')('Ways in which events are delivered, by name (6.3).', {
      open: 'events are stored, not delivered',
    }),
  ),
};

/** CloudEvents have a source each (CloudEvents 1.0.2 §3.1), so that without one nothing definite is said. */
const cloudEvents = { ...keys, source: absent(keys.source, 'value') };

export type Events = Values<typeof keys>;

export const read: Formed<Events> = formed(record(keys).form, (node, place, reading) => {
  const wrap = get(node, 'envelope');
  const isCloudEvents = wrap?.kind === 'scalar' && wrap.written === 'cloudevents';
  return record(isCloudEvents ? cloudEvents : keys)(node, place, reading);
});
