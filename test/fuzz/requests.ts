import { type Document, type Json, list, type Members, map } from '../service/document.ts';
import type { Chance } from './chance.ts';

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An operation as its document states it. */
export interface Stated {
  readonly key: string;
  readonly verb: string;
  readonly resource: string;
  readonly endpoint: Members;
}

/** The operations of a document, those that make items first. */
export function operationsIn(document: Document): Stated[] {
  const endpoints = map(document['endpoints']);
  const stated = Object.entries(endpoints).flatMap(([key, endpoint]) => {
    if (!/^[A-Z]+ \//.test(key)) return [];
    const does = map(endpoint)['does'];
    const [verb = '', resource = ''] =
      typeof does === 'string' ? does.split(/ (?:every )?/) : (Object.entries(map(does))[0] ?? []);
    return [{ key, verb, resource: String(resource).replace('every ', ''), endpoint: map(endpoint) }];
  });
  const rank = ({ verb }: Stated): number => ['create', 'read', 'list'].indexOf(verb) + 1 || 4;
  return stated.sort((a, b) => rank(a) - rank(b));
}

/** The keys of items that are known by now, by resource. */
export type Keys = Map<string, string[]>;

/** Names and passwords that the operator gives (language §5.2), and those of the items that documents begin with. */
const credentials: readonly Readonly<Record<string, string>>[] = [
  { 'X-Key': 'key-ann' },
  { 'X-Key': 'key-bob' },
  { Authorization: `Basic ${btoa('email-ann:password-ann')}` },
  { Authorization: `Basic ${btoa('office:secret')}` },
  { Authorization: 'Bearer secret' },
  {},
];

/** A request that is most likely well formed: its parameters and body are made from the shapes that stand there. */
export function wellFormed(document: Document, stated: Stated, keys: Keys, chance: Chance): Sent {
  const [method = '', path = ''] = stated.key.split(' ');
  const { resource, endpoint } = stated;
  const request = map(endpoint['request']);
  const base = map(document['endpoints'])['base'];
  const place = map(map(document['versioning'])['place']);
  const prefix = typeof place['path'] === 'string' ? '/v2026-11-01' : '';
  const bound = map(request['path']);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const of = typeof bound[name] === 'string' ? (bound[name].split('.')[0] as string) : resource;
    return encodeURIComponent(chance.pick(keys.get(of) ?? ['ann', 'bob']));
  });
  const query = parametersOf(request['query'], chance);
  if (typeof place['query'] === 'string' && chance.percent(80)) query.push([place['query'], '2026-11-01']);
  const contents = Object.entries(map(request['content']));
  const [type, entry] = contents.length === 0 ? [] : chance.pick(contents);
  const own = entry === undefined ? request : map(entry);
  const media = type?.replace('*', 'plain') ?? list(request['media'])[0] ?? 'application/json';
  const body = own['body'] === undefined ? undefined : bodyOf(own['body'], stated, document, keys, chance);
  const under = own['under'];
  const wrapped = typeof under === 'string' && body !== undefined ? { [under]: body } : body;
  const fields: Record<string, string> = {
    ...Object.fromEntries(parametersOf(request['headers'], chance)),
    ...(document['authentication'] !== '(none)' && chance.pick(credentials)),
    ...(endpoint['idempotency'] !== undefined && { 'Idempotency-Key': `k${chance.between(1, 6)}` }),
    ...(endpoint['conditional'] !== undefined &&
      chance.percent(70) && {
        [chance.pick(['If-Match', 'If-None-Match'])]: chance.pick(['*', '"x"', 'W/"y"']),
      }),
    ...(typeof place['header'] === 'string' &&
      chance.percent(80) && { [place['header']]: chance.pick(['2026-11-01', '2026-01-15']) }),
    ...(wrapped !== undefined && { 'Content-Type': media }),
    ...(chance.percent(10) && {
      Accept: chance.pick(['text/plain', 'multipart/*', 'text/*;q=0.5, */*;q=0.1']),
    }),
  };
  const search = query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return {
    method,
    target: `${prefix}${typeof base === 'string' ? base : ''}${filled}${search === '' ? '' : `?${search}`}`,
    fields,
    body: wrapped === undefined ? null : written(wrapped, media),
  };
}

function written(body: Json, media: string): string {
  if (media.startsWith('text/') && typeof body === 'string') return body;
  if (!media.includes('form-urlencoded')) return JSON.stringify(body);
  const pairs = Object.entries(map(body)).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one) => [name, typeof one === 'object' ? JSON.stringify(one) : String(one)] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

function parametersOf(said: Json | undefined, chance: Chance): [string, string][] {
  return Object.entries(map(said)).flatMap(([name, parameter]) => {
    const of = map(parameter);
    if (of['required'] !== true && chance.percent(60)) return [];
    const { page, sort } = of;
    if (page === 'cursor' || page === 'after' || page === 'before')
      return chance.percent(10) ? [[name, 'nothing']] : [];
    if (page !== undefined) return [[name, String(chance.between(1, 3))]];
    if (sort !== undefined)
      return [
        [
          name,
          chance
            .some(list(sort), 50)
            .map((one) => (chance.percent(50) ? `-${one}` : one))
            .join(','),
        ],
      ];
    const value = sample(of['type'] === undefined ? { type: 'string' } : of, chance);
    return [[name, typeof value === 'object' ? [value].flat().join(',') : String(value)]];
  });
}

