import type { Json } from '../source/node.ts';
import type { ConditionName } from '../specification/vocabulary/condition.ts';

/** What a point stands in, as far as a convention asks. */
export interface About {
  /** The method of the endpoint; null outside part 4. */
  readonly method: string | null;
  /** Whether the path ends in a parameter, and so is about one item. */
  readonly one: boolean;
  /** The resource that the operation is about; while that is open, the one that its path names, or the only one. */
  readonly resource: string | null;
  /** Whether the operation lists items. */
  readonly lists: boolean;
  /** What the answer tells of; null where that is open. */
  readonly comesTo: 'created' | 'shown' | 'changed' | 'deleted' | null;
  /** Whether the answer has content; null where that is open. */
  readonly content: boolean | null;
  /** The names of the fields of the resource that the point is in. */
  readonly fields: readonly string[];
  /** The type of the field that the point is in; null where it is open, or one of several. */
  readonly type: Json;
  /** The conditions of the row that the point is in. */
  readonly conditions: readonly ConditionName[];
}

/** What the field usually does at a point. It is offered with its source, and never taken by itself. */
export interface Convention {
  /** The addresses of the open points that it is about. */
  readonly at: RegExp;
  /** Where it fits; everywhere, where this is left out. */
  readonly where?: (about: About) => boolean;
  readonly value: Json | ((about: About) => Json);
  /** Why one would, in a few words. */
  readonly why: string;
  readonly source: string;
}

const does = /^endpoints\["[A-Z]+ .*"\]\.does$/;
const success = /^endpoints\["[A-Z]+ .*"\]\.response(\[\d+\])?\.status$/;
const body = /^endpoints\["[A-Z]+ .*"\]\.response(\[\d+\])?\.body$/;
const query = /^endpoints\["[A-Z]+ .*"\]\.request\.query$/;
const others = /^endpoints\["[A-Z]+ .*"\]\.request\.others(\.(body|query))?$/;
const identifier = /^resources\.[^.]+\.identifier$/;
const made = /^resources\.[^.]+\.fields\..+\.set\.create$/;
const refusal = /^errors\.codes\.[^.]+\.status$/;

/** What the methods of HTTP are for (RFC 9110 §9.3), done to the resource that the path names. */
const methods: readonly (readonly [method: string, one: boolean | null, verb: string, source: string])[] = [
  ['GET', true, 'read', 'RFC 9110 §9.3.1'],
  ['GET', false, 'list', 'RFC 9110 §9.3.1'],
  ['POST', false, 'create', 'RFC 9110 §9.3.3'],
  ['PUT', true, 'replace', 'RFC 9110 §9.3.4'],
  ['PATCH', true, 'update', 'RFC 5789 §2'],
  ['DELETE', true, 'delete', 'RFC 9110 §9.3.5'],
];

/** What a request comes to, and the status that says so: with content, without, or either (null). */
const successes: readonly (readonly [
  comesTo: About['comesTo'],
  content: boolean | null,
  status: number,
  why: string,
  source: string,
])[] = [
  ['created', null, 201, 'an item was made', 'RFC 9110 §15.3.2'],
  ['shown', null, 200, 'the answer holds what was asked for', 'RFC 9110 §15.3.1'],
  ['changed', true, 200, 'the answer shows what came of it', 'RFC 9110 §15.3.1'],
  ['changed', false, 204, 'it was done, and there is nothing to show', 'RFC 9110 §15.3.5'],
  ['deleted', false, 204, 'it is gone, and there is nothing to show', 'RFC 9110 §9.3.5, §15.3.5'],
  ['deleted', true, 200, 'it is gone, and the answer says how', 'RFC 9110 §9.3.5, §15.3.1'],
];

