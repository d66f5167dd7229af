import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Answer, type Asked, ask } from './client.ts';
import type { Contestant, Place } from './contestants.ts';
import { creates } from './load.ts';
import { type Server, start } from './server.ts';

/** What a contestant was shown to do before it is measured. */
export interface Conformance {
  readonly name: string;
  /** Why it is left out; null if it is measured. */
  readonly fault: string | null;
  /** How many of the writes that it acknowledged were gone after `kill -9`; null where that was not tried. */
  readonly lost: number | null;
}

/** How many creates are answered before it is killed. */
export const writesBeforeKill = 64;

/**
 * Has a contestant answer as the to-do service does, as far as it serves it, and then kills it. One that serves
 * the whole must lose nothing; of another it is told.
 */
export async function judge(contestant: Contestant, place: Place): Promise<Conformance> {
  const { name, serves } = contestant;
  let lost: number | null = null;
  try {
    const server = await start(contestant, place(contestant));
    try {
      await claims[serves](server, contestant);
    } finally {
      await server.stop();
    }
    if (serves !== 'examples') lost = await lostByKill(contestant, place(contestant));
    must(
      serves !== 'the whole' || lost === 0,
      `kill -9 lost ${lost} of ${writesBeforeKill} acknowledged writes`,
    );
    return { name, fault: null, lost };
  } catch (error) {
    return { name, fault: (error as Error).message, lost };
  }
}

const claims = {
  'the whole': servesTheWhole,
  'items of its own': servesItems,
  examples: servesExamples,
};

const title = 'rest for four bars';

async function servesTheWhole(server: Server): Promise<void> {
  const expected = expecting(server);
  const made = await expected({ method: 'POST', path: '/', content: JSON.stringify({ title }) }, 201);
  const { url } = made.body as { url: string };
  const path = url.slice(server.url.length);
  must(/^\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(path), `its url is ${url}`);
  mustEqual(made.body, { title, completed: false, url }, 'POST /');
  mustEqual(made.headers.location, url, 'Location');
  mustEqual(made.headers['access-control-allow-origin'], '*', 'Access-Control-Allow-Origin');
  must(made.headers['content-type']?.startsWith('application/json') === true, 'its content is not JSON');

  const given = { title: 'come in', completed: true, order: 2 };
  const second = await expected({ method: 'POST', path: '/', content: JSON.stringify(given) }, 201);
  mustEqual(second.body, { ...given, url: (second.body as { url: string }).url }, 'POST /');
  await expected({ method: 'GET', path }, 200, made.body);
  await expected({ method: 'GET', path: '/' }, 200, [made.body, second.body]);
  const changed = { title, completed: true, order: 1, url };
  await expected({ method: 'PATCH', path, content: '{"completed":true,"order":1}' }, 200, changed);
  await expected({ method: 'GET', path }, 200, changed);

  for (const content of ['{}', '{"title":""}', '{"title":1}', '{"title":null}'])
    await expected({ method: 'POST', path: '/', content }, 422, { message: 'title' });
  const stray = JSON.stringify({ title, colour: 'red' });
  await expected({ method: 'POST', path: '/', content: stray }, 422, { message: 'colour' });
  await expected({ method: 'PATCH', path, content: '{"order":1.5}' }, 422, { message: 'order' });
  await expected({ method: 'POST', path: '/', content: '{"title"' }, 400, { message: 'this cannot be read' });
  const unknown = { message: 'there is no such to-do' };
  await expected({ method: 'GET', path: `/${randomUUID()}` }, 404, unknown);

  await expected({ method: 'DELETE', path }, 204);
  await expected({ method: 'GET', path }, 404, unknown);
  await expected({ method: 'DELETE', path }, 404, unknown);
  await expected({ method: 'DELETE', path: '/' }, 204);
  await expected({ method: 'GET', path: '/' }, 200, []);
}

async function servesItems(server: Server, { list, pathOf }: Contestant): Promise<void> {
  const expected = expecting(server);
  const given = { title, completed: false };
  const made = await expected({ method: 'POST', path: list, content: JSON.stringify(given) }, 201);
  mustEqual(made.body, { ...given, id: (made.body as { id: unknown }).id }, `POST ${list}`);
  await expected({ method: 'GET', path: pathOf(made) }, 200, made.body);
  await expected({ method: 'GET', path: list }, 200, [made.body]);
  await expected({ method: 'GET', path: `${list}/unknown` }, 404);
}

async function servesExamples(server: Server, { list, pathOf }: Contestant): Promise<void> {
  const expected = expecting(server);
  const made = await expected({ method: 'POST', path: list, content: JSON.stringify({ title }) }, 201);
  mustEqual(Object.keys(made.body as object).sort(), ['completed', 'title', 'url'], `POST ${list}`);
  await expected({ method: 'GET', path: pathOf(made) }, 200, made.body);
  await expected({ method: 'GET', path: list }, 200, [made.body]);
  await expected({ method: 'POST', path: list, content: '{}' }, 422);
}

/** Many creates at once, `kill -9` at the last answer, a new start: how many of them are not there as answered. */
async function lostByKill(contestant: Contestant, folder: string): Promise<number> {
  const server = await start(contestant, folder);
  let made: Answer[];
  try {
    made = await Promise.all(creates(contestant, writesBeforeKill).map((asked) => ask(server.url, asked)));
  } finally {
    await server.kill();
  }
  const refused = made.find(({ status }) => status !== 201);
  if (refused !== undefined) throw new Error(`POST ${contestant.list}: ${refused.status}`);
  const again = await start(contestant, folder, server.port);
  try {
    let lost = 0;
    for (const one of made) {
      const { status, body } = await ask(again.url, { method: 'GET', path: contestant.pathOf(one) });
      if (status !== 200 || !isDeepStrictEqual(body, one.body)) lost += 1;
    }
    return lost;
  } finally {
    await again.stop();
  }
}

type Expecting = (asked: Asked, status: number, body?: unknown) => Promise<Answer>;

/** Asks, and throws unless the answer has this status, and this body if one is given. */
function expecting({ url }: Server): Expecting {
  return async (asked, status, body) => {
    const answer = await ask(url, asked);
    const request = `${asked.method} ${asked.path}${asked.content === undefined ? '' : ` ${asked.content}`}`;
    mustEqual(answer.status, status, request);
    if (body !== undefined) mustEqual(answer.body, body, request);
    return answer;
  };
}

function mustEqual(actual: unknown, expected: unknown, what: string): void {
  must(
    isDeepStrictEqual(actual, expected),
    `${what}: ${JSON.stringify(actual)}, where ${JSON.stringify(expected)} was expected`,
  );
}

function must(holds: boolean, fault: string): void {
  if (!holds) throw new Error(fault);
}
