import { readdirSync, readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { exportAsyncApi } from '../../../src/interchange/asyncapi/export.ts';
import { read } from '../../../src/specification/read.ts';
import { specificationOf } from '../../service/served.ts';

const examples = readdirSync('examples').map((name) => `examples/${name}`);

/** The errors by the schema of the AsyncAPI Initiative, and by Spectral's own rules. */
async function judgedBySpectral(description: object): Promise<readonly string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.asyncapi as never, 'recommended']] });
  const found = await spectral.run(description as Record<string, unknown>);
  return found.filter(({ severity }) => severity === 0).map(({ message }) => message);
}

function exportedFrom(file: string) {
  return exportAsyncApi(read(file, readFileSync(file, 'utf8')).specification);
}

const orders = specificationOf(`
resources:
  Order: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, place: { type: string } } }
  Hook: { identifier: id, fields: { id: { type: string }, url: { type: string } } }
endpoints:
  POST /orders: { operation: order, does: create Order, request: { body: Order }, response: 201 }
  GET /feed: { operation: feed, does: (none), response: { status: 200, body: (none) } }
events:
  kinds:
    placed: { by: [order], body: { id: "\${this.id}" } }
    shipped: { by: [order], body: "\${Order(this)}" }
  envelope: { kind: "\${event.kind}", about: "\${event.body}" }
  delivery:
    hooks: { webhook: Hook.url, retries: [PT5S] }
    feed: { stream: GET /feed }
    bus: { broker: "orders.\${event.item.place}.\${event.kind}" }
`);

describe('an exported AsyncAPI description', () => {
  it.each(examples)('of %s is one by the rules of two validators', async (file) => {
    const config = await createConfig({ extends: ['recommended'] });
    const { description } = exportedFrom(file);
    const source = JSON.stringify(description);
    const problems = await lintFromString({ source, absoluteRef: '/asyncapi.json', config });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
    const found = await judgedBySpectral(description);
    expect(found).toEqual([]);
    expect(source).not.toContain('x-tacet-');
  });

  it('that has no schema of AsyncAPI is none by the rules of the second', async () => {
    expect(await judgedBySpectral({ ...exportAsyncApi(orders).description, channels: [] })).not.toEqual([]);
  });

  it('has a message for each kind, with what is put around it', () => {
    const { description } = exportAsyncApi(orders);
    expect(description).toMatchObject({
      asyncapi: '3.0.0',
      components: {
        messages: {
          placed: {
            name: 'placed',
            contentType: 'application/json',
            payload: {
              properties: { about: { properties: { id: { type: 'string' } }, required: ['id'] } },
            },
          },
          shipped: { payload: { properties: { about: { $ref: '#/components/schemas/Order' } } } },
        },
      },
    });
  });

  it('has a channel for each way, and for each subject at a broker', () => {
    const { description } = exportAsyncApi(orders);
    const channels = description['channels'] as Record<string, { address?: string; messages: object }>;
    const seen = Object.entries(channels).map(([name, { address, messages }]) => [
      name,
      address,
      Object.keys(messages),
    ]);
    expect(seen).toEqual([
      ['hooks', undefined, ['placed', 'shipped']],
      ['feed', '/feed', ['placed', 'shipped']],
      ['bus.placed', 'orders.{item-place}.placed', ['placed']],
      ['bus.shipped', 'orders.{item-place}.shipped', ['shipped']],
    ]);
    expect(channels['bus.placed']).toMatchObject({ parameters: { 'item-place': {} } });
    expect(Object.keys(description['operations'] as object)).toEqual(Object.keys(channels));
  });

  it('has a channel without an address for events of which nobody says where they go', () => {
    const kinds = 'events: { kinds: { made: { by: [make], body: { a: 1 } } }';
    const of = (delivery: string): unknown =>
      exportAsyncApi(specificationOf(`${kinds}${delivery} }`)).description['channels'];
    const channel = { events: { messages: { made: { $ref: '#/components/messages/made' } } } };
    expect([of(''), of(', delivery: (open) how?')]).toEqual([channel, channel]);
    expect(of(', delivery: (none)')).toBeUndefined();
  });

  it('lists what AsyncAPI has no word for', () => {
    expect(exportAsyncApi(orders).losses.all).toEqual([
      { kind: 'dropped', what: 'retries', pointer: '/events/delivery/hooks/retries' },
    ]);
  });
});
