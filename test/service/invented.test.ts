import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { serve } from '../../src/service/service.ts';
import { lineText, position } from '../../src/source/text.ts';
import type { Assumption } from '../../src/specification/ledger.ts';
import { read } from '../../src/specification/read.ts';
import { type Answer, account, type Exchange, type Item, type Sent } from './accountant.ts';
import { type Document, list, map, nodes, type Path, statementAt, todo, without } from './document.ts';
import { caller, folder, type Kept, kept, specificationOf } from './running.ts';

const long = process.env['TACET_LONG'] !== undefined;
const runs = long ? 2000 : 120;
const seed = Number(process.env['TACET_SEED'] ?? 20261121);

const files = folder();
const { call, close } = caller();
afterAll(() => {
  close();
  files.remove();
});

const full = todo();
const ids = [1, 2, 3].map((n) => `0a1b2c3d-0000-4000-8000-00000000000${n}`) as [string, string, string];
const stranger = '0a1b2c3d-0000-4000-8000-00000000000f';
const prepared: readonly Item[] = [
  { key: ids[0], members: { title: 'buy milk', completed: false, order: 1 } },
  { key: ids[1], members: { title: 'répondre à "Léa"\n', completed: true } },
  { key: ids[2], members: { title: 'c', completed: false } },
];

/** What could have been kept under a document: members that it names, of items that it can tell apart. */
function fitting(document: Document): Item[] {
  const resource = map(map(document['resources'])['Todo']);
  if (resource['identifier'] === undefined) return [];
  const named = [...Object.keys(map(resource['fields'])), ...list(resource['required'])];
  return prepared.map(({ key, members }) => ({
    key,
    members: Object.fromEntries(Object.entries(members).filter(([name]) => named.includes(name))),
  }));
}

interface Running {
  readonly address: string;
  readonly kept: Kept;
  /** The points that the log named since the last look. */
  readonly held: () => string[];
}

let count = 0;
async function running<T>(
  document: Document,
  use: (running: Running) => Promise<T>,
  options: Partial<ServiceOptions> & { readonly assumptions?: readonly Assumption[] } = {},
): Promise<T> {
  const { assumptions = [], data = files.file(`${count++}.sqlite`), ...more } = options;
  let named: string[] = [];
  const service = await serve(specificationOf(document, assumptions), {
    data,
    onHeldUp: ({ points }) => named.push(...points.map((one) => one.address)),
    ...more,
  });
  const database = kept(data);
  const held = (): string[] => {
    const found = named;
    named = [];
    return found;
  };
  try {
    return await use({ address: service.address, kept: database, held });
  } finally {
    database.close();
    await service.close();
  }
}

async function exchanged(
  document: Document,
  { address, kept, held }: Running,
  sent: Sent,
): Promise<Exchange> {
  const before = kept.items();
  const answer = await call(address, sent);
  return { document, url: address, sent, answer, before, after: kept.items(), held: held() };
}

function told(document: Document, { sent, answer }: Exchange, fault: string): Error {
  return new Error(
    [fault, JSON.stringify(sent), JSON.stringify(answer), JSON.stringify(document, null, 1)].join('\n'),
  );
}

/** The points of a 501 are enough, each is needed, and there are no others to be told of but what they reveal. */
async function heldRightly(exchange: Exchange, { kept }: Running): Promise<void> {
  const { document, sent } = exchange;
  const again = async (assumed: readonly string[]): Promise<{ status: number; held: string[] }> => {
    const data = files.file(`${count++}.sqlite`);
    kept.copyTo(data);
    const assumptions = assumed.map((at) => ({ at, value: statementAt(full, at) ?? null }));
    return running(
      document,
      async ({ address, held }) => ({ status: (await call(address, sent)).status, held: held() }),
      { data, assumptions },
    );
  };
  let assumed: readonly string[] = [];
  let named: readonly string[] = exchange.held;
  for (;;) {
    if (named.length === 0)
      throw told(document, exchange, `501 with ${assumed.join(', ')} assumed names nothing`);
    for (const point of named) {
      if (assumed.includes(point)) throw told(document, exchange, `${point} was assumed, and is named again`);
      if (statementAt(full, point) === undefined)
        throw told(document, exchange, `${point} is nothing that the whole document states`);
    }
    if (named.length > 1)
      for (const left of named) {
        const { status } = await again([...assumed, ...named.filter((one) => one !== left)]);
        if (status !== 501)
          throw told(document, exchange, `${left} is named and not needed: without it ${status}`);
      }
    assumed = [...assumed, ...named];
    const { status, held } = await again(assumed);
    if (status !== 501) return;
    named = held;
  }
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
        const text = JSON.stringify(document, null, 2);
        const { diagnostics } = read('todo.json', text);
        note('documents');
        if (diagnostics.some((one) => one.severity === 'error')) {
          note(`unreadable`);
          for (const { span } of diagnostics) {
            expect(span.text.content).toBe(text);
            expect(lineText(span.text, position(span.text, span.start).line).trim()).not.toBe('');
          }
          return;
        }
        await running(document, async (service) => {
          service.kept.put(fitting(document));
          const judged = new Set<string>();
          for (const sent of requests) {
            const dump = service.kept.dump();
            const exchange = await exchanged(document, service, sent);
            const { objections } = account(exchange);
            if (objections.length > 0) throw told(document, exchange, objections.join('\n'));
            note(String(exchange.answer.status));
            if (exchange.answer.status !== 501) continue;
            expect(service.kept.dump()).toBe(dump);
            const kind = `${sent.method} ${sent.target.length > 1} ${exchange.held.join(' ')}`;
            if (!judged.has(kind)) await heldRightly(exchange, service);
            judged.add(kind);
          }
        });
      },
    );
    await fc.assert(property, { seed, numRuns: runs });
    const statuses = ['200', '201', '204', '400', '404', '405', '415', '422', '501'];
    expect(statuses.filter((status) => !seen.has(status))).toEqual([]);
    console.log(seen);
    expect((seen.get('unreadable') ?? 0) / (seen.get('documents') ?? 0)).toBeLessThan(0.25);
  });
});
void (null as unknown as Answer);
