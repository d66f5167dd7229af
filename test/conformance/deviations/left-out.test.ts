import { expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { ruleFor } from '../../../src/conformance/search/reasons/reasons.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, password: { type: string, secret: hashed, readable: false } }
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } }
endpoints:
  others: { body: ignore, query: refuse }
  POST /people: { operation: join, does: create Person, request: { body: Person }, response: 201 }
  POST /sessions:
    operation: logIn
    does: { authenticate: Person, by: { name: "\${request.body.name}", password: "\${request.body.password}" } }
    request: { body: { fields: { name: { type: string }, password: { type: string } } } }
    response: { status: 200, body: { token: "\${issue('session', this)}" } }
  GET /me:    { operation: readMe, does: { read: Person, where: "\${this == actor}" }, response: { status: 200, body: Person } }
  GET /notes: { operation: listNotes, does: { list: Note, where: "\${this.text != ''}" }, response: { status: 200, body: "\${Note(page.items)}" } }
authentication:
  schemes:
    session: { type: http, scheme: bearer, bearerFormat: JWT, credentials: { issued: opaque }, actor: Person }
    partner:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://partner.example/token, scopes: { notes: reads notes } } }
      credentials: { issuer: https://partner.example, audience: notes, algorithms: [ES256] }
      actor: partner
  otherwise: { rule: known, schemes: [session, partner] }
`);
const deviations = new Map(deviationsOf(specification).map((deviation) => [nameOf(deviation), deviation]));

it('is nothing without which nobody can say what happens', () => {
  for (const name of [
    'endpoints["POST /sessions"].does.by.password: it is left out',
    'endpoints["GET /me"].does.where: it is left out',
    'endpoints["POST /people"].request.others.body: it is left out',
  ])
    expect(deviations.has(name)).toBe(false);
  for (const name of [
    'endpoints["POST /sessions"].does.by: password is not compared',
    'endpoints["GET /notes"].does.where: it is left out',
  ])
    expect(deviations.has(name)).toBe(true);
});

it('shows in no answer, if it says how clients get a token', () => {
  for (const address of ['partner.flows.clientCredentials.tokenUrl', 'session.bearerFormat']) {
    const deviation = deviations.get(`authentication.schemes.${address}: it is left out`);
    expect(deviation && ruleFor(deviation, specification)?.reason).toBe('invisible');
  }
});
