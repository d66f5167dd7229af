import { get, type Node } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import { step } from '../../reading/address.ts';
import { duration } from '../../reading/duration.ts';
import { answerFields, fieldName } from '../../reading/field-name.ts';
import {
  anyOf,
  type DescribedKey,
  defined,
  type Form,
  nameOf,
  own,
  point,
  type RecordForm,
  type Snippet,
  section,
  textOf,
  words,
} from '../../reading/form.ts';
import {
  absent,
  asMap,
  boolean,
  entry,
  type Formed,
  formed,
  knownKeys,
  listOf,
  nothingAsked,
  type Place,
  type Placed,
  placedText,
  type Read,
  type Reading,
  record,
  say,
  text,
  type Values,
  value,
  word,
} from '../../reading/reading.ts';
import type { Said } from '../../reading/said.ts';
import { expression } from '../../reading/templates.ts';
import { type Answer, answers } from '../answer.ts';
import { type Change, change, changes } from '../change.ts';
import { type Request, request, keys as requestKeys } from '../request.ts';

const about = section('4.1');

/** Texts, or the word `any`. */
const anyOrTexts = formed<readonly string[]>(
  defined('anyOrTexts', anyOf(words('any'), listOf(text).form)),
  listOf(text),
);

const corsKeys = {
  origins: value(anyOrTexts, about('The origins whose pages may use it, or `any`.')),
  methods: value(anyOrTexts, about('The methods that such pages may use, or `any`.')),
  headers: value(anyOrTexts, about('The header fields that such pages may send, or `any`.')),
  exposes: entry(anyOrTexts, about('The header fields of answers that such pages may read, or `any`.')),
  credentials: entry(boolean, about('Whether credentials may come along.')),
  maxAge: entry(
    formed(own('seconds', { type: 'integer', minimum: 0 }), seconds),
    about('For how many seconds a preflight answer holds.'),
  ),
};

/** What pages of other origins may do (language §4.1; Fetch standard, CORS protocol). */
export type Cors = Values<typeof corsKeys>;
const cors = formed(point('cors', record(corsKeys).form), record(corsKeys));

