import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/semantics/judge/answer.ts';
import { Bytes } from '../../src/semantics/value/value.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';
import { type Sent, statusesOf } from './walking.ts';

const text = readFileSync('test/semantics/bytes.yaml', 'utf8');
const specification = specificationOf(text);
const path = { id: 'a' };
const ten = Buffer.from([0, 1, 2, 0xff, 4, 5, 6, 7, 8, 9]);

type Headers = Readonly<Record<string, string>>;

/** Where an answer to a request for a part of these bytes is not as stated. The tag of the whole is `"t"`. */
function wrong(headers: Headers, { headers: fields, ...answer }: Partial<Answer>, bytes = ten) {
  const ask = asking(specification);
  const shown = { id: 'a', caption: '', media: 'image/png' };
  ask('keep', { path, content: {} }, { body: { ...shown, size: null, digest: null } });
  const digest = createHash('sha256').update(bytes).digest('hex');
  const sent = { content: new Bytes(bytes), headers: { 'content-type': 'image/png' } };
  const drawn = { ...shown, size: bytes.byteLength, digest };
  expect(ask('draw', { path, ...sent }, { body: drawn })).toEqual([]);
  const usual = { etag: '"t"', 'content-type': 'image/png' };
  const body = bytes.byteLength === 0 ? undefined : bytes;
  const whole = { body, headers: { ...usual, 'accept-ranges': 'bytes' } };
  expect(ask('look', { path }, whole)).toEqual([]);
  return ask('look', { path, headers }, { ...answer, headers: { ...usual, ...fields } });
}

const part = (range: string, body: Uint8Array, status = 206): Partial<Answer> => ({
  status,
  headers: { 'content-range': range },
  body,
});

const whole: Partial<Answer> = { status: 200, headers: { 'accept-ranges': 'bytes' }, body: ten };
const pastEnd: Partial<Answer> = {
  status: 416,
  headers: { etag: '', 'content-range': 'bytes */10', 'content-type': 'application/json' },
  body: { code: 'past_end' },
};

describe('a range of bytes (language §4.3, RFC 9110 §14)', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=2-4', 2, 4],
    ['bytes=5-', 5, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-99', 0, 9],
    ['BYTES=8-99999999999999999999', 8, 9],
  ])('%s is answered with these bytes alone', (range, first, last) => {
    const told = `bytes ${first}-${last}/10`;
    const bytes = ten.subarray(first, last + 1);
    expect(wrong({ range }, part(told, bytes))).toEqual([]);
    expect(wrong({ range }, part(told, bytes.subarray(1)))).toEqual(['body']);
    expect(wrong({ range }, part(`bytes ${first}-${last}/11`, bytes))).toEqual(['headers.content-range']);
    expect(wrong({ range }, part(told, bytes, 200))).toContain('status');
    expect(wrong({ range }, { status: 206, body: bytes })).toEqual(['headers.content-range']);
  });

  it.each(['bytes=4-2', 'bytes=', 'bytes=a-', 'bytes=-', 'items=0-1', 'bytes=0-1,3-4', '0-1'])(
    '%s is ignored',
    (range) => {
      expect(wrong({ range }, whole)).toEqual([]);
      expect(wrong({ range }, { ...whole, headers: {} })).toEqual(['headers.accept-ranges']);
      expect(wrong({ range }, pastEnd)).toContain('status');
    },
  );

  it.each(['bytes=10-', 'bytes=10-11', 'bytes=-0'])('%s is past the end', (range) => {
    expect(wrong({ range }, pastEnd)).toEqual([]);
    expect(wrong({ range }, { ...pastEnd, headers: { 'content-type': 'application/json' } })).toEqual([
      'headers.content-range',
    ]);
    expect(wrong({ range }, whole)).toContain('status');
  });

  it.each(['bytes=0-', 'bytes=-5', 'bytes=-0', 'bytes=7-'])('%s of empty content is ignored', (range) => {
    const empty = { ...whole, body: undefined };
    expect(wrong({ range }, empty, Buffer.alloc(0))).toEqual([]);
    expect(wrong({ range }, { ...pastEnd, status: 416 }, Buffer.alloc(0))).toContain('status');
  });

  it.each([
    ['"t"', true],
    ['W/"t"', false],
    ['"u"', false],
    ['*', false],
    ['"t", "u"', false],
    ['Thu, 01 Jan 1970 00:00:00 GMT', false],
  ])('is of the same content as before, where If-Range is %s: %s', (condition, isSame) => {
    const asked = { range: 'bytes=2-4', 'if-range': condition };
    const found = [part('bytes 2-4/10', ten.subarray(2, 5)), whole];
    expect(found.map((answer) => wrong(asked, answer).length === 0)).toEqual([isSame, !isSame]);
    const past = [pastEnd, whole];
    const beyond = { ...asked, range: 'bytes=10-' };
    expect(past.map((answer) => wrong(beyond, answer).length === 0)).toEqual([isSame, !isSame]);
  });

  it('comes after the other conditions', () => {
    const range = 'bytes=10-';
    expect(wrong({ range, 'if-none-match': '"t"' }, { status: 304, body: undefined })).toEqual([]);
    const failed = { status: 412, headers: pastEnd.headers ?? {}, body: { code: 'failed' } };
    expect(wrong({ range, 'if-match': '"u"' }, failed)).toEqual([]);
  });
});

const bytesOf = (operation: string, bytes: Uint8Array, media = 'image/png'): Sent => [
  operation,
  { path, content: new Bytes(bytes), headers: { 'content-type': media } },
];

it('bytes are stored as they come, within their bounds and with their type', async () => {
  const statuses = await statusesOf(text, [
    ['keep', { path, content: {} }],
    ['peek', { path }],
    bytesOf('draw', Buffer.alloc(0)),
    ['look', { path }],
    bytesOf('draw', Buffer.from([0xff, 0]), 'Image/JPEG; q="1"'),
    ['look', { path }],
    bytesOf('draw', Buffer.alloc(41)),
    bytesOf('draw', Buffer.from('{"a": 1}'), ''),
    bytesOf('shrink', Buffer.alloc(31)),
    bytesOf('shrink', Buffer.alloc(7)),
    bytesOf('shrink', Buffer.alloc(1)),
    bytesOf('shrink', Buffer.alloc(6), 'text/plain'),
    bytesOf('shrink', Buffer.from('ab'), 'application/pdf'),
    // Bytes that are not given stay (language §H.1, rule 13).
    ['keep', { path, content: { caption: 'b' } }],
    ['peek', { path }],
  ]);
  const refused = [422, 400, 413, 422, 422, 400];
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, ...refused, 204, 200, 200]);
});

it('a part of a text is one of its bytes in UTF-8', async () => {
  const statuses = await statusesOf(text, [
    ['keep', { path, content: { caption: '\u{e9}' } }],
    ['show', { path, headers: { range: 'bytes=3-3' } }],
    ['show', { path, headers: { range: 'bytes=5-' } }],
  ]);
  expect(statuses).toEqual([200, 206, 416]);
});
