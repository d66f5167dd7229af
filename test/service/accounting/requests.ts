import type { Answer, Sent } from '../accountant.ts';
import { type Json, list, type Members, map } from '../document.ts';
import { machines } from './conditions.ts';
import { isWritable } from './items.ts';
import type { Kept } from './kept.ts';
import type { Random } from './random.ts';

const stranger = '0a1b2c3d-0000-4000-8000-00000000000f';
const oddities: readonly Json[] = [null, 5, -1, 1.5, '', 'x', true, [], {}, ['a', 'a'], 'x'.repeat(300)];

/** A request for an operation of the whole document, be it stated in what is left of it or not: mostly a good one. */
export function requestFor(
  document: Members,
  kept: Kept,
  earlier: readonly { readonly sent: Sent; readonly answer: Answer }[],
  random: Random,
): Sent {
  const { chance, pick } = random;
  if (earlier.length > 0 && chance(0.08)) return (pick(earlier) as { sent: Sent }).sent;
  const endpoints = map(document['endpoints']);
  const key = pick(Object.keys(endpoints).filter((one) => one.includes(' ')));
  const [method = '', pattern = ''] = key.split(' ');
  const request = map(map(endpoints[key])['request']);
  const known = Object.entries(kept).flatMap(([name, items]) => items.map((item) => ({ name, item })));
  const keyed = (resource: string, field: string): string => {
    const values = known.filter(({ name }) => name === resource).map(({ item }) => item[field]);
    if (values.length > 0 && !chance(0.1)) return encodeURIComponent(String(pick(values)));
    return pick([stranger, 'first', 'none', '%zz']);
  };
  const target = pattern.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const bound = map(request['path'])[name];
    const [resource = '', field = ''] = String(bound ?? '').split(/[. ]/);
    if (resource !== '') return keyed(resource, field);
    const about = JSON.stringify(map(endpoints[key])['does'] ?? '');
    const subject = Object.keys(map(document['resources'])).find((one) => about.includes(one)) ?? '';
    return keyed(subject, name);
  });
  const value = (shape: Json): Json => {
    if (chance(0.08)) return pick(oddities);
    const found = map(typeof shape === 'string' ? map(document['resources'])[shape] : shape);
    if (found['refers'] !== undefined) {
      const [resource = '', field = 'id'] = String(found['refers']).split('.');
      return keyed(resource, field);
    }
    if (found['enum'] !== undefined) return pick(found['enum'] as Json[]);
    if (found['fields'] !== undefined) return members(found, Object.keys(map(found['fields'])), false);
    if (found['type'] === 'array') return [value(found['items'] ?? {})];
    if (found['type'] === 'integer') return pick([1, 7, 20, 25000]);
    if (found['type'] === 'boolean') return chance(0.5);
    if (found['type'] === 'object') return pick<Json>([{}, { a: 1, b: [null] }]);
    if (found['format'] === 'uuid') return keyed(pick(Object.keys(kept)) ?? '', 'id');
    if (found['format'] === 'email') return `${pick(['a', 'b', 'C'])}@example.test`;
    if (found['format'] === 'uri') return 'https://example.test/hook';
    if (found['pattern'] !== undefined) return pick(['DE', 'https://x.test', 'de']);
    return pick(['milk', 'Käse "1"', 'a b']);
  };
  const members = (shape: Members, names: readonly string[], partly: boolean): Members => ({
    ...Object.fromEntries(
      names.flatMap((name) => {
        const needed = list(shape['required']).includes(name) && !partly;
        return chance(needed ? 0.06 : 0.5) ? [] : [[name, value(map(shape['fields'])[name] ?? {})]];
      }),
    ),
    ...(chance(0.05) && { foo: 1 }),
  });
  const content = (): string | null => {
    const { body } = request;
    if (body === undefined) return chance(0.9) ? null : '{"a":1}';
    if (chance(0.04)) return pick(['', '{', '[]', 'null', '{"a":1,"a":2}']);
    const named = typeof body === 'string';
    const shape = named ? map(map(document['resources'])[body]) : map(body);
    const state = named ? machines(document, body).map(([field]) => field) : [];
    const names = Object.entries(map(shape['fields'])).flatMap(([name, field]) =>
      !named || isWritable(map(field), state.includes(name)) || chance(0.03) ? [name] : [],
    );
    return JSON.stringify(members(shape, names, method === 'PATCH'));
  };
  const query = Object.entries(map(request['query'])).flatMap(([name, shape]) =>
    chance(map(shape)['required'] === true ? 0.9 : 0.4)
      ? [`${name}=${encodeURIComponent(String(value(shape)))}`]
      : [],
  );
  if (chance(0.04)) query.push('foo=1');
  const body = ['GET', 'DELETE'].includes(method) ? null : content();
  const tags = earlier.flatMap(({ answer }) =>
    answer.fields.filter(([name]) => name === 'ETag').map(([, tag]) => tag),
  );
  const match = pick([...tags.slice(-3), '*', '"none"']);
  return {
    method: chance(0.04)
      ? pick(['PUT', 'TRACE', 'OPTIONS', 'HEAD'])
      : method === 'GET' && chance(0.1)
        ? 'HEAD'
        : method,
    target:
      (chance(0.02) ? pick(['/none', '/a//b', '/%zz']) : target) +
      (query.length > 0 ? `?${query.join('&')}` : ''),
    body,
    fields: {
      ...(body !== null && {
        'Content-Type': chance(0.04) ? 'text/plain' : String(request['media'] ?? 'application/json'),
      }),
      ...versionIn(map(document['versioning']), random),
      ...(method === 'PATCH' && chance(0.7) && { 'If-Match': match }),
      ...(method === 'GET' && chance(0.2) && { 'If-None-Match': match }),
      ...(method === 'POST' && chance(0.15) && { 'Idempotency-Key': pick(['one', 'two']) }),
    },
  };
}

/** A header field that names the newest version, mostly, or what is none. */
function versionIn({ place, versions, default: usual }: Members, { chance, pick }: Random): Sent['fields'] {
  const { header } = map(place);
  const [newest = ''] = Object.keys(map(versions));
  if (header === undefined || (usual !== '(none)' && chance(0.5))) return {};
  return chance(0.05) ? {} : { [String(header)]: chance(0.9) ? newest : pick(['', 'none']) };
}
