import { describe, expect, it } from 'vitest';
import { document, specification } from './documents.ts';
import { findings } from './findings.ts';

const resources = 'Note: { identifier: id, fields: { id: { type: string } } }';
const answered = (headers: string): string =>
  document({
    resources,
    endpoints: `GET /{id}: { does: read Note, response: { status: 200, headers: ${headers} } }`,
  });
const found = (headers: string): string[] =>
  findings(answered(headers)).map((one) => one.replace(/ → .*$/s, '').replace(/^\S+ /, ''));

describe('the shape of a header field (language §H.3)', () => {
  it('is a point, and its value is one', () => {
    const above = 'endpoints["GET /{id}"].response.headers.X-Left';
    const points = [
      ...specification(answered('{ X-Left: { type: integer, required: true } }')).points.values(),
    ];
    expect(
      points
        .filter(({ address }) => address.startsWith(above))
        .map(({ address, state }) => `${address.slice(above.length)} ${state}`),
    ).toEqual(['.type stated', ' stated', '.required stated', '.value open', '.* open']);
  });

  it('stands beside a value, and a function of the operator is a value', () => {
    expect(
      found('{ A: { type: integer, value: "${1 + 1}" }, B: { handled: b }, C: "c", D: (none) }'),
    ).toEqual([]);
  });

  it('is refused if it is none', () => {
    expect(found('{ A: { typ: integer } }')).toEqual([expect.stringContaining('typ')]);
    expect(found('{ A: { type: integer, required: [x] } }')).toEqual([
      expect.stringContaining('true or false'),
    ]);
    expect(found('{ A: { type: string, value: "${nobody}" } }')).toEqual([expect.stringContaining('nobody')]);
    expect(found('{ A: { type: array, items: Nobody } }')).toEqual([expect.stringContaining('Nobody')]);
  });

  it('stands in a row of part 7, too, and not where values stand alone', () => {
    const errors = 'codes: { no: { when: unknown Note, status: 404, headers: { A: { type: integer } } } }';
    expect(findings(document({ resources, errors }))).toEqual([]);
    const everywhere = 'headers: { A: { type: integer } }\nGET /{id}: { does: read Note, response: 200 }';
    expect(findings(document({ resources, endpoints: everywhere })).length).toBeGreaterThan(0);
  });
});
