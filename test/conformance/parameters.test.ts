import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve as serveOwn } from '../../src/service/service.ts';
import { type Answered, type Asked, serve } from '../faulty/kit.ts';
import { blamed, specificationOf } from './documents.ts';

const others = ['service', 'resources', 'states', 'authentication', 'events', 'limits', 'versioning'];
const rooms = specificationOf(
  `
tacet: 1
complete: true
name: Rooms
endpoints:
  GET /rooms/{room}:
    does: (none)
    request:
      path: { room: { type: string, pattern: "^[a-z]{2,4}$" } }
      query: { about: { type: string, maxLength: 400 } }
      headers: { X-Tags: { type: array, items: { enum: [red, green, blue] }, maxItems: 2, uniqueItems: true } }
      others: ignore
    response: { status: 200, body: { open: true } }
errors: { payload: (none), codes: { bad: { when: [malformed, invalid], status: 422 } } }
${others.map((part) => `${part}: (none)`).join('\n')}
`,
  'rooms.yaml',
);

type Fault =
  | 'any room is taken'
  | 'a quotation mark fails'
  | 'three tags are taken'
  | 'one tag alone is taken';

/** The rooms by hand. */
function answer(
  { method, segments: [first, room = '', ...more], query, headers }: Asked,
  fault: Fault | null,
): Answered {
  if (first !== 'rooms' || more.length > 0) return { status: 404 };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 };
  const bad = { status: 422 };
  if (!/^[a-z]{2,4}$/.test(room) && fault !== 'any room is taken') return bad;
  const [about = '', ...twice] = query.getAll('about');
  if (twice.length > 0 || [...about].length > 400) return bad;
  if (about.includes("'") && fault === 'a quotation mark fails') return { status: 500 };
  const tags = headers['x-tags'] === undefined ? [] : String(headers['x-tags']).split(',');
  const most = fault === 'three tags are taken' ? 3 : fault === 'one tag alone is taken' ? 1 : 2;
  const fits = tags.length <= most && new Set(tags).size === tags.length;
  if (!fits || tags.some((tag) => !['red', 'green', 'blue'].includes(tag))) return bad;
  return { status: 200, body: { open: true } };
}

async function blame(fault: Fault | null): Promise<readonly string[]> {
  const running = await serve((asked) => answer(asked, fault));
  try {
    return blamed(await testService(rooms, { url: running.url, seed: 1 }));
  } finally {
    await running.close();
  }
}

describe('parameters of paths, queries and header fields', () => {
  it('are tried at their bounds, and nobody is blamed who keeps to them', async () => {
    expect(await blame(null)).toEqual([]);
  });

  it('are so of our own service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-rooms-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const service = await serveOwn(rooms, { data: join(folder, 'rooms.sqlite') });
    onTestFinished(() => service.close());
    const report = await testService(rooms, { url: service.url, seed: 1 });
    expect(blamed(report)).toEqual([]);
    const said = report.results.filter(({ verdict }) => verdict === 'conforms').map(({ says }) => says);
    for (const part of ['the parameter room=', 'the parameter about=it', 'the header field X-Tags: red,'])
      expect(said).toContainEqual(expect.stringContaining(part));
  });

  it.each<[Fault, string]>([
    ['any room is taken', 'GET /rooms/{room} with the parameter room='],
    ['a quotation mark fails', "GET /rooms/{room} with the parameter about=it's"],
    ['three tags are taken', 'GET /rooms/{room} with the header field X-Tags: '],
    ['one tag alone is taken', 'GET /rooms/{room} with the header field X-Tags: '],
  ])('show that %s', async (fault, says) => {
    expect(await blame(fault)).toContainEqual(expect.stringContaining(says));
  });
});
