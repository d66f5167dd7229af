import { type Document, type Json, type Members, nodes, opened, type Path, without } from '../document.ts';
import type { Random } from './random.ts';

/** A document of an example, while it is open who may ask. */
export function openExample(name: string): Document {
  return opened(new URL(`../../documents/open/${name}.md`, import.meta.url), name);
}

/** What is left of a document where some of its statements are taken out, and some are asked in their place. */
export function partOf(full: Document, { below, chance, pick }: Random): Document {
  const places = nodes(full);
  const cuts: Path[] = [];
  let asked = structuredClone(full);
  for (let left = below(7); left > 0; left--) {
    const place = pick(places);
    if (chance(0.35)) asked = replaced(asked, place, '(open) which?');
    else cuts.push(place);
  }
  return { ...without(asked, ...cuts), ...(chance(0.5) && { complete: true }) };
}

function replaced(document: Document, path: Path, value: Json): Document {
  const changed = structuredClone(document);
  const holder = path
    .slice(0, -1)
    .reduce<Json | undefined>((here, name) => (here as Members | undefined)?.[name], changed);
  const last = path.at(-1) as string;
  if (typeof holder === 'object' && holder !== null && last in holder) (holder as Members)[last] = value;
  return changed;
}

/** A document of one or two resources, made by chance. */
export function generated({ chance, pick }: Random): Document {
  const two = chance(0.6);
  const moves = chance(0.6);
  const pages = chance(0.6);
  const payload = chance(0.8);
  const maybe = (share: number, statement: Members): Members => (chance(share) ? statement : {});
  const status = (code: number): number => (chance(0.9) ? code : pick([200, 202]));
  const thing = {
    identifier: 'id',
    fields: {
      id: pick<Members>([
        { type: 'string', format: 'uuid', set: { create: '${uuid()}' } },
        { type: 'string', set: { create: "${'t_' + random(8)}" } },
        { type: 'string', minLength: 1, maxLength: 50 },
        { type: 'string', format: 'uuid', set: { create: '(any)' } },
      ]),
      title: {
        type: 'string',
        ...maybe(0.6, { minLength: 1 }),
        ...maybe(0.4, { maxLength: 100 }),
        ...maybe(0.3, { unique: pick([true, 'caseless']) }),
      },
      count: { type: 'integer', ...maybe(0.5, { default: 3 }), ...maybe(0.4, { minimum: 0, maximum: 100 }) },
      ...maybe(0.5, { madeAt: { type: 'string', format: 'date-time', set: { create: '${now}' } } }),
      ...maybe(0.5, { twice: { type: 'string', derived: '${this.title}, again' } }),
      ...maybe(0.3, { number: { type: 'integer', set: { create: '${sequence()}' } } }),
      ...maybe(0.3, { note: { type: 'string', readable: pick<Json>([false, true, '(open)']) } }),
      ...maybe(0.3, { free: '(open) what?' }),
      ...(moves && { state: { type: 'string' } }),
      ...(two && {
        owner: { refers: 'Owner', ...maybe(0.7, { ifDeleted: pick(['refuse', 'delete', 'keep']) }) },
      }),
    },
    ...maybe(0.8, { required: ['title'] }),
  };
  const row = (when: Json, code: number): Members => ({
    when,
    ...maybe(0.85, { status: code }),
    ...maybe(0.7, { message: 'no' }),
  });
  const endpoint = (does: string, code: number, more: Members = {}): Members => ({
    does,
    ...more,
    response: {
      status: status(code),
      ...(code === 204
        ? {}
        : maybe(0.85, { body: pick<Json>(['Thing', { data: '${Thing(this)}', kind: 'thing' }]) })),
    },
  });
  return {
    name: 'Things',
    tacet: 1,
    resources: {
      Thing: thing as unknown as Members,
      ...(two && {
        Owner: {
          identifier: 'id',
          fields: { id: { type: 'string', minLength: 1 }, name: { type: 'string' } },
        },
      }),
    },
    ...(moves && {
      states: {
        'Thing.state': {
          states: ['new', 'open', 'closed'],
          initial: 'new',
          transitions: {
            start: { from: 'new', to: 'open', ...maybe(0.5, { when: '${this.count > 2}' }) },
            finish: {
              from: ['new', 'open'],
              to: pick(['closed', '(none)']),
              ...maybe(0.3, { set: { count: 0 } }),
            },
          },
        },
      },
    }),
    endpoints: {
      ...maybe(0.9, { others: pick(['refuse', 'ignore']) }),
      'POST /things': endpoint('create Thing', 201, { request: { body: 'Thing' } }),
      'GET /things/{id}': endpoint(
        'read Thing',
        200,
        maybe(0.4, { conditional: { etag: 'strong', ifNoneMatch: 'allowed' } }),
      ),
      'PATCH /things/{id}': endpoint('update Thing', 200, { request: { body: 'Thing' } }),
      'DELETE /things/{id}': endpoint('delete Thing', 204),
      'GET /things': {
        does: 'list Thing',
        ...(pages && {
          request: {
            query: {
              limit: { page: 'size', minimum: 1, default: 2 },
              after: { page: 'cursor' },
              count: { filter: 'count', type: 'integer' },
            },
          },
        }),
        response: {
          status: 200,
          body: pages ? { items: '${Thing(page.items)}', next: '${page.next}' } : '${Thing(page.items)}',
        },
      },
      ...(moves && {
        'POST /things/{id}/start': endpoint('start Thing', 200),
        'POST /things/{id}/finish': endpoint('finish Thing', 200),
      }),
      ...(two && {
        'PUT /owners/{id}': {
          does: { create: 'Owner', present: pick(['match', 'keep', 'update']) },
          request: { body: 'Owner' },
          response: [
            { when: 'created', status: 201, body: 'Owner' },
            { status: 200, body: 'Owner' },
          ],
        },
        'DELETE /owners/{id}': { does: 'delete Owner', response: 204 },
      }),
    },
    ...(payload && {
      errors: {
        payload: {
          body: pick<Members>([
            { code: '${error.code}', message: '${error.message}' },
            { error: { code: '${error.code}', failures: '${error.failures}' } },
          ]),
        },
        codes: {
          ...maybe(0.7, { gone: row(pick(['unknown', 'unknown Thing']), 404) }),
          ...maybe(0.7, { invalid: row('invalid', 422) }),
          ...maybe(0.5, { broken: row('malformed', 400) }),
          ...maybe(0.4, { nowhere: row('unknown path', 404) }),
          ...maybe(0.4, { media: row('unsupported media', 415) }),
          ...maybe(0.5, { stuck: row(moves ? ['transition refused', 'guard refused'] : 'not unique', 409) }),
        },
      },
    }),
  };
}
