import { describe, expect, it } from 'vitest';
import { admitting } from '../../src/conformance/access/admits.ts';
import { item, type Partly, world, worldName } from '../../src/conformance/partly.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import type { Resource } from '../../src/specification/vocabulary/parts/resources.ts';
import { specificationOf } from './documents.ts';

const of = specificationOf(
  `
name: Teams
resources:
  Team: { identifier: id, fields: { id: { type: string }, open: { type: boolean } } }
  Person:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      team: { refers: Team }
      may: { type: boolean, derived: "\${this.team.open}" }
      key: { type: string, secret: hashed, set: { create: "\${random(20)}" } }
    required: [team]
endpoints:
  GET /teams: { operation: led, does: list Team }
  GET /open-teams: { operation: derived, does: list Team }
authentication:
  schemes: { key: { type: http, scheme: bearer, credentials: { kept: Person.key }, actor: Person } }
  authorization: { led: "\${actor.team.open}", derived: "\${actor.may}" }
`,
  'teams.yaml',
);
const [person, team] = ['Person', 'Team'].map((name) => of.resourcesByName.get(name) as Resource);

describe('whom a rule lets in', () => {
  it.each(['led', 'derived'])('is told by what is known of what the actor refers to: %s', (name) => {
    const operation = of.operations.find((one) => one.name === name) as Operation;
    const actor = item(
      person as Resource,
      [
        ['id', 'ada'],
        ['team', 'a'],
      ],
      [],
    );
    const isLet = (open: boolean) => {
      const known = item(
        team as Resource,
        [
          ['id', 'a'],
          ['open', open],
        ],
        [],
      );
      const all = world(
        () => known,
        () => [known],
      );
      return admitting(of, operation, () => new Map<string, Partly>([[worldName, all]]))(actor);
    };
    expect([isLet(true), isLet(false)]).toEqual([true, false]);
  });
});
