import { createHmac } from 'node:crypto';
import { type Device, type Fleet, type Registry, random } from './registry.ts';
import {
  check,
  compare,
  digits,
  instantOf,
  integer,
  oneOf,
  pageOf,
  query,
  require,
  sorting,
  tagOf,
  tagsOf,
  text,
  time,
  word,
} from './request.ts';
import type { Answer, Call, Routes } from './route.ts';

const models = oneOf('probe', 'meter', 'gate');
const build = integer(1, 100_000);
const settings = { low: integer(-1000, 1000), high: integer(-1000, 1000), interval: integer(10, 3600) };

/** The device of the path, if the client may see it. */
function deviceIn({ devices }: Registry, { actor, params }: Call): Device {
  const device = devices.get(params['serial'] ?? '');
  require(device !== undefined, 'no_device');
  require(device.owner === actor.name || actor.role === 'support', 'no_device');
  return device;
}

/** The device of the path, of which the client is the owner. */
function ownDevice(registry: Registry, call: Call): Device {
  const device = deviceIn(registry, call);
  require(device.owner === call.actor.name, 'not_allowed');
  return device;
}

/** The place of a device in a list that is sorted, as a text that nobody else can make. */
function cursorOf({ cursorKey }: Registry, place: readonly unknown[]): string {
  const content = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${content}.${createHmac('sha256', cursorKey).update(content).digest('base64url')}`;
}

/** The place that a cursor of this list says: a list with another order, filter or reader is another list. */
function placeIn(registry: Registry, cursor: string, list: string): readonly unknown[] {
  const [content = ''] = cursor.split('.');
  const [by, ...place] = parsed(Buffer.from(content, 'base64url').toString());
  require(by === list && cursor === cursorOf(registry, [by, ...place]), 'invalid');
  return place;
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

export function registering(registry: Registry): Routes {
  const { broken, devices } = registry;
  const serial = broken('serial-unanchored')
    ? text(0, 100, /[A-Z]{2}[0-9]{6}/)
    : text(8, 8, /^[A-Z]{2}[0-9]{6}$/);
  const rules = { serial, model: models, build, label: labelOf(registry), ...settings };

  const add = (fleet: Fleet, body: Call['body']): Device => {
    const device: Device = {
      ...{ serial: '', fleet: fleet.id, owner: fleet.owner, model: '', build: 1, label: '' },
      ...{ low: 0, high: 100, interval: broken('interval-default') ? 60 : 300 },
      ...body,
      ...{ token: `dev_${random(24)}`, status: 'registered', lastValue: null, dueAt: null },
      ...{ commissionedAt: null, retiredAt: null, registeredAt: registry.written() },
    };
    require(!devices.has(device.serial), 'serial_taken');
    require(device.low < device.high, 'bounds');
    devices.set(device.serial, device);
    return device;
  };

  return {
    'POST /fleets/:id/devices': {
      hasBody: true,
      handle: ({ actor, params, search, body }) => {
        const fleet = registry.fleets.get(params['id'] ?? '');
        require(fleet !== undefined, 'no_fleet');
        require(fleet.owner === actor.name, broken('other-fleet-forbidden') ? 'not_allowed' : 'no_fleet');
        query(search);
        check(body, rules, ['serial', 'model', 'label']);
        const device = add(fleet, body);
        return {
          status: 201,
          headers: { Location: `/devices/${device.serial}` },
          body: { device: registry.showDevice(device), token: device.token },
        };
      },
    },

    'GET /devices': {
      handle: ({ actor, search }) => {
        const given = query(search, {
          ...{ fleet: word, model: models, status: oneOf('registered', 'active', 'silent', 'retired') },
          ...{ q: text(1, Number.POSITIVE_INFINITY), maxBuild: digits(1), alarmed: oneOf('true', 'false') },
          ...{ sort: sorting('serial', 'label', 'build'), limit: digits(1, 50), cursor: word },
        });
        const mine = [...devices.values()].filter(
          ({ owner }) => owner === actor.name || actor.role === 'support',
        );
        return {
          status: 200,
          body: pageOfDevices(registry, filtered(registry, mine, given), given, actor.name),
        };
      },
    },
  };
}

type Given = Partial<Record<string, string>>;

function filtered(registry: Registry, devices: readonly Device[], given: Given): readonly Device[] {
  const { fleet, model, status, q, maxBuild, alarmed } = given;
  return devices.filter(
    (device) =>
      (fleet === undefined || device.fleet === fleet) &&
      (model === undefined || device.model === model) &&
      (status === undefined || device.status === status) &&
      (q === undefined || device.label.toLowerCase().includes(q.toLowerCase())) &&
      (maxBuild === undefined || device.build <= Number(maxBuild)) &&
      (alarmed === undefined || registry.openAlerts(device.serial).length > 0 === (alarmed === 'true')),
  );
}

function pageOfDevices(registry: Registry, found: readonly Device[], given: Given, reader: string): object {
  const { sort = 'serial', cursor, limit = '10', ...filters } = given;
  const list = JSON.stringify([reader, sort, Object.entries(filters).sort()]);
  const keys = registry.broken('cursor-loses-ties') ? sort.split(',') : [...sort.split(','), 'serial'];
  const place = (device: Device): readonly unknown[] =>
    keys.map((key) => device[key.replace(/^-/, '') as 'serial' | 'label' | 'build']);
  const order = (a: readonly unknown[], b: readonly unknown[]): number => {
    for (const [index, key] of keys.entries()) {
      const first = compare(a[index], b[index]) * (key.startsWith('-') ? -1 : 1);
      if (first !== 0) return first;
    }
    return 0;
  };
  const sorted = found.toSorted((a, b) => order(place(a), place(b)));
  const after = cursor === undefined ? null : placeIn(registry, cursor, list);
  const rest = sorted.filter((device) => after === null || order(place(device), after) > 0);
  const page = rest.slice(0, Number(limit));
  const last = page.at(-1);
  const isMore = rest.length > page.length && last !== undefined;
  return {
    devices: page.map((device) => registry.showDevice(device)),
    total: found.length,
    next: isMore ? cursorOf(registry, [list, ...place(last)]) : null,
  };
}

function labelOf({ broken }: Registry): (value: unknown) => boolean {
  const rule = text(1, 20);
  return (value) => rule(value) && (!broken('label-in-units') || String(value).length <= 20);
}

export function deviceRoutes(registry: Registry): Routes {
  const { broken } = registry;
  const tagged = (device: Device, status = 200): Answer => {
    const body = registry.showDevice(device);
    return { status, headers: { ETag: tagOf(body) }, ...(status === 200 && { body }) };
  };
  const bare = (tag: string): string => tag.replace(/^W\//, '');
  const edited = (device: Device): void => {
    const { serial, label, low, high, interval } = device;
    registry.tellOf(device, 'device.changed', { serial, label, low, high, interval });
  };

  return {
    'GET /devices/:serial': {
      handle: (call) => {
        const device = deviceIn(registry, call);
        query(call.search);
        const tag = tagOf(registry.showDevice(device));
        const tags = tagsOf(call.headers['if-none-match']) ?? [];
        return tagged(device, tags.some((one) => one === '*' || bare(one) === tag) ? 304 : 200);
      },
    },

    'PATCH /devices/:serial': {
      hasBody: true,
      handle: (call) => {
        const device = ownDevice(registry, call);
        query(call.search);
        check(call.body, { label: labelOf(registry), ...settings });
        require(Object.keys(call.body).length > 0, 'invalid');
        const tags = tagsOf(call.headers['if-match']);
        require(tags !== null, 'no_tag');
        const tag = tagOf(registry.showDevice(device));
        const isSame = (one: string): boolean => (broken('if-match-weak') ? bare(one) : one) === tag;
        require(tags.some((one) => one === '*' || isSame(one)), 'changed');
        require(device.status !== 'retired', 'retired');
        const { low, high } = { ...device, ...call.body };
        require(low < high || broken('bounds-edited'), 'bounds');
        const isChange = Object.entries(call.body).some(
          ([name, value]) => Reflect.get(device, name) !== value,
        );
        Object.assign(device, call.body);
        if (isChange || broken('unchanged-told')) edited(device);
        return tagged(device);
      },
    },

    'POST /devices/:serial/token': {
      handle: (call) => {
        const device = ownDevice(registry, call);
        query(call.search);
        require(device.status !== 'retired', 'retired');
        if (broken('old-token')) registry.formerTokens.set(device.token, device);
        device.token = `dev_${random(24)}`;
        return { status: 200, body: { serial: device.serial, token: device.token } };
      },
    },

    'POST /devices/:serial/commissioning': {
      handle: (call) => {
        const device = ownDevice(registry, call);
        query(call.search);
        require(device.status === 'registered', 'wrong_status');
        device.status = 'active';
        device.commissionedAt = registry.written();
        device.dueAt = registry.due(device);
        const { serial, fleet, dueAt } = device;
        registry.tellOf(device, 'device.commissioned', { serial, fleet, dueAt });
        return { status: 200, body: registry.showDevice(device) };
      },
    },
  };
}

export function endingRoutes(registry: Registry): Routes {
  const { broken } = registry;
  const update = (device: Device, to: number): void => {
    const from = broken('updated-from-new') ? to : device.build;
    registry.tellOf(device, 'device.updated', { serial: device.serial, from, to });
  };

  return {
    'POST /devices/:serial/firmware': {
      hasBody: true,
      handle: (call) => {
        const device = ownDevice(registry, call);
        query(call.search);
        check(call.body, { build }, ['build']);
        const to = Number(call.body['build']);
        require(device.status !== 'retired', 'retired');
        require(to > device.build || (to === device.build && broken('same-build')), 'not_newer');
        if (broken('refused-told')) update(device, to);
        const isThere = registry.releases.some((one) => one.model === device.model && one.build === to);
        require(isThere, 'no_release');
        if (!broken('refused-told')) update(device, to);
        device.build = to;
        return { status: 200, body: registry.showDevice(device) };
      },
    },

    'POST /devices/:serial/retirement': {
      handle: (call) => {
        const device = registry.devices.get(call.params['serial'] ?? '');
        require(device !== undefined && device.owner === call.actor.name, 'no_device');
        query(call.search);
        const isUsed = device.status === 'active' || device.status === 'silent';
        require(isUsed || (device.status === 'registered' && !broken('retire-in-use')), 'wrong_status');
        device.status = 'retired';
        device.retiredAt = registry.written();
        device.dueAt = null;
        registry.tellOf(device, 'device.retired', { serial: device.serial, build: device.build });
        for (const alert of registry.openAlerts(device.serial)) registry.resolve(alert);
        return { status: 200, body: registry.showDevice(device) };
      },
    },

    'GET /devices/:serial/readings': {
      handle: (call) => {
        const device = deviceIn(registry, call);
        const given = query(call.search, {
          ...{ verdict: oneOf('normal', 'low', 'high'), since: time },
          ...{ limit: digits(1, 50), offset: digits(0) },
        });
        const since = instantOf(given['since']);
        const found = registry.readings
          .filter(({ device: serial }) => serial === device.serial)
          .filter(({ verdict }) => given['verdict'] === undefined || verdict === given['verdict'])
          .filter(({ takenAt }) => since === null || String(instantOf(takenAt)) >= since)
          .reverse();
        return { status: 200, body: { readings: pageOf(found, given, 5), total: found.length } };
      },
    },
  };
}
