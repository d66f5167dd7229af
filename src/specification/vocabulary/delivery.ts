import { get } from '../../source/node.ts';
import { answerFields, fieldName } from '../reading/field-name.ts';
import { choice, type Form, point, section, textOf } from '../reading/form.ts';
import { pause, period } from '../reading/period.ts';
import {
  absent,
  asMap,
  either,
  entry,
  type Formed,
  formed,
  type Keys,
  listOf,
  oneKey,
  type Placed,
  placedText,
  record,
  text,
  type Values,
  value,
  word,
} from '../reading/reading.ts';
import { type FieldReference, fieldReference } from '../reading/reference.ts';
import { isMarker } from '../reading/said.ts';
import { expression, textTemplate } from '../reading/templates.ts';
import { statuses } from './answer.ts';

/** An address or a key: a field of each item of a resource holds it, or the operator does. */
export type Held = { readonly kind: 'operator' } | ({ readonly kind: 'field' } & FieldReference);

const held: Formed<Held> = either(
  (node, place, reading) => {
    if (node.kind === 'scalar' && node.written === 'operator') return { kind: 'operator' };
    const field = fieldReference(node, place, reading);
    return field && { kind: 'field', ...field };
  },
  word('operator'),
  fieldReference,
);

const about = section('6.3');

/** An endpoint of part 4, by its key. */
const endpoint: Formed<Placed> = formed(
  textOf(
    '`GET /path`',
    /^[A-Z][A-Z-]* \/\S*$/,
    'A stream is an endpoint of part 4, as GET /events (language §6.3).',
  ),
  placedText.bind(null),
);

/**
 * How a message shows who sent it: as Standard Webhooks have it, or by an HMAC (RFC 2104) over a text, in a header
 * field of one's own.
 */
export type Sign =
  | { readonly kind: 'standard-webhooks' }
  | ({ readonly kind: 'hmac' } & Values<typeof hmacKeys>);

const hmacKeys = {
  header: value(fieldName, about('The header field that carries the signature.')),
  hmac: value(word('sha256', 'sha512'), about('The hash function of the HMAC (RFC 2104).')),
  over: value(
    textTemplate,
    about('What is signed: a template over `event`; `event.content` is the content as it is sent.'),
  ),
  as: value(
    textTemplate,
    about('What the field says: a template over `event`, with `event.signature.hex` and `.base64`.'),
  ),
};

const hmac = record(hmacKeys, { title: 'signature' });
const standard = word('standard-webhooks');

const sign: Formed<Sign> = either(
  (node, place, reading) => {
    if (node.kind === 'map') {
      const found = hmac(node, place, reading);
      return found && { kind: 'hmac', ...found };
    }
    const kind = standard(node, place, reading);
    return kind && { kind };
  },
  standard,
  hmac,
);

/** `within` and `retries` are in milliseconds, and so is `timeout`. */
const common = {
  order: entry(
    word('item', 'all'),
    about('The order of first attempts: of what one item emitted, or of everything.', {
      must: 'deliver at least once, in it',
      see: 'the receiver',
      open: '`item`',
    }),
  ),
  within: entry(
    pause,
    about('How long after the commit the first attempt may still be unseen.', {
      must: 'keep to it',
      see: 'look late',
      open: 'choice (F.1)',
    }),
  ),
};

const media = entry(
  text,
  about('The media type of what is sent (not of a stream).', {
    must: 'send it',
    see: 'the field',
    open: '`application/cloudevents+json` for `cloudevents`, else no `Content-Type`',
  }),
);

const version = entry(
  textTemplate,
  about(
    'The version whose content is sent (9.2): a name or an alias; of `R.url` also a template over `this`.',
    {
      must: 'send what it says; of a name that none has, the attempt fails',
      see: 'the receiver',
      open: "the newest's",
    },
  ),
);

