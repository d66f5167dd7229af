import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exportAsyncApi } from '../../../src/interchange/asyncapi/export.ts';
import { outlined } from '../../../src/interchange/openapi/import.ts';
import type { Json } from '../../../src/source/node.ts';
import { read, readOutlined } from '../../../src/specification/read.ts';
import { imported, partOf } from './described.ts';

type Members = { readonly [name: string]: Json };

const examples = readdirSync('examples')
  .map((name) => `examples/${name}`)
  .filter((file) => /^kinds:/m.test(readFileSync(file, 'utf8')));

/** What an exported description says of what each message tells, with all that it refers to in place of references. */
function told(description: Members): Readonly<Record<string, Json>> {
  const components = description['components'] as { messages: Members; schemas?: Members };
  const whole = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...members } = value as Members;
    if (typeof $ref === 'string')
      return whole(components.schemas?.[$ref.split('/').at(-1) as string] as Json);
    return Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, whole(inner)]));
  };
  return Object.fromEntries(
    Object.entries(components.messages).map(([kind, message]) => {
      const { contentType, payload } = message as { contentType: string; payload: { properties: Members } };
      const isCloudEvent = contentType === 'application/cloudevents+json';
      return [kind, whole(isCloudEvent ? (payload.properties['data'] as Json) : (payload as Json))];
    }),
  );
}

/** Without what an imported shape cannot have: who reads a member, in which order members are required. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Members).map(([name, inner]): [string, Json] =>
    name === 'required' && Array.isArray(inner) ? [name, [...inner].sort()] : [name, plain(inner)],
  );
  // A default comes back as a note.
  const notes = ['readOnly', 'default', 'title', '$comment'];
  return Object.fromEntries(entries.filter(([name]) => !notes.includes(name)));
}

it('there are examples with events', () => {
  expect(examples.length).toBeGreaterThan(4);
});

it.each(examples)('what %s tells is the same after export and import', (file) => {
  const { description } = exportAsyncApi(read(file, readFileSync(file, 'utf8')).specification);
  const back = imported(JSON.stringify(description));
  const { specification, diagnostics } = readOutlined('x.yaml', outlined(back));
  expect(diagnostics).toEqual([]);
  const kinds = (partOf(back, 'events') as { kinds: Record<string, { body: string }> }).kinds;
  const before = told(description);
  expect(Object.keys(kinds).sort()).toEqual(Object.keys(before).sort());
  // The shapes that the questions name, as they are written again.
  const again = exportAsyncApi(specification).description['components'] as { schemas?: Members };
  for (const [kind, { body }] of Object.entries(kinds)) {
    const [, name = ''] = /^\(open\) which (\S+) does it tell\?$/.exec(body) ?? [];
    const shape = told({
      components: {
        messages: { m: { payload: again.schemas?.[name] ?? null } },
        schemas: again.schemas ?? {},
      },
    });
    expect([kind, plain(shape['m'] as Json)]).toEqual([kind, plain(before[kind] as Json)]);
  }
  const ways = Object.values((partOf(back, 'events') as { delivery: Record<string, string> }).delivery);
  expect(ways).toHaveLength(Object.keys(description['channels'] as object).length);
});