/** The statuses of refusals, by the condition that causes them (language §H.4). */
const refusals: readonly (readonly [
  condition: ConditionName,
  status: number,
  why: string,
  source: string,
])[] = [
  ['malformed', 400, 'the message cannot be read', 'RFC 9110 §15.5.1'],
  ['unknown path', 404, 'there is nothing at this path', 'RFC 9110 §15.5.5'],
  ['method not allowed', 405, 'the method is known, and not for this path', 'RFC 9110 §15.5.6'],
  ['version missing', 400, 'the request lacks what it needs', 'RFC 9110 §15.5.1'],
  ['version unknown', 400, 'the request names what is not there', 'RFC 9110 §15.5.1'],
  ['version retired', 410, 'it was there, and will not come back', 'RFC 9110 §15.5.11'],
  ['credential missing', 401, 'a credential is needed', 'RFC 9110 §15.5.2'],
  ['credential wrong', 401, 'a good credential is needed', 'RFC 9110 §15.5.2'],
  ['rate exceeded', 429, 'too many requests in a time', 'RFC 6585 §4'],
  ['too large', 413, 'there is more content than is taken', 'RFC 9110 §15.5.14'],
  ['timed out', 503, 'it could not be done in time', 'RFC 9110 §15.6.4'],
  ['unsupported media', 415, 'this media type is not taken', 'RFC 9110 §15.5.16'],
  ['not acceptable', 406, 'there is no form that the client would take', 'RFC 9110 §15.5.7'],
  ['unknown', 404, 'there is no such item', 'RFC 9110 §15.5.5'],
  ['not authorized', 403, 'it is understood, and refused', 'RFC 9110 §15.5.4'],
  ['gone', 410, 'there was such an item, and it was deleted', 'RFC 9110 §15.5.11'],
  ['not authorized', 404, 'it conceals that there is such an item', 'RFC 9110 §15.5.4'],
  ['invalid', 422, 'it can be read, and does not fit', 'RFC 9110 §15.5.21'],
  ['invalid', 400, 'it is a mistake of the client', 'RFC 9110 §15.5.1'],
  ['key missing', 400, 'the key is needed', 'draft-ietf-httpapi-idempotency-key-header'],
  ['key reused', 422, 'the key came with another request', 'draft-ietf-httpapi-idempotency-key-header'],
  ['key busy', 409, 'the first request is under way', 'draft-ietf-httpapi-idempotency-key-header'],
  ['precondition missing', 428, 'the request must be conditional', 'RFC 6585 §3'],
  ['precondition failed', 412, 'what was required does not hold', 'RFC 9110 §15.5.13'],
  ['range not satisfiable', 416, 'the range lies past the end', 'RFC 9110 §15.5.17'],
  ['wrong credentials', 401, 'a good credential is needed', 'RFC 9110 §15.5.2'],
  ['transition refused', 409, 'its state does not allow this', 'RFC 9110 §15.5.10'],
  ['guard refused', 409, 'its state does not allow this', 'RFC 9110 §15.5.10'],
  ['not unique', 409, 'it conflicts with another item', 'RFC 9110 §15.5.10'],
  ['different', 409, 'it conflicts with what is there', 'RFC 9110 §15.5.10'],
  ['in use', 409, 'others refer to it', 'RFC 9110 §15.5.10'],
  ['invariant broken', 409, 'it would conflict with what must hold', 'RFC 9110 §15.5.10'],
  ['quota exceeded', 403, 'the client has used up its share', 'RFC 9110 §15.5.4'],
  ['internal', 500, 'it is a fault of the service', 'RFC 9110 §15.6.1'],
];

/** A problem, as far as it can be told of any error (RFC 9457 §3.1, §4.2.1). */
const problem = {
  media: 'application/problem+json',
  body: {
    type: 'about:blank',
    status: '${error.status}',
    detail: '${error.message}',
  },
};

