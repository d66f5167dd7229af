import { drop, get, type Node } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import { step } from '../../reading/address.ts';
import { answerFields } from '../../reading/field-name.ts';
import {
  type About,
  type DescribedKey,
  type Form,
  nameOf,
  own,
  point,
  type RecordForm,
  type Snippet,
  section,
  textOf,
} from '../../reading/form.ts';
import {
  asMap,
  entry,
  type Formed,
  formed,
  knownKeys,
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
import { expression, type PlacedTemplate } from '../../reading/templates.ts';
import { type Answer, answers } from '../answer.ts';
import { type Change, change, changes } from '../change.ts';
import { type Conditional, conditional } from '../endpoint/conditional.ts';
import { type Cors, corsKey } from '../endpoint/cors.ts';
import { type Examples, examplesKey, readExamples } from '../endpoint/examples.ts';
import { type Idempotency, idempotency } from '../endpoint/idempotency.ts';
import { type FurtherPath, type Matching, pathKeys, pathOf, type Segment } from '../paths.ts';
import { type Request, request, keys as requestKeys } from '../request.ts';

export type { Conditional } from '../endpoint/conditional.ts';
export type { Cors } from '../endpoint/cors.ts';
export type { Idempotency } from '../endpoint/idempotency.ts';

const about = section('4.1', 'endpoints.endpoint');
const top = section('4.1', 'endpoints');

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

/** Words of part 4 that are laid into every endpoint that does not state them, before it is read (language §E.15). */
const shared = {
  others: requestKeys.others,
  cors: corsKey,
  matching: pathKeys.matching,
};

const operationForm = point(
  'name',
  textOf('a name', nameOf('').pattern, nameOf('').message, { title: 'name' }),
);

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
  when: entry(
    expression,
    about('Of several operations on one path: whether a request means this one.', {
      rules: '10',
      must: 'choose the first whose condition holds',
      see: 'requests on both sides',
      open: 'any request',
    }),
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

/** `let` is written out before an endpoint is read (language §E.19), and `examples` state nothing (§4.6). */
const endpointForm: RecordForm = {
  ...(record(endpointKeys, { title: 'endpoint' }).form as RecordForm),
  keys: {
    ...endpointKeys,
    let: keyOf(
      ownLets,
      section('E.19', 'endpoints.endpoint')('Names for expressions and templates of this endpoint (E.19).'),
    ),
    examples: examplesKey,
  },
};

function keyOf(form: Form, about: About): DescribedKey {
  return { read: { form }, absence: 'value', literal: false, about };
}

/** Operations under one `METHOD /path`; each has a name. */
const alternativesForm: Form = {
  kind: 'own',
  says: 'a list of operations',
  within: () => [{ kind: 'list', of: point('endpoint', endpointForm), alone: false }],
  schema: (of) => ({
    type: 'array',
    minItems: 2,
    items: { allOf: [of(point('endpoint', endpointForm)), { required: ['operation'] }] },
  }),
};

const endpointsForm: Form = {
  kind: 'record',
  keys: { ...topKeys, ...shared },
  snippets,
  open: () => [
    {
      name: 'METHOD /path',
      pattern: /^[A-Z][A-Z-]* (?:\/[^/{}?#\s]*(?:\{[^{}/\s]+\}[^/{}?#\s]*)?)+$/,
      key: keyOf(
        {
          kind: 'any of',
          forms: [point('endpoint', endpointForm), alternativesForm],
        },
        top('One method on one path, or a list of operations of which a request means one.'),
      ),
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
  /** The `METHOD /path` that it has together with others; null: it is alone. */
  readonly among: string | null;
  /** Of several, whether a request means it. */
  readonly when: Said<PlacedTemplate>;
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
  readonly examples: Examples;
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
    const form = /^([A-Z][A-Z-]*) (\/\S*)(?: (\S+))?$/.exec(key);
    // What has a third part comes from a list, and its key is that of a name in it.
    const isListed = form?.[3] !== undefined && get(found.value, 'operation')?.span === found.key;
    if (form === null || (form[3] !== undefined && !isListed)) {
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
      const shown = get(of, 'examples');
      const read = record(endpointKeys)(of.kind === 'map' ? drop(of, 'examples') : of, inner, r);
      if (read === undefined) return undefined;
      const address = step(inner.address, 'examples');
      const examples = shown ? readExamples(shown, { address, at: inner.at }, r) : new Map();
      const among = isListed ? `${method} ${path}` : null;
      return { key, address: where.address, at: found.key, method, path: segments, among, examples, ...read };
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

function base(node: Node, place: { address: string; at: Span }, reading: Reading): string | undefined {
  const written = text(node, place, reading);
  if (written === undefined || /^(\/[^/{}?#\s]+)+$/.test(written)) return written;
  return reading.report('bad-base', node.span, { found: written });
}
