import { afterAll, describe, expect, it } from 'vitest';
import { type Answer, account, type Exchange, type Sent } from './accountant.ts';
import { type Document, todo, without } from './document.ts';
import type { Item } from './item.ts';
import { bench, ids, todosFor } from './running.ts';

const { serving, end } = bench();
afterAll(end);

const full = todo();

/** Answers that the service gave, altered by hand: what the property of `invented.test.ts` rests on. */
describe('the accountant objects to', () => {
  const json = { 'Content-Type': 'application/json' };
  const send = (method: string, target: string, body: string | null = null, more = {}): Sent => ({
    method,
    target,
    body,
    fields: body === null ? more : { ...json, ...more },
  });
  const list = send('GET', '/');
  const one = send('GET', `/${ids[0]}`);
  const add = send('POST', '/', '{"title":"a"}');
  const change = send('PATCH', `/${ids[0]}`, '{"order":5}');
  const wrong = send('POST', '/', '{"title":""}');
  const foreign = send('POST', '/', 'a', { 'Content-Type': 'text/plain' });
  const nowhere = send('GET', '/a/b');
  const readless = without(full, ['endpoints', 'GET /{id}', 'does']);
  const changeless = without(full, ['endpoints', 'PATCH /{id}', 'does']);

  const altered = (change: Partial<Exchange> & { readonly answer?: Answer }) => (exchange: Exchange) => ({
    ...exchange,
    ...change,
  });
  const answered =
    (change: (answer: Answer) => Partial<Answer>) =>
    (exchange: Exchange): Exchange => ({
      ...exchange,
      answer: { ...exchange.answer, ...change(exchange.answer) },
    });
  const added = (name: string, value: string) =>
    answered(({ fields }) => ({ fields: [...fields, [name, value]] }));
  const dropped = (name: string) =>
    answered(({ fields }) => ({ fields: fields.filter(([one]) => one !== name) }));
  const instead = (name: string, value: string) =>
    answered(({ fields }) => ({ fields: fields.map(([one, was]) => [one, one === name ? value : was]) }));
  /** Another body, and the length that belongs to it. */
  const saying = (change: (body: string) => string) =>
    answered(({ body, fields }) => ({
      body: change(body),
      fields: fields.map(([name, was]) => [
        name,
        name === 'Content-Length' ? String(Buffer.byteLength(change(body))) : was,
      ]),
    }));
  const keeping =
    (change: (after: readonly Item[]) => readonly Item[]) =>
    (exchange: Exchange): Exchange => ({
      ...exchange,
      after: change(exchange.after),
    });

  it.each<[string, Document, Sent, (exchange: Exchange) => Exchange, string]>([
    [
      'a field that nothing states',
      full,
      list,
      added('X-Powered-By', 'tacet'),
      'X-Powered-By: tacet is due by nothing',
    ],
    [
      'a field about the connection',
      full,
      list,
      added('Keep-Alive', 'timeout=5'),
      'Keep-Alive: timeout=5 is due by nothing',
    ],
    ['a second Date', full, list, added('Date', 'Sat, 21 Nov 2026 00:00:00 GMT'), 'Date is not there once'],
    ['no Date', full, list, dropped('Date'), 'Date is not there once'],
    [
      'a charset',
      full,
      list,
      instead('Content-Type', 'application/json; charset=utf-8'),
      'application/json; charset=utf-8 is not application/json',
    ],
    ['no media type', full, list, dropped('Content-Type'), 'Content-Type: application/json is missing'],
    ['another length', full, list, instead('Content-Length', '2'), 'Content-Length: 2 is not'],
    [
      'a length beside 204',
      full,
      send('DELETE', '/'),
      added('Content-Length', '0'),
      'Content-Length: 0 is due by nothing',
    ],
    ['a body after HEAD', full, send('HEAD', '/'), answered(() => ({ body: '[]' })), 'a body is there'],
    ['another status than the one stated', full, add, answered(() => ({ status: 200 })), '200 is not 201'],
    ["another status than the floor's", full, foreign, answered(() => ({ status: 409 })), '409 is not 415'],
    [
      "content beside the floor's status",
      full,
      nowhere,
      saying(() => '{"error":"not found"}'),
      'a body is there',
    ],
    ['no Location', full, add, dropped('Location'), 'Location: '],
    ['another Location', full, add, instead('Location', '/1'), 'Location: /1 is not'],
    ['no Allow', full, send('PUT', '/'), dropped('Allow'), 'Allow: GET, HEAD, POST, DELETE is missing'],
    [
      'a method too many',
      full,
      send('PUT', '/'),
      instead('Allow', 'GET, HEAD, POST, DELETE, PUT'),
      'DELETE, PUT is not',
    ],
    [
      'the origin given back',
      full,
      send('GET', '/', null, { Origin: 'http://a.test' }),
      instead('Access-Control-Allow-Origin', 'http://a.test'),
      'http://a.test is not *',
    ],
    [
      'a default that is not stated',
      full,
      add,
      saying((body) => body.replace('{', '{"order":0,')),
      'body.order is due by nothing: 0',
    ],
    [
      'a member that is not readable',
      full,
      one,
      saying((body) => body.replace('{', `{"id":"${ids[0]}",`)),
      'body.id is due by nothing',
    ],
    [
      'a null for what is not there',
      full,
      add,
      saying((body) => body.replace('{', '{"order":null,')),
      'body.order is due by nothing: null',
    ],
    [
      'a code in a payload that states none',
      full,
      wrong,
      saying((body) => body.replace('{', '{"code":"not_a_todo",')),
      'body.code is due by nothing',
    ],
    [
      'another message',
      full,
      wrong,
      saying(() => '{"message":"title must not be empty"}'),
      'body.message is "title must not be empty"',
    ],
    [
      'a member twice',
      full,
      one,
      saying((body) => body.replace('{', '{"order":1,')),
      'a member stands twice',
    ],
    [
      'a member left out',
      full,
      one,
      saying((body) => body.replace('"completed":false,', '')),
      'body.completed is missing',
    ],
    [
      'a value turned into another type',
      full,
      one,
      saying((body) => body.replace('"order":1', '"order":"1"')),
      'body.order is "1", not 1',
    ],
    [
      'an item twice',
      full,
      list,
      saying((body) => body.replace(/^\[(\{.*?\})/, '[$1,$1')),
      'is due by nothing',
    ],
    [
      'an item left out',
      full,
      list,
      saying((body) => body.replace(/^\[(\{.*?\}),/, '[')),
      'is missing an item',
    ],
    ['what is no JSON', full, one, saying((body) => body.slice(1)), 'the body is not JSON'],
    ['a refusal that changed something', full, wrong, keeping((after) => after.slice(1)), 'what is kept'],
    ['a read that changed something', full, one, keeping((after) => [...after].reverse()), 'what is kept'],
    ['an item that is not kept', full, add, keeping((after) => after.slice(0, -1)), 'what is kept'],
    [
      'a value kept otherwise',
      full,
      add,
      keeping((after) => after.map((item) => ({ ...item, members: { ...item.members, title: 'A' } }))),
      'what is kept',
    ],
    [
      'a member kept and never shown',
      full,
      add,
      keeping((after) => after.map((item) => ({ ...item, members: { ...item.members, at: 'now' } }))),
      'what is kept',
    ],
    [
      'a change of another item',
      full,
      change,
      keeping((after) => after.map((item) => ({ ...item, members: { ...item.members, order: 5 } }))),
      'what is kept',
    ],
    ['a 501 that names nothing', readless, one, altered({ held: [] }), '501 names no point'],
    [
      'a 501 that names what is stated',
      readless,
      one,
      altered({ held: ['endpoints["GET /{id}"].response.status'] }),
      'which is stated',
    ],
    ['a 501 with content', readless, one, saying(() => '{}'), 'a body is there'],
    ['a 501 that changed something', changeless, change, keeping(() => []), 'what is kept'],
    [
      'an answer where it is open what is done',
      readless,
      one,
      answered(() => ({ status: 200 })),
      '200 was answered although',
    ],
    ['a 501 where the answer is stated', full, list, answered(() => ({ status: 501 })), '501 is not 200'],
  ])('%s', async (_what, document, sent, alter, objection) => {
    await serving(document, async ({ kept, exchange: exchanged }) => {
      kept.put(todosFor(document));
      const exchange = await exchanged(sent);
      expect(account(exchange).objections).toEqual([]);
      expect(account(alter(exchange)).objections.join('\n')).toContain(objection);
    });
  });
});