/** Every convention, by the point that it is about; at one point the more usual comes first. */
export const conventions: readonly Convention[] = [
  ...methods.map(
    ([method, one, verb, source]): Convention => ({
      at: does,
      where: (about) => about.method === method && about.one === one && about.resource !== null,
      value: ({ resource }) => `${verb} ${resource}`,
      why: `what ${method} is for`,
      source,
    }),
  ),
  ...successes.map(
    ([comesTo, content, value, why, source]): Convention => ({
      at: success,
      where: (about) =>
        about.comesTo === comesTo &&
        (content === null || about.content === null || about.content === content),
      value,
      why,
      source,
    }),
  ),
  {
    at: body,
    where: ({ comesTo, lists, resource }) => comesTo === 'shown' && !lists && resource !== null,
    value: ({ resource }) => resource,
    why: 'the item that the path names, as it is now',
    source: 'RFC 9110 §9.3.1',
  },
  {
    at: body,
    where: ({ comesTo, resource }) => comesTo === 'created' && resource !== null,
    value: ({ resource }) => resource,
    why: 'the item that was made',
    source: 'RFC 9110 §15.3.2',
  },
  {
    at: body,
    where: ({ comesTo, resource }) => comesTo === 'changed' && resource !== null,
    value: ({ resource }) => resource,
    why: 'the item, as it became',
    source: 'RFC 9110 §15.3.1',
  },
  {
    at: body,
    where: ({ lists, resource }) => lists && resource !== null,
    value: ({ resource }) => `\${${resource}(page.items)}`,
    why: 'the items',
    source: 'RFC 9110 §9.3.1',
  },
  {
    at: body,
    where: ({ lists, resource }) => lists && resource !== null,
    value: ({ resource }) => ({ items: `\${${resource}(page.items)}`, next_page_token: '${page.next}' }),
    why: 'the items, and where the next ones begin',
    source: 'Google AIP-158',
  },
  {
    at: query,
    where: ({ lists }) => lists,
    value: { page_size: { page: 'size', type: 'integer', minimum: 1 }, page_token: { page: 'cursor' } },
    why: 'a list may grow longer than one answer',
    source: 'Google AIP-158',
  },
  {
    at: others,
    value: 'ignore',
    why: 'newer clients may send more than an older service knows',
    source: 'RFC 7493 §4.2',
  },
  { at: others, value: 'refuse', why: 'a mistake shows at once, and is mended', source: 'RFC 9413' },
  {
    at: identifier,
    where: ({ fields }) => fields.includes('id'),
    value: 'id',
    why: 'the field that is called so',
    source: 'JSON:API 1.1, Resource Object Identification',
  },
  {
    at: made,
    where: ({ type }) => type === null || type === 'string',
    value: '${uuid()}',
    why: 'no two are alike, and none can be guessed',
    source: 'RFC 9562 §5.4',
  },
  {
    at: made,
    where: ({ type }) => type === null || type === 'string',
    value: '${uuid(7)}',
    why: 'no two are alike, and they sort by time',
    source: 'RFC 9562 §5.7',
  },
  {
    at: /^endpoints\.protocol$/,
    value: 'RFC 9110',
    why: 'the tester then judges what HTTP obliges to',
    source: 'RFC 9110 §2.1',
  },
  { at: /^errors\.payload$/, value: problem, why: 'one form for all errors', source: 'RFC 9457 §3' },
  ...refusals.map(
    ([condition, value, why, source]): Convention => ({
      at: refusal,
      where: ({ conditions }) => conditions.includes(condition),
      value,
      why,
      source,
    }),
  ),
  {
    at: /^errors\.codes\.[^.]+\.headers\.Retry-After$/,
    where: ({ conditions }) => conditions.includes('rate exceeded'),
    value: '${rate.reset}',
    why: 'says when to come again',
    source: 'RFC 6585 §4, RFC 9110 §10.2.3',
  },
  {
    at: /^events\.envelope$/,
    value: 'cloudevents',
    why: 'one form for all events',
    source: 'CloudEvents 1.0',
  },
  {
    at: /^versioning\.scheme$/,
    value: 'number',
    why: 'major versions alone',
    source: 'Google AIP-185',
  },
  {
    at: /^versioning\.scheme$/,
    value: 'semver',
    why: 'says what may break',
    source: 'Semantic Versioning 2.0.0',
  },
  {
    at: /^versioning\.place$/,
    value: { path: '/v' },
    why: 'the version is seen in every address',
    source: 'Google AIP-185',
  },
];
