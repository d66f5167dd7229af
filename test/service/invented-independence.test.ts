import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { account, type Exchange, type Sent } from './accountant.ts';
import { type Document, nodes, type Path, todo, without } from './document.ts';
import { bench, ids, isReadable, reader, stranger, todosFor } from './running.ts';

const { serving, end } = bench();
afterAll(end);

const full: Document = { ...todo(), complete: true };

const json = { 'Content-Type': 'application/json' };
const send = (method: string, target: string, body: string | null = null, fields = {}): Sent => ({
  method,
  target,
  body,
  fields: body === null ? fields : { ...json, ...fields },
});

const bodies = [
  '{"title":"milk"}',
  '{"title":"Käse","completed":true,"order":7}',
  '{}',
  '{"title":""}',
  '{"title":5,"order":1.5,"completed":"no"}',
  '{"title":"a","foo":1}',
  '{"title":"a","url":"http://elsewhere.test/1"}',
  `{"title":"a","id":"${stranger}"}`,
  '{"title":"a","title":"b"}',
  '[]',
  '',
];
const origin = { Origin: 'http://elsewhere.test' };

/** Requests for every operation and every condition that a request can meet, each sent to the same three to-dos. */
const battery: readonly Sent[] = [
  send('GET', '/'),
  send('GET', '/', null, origin),
  send('HEAD', '/'),
  send('GET', '/?foo=1'),
  send('DELETE', '/'),
  send('DELETE', '/?foo=1'),
  ...bodies.map((body) => send('POST', '/', body)),
  send('POST', '/', 'milk', { 'Content-Type': 'text/plain' }),
  send('POST', '/?foo=1', '{"title":""}'),
  ...[`/${ids[0]}`, `/${stranger}`, '/none'].flatMap((target) => [
    send('GET', target),
    send('HEAD', target),
    send('GET', `${target}?foo=1`),
    send('DELETE', target),
    ...bodies.map((body) => send('PATCH', target, body)),
    send('PATCH', target, 'milk', { 'Content-Type': 'text/plain' }),
  ]),
  ...['/', '/none', '/a/b'].flatMap((target) => [
    send('PUT', target, '{"title":"a"}'),
    send('OPTIONS', target),
    send('OPTIONS', target, null, { ...origin, 'Access-Control-Request-Method': 'DELETE' }),
  ]),
  send('GET', '/%zz'),
];

/** What the service chooses is the same each time, so that answers can be compared byte for byte. */
const chosen: Partial<ServiceOptions> = {
  url: 'http://todo.test',
  milliseconds: () => 0,
  makers: { uuid: () => '0a1b2c3d-1111-4000-8000-000000000000', random: (length) => 'x'.repeat(length) },
};

function exchanges(document: Document): Promise<Exchange[]> {
  return serving(
    document,
    async ({ kept, exchange }) => {
      const found: Exchange[] = [];
      for (const sent of battery) {
        kept.put(todosFor(full));
        found.push(await exchange(sent));
      }
      return found;
    },
    chosen,
  );
}

let whole: readonly Exchange[] = [];
beforeAll(async () => {
  whole = await exchanges(full);
});

/** The answer and what was kept after it, but for the time, and for fields whose names begin so. */
function told({ answer, after }: Exchange, but: RegExp): string {
  const fields = answer.fields.filter(([name]) => name !== 'Date' && !but.test(name));
  return JSON.stringify({ ...answer, fields, after });
}

/** The row of part 7 by which a request was refused; null: it was not, or by the floor. */
function codeOf({ sent, answer }: Exchange): string | null {
  const codes: Readonly<Record<number, string>> = { 400: 'unreadable', 404: 'no_such', 422: 'not_a_todo' };
  const isNowhere = answer.status === 404 && shapeOf(sent.target) !== '/{id}';
  return isNowhere ? null : (codes[answer.status] ?? null);
}

