import type { Fn, Scene, Statements } from './kinds.ts';

/** Parts 5 to 9, as the desk keeps to them. */

export function authentication(): Statements['authentication'] {
  const office = ({ actor }: Scene): boolean => actor?.kind === 'office';
  const actors: Statements['authentication']['actors'] = {
    sender: ({ actor }) => actor?.role === 'sender',
    courier: ({ actor }) => actor?.role === 'courier',
  };
  /** A fault may have made one truth of it for all. */
  const isActor = (name: string, scene: Scene): boolean => {
    const rule: unknown = actors[name];
    return typeof rule === 'function' ? rule(scene) : rule === true;
  };
  const sender = (scene: Scene): boolean => isActor('sender', scene);
  const courier = (scene: Scene): boolean => isActor('courier', scene);
  const is =
    (field: string) =>
    ({ item, actor }: Scene): boolean =>
      actor?.id != null && item?.[field] === actor.id;
  return {
    schemes: {
      key: {
        in: 'header',
        name: 'X-Desk-Key',
        credentials: 'Account.key',
        actor: 'Account',
        challenge: 'Key realm="parcel desk"',
        wrong: 'refuse',
      },
      desk: {
        credentials: 'operator',
        actor: 'office',
        challenge: 'Basic realm="parcel desk"',
        wrong: 'refuse',
      },
    },
    actors,
    authorization: {
      registerAccount: [({ body }) => body?.['role'] === 'sender', office],
      registerParcel: [sender],
      listParcels: [is('sender'), courier],
      readParcel: [is('sender'), courier],
      correctParcel: [is('sender')],
      pickUpParcel: [courier],
      deliverParcel: [courier],
      cancelParcel: [is('sender')],
      scanParcel: [is('courier')],
      listScans: [is('sender'), courier],
      addHook: [sender],
      removeHook: [is('owner')],
    },
  };
}

export function events(urlOf: () => string): Statements['events'] {
  const parcel: Fn = ({ item }) => item?.['id'];
  const where = { 'where~1': true, 'where~2': true };
  return {
    kinds: {
      'parcel.registered': {
        by: ['registerParcel'],
        body: { parcel, weight: ({ item }) => item?.['weight'] },
      },
      'parcel.moving': { by: ['Parcel.pickUp'], body: { parcel } },
      'parcel.delivered': {
        by: ['Parcel.deliver'],
        body: { parcel, at: ({ item }) => item?.['deliveredAt'] },
      },
      'parcel.cancelled': {
        by: ['Parcel.cancel', 'Parcel.expire'],
        body: { parcel, expired: ({ actor }) => actor === null },
      },
    },
    envelope: 'cloudevents',
    source: urlOf,
    subject: ({ item }) => `parcels/${item?.['id']}`,
    delivery: {
      hooks: Object.assign(where, {
        where: ({ item, event }: Scene) =>
          (!where['where~1'] || item?.['owner'] === event?.item['sender']) &&
          (!where['where~2'] || [item?.['kinds']].flat().includes(event?.kind)),
        sign: 'standard-webhooks',
        secret: ({ item }: Scene) => item?.['secret'],
        retries: ['PT5S', 'PT5M', 'PT30M', 'PT2H'],
        timeout: 'PT15S',
      }),
    },
  };
}

export function errors(): Statements['errors'] {
  return {
    payload: {
      media: 'application/problem+json',
      body: {
        type: () => 'about:blank',
        title: ({ error }) => error?.['title'],
        status: ({ error }) => error?.['status'],
        code: ({ error }) => error?.['code'],
        failures: ({ error }) => error?.['failures'],
      },
    },
    codes: {
      version_unknown: {
        when: ['version missing', 'version unknown'],
        status: 400,
        title: 'There is no such version',
      },
      unreadable: { status: 400, title: 'The request cannot be read' },
      key_missing: { status: 401, title: 'A valid key is needed' },
      parcel_unknown: { status: 404, title: 'There is no such parcel' },
      hook_unknown: { status: 404, title: 'There is no such hook' },
      parcel_hidden: {
        status: 403,
        operations: ['readParcel', 'correctParcel', 'cancelParcel', 'scanParcel', 'listScans'],
        as: 'parcel_unknown',
      },
      hook_hidden: { status: 403, operations: ['removeHook'], as: 'hook_unknown' },
      not_yours: { status: 403, title: 'This is not yours to do' },
      invalid: { status: 422, title: 'Some of it does not fit' },
      email_taken: { status: 409, title: 'This address has an account' },
      changed_since: { status: 412, title: 'Somebody changed it meanwhile' },
      etag_needed: { status: 428, title: 'Say which state you have seen' },
      key_reused: { status: 422, title: 'This key came with another request' },
      key_busy: { status: 409, title: 'The first request is still running' },
      too_late: {
        status: 409,
        title: 'It is on its way',
        operations: ['correctParcel'],
        when: ({ item }) => item?.['status'] !== 'registered',
      },
      wrong_state: {
        when: ['transition refused', 'guard refused'],
        status: 409,
        title: 'Its state does not allow this',
      },
      too_many: {
        status: 429,
        title: 'Too many at once',
        headers: { 'Retry-After': ({ rate }) => rate?.reset },
      },
      too_large: { status: 413, title: 'That is too much' },
    },
    messages: { required: 'is missing', refers: 'is not known' },
    order: [
      'version_unknown',
      'unreadable',
      'key_missing',
      'too_many',
      'too_large',
      'parcel_unknown',
      'hook_unknown',
      'parcel_hidden',
      'hook_hidden',
      'not_yours',
      'invalid',
      'key_reused',
      'key_busy',
      'etag_needed',
      'changed_since',
      'too_late',
      'wrong_state',
      'email_taken',
    ],
  };
}

export function limits(): Statements['limits'] {
  return {
    rates: {
      desk: {
        allow: 100,
        every: 'PT1M',
        per: 'actor',
        window: 'sliding',
        operations: ['registerParcel'],
        headers: { 'X-Desk-Remaining': ({ rate }) => rate?.remaining },
      },
    },
    sizes: { body: 64 * 1024 },
    // Nothing here takes as long: what is asked is carried out in memory, at once.
    times: { request: 'PT10S' },
  };
}

export function versioning(): Statements['versioning'] {
  return {
    place: { header: 'Desk-Version' },
    default: '2026-11-01',
    versions: {
      '2026-11-01': {},
      '2026-01-15': {
        deprecated: '2026-11-01',
        sunset: '2027-06-01',
        differs: {
          'resources.Parcel.fields.weight': {
            was: 'mass',
            type: 'number',
            minimum: 0.001,
            maximum: 30,
            shown: ({ value }: Scene) => Number(value) / 1000,
            taken: ({ value }: Scene) => Math.round(Number(value) * 1000),
          },
          'endpoints["POST /parcels/{id}/cancellation"]': null,
        },
      },
    },
  };
}
