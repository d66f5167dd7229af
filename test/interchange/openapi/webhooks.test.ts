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

/** What is made of callbacks, by operation. */
function calledBack(callbacks: Readonly<Record<string, object>>) {
  const paths = Object.fromEntries(
    Object.entries(callbacks).map(([path, each]) => [
      path,
      { post: { callbacks: each, responses: { 204: { description: 'No Content' } } } },
    ]),
  );
  const info = { title: 'Tasks', version: '1' };
  return importOpenApi('x.json', JSON.stringify({ openapi: '3.1.0', info, paths }));
}

describe('a callback', () => {
  const told = (properties: object): object => ({
    post: { requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } } },
  });
  const id = { id: { type: 'string' } };

  it('is a kind of event, and where it is sent is asked with its address', () => {
    const found = calledBack({
      '/tasks': { 'task made': { '{$request.body#/to}/made': told(id) } },
      '/lists': { listed: { '{$request.query.to}': told({}) } },
    });
    expect(jsonOf(found.parts.get('events') as never)).toEqual({
      kinds: {
        'task-made': {
          by: '(open) what brings it about?',
          body: '(open) which values does it tell: id?',
        },
        listed: { by: '(open) what brings it about?', body: '(open) which values does it tell?' },
      },
      delivery: {
        callbacks: { webhook: '(open) which addresses is it sent to: request.body#/to/made?' },
        callbacks2: { webhook: '(open) which addresses is it sent to: request.query.to?' },
      },
    });
    expect(found.guesses.map(({ at }) => at)).not.toContain('events');
  });

  it('is one kind if several operations have it, and a loss if it tells something else', () => {
    const found = calledBack({
      '/tasks': { made: { '{$request.query.to}': told(id) } },
      '/lists': { made: { '{$request.query.to}': told(id) } },
      '/others': { made: { '{$request.query.to}': told({ n: { type: 'integer' } }) } },
      '/asked': { asked: { '{$request.query.to}': { get: {} } } },
    });
    expect(Object.keys((jsonOf(found.parts.get('events') as never) as { kinds: object }).kinds)).toEqual([
      'made',
    ]);
    expect(found.losses.counts().map(({ what }) => what)).toEqual(
      expect.arrayContaining(['another event with the name of a kind', 'a webhook that is no POST']),
    );
  });
});

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
