import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { otherBytes } from '../../../src/conformance/requests/bytes.ts';
import { messageOf } from '../../../src/conformance/requests/message.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { oddRequest, usualRequest } from '../../../src/conformance/requests/requests.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import type { Bytes } from '../../../src/semantics/value/value.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/bytes.yaml', 'utf8'));
const world = new World(specification);

const operationOf = (name: string): Operation =>
  specification.operations.find((each) => each.name === name) as Operation;

/** Many requests to an operation, usual ones and others. */
function requests(name: string): readonly Request[] {
  const pool = new Pool(specification, seeded(1));
  const usual = Array.from({ length: 300 }, () => usualRequest(operationOf(name), world, pool, 'http://a'));
  const first = usual[0] as Request;
  return [
    ...usual,
    ...usual.map((request) => oddRequest(request, world, pool)),
    ...otherBytes(operationOf(name), pool).map((change) => change(first)),
  ];
}

const sizesOf = (name: string): readonly number[] =>
  requests(name).map(({ content }) => (content as Bytes).content.byteLength);

const typesOf = (name: string): ReadonlySet<unknown> =>
  new Set(requests(name).map(({ headers }) => headers['content-type']));

describe('requests whose body is bytes', () => {
  it('have few of them, none, and as many as a bound allows, and one more', () => {
    expect(Math.max(...sizesOf('draw'))).toBe(41);
    expect(new Set(sizesOf('draw'))).toSatisfy((sizes: ReadonlySet<number>) =>
      [0, 1, 40, 41].every((size) => sizes.has(size)),
    );
    // What part 8 allows.
    expect(sizesOf('shrink')).toContain(31);
  });

  it('have bytes that are no text, and are sent as they are', () => {
    const sent = requests('draw').map(
      (request) => [request.content, messageOf(request, specification)] as const,
    );
    const told = sent.filter(([, { base64 }]) => base64 !== undefined);
    expect(told.length).toBeGreaterThan(50);
    for (const [content, { base64 = '' }] of told)
      expect(Buffer.from(base64, 'base64')).toEqual(Buffer.from((content as Bytes).content));
  });

  it('have media types that are taken, others, and none', () => {
    expect(typesOf('draw')).toContain('Text/CSV; charset=iso-8859-1');
    expect(typesOf('draw')).toContain('');
    const [first, ...others] = [...typesOf('shrink')].filter(
      (type) => !/^(image\/|application\/pdf$)/.test(String(type)),
    );
    expect([first, ...others]).toEqual(expect.arrayContaining(['', 'text/plain', 'application/json']));
    expect(typesOf('shrink')).toContain('image/png');
    expect(typesOf('shrink')).toContain('application/pdf');
  });
});

describe('requests for a part', () => {
  it('ask for it where parts are sent, and nowhere else', () => {
    const fieldsOf = (name: string): ReadonlySet<string> =>
      new Set(requests(name).flatMap(({ headers }) => Object.keys(headers)));
    expect(fieldsOf('look')).toContain('range');
    expect(fieldsOf('look')).toContain('if-range');
    expect(fieldsOf('peek')).not.toContain('range');
  });
});
