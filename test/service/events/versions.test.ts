import { describe, expect, it } from 'vitest';
import { ask, start } from '../served.ts';
import { deliveriesIn, eventsIn, until } from './kept.ts';
import { follow } from './reader.ts';
import { type Posted, receiver } from './receiver.ts';

const text = (version: string): string => `
name: Scales
complete: true
resources:
  Parcel: { identifier: id, fields: { id: { type: string }, weight: { type: integer } } }
  Hook:
    identifier: id
    fields: { id: { type: string }, url: { type: string }, speaks: { type: [string, "null"], default: null } }
endpoints:
  others: refuse
  POST /parcels: { operation: add, does: create Parcel, request: { body: Parcel }, response: 204 }
  DELETE /parcels/{id}: { operation: remove, does: delete Parcel, response: 204 }
  POST /hooks: { operation: hook, does: create Hook, request: { body: Hook }, response: 204 }
  PATCH /hooks/{id}: { operation: turn, does: update Hook, request: { body: Hook }, response: 204 }
  GET /feed: { operation: feed, does: (none), response: { status: 200 } }
errors: { codes: { taken: { when: not unique, status: 409 } } }
events:
  kinds:
    added: { by: [add], body: "\${Parcel(this)}" }
    removed: { by: [remove], body: { id: "\${this.id}" } }
  envelope: cloudevents
  source: scales
  delivery: { hooks: { webhook: Hook.url, retries: [PT0.05S, PT0.05S, PT0.05S, PT0.05S, PT0.05S]${version} }, feed: { stream: GET /feed } }
versioning:
  scheme: number
  place: { header: Version }
  default: 3
  versions:
    3: {}
    2: { alias: [two], differs: { 'events.kinds.removed.body': { gone: "\${this.id}" } } }
    1: { differs: { resources.Parcel.fields.weight: { was: kilos, type: number, shown: "\${double(value) / 1000.0}", taken: "\${round(value * 1000.0)}" } } }
`;

const allowed = { allowPrivate: ['127.0.0.1'] };
const dataOf = (posted: readonly Posted[]) =>
  posted.map(({ content }) => (JSON.parse(content) as { data: unknown }).data);

async function sent(version: string, ...speaks: (string | null)[]): Promise<unknown[]> {
  const service = await start(text(version), allowed);
  const receivers = await Promise.all(speaks.map(() => receiver()));
  for (const [index, { url }] of receivers.entries())
    await ask(service, 'POST /hooks', { id: `h${index}`, url, speaks: speaks[index] });
  await ask(service, 'POST /parcels', { id: 'a', weight: 1500 });
  await ask(service, 'DELETE /parcels/a');
  return Promise.all(receivers.map(async ({ count }) => dataOf(await count(2))));
}

const ofVersion = {
  3: [{ id: 'a', weight: 1500 }, { id: 'a' }],
  2: [{ id: 'a', weight: 1500 }, { gone: 'a' }],
  1: [{ id: 'a', kilos: 1.5 }, { gone: 'a' }],
};

describe('the payload of an event (language §9.3)', () => {
  it('is of the version that each subscription says, by its name or an alias; of the newest where it says none', async () => {
    expect(await sent(', version: "${this.speaks}"', '1', '2', 'two', '3', null)).toEqual(
      ([1, 2, 2, 3, 3] as const).map((version) => ofVersion[version]),
    );
  });

  it('is of the version that is stated for all', async () => {
    expect(await sent(', version: "2"', '1')).toEqual([ofVersion[2]]);
  });

  it('is of the newest while none is stated', async () => {
    expect(await sent('', '1')).toEqual([ofVersion[3]]);
  });

  it('is of the version by whose name a stream is asked for, as it was when the change was made', async () => {
    const service = await start(text(''), allowed);
    await ask(service, 'POST /parcels', { id: 'a', weight: 1500 });
    await ask(service, 'DELETE /parcels/a');
    await ask(service, 'POST /parcels', { id: 'b', weight: 10 });
    const [first] = eventsIn(service);
    for (const version of [1, 2, 3] as const) {
      const head = { Version: String(version), 'Last-Event-ID': first?.id ?? '' };
      const reader = await follow(`${service.address}/feed`, head);
      const [removed] = await reader.take(1);
      expect([version, (JSON.parse(removed?.data ?? '') as { data: unknown }).data]).toEqual([
        version,
        ofVersion[version][1],
      ]);
    }
  });

  it('is sent by no version that there is none of; once it is one, the next attempt is made by it', async () => {
    const service = await start(text(', version: "${this.speaks}"'), allowed);
    const { url, count, posted } = await receiver();
    await ask(service, 'POST /hooks', { id: 'h', url, speaks: '9' });
    await ask(service, 'POST /parcels', { id: 'a', weight: 1500 });
    await until(() => deliveriesIn(service).some(({ tries }) => tries > 0));
    expect(deliveriesIn(service)[0]?.last).toBe('there is no such version');
    expect(posted).toEqual([]);
    await ask(service, 'PATCH /hooks/h', { speaks: '1' });
    expect(dataOf(await count(1))).toEqual([ofVersion[1][0]]);
  });

  it('is kept once for the versions that say the same', async () => {
    const service = await start(text(''), allowed);
    await ask(service, 'POST /parcels', { id: 'a', weight: 1500 });
    await ask(service, 'DELETE /parcels/a');
    expect(eventsIn(service).map(({ versions }) => Object.keys(versions ?? {}))).toEqual([['1'], ['1', '2']]);
  });
});
