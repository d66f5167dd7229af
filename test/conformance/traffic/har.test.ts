import { describe, expect, it } from 'vitest';
import { exchangesOf, NotHar } from '../../../src/conformance/traffic/har.ts';

function entry(over: object = {}): object {
  return {
    startedDateTime: '2026-05-01T10:00:00.000Z',
    time: 12.5,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:8080/notes?a=%20#top',
      headers: [
        { name: ':authority', value: '127.0.0.1' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      postData: { mimeType: 'application/json', text: '{"text":"a"}' },
    },
    response: { status: 201, headers: [{ name: 'Location', value: '/notes/1' }], content: { text: '{}' } },
    ...over,
  };
}

const har = (...entries: readonly object[]): string => JSON.stringify({ log: { version: '1.2', entries } });

describe('a HAR file', () => {
  it('is read as exchanges, each as it was sent and answered', () => {
    expect(exchangesOf(har(entry()))).toEqual([
      {
        sentMs: Date.parse('2026-05-01T10:00:00.000Z'),
        tookMs: 12.5,
        exchange: {
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:8080/notes?a=%20',
            headers: [['Content-Type', 'application/json']],
            body: '{"text":"a"}',
          },
          response: { status: 201, headers: [['Location', '/notes/1']], body: '{}' },
          failure: null,
        },
      },
    ]);
  });

  it('is read in the order of time, with content in base64, forms by their parameters, and requests without an answer', () => {
    const later = entry({ startedDateTime: '2026-05-01T12:00:01+01:00' });
    const request = {
      method: 'put',
      url: 'http://a/',
      headers: [],
      postData: { params: [{ name: 'a b', value: 'c' }] },
    };
    const first = entry({
      startedDateTime: '2026-05-01T09:00:00Z',
      request,
      response: { status: 0, headers: [] },
    });
    const response = { status: 200, headers: [], content: { text: 'w6k=', encoding: 'base64' } };
    const found = exchangesOf(har(later, entry({ response }), first));
    expect(found.map(({ exchange }) => exchange.response?.body)).toEqual([undefined, 'é', '{}']);
    expect(found[0]?.exchange).toMatchObject({
      request: { method: 'PUT', body: 'a+b=c' },
      response: null,
      failure: 'no answer was recorded',
    });
  });

  it('tells of content that was sent and not recorded, and leaves out what a browser had in its cache', () => {
    const response = { status: 200, headers: [], content: { size: 12 } };
    const cached = entry({ _fromCache: 'disk' });
    const request = { method: 'POST', url: 'http://a/', headers: [], bodySize: 12 };
    const found = exchangesOf(har(entry({ response }), cached, entry({ request })));
    expect(found.map(({ cut }) => cut)).toEqual(['answer', 'request']);
  });

  it.each([
    ['{', 'it is no JSON: '],
    ['[]', 'the file is no object'],
    ['{"log":{}}', 'log.entries is no list'],
    [har({ startedDateTime: 'x' }), 'log.entries[0].request is no object'],
    [har(entry({ startedDateTime: 'yesterday' })), 'log.entries[0].startedDateTime is no date and time'],
    [har(entry({ response: { headers: [] } })), 'log.entries[0].response.status is no number'],
    [
      har(entry({ request: { method: 'GET', url: '/', headers: [{ name: 'a' }] } })),
      'log.entries[0].request.headers[0].value is no text',
    ],
  ])('is refused where %s: the member is named', (text, message) => {
    expect(() => exchangesOf(text)).toThrow(NotHar);
    expect(() => exchangesOf(text)).toThrow(message);
  });
});
