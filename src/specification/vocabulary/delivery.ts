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

const about = section('6.3', 'events.delivery');
const ofWay = section('6.3', 'events.delivery.way');
const ofSign = section('6.3', 'events.delivery.sign');

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
  header: value(fieldName, ofSign('The header field that carries the signature.')),
  hmac: value(word('sha256', 'sha512'), ofSign('The hash function of the HMAC (RFC 2104).')),
  over: value(
    textTemplate,
    ofSign('What is signed: a template over `event`. `event.content` is the content as it is sent.', {
      rules: '16',
    }),
  ),
  as: value(
    textTemplate,
    ofSign('What the header field says: a template over `event`, with `event.signature.hex` and `.base64`.', {
      rules: '15',
    }),
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
    about('The order of first attempts: `item`, for what one item emitted, or `all`, for everything.', {
      goesWith: 'all',
      must: 'deliver at least once, in this order',
      see: 'the receiver',
      open: '`item`',
    }),
  ),
  within: entry(
    pause,
    about('How long after the commit the first attempt may stay unseen.', {
      goesWith: 'all',
      must: 'keep to it',
      see: 'look late',
      open: 'choice (F.1)',
    }),
  ),
};

const media = entry(
  text,
  about('The media type of what is sent.', {
    rules: '13',
    goesWith: 'webhook, broker',
    must: 'send it',
    see: 'the field',
    open: 'rule 13',
  }),
);

const version = entry(
  textTemplate,
  about(
    'The version (9.2) whose content is sent: a name or an alias. For `R.url` also a template over `this`.',
    {
      rules: '19',
      goesWith: 'webhook, broker',
      must: 'send what that version says',
      see: 'the receiver',
      open: "the newest's",
    },
  ),
);

const webhookKeys = {
  webhook: value(
    held,
    ofWay("`R.url`: the address in this field of each item of R. `operator`: the operator's address.", {
      must: 'POST until it succeeds',
      see: 'a receiver',
      open: 'stored, not delivered',
    }),
  ),
  where: entry(
    expression,
    about('To which items of R: an expression over `this` (an item of R) and `event`.', {
      rules: '14',
      goesWith: '`R.url`',
      must: 'send there and nowhere else',
      see: 'two receivers',
      open: 'to every item',
    }),
  ),
  ...common,
  media,
  headers: entry(
    answerFields,
    about('Header fields of every message, by name: templates over `event`.', {
      goesWith: 'webhook',
      must: 'send them',
      see: 'the fields',
      open: 'none',
    }),
  ),
  sign: entry(
    sign,
    about('How a message is signed: `standard-webhooks`, or `{ header, hmac, over, as }`.', {
      rules: '15 to 17',
      goesWith: 'webhook',
      must: 'sign',
      see: 'verify',
      open: 'unsigned',
    }),
  ),
  secret: entry(
    held,
    about('The field of R, or `operator`, that holds the key.', {
      rules: '18',
      goesWith: 'webhook',
      must: 'sign with it',
      see: 'verify',
      open: 'if `sign` is stated: stored, not delivered',
    }),
  ),
  success: entry(
    statuses,
    about('The statuses of the receiver, one or several, that end the attempts.', {
      goesWith: 'webhook',
      must: 'try again at any other, as after no answer',
      see: 'answer with each',
      open: 'any 2xx',
    }),
  ),
  retries: entry(
    listOf(pause),
    about('The pauses before further attempts, as in `[PT5S, PT5M]`. `(none)`: there is no second attempt.', {
      goesWith: 'webhook',
      must: 'keep to them',
      see: 'fail on purpose',
      open: 'one attempt; not judged',
    }),
  ),
  timeout: entry(
    period,
    about('How long an attempt waits for an answer, as in `PT15S`.', {
      goesWith: 'webhook',
      must: 'keep to it',
      see: 'answer late',
      open: "the host's",
    }),
  ),
  exhausted: entry(
    placedText,
    about('The transition of R that is asked for once the last attempt has failed: `Hook.disable`.', {
      rules: '20',
      goesWith: '`R.url`',
      must: 'ask the item for it',
      see: 'fail on purpose',
      open: 'nothing moves; so too while `retries` is open',
    }),
  ),
  version,
};
/** A signature needs a key (language §6.3). */
const signedKeys = { ...webhookKeys, secret: absent(webhookKeys.secret, 'value') };
const streamKeys = {
  stream: value(
    endpoint,
    ofWay('Server-Sent Events at an endpoint of part 4, as in `GET /events`.', {
      rules: '9 to 11',
      must: 'send Server-Sent Events',
      see: 'subscribe',
      open: 'stored, not delivered',
    }),
  ),
  ...common,
};
const brokerKeys = {
  broker: value(
    textTemplate,
    ofWay("The subject at the operator's broker (NATS with JetStream): a template over `event`.", {
      rules: '12',
      must: 'publish after commit, until the broker has stored it',
      see: 'subscribe',
      open: 'stored, not delivered',
    }),
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

/** How events are posted to addresses. */
export type Webhook = Extract<Delivery, { readonly kind: 'webhook' }>;

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
