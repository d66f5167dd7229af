import { expect, it } from 'vitest';
import type { Persona } from '../../src/conformance/access/persona.ts';
import { foresee } from '../../src/conformance/foresee/foresee.ts';
import { namesFor } from '../../src/conformance/names.ts';
import type { Item } from '../../src/conformance/partly.ts';
import { staysAsGiven } from '../../src/conformance/taking.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';

const of = specificationOf(`
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string }
      seenAt: { type: string, format: date-time, readable: false }
      seenBy: { type: string, readable: false }
      mark: { type: string, set: { update: (none) } }
      rank: { type: integer, set: { update: "\${old.rank + 1}" } }
endpoints:
  PUT /notes/{id}: { operation: see, does: { update: Note, with: { seenAt: "\${now}" } } }
  PATCH /notes/{id}: { operation: greet, does: { update: Note, with: { seenBy: "\${actor}" } } }
  POST /notes/{id}: { operation: meet, does: { update: Note, with: { seenBy: "\${request.url}" } } }
authentication:
  schemes: { token: { type: http, scheme: bearer, credentials: (open), actor: (open) } }
`);

const who = {
  of,
  url: 'http://localhost',
  persona: null,
  cast: [],
  personas: [],
  clock: () => ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00Z'] as const,
};

const somebody = (): Persona => ({
  item: null,
  credentials: new Map([['token', 'a token']]),
  given: {},
  hasLoggedIn: true,
  goodUntil: Number.POSITIVE_INFINITY,
});

/** Somebody new asks each time. */
function seen(name: string, item: Item | null) {
  const operation = of.operations.find((one) => one.name === name) as Operation;
  return foresee(of, operation, namesFor(who, { operation, request: null, item, as: somebody() }));
}

it.each(['see', 'greet', 'meet'])('takes what two requests tell nothing of for two values: %s', (name) => {
  const first = seen(name, null);
  expect(first.after?.foreseen.size).toBeGreaterThan(0);
  expect(seen(name, first.after).outcome).toBeNull();
});

it('takes what is given to stay where it is stated that nothing is set at a change', () => {
  const [see] = of.operations as readonly [Operation];
  const fields = [...(see.subject?.fields.values() ?? [])].filter((field) => staysAsGiven(see, field));
  expect(fields.map(({ name }) => name)).toEqual(['id', 'mark']);
});
