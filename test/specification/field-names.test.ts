import { describe, expect, it } from 'vitest';
import { durationOf } from '../../src/specification/reading/duration.ts';
import { document } from './documents.ts';
import { findings, pairs } from './findings.ts';

const endpoints = (keys: string): string => document({ endpoints: `GET /: { does: (none), ${keys} }` });
const answer = (headers: string): string => endpoints(`response: { status: 204, headers: { ${headers} } }`);

describe('the name of a header field is one of RFC 9110 §5.1', () => {
  it.each<[string, string, string[]]>([
    [
      'of an answer',
      answer('"X Desk": a'),
      [
        'bad-field-name "X Desk": "X Desk" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'with a colon',
      answer('"X-Desk:": a'),
      [
        'bad-field-name "X-Desk:": "X-Desk:" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of no letters',
      answer('"": a'),
      [
        'bad-field-name "": "" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of other letters',
      answer('X-Größe: a'),
      [
        'bad-field-name X-Größe: "X-Größe" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of a request',
      endpoints('request: { headers: { "X Desk": {} } }'),
      [
        'bad-field-name "X Desk": "X Desk" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of every answer',
      document({ endpoints: 'headers: { "X Desk": a }' }),
      [
        'bad-field-name "X Desk": "X Desk" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of an error',
      document({ errors: 'codes: { a: { when: invalid, status: 400, headers: { "X Desk": a } } }' }),
      [
        'bad-field-name "X Desk": "X Desk" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of every error',
      document({ errors: 'payload: { headers: { "X Desk": a } }' }),
      [
        'bad-field-name "X Desk": "X Desk" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of a key',
      endpoints('idempotency: { header: "Idempotency Key", life: P1D, per: key, remembers: all }'),
      [
        'bad-field-name "Idempotency Key": "Idempotency Key" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'of a repeat',
      endpoints(
        'idempotency: { header: Key, life: P1D, per: key, remembers: all, replay: { headers: { "X Again": yes } } }',
      ),
      [
        'bad-field-name "X Again": "X Again" cannot be the name of a header field here → a name is letters, digits and hyphens (RFC 9110 §5.1)',
      ],
    ],
    [
      'one that frames the message',
      answer('Content-Length: "5"'),
      [
        'bad-field-name Content-Length: "Content-Length" cannot be the name of a header field here → it frames the message or belongs to the connection, so only the server sets it',
      ],
    ],
    [
      'another, in any letters',
      answer('transfer-ENCODING: chunked'),
      [
        'bad-field-name transfer-ENCODING: "transfer-ENCODING" cannot be the name of a header field here → it frames the message or belongs to the connection, so only the server sets it',
      ],
    ],
    [
      'one of a connection',
      answer('Connection: close'),
      [
        'bad-field-name Connection: "Connection" cannot be the name of a header field here → it frames the message or belongs to the connection, so only the server sets it',
      ],
    ],
    [
      'one field twice',
      answer('X-Desk: a, x-desk: b'),
      ['key-twice x-desk: x-desk stands twice → keep one of them'],
    ],
  ])('told: %s', (_, content, expected) => {
    expect(findings(content)).toEqual(expected);
  });

  it('and beside the second, the first', () => {
    expect(pairs(answer('X-Desk: a, x-desk: b'))).toEqual(['key-twice x-desk ~ X-Desk']);
  });

  it.each<[string, string]>([
    ['of the usual kind', answer('X-Desk: a, Location: "/a", ETag: \'"a"\', Retry-After: "5", Vary: Accept')],
    ['of all signs that there are', answer('"!#$%&\'*+.^_`|~-9": a')],
    [
      'one that frames the request',
      endpoints('request: { headers: { Content-Length: { type: integer }, TE: {} } }'),
    ],
    ['one that is asked', answer('X-Desk: (open)')],
  ])('not told: %s', (_, content) => {
    expect(findings(content)).toEqual([]);
  });
});

describe('a duration is written as ISO 8601 does', () => {
  const second = 1000;
  it.each<[string, number | null]>([
    ['PT0S', 0],
    ['PT0.5S', 0.5 * second],
    ['PT1H30M', 5400 * second],
    ['P14D', 14 * 86_400 * second],
    ['P2W', 14 * 86_400 * second],
    ['P1DT12H', 36 * 3600 * second],
    ['P1M', null],
    ['PT1M', 60 * second],
    ['P1Y', null],
  ])('%s', (written, milliseconds) => {
    expect(durationOf(written)).toMatchObject({ text: written, milliseconds });
  });

  it.each([
    '',
    'P',
    'PT',
    'P1',
    '1D',
    'P1DT',
    'P-1D',
    'P1H',
    'PT1D',
    'pt1s',
    'P1.5D',
    'PT.5S',
    'P1D2W',
    ' P1D',
  ])('none: %j', (written) => {
    expect(durationOf(written)).toBeUndefined();
  });

  it('wherever one stands', () => {
    const life = 'idempotency: { header: Key, life: a day, per: key, remembers: all }';
    expect(findings(endpoints(life))).toEqual([
      'bad-duration a day: "a day" is no duration → write it as ISO 8601 does: PT30S, PT15M, P14D',
    ]);
  });
});
