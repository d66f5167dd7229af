import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { lineText, position } from '../../src/source/text.ts';
import { account, type Exchange, type Sent } from './accountant.ts';
import { nodes, type Path, statementAt, todo, without } from './document.ts';
import { bench, ids, isReadable, type Running, reader, stranger, todosFor } from './running.ts';

const long = process.env['TACET_LONG'] !== undefined;
const runs = long ? 2000 : 60;
const seed = Number(process.env['TACET_SEED'] ?? 20261121);

const { serving, file, end } = bench();
afterAll(end);

const full = todo();

function told({ document, sent, answer }: Exchange, fault: string): Error {
  const lines = [fault, JSON.stringify(sent), JSON.stringify(answer), JSON.stringify(document, null, 1)];
  return new Error(lines.join('\n'));
}

/**
 * The points that a 501 names are enough, each of them is needed, and what is still missing once they are
 * answered (what is done was open, say) is named in its turn.
 */
async function heldRightly(exchange: Exchange, { kept }: Running): Promise<'runs' | 'no refinement'> {
  const { document, sent } = exchange;
  /** The same request on the same items, with what the whole document states at these addresses assumed. */
  const again = async (assumed: readonly string[]) => {
    const assumptions = assumed.map((at) => ({ at, value: statementAt(full, at) ?? null }));
    // What is taken out of a list that is said to be complete is denied, so that the whole document may be no
    // refinement of this one (language §F.4), and its values no answers to what is open here.
    if (document['complete'] === true && !isReadable(reader(document, assumptions))) return null;
    const data = file();
    kept.copyTo(data);
    const use = async ({ call, held }: Running) => ({ status: (await call(sent)).status, held: held() });
    return serving(document, use, { data, assumptions });
  };
  const assumed: string[] = [];
  let named: readonly string[] = exchange.held;
  for (;;) {
    if (named.length === 0) throw told(exchange, `501 with ${assumed.join(', ')} assumed names nothing`);
    for (const point of named) {
      if (assumed.includes(point)) throw told(exchange, `${point} was assumed, and is named again`);
      if (statementAt(full, point) === undefined)
        throw told(exchange, `nothing is stated at ${point} in the whole document`);
    }
    assumed.push(...named);
    const answer = await again(assumed);
    if (answer === null) return 'no refinement';
    if (answer.status !== 501) break;
    named = answer.held;
  }
  for (const point of assumed.length > 1 ? assumed : []) {
    const less = await again(assumed.filter((one) => one !== point));
    if (less && less.status !== 501)
      throw told(exchange, `${point} is named and not needed: without it ${less.status}`);
  }
  return 'runs';
}

const bodies = [
  '{"title":"milk"}',
  '{"title":"Käse, \\u00e9\\"","completed":true,"order":7}',
  '{"order":-2,"completed":false}',
  '{}',
  '{"title":""}',
  '{"title":5,"order":1.5}',
  '{"title":null,"completed":"yes"}',
  '{"title":["a",{"b":null}]}',
  '{"title":"a","foo":1}',
  '{"foo":{},"bar":2,"title":"a"}',
  '{"title":"a","url":"http://example.test/1"}',
  '{"title":"a","url":"no uri"}',
  '{"title":"a","title":"b"}',
  '[{"title":"a"}]',
  'null',
  '"title"',
  '{"title":',
  '',
];
const bodiesWithId = [
  `{"title":"a","id":"${stranger}"}`,
  `{"title":"a","id":"${ids[0]}"}`,
  '{"title":"a","id":"no uuid"}',
];
const media = ['Application/JSON; charset=UTF-8', 'application/json; charset=utf-16', 'text/plain', null];

const items = ids.map((id) => `/${id}`);
const unknown = [`/${stranger}`, '/none', '/a/b', '//', '/%zz'];

