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

const about = section('6.1');

const kindKeys = {
  by: value(
    listOf(placedText),
    about('The operations, and transitions as `R.name`, that emit it.', {
      must: 'store one in the transaction of each such change; none of a kind that is not listed',
      see: 'one for each change; none for a refused change',
      open: 'none is emitted',
    }),
  ),
  when: entry(
    expression,
    about('Whether a change emits it.', { must: 'emit it only if true', see: 'both sides', open: 'always' }),
  ),
  subject: entry(
    textTemplate,
    about('The subject of such an event, in place of the subject of all.', {
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
      open: 'stored, not delivered; likewise if it cannot be worked out',
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

const around = section('6.2');

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
    about('The kinds of events, by name. The events of one change go in listed order.'),
  ),
  envelope: value(
    envelope,
    around(
      'What is put around the body: `cloudevents`, a template over `event`, or `(none)`: the body alone.',
      {
        must: 'send it so',
        see: 'every member',
        open: 'events are stored, not delivered',
      },
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
    section('6.3')('Ways in which events are delivered, by name.'),
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
