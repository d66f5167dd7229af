import { get, type Node } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import { step } from '../../reading/address.ts';
import { duration } from '../../reading/duration.ts';
import { answerFields, fieldName } from '../../reading/field-name.ts';
import {
  type About,
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
  either,
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
import { expression, holdsExpression, type PlacedTemplate, textTemplate } from '../../reading/templates.ts';
import { type Answer, answers } from '../answer.ts';
import { type Change, change, changes } from '../change.ts';
import { type FurtherPath, type Matching, pathKeys, pathOf, type Segment } from '../paths.ts';
import { type Request, request, keys as requestKeys } from '../request.ts';

const about = section('4.1', 'endpoints.endpoint');
const top = section('4.1', 'endpoints');
const ofCors = section('4.1', 'endpoints.cors');

/** Texts, or the word `any`. */
const anyOrTexts = formed<readonly string[]>(
  defined('anyOrTexts', anyOf(words('any'), listOf(text).form)),
  listOf(text),
);

const corsKeys = {
  origins: value(anyOrTexts, ofCors('The origins whose pages may use it, as a list or `any`.')),
  methods: value(anyOrTexts, ofCors('The methods that such pages may use, as a list or `any`.')),
  headers: value(anyOrTexts, ofCors('The header fields that such pages may send, as a list or `any`.')),
  exposes: entry(
    anyOrTexts,
    ofCors('The header fields of answers that such pages may read, as a list or `any`.'),
  ),
  credentials: entry(boolean, ofCors('Whether credentials may be sent.')),
  maxAge: entry(
    formed(own('seconds', { type: 'integer', minimum: 0 }), seconds),
    ofCors('How many seconds a preflight answer may be kept.'),
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
    top('`RFC 9110`: the protocol floor is stated.', {
      must: 'keep to it, as always',
      see: 'the floor: 405 with `Allow`, HEAD, 415, …',
      open: 'the service keeps to it; nobody is judged by it',
    }),
  ),
  base: entry(
    formed(baseForm, base),
    top('The beginning of every path.', { must: 'answer there', see: 'every path', open: 'nothing' }),
  ),
  headers: entry(
    answerFields,
    section('E.15', 'endpoints')('Header fields of every answer, errors too (E.15).', {
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
  matching: pathKeys.matching,
};

const tags = section('4.3', 'endpoints.conditional');

const strength = word('strong', 'weak');

const conditionalKeys = {
  etag: value(
    either<'strong' | 'weak' | PlacedTemplate>(
      (...given) => (holdsExpression(given[0]) ? textTemplate(...given) : strength(...given)),
      strength,
      textTemplate,
    ),
    tags('The `ETag` of the answer: `strong` or `weak`, or its text as an expression over `this`.', {
      rules: '2, 10 and 11',
      must: 'send it; `strong`, `weak`: two tags are equal exactly when the payloads are',
      see: 'the tag; that it changes',
      open: 'no tag is sent; a request that names a tag: 501',
    }),
  ),
  ifMatch: entry(
    word('required', 'allowed'),
    tags('`required` or `allowed`: whether a request without `If-Match` is refused.', {
      must: 'refuse: `precondition missing`, `precondition failed`',
      see: 'without it, with another tag, with the right tag',
      open: 'the field is ignored',
    }),
  ),
  compare: entry(
    word('weak'),
    tags('`weak`: `If-Match` compares weakly, so it takes weak tags.', {
      rules: '7',
      must: 'compare so',
      see: 'a weak tag',
      open: '`If-Match` compares strongly',
    }),
  ),
  ifNoneMatch: entry(
    word('allowed'),
    tags('`allowed`: `If-None-Match` is judged.', {
      must: 'answer 304, or refuse: `precondition failed`',
      see: 'with the tag, with another, with `*`',
      open: 'the field is ignored',
    }),
  ),
  ranges: entry(
    word('allowed'),
    tags('`allowed`: a client may ask for one range of the bytes of the answer (RFC 9110 §14).', {
      must: 'send 206, or refuse: `range not satisfiable`',
      see: 'the first bytes, the last, bytes past the end',
      open: 'the field `Range` is ignored',
    }),
  ),
  lastModified: entry(
    expression,
    tags('When the item was last changed: an expression for a time, over `this`.', {
      must: 'send `Last-Modified`, in whole seconds, rounded down',
      see: 'the field',
      open: 'no time is sent; a request that names a time: 501',
    }),
  ),
  ifModifiedSince: entry(
    word('allowed'),
    tags('`allowed`: `If-Modified-Since` is judged.', {
      must: 'answer 304',
      see: 'a time before, at and after',
      open: 'the field is ignored',
    }),
  ),
  ifUnmodifiedSince: entry(
    word('required', 'allowed'),
    tags('`required` or `allowed`: whether a request without `If-Unmodified-Since` is refused.', {
      must: 'refuse: `precondition missing`, `precondition failed`',
      see: 'without it; a time before and after',
      open: 'the field is ignored',
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
    etag:
      (byTime || has('lastModified', 'ranges')) && !has('ifMatch', 'ifNoneMatch')
        ? absent(etag, 'entry')
        : etag,
    lastModified: byTime ? absent(lastModified, 'value') : lastModified,
  })(node, place, reading);
});

const repeats = section('4.4', 'endpoints.idempotency');

const ofReplay = section('4.4', 'endpoints.idempotency.replay');

const idempotencyKeys = {
  header: value(
    fieldName,
    repeats('The header field that carries the key.', {
      must: 'repeat the first answer, with no second effect',
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
    repeats('Whose keys are compared: those of one `actor`, or all (`key`).', {
      rules: '14',
      must: 'keep the keys apart, or together',
      see: 'one key of two actors',
      open: 'a request with a key: 501',
    }),
  ),
  remembers: value(
    word('successes', 'all'),
    repeats(
      'Which answers are repeated: `successes`, or `all`, with the refusals that are judged after the key.',
      { rules: '16', must: 'repeat these', see: 'repeat a refused request', open: 'successes are repeated' },
    ),
  ),
  replay: entry(
    record({
      headers: entry(answerFields, ofReplay('Header fields that a repeated answer carries besides.')),
    }),
    repeats('What marks a repeated answer.', {
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
    about('The name of the operation in other parts.', { open: 'its key is its name' }),
  ),
  ...pathKeys,
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
    section('4.2', 'endpoints.endpoint')('The parameters and the body of a request (4.2).', {
      must: 'accept these',
      see: 'requests that fit, and that do not',
      open: 'no body and no parameter is read',
    }),
  ),
  response: value(
    answers,
    section('H.3', 'endpoints.endpoint')(
      'The answer to a success, or a list of answers: the first that holds is sent (H.3).',
      {
        must: 'send it',
        see: 'all of it',
        open: '501',
      },
    ),
  ),
  conditional: entry(
    conditional,
    section('4.3', 'endpoints.endpoint')('Conditional requests, as in RFC 9110 §13 (4.3).', {
      must: 'judge them',
      see: 'requests with and without them',
      open: 'preconditions are ignored',
    }),
  ),
  idempotency: entry(
    idempotency,
    section('4.4', 'endpoints.endpoint')(
      'A repeated request, with the same key, gets the first answer again (4.4).',
      {
        must: 'have no second effect',
        see: 'the same request twice',
        open: 'repeats are new requests',
      },
    ),
  ),
  cors: corsKey,
};

const common = section('E.15', 'endpoints');
const commonOf = section('E.15', 'endpoints.every');

/** What a rule for several endpoints may hold, and what its request may (language §E.15). */
function everyForm(further: RecordForm['keys'], title: string): RecordForm {
  const { headers, media, nesting, others } = requestKeys;
  const ofRequest = record({ headers, media, nesting, others, ...further } as typeof requestKeys);
  const { conditional, idempotency, cors, matching } = endpointKeys;
  const keys = {
    request: entry(ofRequest, commonOf('What the requests of these endpoints have in common.')),
    conditional,
    idempotency,
    cors,
    matching,
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
    let: keyOf(
      ownLets,
      section('E.19', 'endpoints.endpoint')('Names for expressions and templates of this endpoint (E.19).'),
    ),
  },
};

function keyOf(form: Form, about: About): DescribedKey {
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
      key: keyOf(point('endpoint', endpointForm), top('One method on one path.')),
    },
    {
      name: 'every METHOD /path',
      pattern: /^every (?:[A-Z][A-Z-]*|(?:[A-Z][A-Z-]* )?\/[^{\s]*)$/,
      key: keyOf(
        point('every', rules.plain),
        common(
          'The same on every endpoint of this method, and below this path, that does not state it (E.15).',
        ),
      ),
    },
    {
      name: 'every METHOD /path/{name}',
      pattern: /^every (?:[A-Z][A-Z-]* )?\/\S*\{\S*$/,
      key: keyOf(
        point('everyBelow', rules.below),
        common('The same; its `request` may also state `path`, for the parameters of this path.'),
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
  readonly paths: Said<readonly FurtherPath[]>;
  readonly matching: Said<readonly Matching[]>;
  readonly operation: Said<Placed>;
  readonly does: Said<Change>;
  readonly also: Said<readonly Change[]>;
  readonly request: Said<Request>;
  readonly response: Said<readonly Answer[]>;
  readonly conditional: Said<Conditional>;
  readonly idempotency: Said<Idempotency>;
  readonly cors: Said<Cors>;
}

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
    if (method === 'CONNECT') {
      const hint = 'CONNECT opens a tunnel to another host, and has no path (RFC 9110 §9.3.6)';
      reading.report('bad-endpoint', found.key, { key }, { hint });
      continue;
    }
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
