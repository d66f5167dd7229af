import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve as serveOwn } from '../../src/service/service.ts';
import { type Answered, type Asked, isObject, readJson, serve } from '../faulty/kit.ts';
import { blamed, specificationOf } from './documents.ts';

const others = ['service', 'resources', 'states', 'authentication', 'events', 'limits', 'versioning'];
const searches = specificationOf(
  `
tacet: 1
complete: true
name: Searches
endpoints:
  POST /searches:
    operation: search
    does: { handled: seek, gives: { type: integer } }
    request:
      body: { fields: { text: { type: string, minLength: 2, maxLength: 9 }, most: { type: integer, minimum: 1 } }, required: [text] }
      others: refuse
    response: { status: 200, body: { found: "\${result}" } }
errors: { payload: (none), codes: { bad: { when: [malformed, invalid], status: 422 } } }
${others.map((part) => `${part}: (none)`).join('\n')}
`,
  'searches.yaml',
);

/** The searches by hand, with a text that may be so long. */
function answer({ method, path, content }: Asked, mostLength: number): Answered {
  if (path !== '/searches') return { status: 404 };
  if (method !== 'POST') return { status: 405 };
  const given = readJson(content);
  if (!isObject(given)) return { status: 422 };
  const { text, most = 1, ...more } = given;
  const fits =
    typeof text === 'string' &&
    [...text].length >= 2 &&
    [...text].length <= mostLength &&
    Number.isInteger(most) &&
    Number(most) > 0;
  return fits && Object.keys(more).length === 0 ? { status: 200, body: { found: 0 } } : { status: 422 };
}

async function blame(mostLength: number): Promise<readonly string[]> {
  const running = await serve((asked) => answer(asked, mostLength));
  try {
    return blamed(await testService(searches, { url: running.url, seed: 1 }));
  } finally {
    await running.close();
  }
}

describe('an operation that a function of the operator’s carries out', () => {
  it('is held to the shape of its body, which is judged before the function is called', async () => {
    expect(await blame(9)).toEqual([]);
    expect(await blame(10)).toContainEqual(
      expect.stringMatching(/^POST \/searches with text: .* is refused/),
    );
  });

  it('is so of our own service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-searches-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const handlers = { seek: () => 0 };
    const service = await serveOwn(searches, {
      data: join(folder, 'searches.sqlite'),
      handlers: handlers as never,
    });
    onTestFinished(() => service.close());
    const { results } = await testService(searches, { url: service.url, seed: 1 });
    expect(results.filter(({ verdict }) => verdict === 'violates')).toEqual([]);
    const refused = results.filter(({ check, verdict }) => check === 'refused' && verdict === 'conforms');
    expect(refused.length).toBeGreaterThan(5);
  });
});
