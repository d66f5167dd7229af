import { describe, expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { apartIn, type Conditions, conditionsOf } from '../../../src/conformance/search/apart.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { begun } from '../../../src/semantics/request/begin.ts';
import { Unknown } from '../../../src/semantics/value/value.ts';
import { Ways } from '../../../src/semantics/world/ways.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Person:
    identifier: id
    fields: { id: { type: string }, role: { type: string, enum: [owner, moderator, member] }, key: { type: string, readable: false } }
    items:
      - { id: ann, role: owner, key: key-of-ann }
      - { id: bob, role: moderator, key: key-of-bob }
      - { id: cid, role: member, key: key-of-cid }
  Note:
    identifier: id
    fields: { id: { type: string }, hidden: { type: boolean, default: false } }
endpoints:
  GET /notes/{id}:    { operation: read, does: { read: Note, where: "\${!this.hidden || actor.role != 'member'}" }, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, challenge: Key } }
  authorization: { remove: "\${actor.role == 'owner'}" }
  otherwise: known
errors:
  codes:
    none: { when: unknown Note, status: 404 }
    no:   { when: not authorized, status: 403 }
    who:  { when: not authenticated, status: 401 }
`);

const named = (name: string): Operation => {
  const found = specification.operations.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`no operation ${name}`);
  return found;
};

/** The condition of the deviation that says this. */
function conditions(name: string, says: RegExp): Conditions[] {
  const found = deviationsOf(specification).filter((each) => says.test(each.says));
  return found.flatMap((deviation) => conditionsOf(deviation, named(name), specification) ?? []);
}

function worldOf(...notes: readonly (readonly [id: string, hidden: boolean])[]): World {
  const first = begun(begunWorld(specification));
  if (first instanceof Unknown) throw new TypeError('no service begins');
  const world = first.fork(new Ways());
  for (const [id, hidden] of notes)
    world.create(
      'Note',
      new Map<string, string | boolean>([
        ['id', id],
        ['hidden', hidden],
      ]),
    );
  return world;
}

/** Who asks for what. */
function found(name: string, says: RegExp, world: World): readonly unknown[] | null {
  const all = conditions(name, says);
  expect(all.length).toBeGreaterThan(0);
  const apart = apartIn(all, named(name), world, new Pool(specification, seeded(1)));
  return apart && [apart.credentials[0]?.value, ...apart.items.map(({ members }) => members.get('id'))];
}

describe('a sender and an item that tell a condition apart', () => {
  it('are found where a rule lets in one more of few', () => {
    expect(
      found('remove', /^it is actor\.role == "owner" \|\| actor\.role == "moderator"/, worldOf(['a', false])),
    ).toEqual(['key-of-bob', 'a']);
  });

  it('are found where anybody who is known is let in', () => {
    const [key] = found('remove', /^anybody with a good credential/, worldOf(['a', false])) ?? [];
    expect(['key-of-bob', 'key-of-cid']).toContain(key);
  });

  it('are found where it depends on both', () => {
    const world = worldOf(['a', false], ['b', true]);
    expect(found('read', /^it is !this\.hidden$/, world)?.at(1)).toBe('b');
    expect(found('read', /^it is actor\.role != "member"$/, world)).toEqual(['key-of-cid', 'a']);
  });

  it('are none while there is no such item', () => {
    expect(found('read', /^it is !this\.hidden$/, worldOf(['a', false]))).toBeNull();
  });
});
