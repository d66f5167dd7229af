import { describe, expect, it } from 'vitest';
import { answer, ask, type Served, start } from './served.ts';

const text = `
name: A tree
complete: true
resources:
  Node:
    identifier: id
    fields:
      id: { type: string }
      parent: { refers: Node, ifDeleted: refuse }
      count: { type: integer, default: 0, writable: false }
      state: { type: string, writable: true }
    required: [id]
states:
  Node.state:
    states: [open, held, shut]
    initial: open
    transitions:
      hold: { from: open, to: held }
      shut: { from: [open, held], to: shut, also: [{ update: every Node, where: "\${this.parent == old}", with: { count: 7 } }] }
endpoints:
  others: refuse
  PUT /nodes/{id}: { does: { create: Node, with: "\${request.body}", present: match }, request: { path: { id: Node.id }, body: Node }, response: [{ when: created, status: 201, body: Node }, { when: unchanged, status: 200, body: Node }] }
  PATCH /nodes/{id}: { does: update Node, request: { body: Node }, response: { status: 200, body: Node } }
  GET /nodes: { does: list Node, response: { status: 200, body: "\${Node(page.items)}" } }
  DELETE /nodes: { does: delete every Node, response: 204 }
  DELETE /leaves: { does: { delete: every Node, where: "\${this.id != 'root'}" }, response: 204 }
  POST /clear: { does: (none), also: [{ delete: every Node }], response: 204 }
  POST /shut: { does: { shut: every Node, as: it, where: "\${this.state != 'shut'}", with: { count: "\${it.count + 1}" } }, response: [{ when: changed, status: 202 }] }
  POST /nodes/{id}/farewell: { does: { update: Node, as: it, with: { count: 5 } }, also: [{ delete: this }], response: { status: 200, body: { this: "\${this.count}", it: "\${it.count}", old: "\${old.count}" } } }
errors:
  codes:
    used: { when: in use, status: 409 }
    different: { when: different Node, status: 412 }
`;

/** A root with a leaf, which was there after it. */
async function tree(): Promise<Served> {
  const service = await start(text);
  await ask(service, 'PUT /nodes/root', {});
  await ask(service, 'PUT /nodes/leaf', { parent: 'root' });
  return service;
}

const nodes = async (service: Served): Promise<unknown> => (await ask(service, 'GET /nodes')).body;

describe('a change of every item (language §H.2)', () => {
  it.each(['DELETE /nodes', 'POST /clear'])(
    '%s deletes them all at once: none is in the way',
    async (line) => {
      const service = await tree();
      expect(await ask(service, line)).toEqual(answer(204));
      expect(await nodes(service)).toEqual([]);
    },
  );

  it('is refused for what stays and refers to one that goes', async () => {
    const service = await tree();
    await ask(service, 'PATCH /nodes/root', { parent: 'leaf' });
    expect(await ask(service, 'DELETE /leaves')).toEqual(answer(409));
    expect(await nodes(service)).toHaveLength(2);
  });

  it('sees each as those before it left it', async () => {
    const service = await tree();
    expect(await ask(service, 'POST /shut')).toEqual(answer(202));
    expect(await nodes(service)).toMatchObject([
      { id: 'root', count: 1 },
      { id: 'leaf', count: 8 },
    ]);
  });

  it('comes to what its verb comes to, where there is none', async () => {
    const service = await start(text);
    expect(await ask(service, 'POST /shut')).toEqual(answer(202));
    expect(service.heldUp).toEqual([]);
  });
});

it('is about an item that went after it was changed, as it last was', async () => {
  const service = await tree();
  const farewell = await ask(service, 'POST /nodes/leaf/farewell');
  expect(farewell).toEqual(answer(200, { this: 5, it: 5, old: 0 }));
});

it('matches an item that is there by the state that is given, too (language §H.2, `present`)', async () => {
  const service = await start(text);
  const given = { state: 'held' };
  expect((await ask(service, 'PUT /nodes/a', given)).status).toBe(201);
  expect((await ask(service, 'PUT /nodes/a', given)).status).toBe(200);
  expect((await ask(service, 'PUT /nodes/a', {})).status).toBe(412);
  expect((await ask(service, 'PUT /nodes/a', { state: 'shut' })).status).toBe(412);
});