function shapeOf(target: string): string {
  const path = target.split('?')[0] as string;
  return path === '/' ? '/' : /^\/[^/]+$/.test(path) ? '/{id}' : path;
}

/** Whether an answer rests on the statement at a place. */
function restsOn([part, key, code, ...further]: Path, exchange: Exchange): boolean {
  const { sent, answer } = exchange;
  const shape = shapeOf(sent.target);
  const isPreflight = sent.fields['Access-Control-Request-Method'] !== undefined;
  if (part === 'resources') return true;
  if (part === 'errors') {
    if (key === 'order') return false;
    return codeOf(exchange) !== null && (key !== 'codes' || code === undefined || codeOf(exchange) === code);
  }
  if (part !== 'endpoints') return false;
  if (key === undefined) return true;
  if (key === 'cors') return isPreflight && answer.status !== 404;
  if (key === 'others') return /foo|"url"|"id"/.test(`${sent.target} ${sent.body}`);
  const reached = `${sent.method === 'HEAD' ? 'GET' : sent.method} ${shape}`;
  const isListed = code === undefined && further.length === 0 && answer.status === 405;
  return reached === key || (isListed && String(key).endsWith(` ${shape}`));
}

/** The statement taken out, and what names it with it. */
function cutAt(path: Path): Document {
  const [part, key, code] = path;
  if (part !== 'errors' || key !== 'codes' || path.length > 3) return without(full, path);
  const order = (full['errors'] as { order: string[] }).order;
  return without(
    full,
    path,
    ...(code === undefined ? [['errors', 'order']] : [['errors', 'order', order.indexOf(String(code))]]),
  );
}

/** Statements that no answer shows: they are for people, about no request, or say what holds without them. */
const unseen = [
  /^service/,
  /^resources\.Todo\.fields\.(id|url)\.(type|format)$/,
  /^endpoints\.(protocol|.*\.operation)$/,
  // H.4's own order, and the floor's own statuses.
  /^errors\.(order|codes\.(unreadable|no_such)\.status$)/,
  /^(states|authentication|events|limits|versioning)$/,
];
const isUnseen = (path: Path): boolean => unseen.some((one) => one.test(path.join('.')));

describe('what does not depend on a statement', () => {
  const paths = nodes(full).filter(([part]) => part !== 'resources');

  it(`is answered the same without it (${paths.length} statements, ${battery.length} requests each)`, {
    timeout: 120_000,
  }, async () => {
    const faults: string[] = [];
    const shown: string[] = [];
    for (const path of paths) {
      const document = cutAt(path);
      const place = path.join('.');
      if (!isReadable(reader(document))) {
        faults.push(`without ${place} the document cannot be read`);
        continue;
      }
      const found = await exchanges(document);
      const but = path[1] === 'cors' ? /^Access-Control-/ : /^$/;
      for (const [index, exchange] of whole.entries()) {
        const other = found[index] as Exchange;
        if (told(other, /^$/) !== told(exchange, /^$/)) shown.push(place);
        if (!restsOn(path, exchange) && told(other, but) !== told(exchange, but))
          faults.push(
            `without ${place}, ${JSON.stringify(exchange.sent)} is answered ${told(other, but)}, not ${told(exchange, but)}`,
          );
      }
    }
    expect(faults).toEqual([]);
    expect(
      paths.filter((path) => shown.includes(path.join('.')) === isUnseen(path)).map((path) => path.join('.')),
    ).toEqual([]);
  });
});

describe('the accountant', () => {
  it('accounts for every answer by the whole document', () => {
    expect(whole.flatMap((exchange) => account(exchange).objections)).toEqual([]);
  });

  it('objects to what the whole document lets a service answer, whichever statement is taken from its own', () => {
    const objects = (path: Path): boolean =>
      whole.some((exchange) => account({ ...exchange, document: cutAt(path) }).objections.length > 0);
    expect(
      nodes(full)
        .filter((path) => objects(path) === isUnseen(path))
        .map((path) => path.join('.')),
    ).toEqual([]);
  });
});