const baseForm = textOf(
  'a path',
  /^(?:\/[^/{}?#\s]+)+$/,
  'A base is one or more segments, each after a slash, with none at the end (language §4.1).',
);

const topKeys = {
  protocol: value(
    word('RFC 9110'),
    about('The protocol floor is stated, so that an implementation is judged by it.', {
      must: 'keep to it, as ever',
      see: 'the floor: 405 with `Allow`, HEAD, 415, …',
      open: 'the service keeps to it; nobody is judged by it',
    }),
  ),
  base: entry(
    formed(baseForm, base),
    about('What every path begins with.', { must: 'serve paths so', see: 'every path', open: 'nothing' }),
  ),
  headers: entry(
    answerFields,
    section('E.15')('Header fields of every answer, errors too.', {
      must: 'send them',
      see: 'the fields',
      open: "none but the floor's",
    }),
  ),
};

const corsKey = entry(
  cors,
  about('What pages of other origins may do, as the Fetch standard reads these keys.', {
    must: 'answer so, preflight too',
    see: 'preflight, `Origin`',
    open: 'no CORS field',
  }),
);

/** Words of part 4 that are laid into every endpoint that does not state them, before it is read (language §E.15). */
const shared = {
  others: requestKeys.others,
  cors: corsKey,
};

const tags = section('4.3');

const conditionalKeys = {
  etag: value(
    word('strong', 'weak'),
    tags('The answer carries an `ETag` of this strength.', {
      must: 'send it; two tags are equal exactly when the payloads are',
      see: 'the tag; that it changes',
      open: 'no tag is sent; a request that names one: 501',
    }),
  ),
  ifMatch: entry(
    word('required', 'allowed'),
    tags('Whether `If-Match` is `required`, or only regarded.', {
      must: 'refuse: `precondition missing`, `precondition failed`',
      see: 'without it, with another tag, with the right tag',
      open: 'the field is not looked at',
    }),
  ),
  ifNoneMatch: entry(
    word('allowed'),
    tags('`If-None-Match` is regarded.', {
      must: 'answer 304, or refuse: `precondition failed`',
      see: 'with the tag, with another, with `*`',
      open: 'the field is not looked at',
    }),
  ),
  lastModified: entry(
    expression,
    tags('When the item was last changed: an expression for a time, over `this`.', {
      must: 'send `Last-Modified`, in whole seconds, rounded down',
      see: 'the field',
      open: 'no field is sent; a request with a time: 501',
    }),
  ),
  ifModifiedSince: entry(
    word('allowed'),
    tags('`If-Modified-Since` is regarded.', {
      must: 'answer 304',
      see: 'a time before, at and after',
      open: 'the field is not looked at',
    }),
  ),
  ifUnmodifiedSince: entry(
    word('required', 'allowed'),
    tags('Whether `If-Unmodified-Since` is `required`, or only regarded.', {
      must: 'refuse: `precondition missing`, `precondition failed`',
      see: 'without it; a time before and after',
      open: 'the field is not looked at',
    }),
  ),
};

/** Which preconditions an operation knows (language §4.3; RFC 9110 §13). */
export type Conditional = Values<typeof conditionalKeys>;

/** A tag, or a time, without which nothing definite is said is a point: a time where conditions are about times alone. */
const conditionalForm = point('conditional', record(conditionalKeys).form);

const conditional: Formed<Conditional> = formed(conditionalForm, (node, place, reading) => {
  const has = (...names: (keyof typeof conditionalKeys)[]): boolean =>
    names.some((name) => get(node, name) !== undefined);
  const byTime = has('ifModifiedSince', 'ifUnmodifiedSince');
  const { etag, lastModified } = conditionalKeys;
  return record({
    ...conditionalKeys,
    etag: (byTime || has('lastModified')) && !has('ifMatch', 'ifNoneMatch') ? absent(etag, 'entry') : etag,
    lastModified: byTime ? absent(lastModified, 'value') : lastModified,
  })(node, place, reading);
});

const repeats = section('4.4');

const idempotencyKeys = {
  header: value(
    fieldName,
    repeats('The header field that carries the key.', {
      must: 'give the first answer again, with no second effect',
      see: 'the same request twice; another request with the key',
      open: 'nothing is a repeat',
    }),
  ),
  required: entry(
    boolean,
    repeats('Whether a request without a key is refused.', {
      must: 'refuse: `key missing`',
      see: 'leave the key out',
      open: 'a key is optional',
    }),
  ),
  life: value(
    duration,
    repeats('How long a key is remembered, as in `PT24H`.', {
      must: 'remember it so long',
      see: 'with a clock',
      open: 'a request with a key: 501',
    }),
  ),
  per: value(
    word('actor', 'key'),
    repeats("Whose key it is: each actor's own, or one for all.", {
      must: 'keep the keys apart, or together',
      see: 'one key of two actors',
      open: 'a request with a key: 501',
    }),
  ),
  remembers: value(
    word('successes', 'all'),
    repeats('Which answers are given again: `successes`, or `all`, with the refusals judged after the key.', {
      must: 'give these again',
      see: 'repeat a refused request',
      open: 'successes',
    }),
  ),
  replay: entry(
    record({
      headers: entry(answerFields, repeats('Header fields that an answer given again carries besides.')),
    }),
    repeats('What marks an answer that is given again.', {
      must: 'send it then, and only then',
      see: 'the fields of both answers',
      open: 'nothing',
    }),
  ),
};

const idempotency = formed(point('idempotency', record(idempotencyKeys).form), record(idempotencyKeys));
const operationForm = point(
  'name',
  textOf('a name', nameOf('').pattern, nameOf('').message, { title: 'name' }),
);

/** What becomes of a request that comes again (language §4.4). */
export type Idempotency = Values<typeof idempotencyKeys>;

const snippets: readonly Snippet[] = [
  {
    label: 'GET /things',
    description: 'An endpoint that lists items',
    body: {
      'GET /${1:things}': {
        operation: '${2:listThings}',
        does: 'list ${3:Thing}',
        response: { status: 200, body: '\\${${3:Thing}(page.items)\\}' },
      },
    },
  },
  {
    label: 'POST /things',
    description: 'An endpoint that makes an item',
    body: {
      'POST /${1:things}': {
        operation: '${2:addThing}',
        does: 'create ${3:Thing}',
        request: { body: '${3:Thing}' },
        response: { status: 201, body: '${3:Thing}' },
      },
    },
  },
  {
    label: 'GET /things/{id}',
    description: 'An endpoint that shows one item',
    body: {
      'GET /${1:things}/{${2:id}}': {
        operation: '${3:readThing}',
        does: 'read ${4:Thing}',
        response: { status: 200, body: '${4:Thing}' },
      },
    },
  },
  {
    label: 'PATCH /things/{id}',
    description: 'An endpoint that changes one item',
    body: {
      'PATCH /${1:things}/{${2:id}}': {
        operation: '${3:changeThing}',
        does: 'update ${4:Thing}',
        request: { body: '${4:Thing}' },
        response: { status: 200, body: '${4:Thing}' },
      },
    },
  },
  {
    label: 'DELETE /things/{id}',
    description: 'An endpoint that removes one item',
    body: {
      'DELETE /${1:things}/{${2:id}}': {
        operation: '${3:removeThing}',
        does: 'delete ${4:Thing}',
        response: 204,
      },
    },
  },
];

const endpointKeys = {
  operation: entry(
    formed(operationForm, operationName),
    about('Its name in other parts.', { open: 'its key is its name' }),
  ),
  does: value(
    change,
    about('One change (H.2); `(none)`: it only answers.', {
      must: 'do that and nothing else',
      see: 'its effect, through other endpoints',
      open: '501',
    }),
  ),
  also: entry(
    changes,
    about('Further changes, in order.', {
      must: 'make them in the same transaction',
      see: 'their effects',
      open: 'none',
    }),
  ),
  request: entry(
    request,
    section('4.2')('What a request may bring: parameters and a body.', {
      must: 'take these',
      see: 'requests that fit, and that do not',
      open: 'no body and no parameter is looked at',
    }),
  ),
  response: value(
    answers,
    section('H.3')('The answer to a success, or a list of which the first that holds is sent.', {
      must: 'send it',
      see: 'all of it',
      open: '501',
    }),
  ),
  conditional: entry(
    conditional,
    tags('Conditional requests, as RFC 9110 §13 has them.', {
      must: 'judge them',
      see: 'requests with and without them',
      open: 'preconditions are not looked at',
    }),
  ),
  idempotency: entry(
    idempotency,
    repeats('A request that comes again with its key gets the first answer again.', {
      must: 'have no second effect',
      see: 'the same request twice',
      open: 'repeats are new requests',
    }),
  ),
  cors: corsKey,
};

const commonOf = section('E.15');

/** What a rule for several endpoints may hold, and what its request may (language §E.15). */
function everyForm(further: RecordForm['keys'], title: string): RecordForm {
  const { headers, media, nesting, others } = requestKeys;
  const ofRequest = record({ headers, media, nesting, others, ...further } as typeof requestKeys);
  const { conditional, idempotency, cors } = endpointKeys;
  const keys = {
    request: entry(ofRequest, commonOf('What the requests of these endpoints have in common.')),
    conditional,
    idempotency,
    cors,
  };
  return { kind: 'record', keys, title };
}

const rules = {
  plain: everyForm({}, 'every METHOD /path'),
  below: everyForm({ path: requestKeys.path }, 'every METHOD /path/{name}'),
};

const ownLets: Form = own('names with expressions and templates', {
  type: 'object',
  propertyNames: { pattern: '^[a-z][A-Za-z0-9_]*$' },
});

/** `let` is written out before an endpoint is read (language §E.19). */
const endpointForm: RecordForm = {
  ...(record(endpointKeys, { title: 'endpoint' }).form as RecordForm),
  keys: {
    ...endpointKeys,
    let: keyOf(ownLets, 'Names for expressions and templates of this endpoint.', 'E.19'),
  },
};

function keyOf(form: Form, states: string, number: string): DescribedKey {
  const about = section(number)(states);
  return { read: { form }, absence: 'value', literal: false, about };
}

const endpointsForm: Form = {
  kind: 'record',
  keys: { ...topKeys, ...shared },
  snippets,
  open: () => [
    {
      name: 'METHOD /path',
      pattern: /^[A-Z][A-Z-]* (?:\/(?:[^/{}?#\s]*|\{[^{}/\s]+\}))+$/,
      key: keyOf(point('endpoint', endpointForm), 'One method on one path.', '4.1'),
    },
    {
      name: 'every METHOD /path',
      pattern: /^every (?:[A-Z][A-Z-]*|(?:[A-Z][A-Z-]* )?\/[^{\s]*)$/,
      key: keyOf(
        point('every', rules.plain),
        'The same on every endpoint of this method, and below this path, that does not state it.',
        'E.15',
      ),
    },
    {
      name: 'every METHOD /path/{name}',
      pattern: /^every (?:[A-Z][A-Z-]* )?\/\S*\{\S*$/,
      key: keyOf(
        point('everyBelow', rules.below),
        "The same, and the items that the path's parameters name.",
        'E.15',
      ),
    },
  ],
};

/** One method on one path (language §4.1). */
export interface Endpoint {
  readonly key: string;
  readonly address: string;
  readonly at: Span;
  readonly method: string;
  readonly path: readonly Segment[];
  readonly operation: Said<Placed>;
  readonly does: Said<Change>;
  readonly also: Said<readonly Change[]>;
  readonly request: Said<Request>;
  readonly response: Said<readonly Answer[]>;
  readonly conditional: Said<Conditional>;
  readonly idempotency: Said<Idempotency>;
  readonly cors: Said<Cors>;
}

/** A segment of a path: a literal, compared exactly, or a parameter, which is never empty. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

export interface Endpoints extends Values<typeof topKeys> {
  readonly entries: ReadonlyMap<string, Said<Endpoint>>;
}

export const read: Formed<Endpoints> = formed(endpointsForm, (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const own = [...Object.keys(topKeys), ...Object.keys(shared), 'description'];
  const top = knownKeys(map, topKeys, place, reading);
  const entries = new Map<string, Said<Endpoint>>();
  for (const [key, found] of map.entries) {
    if (key === 'description') nothingAsked(found.value, reading);
    if (own.includes(key)) continue;
    const where = { address: step(place.address, key), at: found.key };
    const form = /^([A-Z][A-Z-]*) (\/\S*)$/.exec(key);
    if (form === null) {
      reading.report('bad-endpoint', found.key, { key });
      continue;
    }
    const [, method, path] = form as unknown as [string, string, string];
    const segments = pathOf(path, found.key, reading);
    if (segments === undefined) continue;
    const one: Read<Endpoint> = (of, inner, r) => {
      const read = record(endpointKeys)(of, inner, r);
      if (read === undefined) return undefined;
      return { key, address: where.address, at: found.key, method, path: segments, ...read };
    };
    entries.set(key, say(found.value, value(formed(endpointForm, one)), where, reading));
  }
  reading.restOf(place.address, place.at);
  return { ...top, entries };
});

/** The segments of a path. `/` has none; `/a/` ends in an empty literal. */
function pathOf(path: string, at: Span, reading: Reading): readonly Segment[] | undefined {
  if (path === '/') return [];
  const names = new Set<string>();
  const segments: Segment[] = [];
  for (const written of path.slice(1).split('/')) {
    const parameter = /^\{([^{}]+)\}$/.exec(written)?.[1];
    if (parameter === undefined && /[{}?#]/.test(written))
      return reading.report('bad-path', at, { segment: written });
    const colon = /^:([A-Za-z_]\w*)$/.exec(written)?.[1];
    if (colon !== undefined) reading.report('colon-segment', at, { name: colon });
    if (parameter === undefined) segments.push({ literal: written });
    else if (names.has(parameter)) return reading.report('parameter-twice', at, { name: parameter });
    else {
      names.add(parameter);
      segments.push({ parameter });
    }
  }
  return segments;
}

function operationName(node: Node, place: Place, reading: Reading): Placed | undefined {
  const name = placedText(node, place, reading);
  if (name && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(name.text))
    reading.report('bad-name', name.at, { name: name.text });
  return name;
}

/** A duration in whole seconds, as the Fetch standard's Access-Control-Max-Age takes it. */
function seconds(node: Node, _place: unknown, reading: Reading): number | undefined {
  if (
    node.kind === 'scalar' &&
    typeof node.value === 'number' &&
    Number.isInteger(node.value) &&
    node.value >= 0
  )
    return node.value;
  return reading.report('wrong-kind', node.span, {
    wanted: 'a whole number of seconds',
    found: 'something else',
  });
}

function base(node: Node, place: { address: string; at: Span }, reading: Reading): string | undefined {
  const written = text(node, place, reading);
  if (written === undefined || /^(\/[^/{}?#\s]+)+$/.test(written)) return written;
  return reading.report('bad-base', node.span, { found: written });
}