function bodyOf(of: Json, stated: Stated, document: Document, keys: Keys, chance: Chance): Json {
  const name = typeof of === 'string' ? of : map(of)['of'];
  const resource = map(map(document['resources'])[typeof name === 'string' ? name : '']);
  const shape = typeof name === 'string' ? resource : map(of);
  if (list(map(stated.endpoint['request'])['media']).includes('application/json-patch+json'))
    return [{ op: 'add', path: `/${Object.keys(map(shape['fields']))[1] ?? 'a'}`, value: 'abc' }];
  const required = list(shape['required']);
  const members = Object.entries(map(shape['fields'])).flatMap(([field, statement]): [string, Json][] => {
    const { set, derived, readOnly, writable, refers } = map(statement);
    if (set !== undefined || derived !== undefined || readOnly === true || writable === false) return [];
    const machines = Object.keys(map(document['states']));
    if (machines.includes(`${String(name)}.${field}`) && writable !== true) return [];
    const isIdentifier = shape['identifier'] === field;
    if (isIdentifier && (stated.verb !== 'create' || stated.key.includes('{id}'))) return [];
    if (isIdentifier || required.includes(field) || chance.percent(65)) {
      if (typeof refers === 'string') {
        const known = keys.get(refers.split('.')[0] as string) ?? [];
        return known.length > 0 ? [[field, numbered(chance.pick(known))]] : [];
      }
      return [[field, sample(map(statement), chance)]];
    }
    return [];
  });
  return Object.fromEntries(members);
}

function numbered(key: string): Json {
  return /^\d+$/.test(key) ? Number(key) : key;
}

/** A value of a shape, most likely one that fits. */
export function sample(shape: Members, chance: Chance): Json {
  const { enum: values, format, pattern, multipleOf } = shape;
  if (Array.isArray(values) && values.length > 0) return chance.pick(values);
  const [type] = list(shape['type']);
  const number = chance.between(Number(shape['minimum'] ?? 1), Math.min(Number(shape['maximum'] ?? 60), 60));
  switch (type) {
    case 'integer':
      return typeof multipleOf === 'number' ? number * multipleOf : number;
    case 'number':
      return chance.pick([0.5, 2, 1e3, 12.75]);
    case 'boolean':
      return chance.percent(50);
    case 'array':
      return chance.some(['a', 'b', 'né'], 50);
    case 'object':
      return { street: 'a street', ...(chance.percent(50) && { town: 'b' }) };
    case 'string':
      if (format === 'date-time') return chance.pick(['2026-01-02T03:04:05Z', '2027-05-05T00:00:00.5+02:00']);
      if (format === 'email') return `a${chance.between(1, 99)}@example.org`;
      if (format === 'uuid') return '0a1b2c3d-0000-4000-8000-000000000001';
      if (format === 'uri') return 'https://hooks.invalid/x';
      if (shape['minLength'] === 1 && chance.percent(30)) return chance.pick(['email-ann', 'password-ann']);
      if (pattern !== undefined) return chance.pick(['abc', 'xyz', 'q']);
      return chance.pick(['abc', 'Zed', 'ann', 'né e', `t${chance.between(1, 999)}`]);
    default:
      return chance.pick<Json>(['any', 3, null, { a: [1] }]);
  }
}

/** The request with something wrong about it. */
export function malformed(sent: Sent, chance: Chance): Sent {
  const bodies = [
    '{',
    '[]',
    'null',
    '{"a":1,"a":2}',
    '{"id":{"x":[null]}}',
    '"\\ud800"',
    '{"title":12345678901234567890}',
    '',
    '{"__proto__":{},"a":null,"title":null}',
    '[{"op":"move","from":"/id","path":"/id/x"}]',
  ];
  return chance.pick<() => Sent>([
    () => ({ ...sent, body: chance.pick(bodies) }),
    () => ({ ...sent, body: chance.pick(bodies) }),
    () => ({
      ...sent,
      target: `${sent.target}${sent.target.includes('?') ? '&' : '?'}${chance.pick(['x=1', 'size=-1', 'size=x', 'cursor=%00', 'q=%ff', 'sort=,-', 'sort=id,id', 'offset=9e9', 'by='])}`,
    }),
    () => ({
      ...sent,
      target: sent.target.replace(
        /\/[^/?]+(?=\?|$)/,
        chance.pick(['/nobody', '/%20', '/0', '/-1', '/1e3', '/%2F', '/a%00', `/${'z'.repeat(300)}`]),
      ),
    }),
    () => ({
      ...sent,
      fields: {
        ...sent.fields,
        'Content-Type': chance.pick([
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          ';',
        ]),
      },
    }),
    () => ({
      ...sent,
      fields: {
        ...sent.fields,
        [chance.pick([
          'If-Match',
          'If-None-Match',
          'Idempotency-Key',
          'Authorization',
          'X-Key',
          'X-Version',
          'Accept',
          'Range',
        ])]: chance.pick(['', '"', 'x', 'Basic !!', '*', 'Bearer a.b.c', 'bytes=0-1']),
      },
    }),
    () => ({ ...sent, method: chance.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'QUERY']) }),
  ])();
}
