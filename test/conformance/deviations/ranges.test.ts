import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Deviation, implementing } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { Bytes } from '../../../src/semantics/value/value.ts';
import { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/bytes.yaml', 'utf8'));
const right = implementing(specification);

function requestOf(name: string, more: Partial<Request>): Request {
  const operation = specification.operations.find((each) => each.name === name);
  if (operation === undefined) throw new TypeError(name);
  const usual = { path: { id: 'a' }, query: {}, headers: {}, credentials: [], content: undefined };
  return { operation, ...usual, url: 'http://a', ...more };
}

/** What an implementation answers to these requests, one after the other, each as a text. */
function answers(deviation: Deviation | null, requests: readonly Request[]): readonly string[] {
  const implementation = deviation?.implementation() ?? right;
  let world = new World(specification);
  return requests.map((request) => {
    const steps = implementation(world, request);
    const [step] = steps;
    const answer = step && answerTo(step.prediction);
    if (!answer) throw new TypeError('nothing is known of the answer');
    world = judge(steps, answer).world as World;
    const { body, ...others } = answer;
    return JSON.stringify({ ...others, body: body instanceof Uint8Array ? [...body] : body });
  });
}

const drawing = (bytes: Uint8Array): Request =>
  requestOf('draw', { content: new Bytes(bytes), headers: { 'content-type': 'image/png' } });

const looking = (headers: Request['headers'] = {}): Request => requestOf('look', { headers });

const ten = Buffer.from('\u{feff}[ ]\0\r\n\xff', 'latin1');
const begun = [requestOf('keep', { content: {} }), drawing(ten), looking()];
const tag = (JSON.parse(answers(null, begun).at(-1) as string) as { headers: { etag: string } }).headers.etag;

/** The deviations from a key of an operation, by what they say. */
function deviations(operation: string, key: string): ReadonlyMap<string, Deviation> {
  const { address } = requestOf(operation, {}).operation;
  const own = deviationsOf(specification).filter(({ said }) => said.address === `${address}.${key}`);
  return new Map(own.map((deviation) => [deviation.says, deviation]));
}

const ofRanges = deviations('look', 'conditional.ranges');

describe('an implementation that sends other parts of bytes', () => {
  it.each([
    ['a range is not looked at', [looking({ range: 'bytes=1-2' })]],
    ['the last byte that a range names is left out', [looking({ range: 'bytes=1-2' })]],
    ['bytes are counted from 1', [looking({ range: 'bytes=1-2' })]],
    ['a range without an end has one byte', [looking({ range: 'bytes=1-' })]],
    ['the last bytes are read as the first', [looking({ range: 'bytes=-2' })]],
    ['of several ranges, the first is sent', [looking({ range: 'bytes=0-0,-1' })]],
    ['another unit is read as bytes', [looking({ range: 'items=0-1' })]],
    ['If-Range is not looked at', [looking({ range: 'bytes=1-2', 'if-range': '"other"' })]],
    ['a weak tag in If-Range holds', [looking({ range: 'bytes=1-2', 'if-range': `W/${tag}` })]],
    [
      'a time in If-Range holds',
      [looking({ range: 'bytes=1-', 'if-range': 'Thu, 01 Jan 1970 00:00:00 GMT' })],
    ],
    ['If-Range always wants the whole', [looking({ range: 'bytes=1-2', 'if-range': tag })]],
    [
      'other conditions are not looked at beside a range',
      [looking({ range: 'bytes=1-', 'if-match': '"x"' })],
    ],
    ['a part has status 200', [looking({ range: 'bytes=1-2' })]],
    ['a part has no Content-Range', [looking({ range: 'bytes=1-2' })]],
    ['Content-Range gives the size of the part as that of the whole', [looking({ range: 'bytes=1-2' })]],
    ['a part lacks its last byte', [looking({ range: 'bytes=1-2' })]],
    ['a part has no tag', [looking({ range: 'bytes=1-2' })]],
    ['the whole has no Accept-Ranges', [looking()]],
    ['past the end, the whole is sent', [looking({ range: 'bytes=99-' })]],
    ['past the end, 416 has no Content-Range', [looking({ range: 'bytes=99-' })]],
    ['a range that goes on past the end is refused', [looking({ range: 'bytes=1-99' })]],
    ['more last bytes than there are are refused', [looking({ range: 'bytes=-99' })]],
    ['a range that is ignored is refused', [looking({ range: 'bytes=2-1' })]],
    ['a range of empty content is refused', [drawing(Buffer.alloc(0)), looking({ range: 'bytes=0-' })]],
  ] as const)('%s', (says, requests) => {
    const deviation = ofRanges.get(says) as Deviation;
    expect(answers(deviation, [...begun, ...requests])).not.toEqual(answers(null, [...begun, ...requests]));
    // What names no range is answered as it should be.
    if (says !== 'the whole has no Accept-Ranges')
      expect(answers(deviation, begun)).toEqual(answers(null, begun));
  });

  it('has no ways but these, and that it has no parts', () => {
    expect(ofRanges.size).toBe(25);
    expect([...ofRanges.keys()]).toContain('it is left out');
  });

  it('cannot be told by a strong tag where there is none', () => {
    const ofText = deviations('show', 'conditional.ranges');
    expect(ofText.has('If-Range always wants the whole')).toBe(false);
    expect(ofText.has('a range of empty content is refused')).toBe(false);
  });
});

it.each([
  ['bytes that are no UTF-8 are changed', Buffer.from([0xff])],
  ['bytes end at the first NUL', Buffer.from([1, 0, 1])],
  ['line ends are changed', Buffer.from('\r\n')],
  ['a mark of byte order is lost', Buffer.from('\u{feff}a')],
  ['JSON is written anew', Buffer.from('[ ]')],
  ['the last byte is lost', Buffer.from('ab')],
])('%s, if bytes are not stored as they came', (says, bytes) => {
  const deviation = deviations('draw', 'request.body').get(says) as Deviation;
  const requests = [requestOf('keep', { content: {} }), drawing(bytes), looking()];
  expect(answers(deviation, requests)).not.toEqual(answers(null, requests));
  const plain = [requestOf('keep', { content: {} }), drawing(Buffer.alloc(0)), looking()];
  expect(answers(deviation, plain)).toEqual(answers(null, plain));
});
