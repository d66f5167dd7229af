import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { namesOf, type Stated } from './answers.ts';

/** Fields that RFC 9110 and RFC 9112 let any server send, whatever it serves (language §F.1). */
const ofAnyServer = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'via',
];

/** Fields that go with a status (RFC 9110 §10.2.1, §10.2.3, §11.6.1, §12.5.1). */
const ofStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  415: ['accept', 'accept-patch'],
  503: ['retry-after'],
};

/** The names, in lower case, of the header fields that an answer may have: stated, or brought by HTTP. */
export function fieldsStated(
  of: Specification,
  operation: Operation | null,
  answers: readonly Stated[],
  status: number,
): ReadonlySet<string> {
  const endpoints = stated(of.endpoints);
  const versioning = stated(of.versioning);
  const conditional = operation && stated(operation.endpoint.conditional);
  const replay = operation && stated(stated(operation.endpoint.idempotency)?.replay);
  const hasCors = operation
    ? operation.cors.kind === 'stated'
    : of.operations.some(({ cors }) => cors.kind === 'stated');
  const names = [
    ...ofAnyServer,
    ...(ofStatus[status] ?? []),
    ...answers.flatMap(({ headers }) => headers),
    ...(answers.some(hasContent) || isStream(of, operation) ? ['content-type'] : []),
    ...(endpoints ? namesOf(endpoints.headers) : []),
    ...(conditional ? ['etag', 'last-modified'] : []),
    // RFC 9110 §14.3, §14.4.
    ...(conditional && stated(conditional.ranges) ? ['accept-ranges', 'content-range'] : []),
    ...(replay ? namesOf(replay.headers) : []),
    ...(hasCors ? ['access-control-'] : []),
    ...(versioning ? ['deprecation', 'sunset'] : []),
    ...rateFields(of),
  ];
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Whether events come in place of its content (language §6.3). */
function isStream(of: Specification, operation: Operation | null): boolean {
  const ways = stated(stated(of.events)?.delivery)?.values() ?? [];
  return [...ways].some((said) => {
    const way = stated(said);
    return way?.kind === 'stream' && operation !== null && stated(way.stream)?.text === operation.key;
  });
}

/** Whether content is stated, or stated to be free. */
function hasContent({ body, shape, media }: Stated): boolean {
  return [body, shape, media].some(({ kind }) => kind === 'stated' || kind === 'any');
}

/** What tells how much of a rate is left (language §8.2). */
function rateFields(of: Specification): string[] {
  return [...(stated(stated(of.limits)?.rates)?.values() ?? [])].flatMap((said) => {
    const headers = stated(stated(said)?.headers);
    if (headers?.kind === 'draft-10') return ['ratelimit', 'ratelimit-policy'];
    return headers ? [...headers.fields.keys()] : [];
  });
}

/** The fields of CORS begin alike. */
export function isField(names: ReadonlySet<string>, name: string): boolean {
  const field = name.toLowerCase();
  return names.has(field) || (field.startsWith('access-control-') && names.has('access-control-'));
}
