import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf, start } from '../service/served.ts';
import { playedAt, tally, worldOf } from './playing.ts';

const document = readFileSync('test/semantics/handled.yaml', 'utf8');
const specification = specificationOf(document);

function judged(name: string, content: Json, status: number, body: Json, headers: Answer['headers'] = {}) {
  const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
  const usual = { path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' };
  return judge(step(new World(specification), { ...usual, operation, content }), { status, headers, body });
}

describe('an operation that a function of the operator carries out (language §I)', () => {
  const differences = (...given: Parameters<typeof judged>) =>
    judged(...given).differences.map(({ at }) => at);
  const text = { text: 'a' };
  const fields = { 'x-text': 'a' };

  it('is known but for what the function gives, and that has its shape', () => {
    expect(differences('estimate', text, 200, { cents: 4, texts: 0 }, fields)).toEqual([]);
    expect(differences('estimate', text, 200, { cents: 41, texts: 1 })).toEqual([
      'headers.x-text',
      'body.cents',
      'body.texts',
    ]);
    expect(judged('estimate', text, 200, { cents: 4, texts: 0 }, fields).world).not.toBeNull();
  });

  it('may be refused by its function, and is refused before it by what the document states', () => {
    expect(differences('estimate', text, 403, { code: 'never' })).toEqual([]);
    expect(differences('estimate', {}, 200, { cents: 4, texts: 0 }, fields)).toEqual(['status']);
  });

  it('leaves unknown what its function may change', () => {
    expect(differences('translate', {}, 200, { done: [1] })).toEqual([]);
    expect(judged('translate', {}, 200, { done: [1] }).world).toBeNull();
    expect(judged('translate', {}, 403, { code: 'never' }).world).not.toBeNull();
  });
});

describe('what a document with functions of the operator says', () => {
  it('is what the service does', async () => {
    const counts = tally();
    const handlers = {
      slug: ({ this: { text } }: { this: { text: string } }) => text.toLowerCase(),
      length: ({ this: { text } }: { this: { text: string } }) => text.length,
      estimate: ({ request, refuse }: never) => {
        const { text } = (request as { body: { text: string } }).body;
        return text.length > 15 ? (refuse as (code: string) => void)('never') : text.length * 2;
      },
      translate: ({ request, tx }: never) => {
        const { id } = (request as { body: { id?: number } }).body;
        if (id === undefined) return [];
        (tx as { finish: { Text: (id: number) => void } }).finish.Text(id);
        return [id];
      },
    };
    for (let seed = 1; seed <= (process.env['TACET_LONG'] ? 100 : 6); seed++) {
      const { address, close } = await start(document, { handlers: handlers as never });
      expect(await playedAt(address, worldOf(document, false), seed, 30, counts)).toBeNull();
      await close();
    }
    expect(counts.determined / (counts.determined + counts.undetermined)).toBeGreaterThan(0.6);
    expect(counts.successes).toBeGreaterThan(20);
  });
});
