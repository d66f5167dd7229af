import type { Field, Fn, Statements } from './kinds.ts';

/** Part 4, as the desk keeps to it. */

const json = 'application/json';
const path = { id: 'id' };

/** The item that an answer is about; `show` turns it into what the request's version shows. */
type Show = (resource: string) => Fn;

export function endpoints(show: Show, showAll: Show): Statements['endpoints'] {
  const place: Field = { type: 'string', minLength: 1, maxLength: 100, readable: true, writable: true };
  const heavier = { 'filter~>': true };
  return {
    'POST /accounts': {
      operation: 'registerAccount',
      does: { verb: 'create', resource: 'Account' },
      request: { media: json, body: { of: 'Account' }, others: 'refuse' },
      response: {
        status: 201,
        media: json,
        body: {
          id: ({ item }) => item?.['id'],
          email: ({ item }) => item?.['email'],
          role: ({ item }) => item?.['role'],
          key: ({ item }) => item?.['key'],
        },
      },
    },
    'POST /parcels': {
      operation: 'registerParcel',
      does: { verb: 'create', resource: 'Parcel' },
      request: { media: json, body: { of: 'Parcel' }, others: 'refuse' },
      response: {
        status: 201,
        media: json,
        headers: { Location: ({ item }) => `/parcels/${item?.['id']}` },
        body: show('Parcel'),
      },
      idempotency: {
        header: 'Idempotency-Key',
        required: false,
        life: 'PT24H',
        per: 'actor',
        remembers: 'successes',
      },
    },
    'GET /parcels': {
      operation: 'listParcels',
      does: { verb: 'list', resource: 'Parcel', order: ['-number'] },
      request: {
        others: 'refuse',
        query: {
          status: {
            type: 'string',
            enum: ['registered', 'moving', 'delivered', 'cancelled'],
            filter: ({ item, given }) => item?.['status'] === given,
          },
          heavier: Object.assign(heavier, {
            type: 'integer',
            filter: ({ item, given }: Parameters<Fn>[0]) =>
              heavier['filter~>']
                ? Number(item?.['weight']) > Number(given)
                : Number(item?.['weight']) >= Number(given),
          }),
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, page: 'size' },
          after: { type: 'string', page: 'cursor' },
        },
      },
      response: {
        status: 200,
        media: json,
        body: { items: showAll('Parcel'), next: ({ page }) => page?.next },
      },
    },
    'GET /parcels/{id}': {
      operation: 'readParcel',
      does: { verb: 'read', resource: 'Parcel' },
      request: { path: { ...path }, others: 'refuse' },
      response: { status: 200, media: json, body: show('Parcel') },
      conditional: { etag: 'strong', ifNoneMatch: 'allowed' },
    },
    'PATCH /parcels/{id}': {
      operation: 'correctParcel',
      does: { verb: 'update', resource: 'Parcel' },
      request: {
        path: { ...path },
        media: 'application/merge-patch+json',
        body: { of: 'Parcel' },
        others: 'refuse',
      },
      response: { status: 200, media: json, body: show('Parcel') },
      conditional: { etag: 'strong', ifMatch: 'required' },
    },
    'POST /parcels/{id}/pick-up': {
      operation: 'pickUpParcel',
      does: { verb: 'pickUp', resource: 'Parcel' },
      also: [{ with: ({ item, body }) => ({ parcel: item?.['id'], place: body?.['place'] }) }],
      request: {
        path: { ...path },
        media: json,
        body: { fields: { place }, required: ['place'], others: 'refuse' },
        others: 'refuse',
      },
      response: { status: 200, media: json, body: show('Parcel') },
    },
    'POST /parcels/{id}/delivery': {
      operation: 'deliverParcel',
      does: { verb: 'deliver', resource: 'Parcel' },
      request: { path: { ...path }, others: 'refuse' },
      response: { status: 200, media: json, body: show('Parcel') },
    },
    'POST /parcels/{id}/cancellation': {
      operation: 'cancelParcel',
      does: { verb: 'cancel', resource: 'Parcel' },
      request: { path: { ...path }, others: 'refuse' },
      response: { status: 200, media: json, body: show('Parcel') },
    },
    'POST /parcels/{id}/scans': {
      operation: 'scanParcel',
      does: {
        verb: 'create',
        resource: 'Scan',
        with: ({ body, item }) => ({ ...body, parcel: item?.['id'] }),
      },
      request: { path: { ...path }, media: json, body: { of: 'Scan' }, others: 'refuse' },
      response: { status: 201, media: json, body: show('Scan') },
    },
    'GET /parcels/{id}/scans': {
      operation: 'listScans',
      does: {
        verb: 'list',
        resource: 'Scan',
        order: ['number'],
        where: ({ item, given }) => item?.['parcel'] === given,
      },
      request: { path: { ...path }, others: 'refuse' },
      response: { status: 200, media: json, body: { items: showAll('Scan') } },
    },
    'POST /hooks': {
      operation: 'addHook',
      does: { verb: 'create', resource: 'Hook' },
      request: { media: json, body: { of: 'Hook' }, others: 'refuse' },
      response: { status: 201, media: json, body: show('Hook') },
    },
    'DELETE /hooks/{id}': {
      operation: 'removeHook',
      does: { verb: 'delete', resource: 'Hook' },
      request: { path: { ...path }, others: 'refuse' },
      response: { status: 204 },
    },
  };
}