const webhookKeys = {
  webhook: value(
    held,
    about("POSTed to the address in the field `R.url` of each item of R, or to the `operator`'s.", {
      must: 'POST until it succeeds',
      see: 'a receiver',
      open: 'stored, not delivered',
    }),
  ),
  where: entry(
    expression,
    about('To which items of R: a storable expression over `this` (an item of R) and `event`.', {
      must: 'send where it held in the transaction of the change, nowhere else',
      see: 'two receivers',
      open: 'to every item',
    }),
  ),
  ...common,
  media,
  headers: entry(
    answerFields,
    about('Header fields of every message (of a webhook): templates over `event`.', {
      must: 'send them',
      see: 'the fields',
      open: 'none',
    }),
  ),
  sign: entry(
    sign,
    about('How a message is signed: `standard-webhooks`, or by an HMAC in a header field.', {
      must: 'sign',
      see: 'verify',
      open: 'unsigned; one of its four keys: stored, not delivered',
    }),
  ),
  secret: entry(
    held,
    about('The field of R, or `operator`, that holds the key; null: unsigned.', {
      must: 'sign with it; with each of several keys of Standard Webhooks',
      see: 'verify',
      open: 'where `sign` is stated: stored, not delivered',
    }),
  ),
  success: entry(
    statuses,
    about('The statuses of the receiver that end the attempts, one or several.', {
      must: 'try again at any other, as after no answer',
      see: 'answer with each',
      open: 'any 2xx',
    }),
  ),
  retries: entry(
    listOf(pause),
    about('The pauses before further attempts, as in `[PT5S, PT5M]`; `(none)`: there is no second attempt.', {
      must: 'keep to them',
      see: 'fail on purpose',
      open: 'one attempt; the tester does not judge',
    }),
  ),
  timeout: entry(
    period,
    about('How long an attempt waits for an answer, as in `PT15S`.', {
      must: 'keep to it',
      see: 'answer late',
      open: "the host's",
    }),
  ),
  exhausted: entry(
    placedText,
    about('The transition that an item of R is asked for once the last attempt has failed: `Hook.disable`.', {
      must: 'ask for it, by nobody, in the transaction that notes the failure',
      see: 'fail on purpose',
      open: 'nothing moves; likewise while `retries` is open',
    }),
  ),
  version,
};
/** A signature needs a key (language §6.3). */
const signedKeys = { ...webhookKeys, secret: absent(webhookKeys.secret, 'value') };
const streamKeys = {
  stream: value(
    endpoint,
    about('Server-Sent Events of an endpoint of part 4, as in `GET /events`.', {
      must: 'send id, event and data: id, kind and envelope; resume after `Last-Event-ID`',
      see: 'subscribe',
      open: 'stored, not delivered',
    }),
  ),
  ...common,
};
const brokerKeys = {
  broker: value(
    textTemplate,
    about(
      "Published with the operator's broker (NATS with JetStream) under this subject, a template over `event`.",
      {
        must: "publish after commit, with the event's id as `Nats-Msg-Id`, until it is kept",
        see: 'subscribe',
        open: 'stored, not delivered',
      },
    ),
  ),
  ...common,
  media,
  version,
};

/** A way in which events leave (language §6.3). */
export type Delivery =
  | ({ readonly kind: 'webhook' } & Values<typeof webhookKeys>)
  | ({ readonly kind: 'stream' } & Values<typeof streamKeys>)
  | ({ readonly kind: 'broker' } & Values<typeof brokerKeys>);

const ways = ['webhook', 'stream', 'broker'] as const;

const recordOf = (keys: Keys): Form => ({ kind: 'record', keys });

const deliveryForm: Form = point(
  'delivery',
  choice(
    [
      { when: { required: ['webhook'] }, form: recordOf(webhookKeys) },
      { when: { required: ['stream'] }, form: recordOf(streamKeys) },
      { when: { required: ['broker'] }, form: recordOf(brokerKeys) },
    ],
    recordOf({ ...webhookKeys, ...streamKeys, ...brokerKeys }),
  ),
);

export const delivery: Formed<Delivery> = formed(deliveryForm, (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const kind = oneKey(map, ways, reading);
  switch (kind) {
    case 'webhook': {
      const sign = get(map, 'sign');
      const read = record(sign && !isMarker(sign) ? signedKeys : webhookKeys)(node, place, reading);
      return read && { kind, ...read };
    }
    case 'stream': {
      const read = record(streamKeys)(node, place, reading);
      return read && { kind, ...read };
    }
    case 'broker': {
      const read = record(brokerKeys)(node, place, reading);
      return read && { kind, ...read };
    }
    default:
      return undefined;
  }
});
