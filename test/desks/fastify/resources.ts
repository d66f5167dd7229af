import { randomBytes, randomUUID } from 'node:crypto';
import type { Field, Fn, Shape, Statements } from './kinds.ts';

/** Part 2, and part 3, as the desk keeps to them. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** So many letters and digits, each as likely as any other. */
export function random(count: number): string {
  let text = '';
  while (text.length < count)
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += letters[byte % 62];
  return text;
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

/** What clients give, and what is only shown. */
const given = { readable: true, writable: true } as const;
const shown = { readable: true, writable: false } as const;

const who: Fn = ({ actor }) => actor?.id;
const time: Fn = ({ now }) => now;

export function resources(countScans: (parcel: unknown) => number): Statements['resources'] {
  const parcels = counter();
  const scans = new Map<unknown, () => number>();
  const nextScan: Fn = ({ item }) => {
    const parcel = item?.['parcel'];
    if (!scans.has(parcel)) scans.set(parcel, counter());
    return scans.get(parcel)?.();
  };
  const Account: Shape = {
    fields: {
      id: { type: 'string', format: 'uuid', set: { create: () => randomUUID() }, ...shown },
      email: { type: 'string', format: 'email', maxLength: 254, unique: 'caseless', ...given },
      role: { type: 'string', enum: ['sender', 'courier'], readable: true, writable: 'once' },
      key: {
        type: 'string',
        secret: 'hashed',
        set: { create: () => `desk_${random(32)}` },
        readable: false,
        writable: false,
      },
    },
    required: ['email', 'role'],
    others: 'refuse',
  };
  const Parcel: Shape = {
    fields: {
      id: { type: 'string', format: 'uuid', set: { create: () => randomUUID() }, ...shown },
      number: { type: 'integer', set: { create: parcels }, ...shown },
      recipient: { type: 'string', minLength: 1, maxLength: 120, ...given },
      address: { of: 'Address', ...given },
      weight: { type: 'integer', minimum: 1, maximum: 30_000, ...given },
      sender: { refers: 'Account.id', ifDeleted: 'refuse', set: { create: who }, ...shown } as Field,
      courier: { refers: 'Account.id', ifDeleted: 'refuse', ...shown } as Field,
      status: { type: 'string', ...shown },
      registeredAt: { type: 'string', format: 'date-time', set: { create: time }, ...shown },
      deliveredAt: { type: ['string', 'null'], format: 'date-time', default: null, ...shown },
      scans: { type: 'integer', derived: ({ item }) => countScans(item?.['id']), ...shown },
    },
    required: ['recipient', 'address', 'weight'],
    others: 'refuse',
    invariants: {
      'what is delivered has a time': ({ item }) =>
        item?.['status'] !== 'delivered' || item['deliveredAt'] != null,
      'what moves has a courier': ({ item }) => item?.['status'] !== 'moving' || item['courier'] != null,
    },
  };
  const Address: Shape = {
    fields: {
      street: { type: 'string', minLength: 1, maxLength: 200 },
      town: { type: 'string', minLength: 1, maxLength: 100 },
      country: { type: 'string', pattern: '^[A-Z]{2}$' },
    },
    required: ['street', 'town', 'country'],
    others: 'refuse',
  };
  const Scan: Shape = {
    fields: {
      parcel: { refers: 'Parcel.id', ifDeleted: 'delete', ...shown } as Field,
      number: { type: 'integer', set: { create: nextScan }, ...shown },
      place: { type: 'string', minLength: 1, maxLength: 100, ...given },
      by: { refers: 'Account.id', ifDeleted: 'refuse', set: { create: who }, ...shown } as Field,
      at: { type: 'string', format: 'date-time', set: { create: time }, ...shown },
    },
    required: ['place'],
    others: 'refuse',
  };
  const Hook: Shape = {
    fields: {
      id: { type: 'string', set: { create: () => `hook_${random(16)}` }, ...shown },
      owner: {
        refers: 'Account.id',
        ifDeleted: 'delete',
        set: { create: who },
        readable: false,
        writable: false,
      } as Field,
      url: { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2000, ...given },
      kinds: {
        type: 'array',
        items: { enum: ['parcel.registered', 'parcel.moving', 'parcel.delivered', 'parcel.cancelled'] },
        uniqueItems: true,
        minItems: 1,
        ...given,
      },
      secret: { type: 'string', set: { create: () => `whsec_${random(32)}` }, ...shown },
    },
    required: ['url', 'kinds'],
    others: 'refuse',
  };
  return { Account, Parcel, Address, Scan, Hook };
}

export function states(): Statements['states'] {
  const cancel = { from: 'registered', to: 'cancelled', 'when~20000': 20_000 };
  return {
    'Parcel.status': {
      initial: 'registered',
      transitions: {
        pickUp: { from: 'registered', to: 'moving', set: { courier: who } },
        deliver: {
          from: 'moving',
          to: 'delivered',
          when: ({ item, actor }) => item?.['courier'] === actor?.id,
          set: { deliveredAt: time },
        },
        cancel: Object.assign(cancel, {
          when: ({ item }: Parameters<Fn>[0]) => Number(item?.['weight']) < cancel['when~20000'],
        }),
        expire: { from: 'registered', to: 'cancelled', after: 'P14D' },
      },
    },
  };
}
