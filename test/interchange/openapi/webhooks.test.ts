import { describe, expect, it } from 'vitest';
import { importOpenApi } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';

/** What is made of webhooks, each by the schema of its body. */
function imported(bodies: Readonly<Record<string, object>>, media = 'application/json') {
  const webhooks = Object.fromEntries(
    Object.entries(bodies).map(([name, schema]) => [
      name,
      { post: { summary: `Tells ${name}`, requestBody: { content: { [media]: { schema } } } } },
    ]),
  );
  const schemas = { Task: { type: 'object', properties: { id: { type: 'string' } } } };
  const info = { title: 'Tasks', version: '1' };
  const found = importOpenApi(
    'x.json',
    JSON.stringify({ openapi: '3.1.0', info, webhooks, components: { schemas } }),
  );
  const events = found.parts.get('events');
  return { found, events: events && jsonOf(events) };
}

describe('the question about a webhook', () => {
  it('names the shape of what it tells, or else the members', () => {
    const { found, events } = imported({
      made: { $ref: '#/components/schemas/Task' },
      'task/late': { type: 'object', properties: { id: { type: 'string' }, by: { type: 'integer' } } },
      any: {},
    });
    expect(events).toMatchObject({
      kinds: {
        made: {
          by: '(open) what brings it about: Tells made?',
          body: '(open) which Task does it tell?',
          description: 'Tells made',
        },
        'task-late': { body: '(open) which values does it tell: id, by?' },
        any: { body: '(open) which values does it tell?' },
      },
      delivery: { webhooks: { webhook: '(open) which addresses is it sent to?' } },
    });
    expect(found.prose.get('events')).toEqual([]);
    expect(found.losses.counts().map(({ what, count }) => [count, what])).toEqual([
      [2, 'the shape of a webhook'],
      [1, 'a name that no kind of event can have'],
      [1, 'which values an event tells, its shape being stated'],
    ]);
  });

  it('of CloudEvents is about their data, and the envelope is stated', () => {
    const data = { type: 'object', properties: { total: { type: 'number' } } };
    const body = { type: 'object', properties: { id: { type: 'string' }, data } };
    expect(imported({ paid: body }, 'application/cloudevents+json').events).toMatchObject({
      kinds: { paid: { body: '(open) which values does it tell: total?' } },
      envelope: 'cloudevents',
    });
    expect(imported({ paid: body }).events).not.toHaveProperty('envelope');
  });
});
