import { describe, expect, it } from 'vitest';
import { ask, type Served, start } from '../served.ts';

/** Writing is what is judged in a transaction, by whom a key was found to belong to the last time. */
const document = `
name: Keys
complete: true
resources:
  Person:
    identifier: id
    fields:
      id: { type: string }
      role: { type: string, enum: [writer, reader] }
      key: { type: string, secret: hashed, set: { create: "\${'k_' + random(24)}", update: "\${'k_' + random(24)}" } }
  Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, by: { refers: Person, ifDeleted: delete, set: { create: "\${actor}" } } } }
endpoints:
  others: refuse
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: { status: 201, body: { key: "\${this.key}" } } }
  PATCH /people/{id}: { operation: change, does: update Person, request: { body: { fields: { role: { type: string } } } }, response: { status: 200, body: { key: "\${this.key}" } } }
  DELETE /people/{id}: { operation: leave, does: delete Person, response: 204 }
  POST /notes: { operation: write, does: create Note, response: 201 }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, challenge: Key } }
  authorization: { enter: anyone, change: anyone, leave: anyone, write: "\${actor.role == 'writer'}" }
errors: { codes: { stranger: { when: not authenticated, status: 401 }, forbidden: { when: not authorized, status: 403 } } }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

const keyIn = ({ body }: { readonly body: unknown }): string => (body as { readonly key: string }).key;

describe('whom a key belongs to', () => {
  const write = async (service: Served, key: string) =>
    (await ask(service, 'POST /notes', undefined, [`X-Key: ${key}`])).status;

  it('is looked up anew once the one who has it may have changed, or gone', async () => {
    const service = await start(document);
    const first = keyIn(await ask(service, 'POST /people', { id: 'ada', role: 'writer' }));
    expect([await write(service, first), await write(service, first)]).toEqual([201, 201]);
    const second = keyIn(await ask(service, 'PATCH /people/ada', { role: 'reader' }));
    expect([await write(service, first), await write(service, second)]).toEqual([401, 403]);
    const third = keyIn(await ask(service, 'PATCH /people/ada', { role: 'writer' }));
    expect([await write(service, second), await write(service, third)]).toEqual([401, 201]);
    expect((await ask(service, 'DELETE /people/ada')).status).toBe(204);
    expect([await write(service, third), await write(service, third)]).toEqual([401, 401]);
    expect(service.faults).toEqual([]);
  });

  it('is told in one turn with what changes it, each by what is kept by then', async () => {
    const service = await start(document);
    const key = keyIn(await ask(service, 'POST /people', { id: 'ada', role: 'writer' }));
    await write(service, key);
    const all = await Promise.all([
      write(service, key),
      ask(service, 'PATCH /people/ada', { role: 'reader' }),
      ...Array.from({ length: 20 }, () => write(service, key)),
    ]);
    // Before the change it is hers, and after it nobody's.
    const statuses = new Set(all.filter((one) => typeof one === 'number'));
    expect([...statuses].every((one) => one === 201 || one === 401)).toBe(true);
    expect(await write(service, key)).toBe(401);
  });
});