const arbitrarySent: fc.Arbitrary<Sent> = fc
  .record({
    // Mostly what an operation stands for, so that most requests reach one.
    to: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          ['GET', '/'],
          ['HEAD', '/'],
          ['POST', '/'],
          ['POST', '/'],
          ['DELETE', '/'],
        ),
      },
      {
        weight: 5,
        arbitrary: fc.tuple(
          fc.constantFrom('GET', 'HEAD', 'PATCH', 'PATCH', 'DELETE'),
          fc.constantFrom(...items, ...unknown),
        ),
      },
      {
        weight: 2,
        arbitrary: fc.tuple(
          fc.constantFrom('PUT', 'POST', 'OPTIONS', 'OPTIONS', 'TRACE'),
          fc.constantFrom('/', ...items, ...unknown),
        ),
      },
    ),
    query: fc.oneof(
      { weight: 6, arbitrary: fc.constant('') },
      fc.constantFrom('?', '?foo=1', '?title=a&foo='),
    ),
    body: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...bodies.slice(0, 3)) },
      fc.constantFrom(...bodies, ...bodiesWithId),
      fc.constant(null),
    ),
    media: fc.oneof({ weight: 3, arbitrary: fc.constant('application/json') }, fc.constantFrom(...media)),
    origin: fc.constantFrom(null, 'http://elsewhere.test'),
    asks: fc.constantFrom('POST', 'PUT', null),
  })
  .map(({ to: [method = '', path = ''], query, body, media, origin, asks }) => {
    // Whether a client may give an item's identifier again is said nowhere.
    const given = method === 'PATCH' && bodiesWithId.includes(body ?? '') ? '{"title":"a"}' : body;
    const sends = given !== null && !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
    return {
      method,
      target: path + query,
      body: sends ? given : null,
      fields: {
        ...(sends && media !== null && { 'Content-Type': media }),
        ...(origin !== null && { Origin: origin }),
        ...(method === 'OPTIONS' && asks !== null && { 'Access-Control-Request-Method': asks }),
      },
    };
  });

describe('nothing invented', () => {
  const places = nodes(full);

  it(`accounts for every byte of every answer, whatever is left unsaid (${runs} documents, seed ${seed})`, {
    timeout: runs * 5000,
  }, async () => {
    const seen = new Map<string, number>();
    const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.nat(places.length - 1), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.array(arbitrarySent, { minLength: 20, maxLength: 20 }),
      async (cuts, complete, requests) => {
        const left = without(full, ...cuts.map((index) => places[index] as Path));
        const document = complete ? { ...left, complete: true } : left;
        const read = reader(document);
        note('documents');
        if (!isReadable(read)) {
          note('unreadable');
          for (const { span } of read.diagnostics)
            expect(lineText(span.text, position(span.text, span.start).line).trim()).not.toBe('');
          return;
        }
        await serving(document, async (running) => {
          running.kept.put(todosFor(document));
          const judged = new Set<string>();
          for (const sent of requests) {
            const dump = running.kept.dump();
            const exchange = await running.exchange(sent);
            const { objections } = account(exchange);
            if (objections.length > 0) throw told(exchange, objections.join('\n'));
            note(String(exchange.answer.status));
            if (exchange.answer.status !== 501) continue;
            expect(running.kept.dump()).toBe(dump);
            const kind = `${sent.method} ${sent.target.length > 1} ${exchange.held.join(' ')}`;
            if (!judged.has(kind)) note(await heldRightly(exchange, running));
            judged.add(kind);
          }
        });
      },
    );
    await fc.assert(property, { seed, numRuns: runs });
    expect(seen.get('no refinement') ?? 0).toBeLessThan((seen.get('runs') ?? 0) / 10);
    const statuses = ['200', '201', '204', '400', '404', '405', '415', '422', '501'];
    expect(statuses.filter((status) => !seen.has(status))).toEqual([]);
    expect((seen.get('unreadable') ?? 0) / (seen.get('documents') ?? 0)).toBeLessThan(0.25);
  });

  it.each<[string, readonly string[], string]>([
    ['nothing', [], 'names nothing'],
    [
      'a point beside the one',
      ['does', 'response.body'],
      'response.body is named and not needed: without it 200',
    ],
    [
      'another point than the one',
      ['response.body'],
      'response.body is named and not needed: without it 200',
    ],
    ['what is stated nowhere', ['conditional'], 'nothing is stated at'],
  ])('objects to a 501 that names %s', async (_what, named, objection) => {
    const endpoint = 'GET /{id}';
    const document = without(
      full,
      ['endpoints', endpoint, 'does'],
      ['endpoints', endpoint, 'response', 'body'],
    );
    await serving(document, async (running) => {
      running.kept.put(todosFor(document));
      const exchange = await running.exchange({
        method: 'GET',
        target: `/${ids[0]}`,
        fields: {},
        body: null,
      });
      expect(await heldRightly(exchange, running)).toBe('runs');
      const held = named.map((one) => `endpoints["${endpoint}"].${one}`);
      await expect(heldRightly({ ...exchange, held }, running)).rejects.toThrow(objection);
    });
  });
});
