import { randomUUID } from 'node:crypto';
import { type Account, type Fleet, type Registry, random } from './registry.ts';
import { check, compare, digits, integer, oneOf, pageOf, query, require, text } from './request.ts';
import type { Call, Routes } from './route.ts';

const models = oneOf('probe', 'meter', 'gate');
const fleetRules = { name: text(1, 40), note: text(0, 200) };

/** Unicode's simple case folding. */
function folded(name: string): string {
  const upper = [...name].map((one) => ([...one.toUpperCase()].length === 1 ? one.toUpperCase() : one));
  return upper.join('').toLowerCase();
}

export function accountRoutes(registry: Registry): Routes {
  return {
    'POST /accounts': {
      hasBody: true,
      handle: ({ actor, search, body }) => {
        require(actor.role === 'support', 'not_allowed');
        query(search);
        check(body, { name: text(2, 20, /^[a-z]{2,20}$/), role: oneOf('owner', 'support') }, ['name']);
        const account = { role: 'owner', ...body, key: `key_${random(24)}` } as Account;
        require(!registry.accounts.has(account.name), 'name_taken');
        registry.accounts.set(account.name, account);
        return { status: 201, body: { name: account.name, role: account.role, key: account.key } };
      },
    },

    'POST /releases': {
      hasBody: true,
      handle: ({ actor, search, body }) => {
        require(actor.role === 'support', 'not_allowed');
        query(search);
        const rules = { model: models, build: integer(1, 100_000), notes: text(0, 200) };
        check(body, rules, ['model', 'build']);
        const { model, build, notes = '' } = body as { model: string; build: number; notes?: string };
        const isKnown = registry.releases.some((one) => one.model === model && one.build === build);
        require(!isKnown, 'release_known');
        const release = { id: randomUUID(), model, build, notes, publishedAt: registry.written() };
        registry.releases.push(release);
        return { status: 201, body: release };
      },
    },

    'GET /releases': {
      handle: ({ search }) => {
        const { model } = query(search, { model: models });
        const found = registry.releases.filter((one) => model === undefined || one.model === model);
        found.sort((a, b) => compare(a.model, b.model) || b.build - a.build);
        return { status: 200, body: found };
      },
    },
  };
}

/** The fleet of the path, if the client may see it. */
function fleetIn(registry: Registry, { actor, params }: Call): Fleet {
  const fleet = registry.fleets.get(params['id'] ?? '');
  require(fleet !== undefined, 'no_fleet');
  require(fleet.owner === actor.name || actor.role === 'support', 'no_fleet');
  return fleet;
}

/** The fleet of the path, of which the client is the owner. */
function ownFleet(registry: Registry, call: Call): Fleet {
  const fleet = fleetIn(registry, call);
  require(fleet.owner === call.actor.name, 'not_allowed');
  return fleet;
}

export function fleetRoutes(registry: Registry): Routes {
  const { broken, fleets } = registry;
  const isTaken = (owner: string, name: string, but?: Fleet): boolean =>
    [...fleets.values()].some(
      (other) =>
        other !== but &&
        other.owner === owner &&
        (broken('fleet-name-exact') ? other.name === name : folded(other.name) === folded(name)),
    );

  return {
    'POST /fleets': {
      hasBody: true,
      handle: ({ actor, search, body }) => {
        require(actor.role === 'owner', 'not_allowed');
        query(search);
        check(body, fleetRules, ['name']);
        const { name, note = '' } = body as { name: string; note?: string };
        require(!isTaken(actor.name, name), 'name_taken');
        const createdAt = registry.written();
        const fleet: Fleet = { id: `flt_${random(12)}`, owner: actor.name, name, note, createdAt };
        fleets.set(fleet.id, fleet);
        const headers = { Location: `/fleets/${fleet.id}` };
        return { status: 201, headers, body: registry.showFleet(fleet) };
      },
    },

    'GET /fleets': {
      handle: ({ actor, search }) => {
        const given = query(search, { limit: digits(1, 50), page: digits(1) });
        const found = [...fleets.values()]
          .filter(({ owner }) => owner === actor.name || actor.role === 'support')
          .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
        const page = pageOf(found, given, 10).map((fleet) => registry.showFleet(fleet));
        return {
          status: 200,
          body: { fleets: page, page: Number(given['page'] ?? 1), total: found.length },
        };
      },
    },

    'GET /fleets/:id': {
      handle: (call) => {
        const fleet = fleetIn(registry, call);
        query(call.search);
        return { status: 200, body: registry.showFleet(fleet) };
      },
    },

    'PATCH /fleets/:id': {
      hasBody: true,
      handle: (call) => {
        const fleet = ownFleet(registry, call);
        query(call.search);
        check(call.body, fleetRules);
        require(Object.keys(call.body).length > 0, 'invalid');
        const name = String(call.body['name'] ?? fleet.name);
        require(!isTaken(fleet.owner, name, fleet), 'name_taken');
        Object.assign(fleet, call.body);
        return { status: 200, body: registry.showFleet(fleet) };
      },
    },

    'DELETE /fleets/:id': {
      handle: (call) => {
        const fleet = ownFleet(registry, call);
        query(call.search);
        const devices = [...registry.devices.values()].filter((one) => one.fleet === fleet.id);
        const isFree = (status: string): boolean =>
          status === 'retired' && broken('fleet-of-retired-deleted');
        require(devices.every(({ status }) => isFree(status)), 'in_use');
        fleets.delete(fleet.id);
        return { status: 204 };
      },
    },
  };
}
