import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, type Served, start } from './served.ts';

/** A service that keeps cards, and answers with this body under this shape. */
const service = (response: string, head = '', more = ''): Promise<Served> =>
  start(`
name: Cards
${head}
resources:
  Card:
    identifier: id
    fields:
      id: { type: string, set: { create: c1 } }
      name: { type: string, maxLength: 3 }
      pin: { type: string, writeOnly: true }
  Note: { identifier: (none), fields: { text: { type: string } } }
endpoints:
  others: keep
  POST /: { does: create Card, request: { body: Card }, response: ${response} }
  GET /: { does: list Card, response: { status: 200, body: "\${Card(page.items)}" } }
${more}
errors: { codes: { fault: { when: internal, status: 500, body: sorry } } }
`);

const made = async (
  response: string,
  body: unknown = { name: 'abc' },
  head = '',
): Promise<[Answer, Served]> => {
  const to = await service(response, head);
  return [await ask(to, 'POST /', body), to];
};
describe('a body beside which its shape is stated (language §H.3)', () => {
  it('is sent where it fits', async () => {
    for (const [shape, body] of [
      ['{ type: object, required: [n], properties: { n: { type: integer } } }', '{ n: 5 }'],
      ['Card', '"${Card(this)}"'],
      ['{ type: array, items: Card }', '["${Card(this)}"]'],
      ['Note', '{ text: a }'],
      ['Note', '{ text: a, more: 1 }'],
    ]) {
      const [found] = await made(`{ status: 201, shape: ${shape}, body: ${body} }`);
      expect([shape, body, found.status]).toEqual([shape, body, 201]);
    }
  });

  it('that does not fit is a fault, and nothing is changed', async () => {
    for (const [shape, body] of [
      ['{ type: object, required: [m] }', '{ n: 5 }'],
      ['{ type: object, properties: { n: { type: string } } }', '{ n: "${1 + 1}" }'],
      ['{ type: array, items: Note }', '[{ text: "${5}" }]'],
      ['Card', '{ name: "${request.body.name + \'d\'}" }'],
      ['Card', '{ pin: "1234" }'],
    ]) {
      const [found, to] = await made(`{ status: 201, shape: ${shape}, body: ${body} }`);
      expect([shape, body, found.status]).toEqual([shape, body, 500]);
      expect(to.faults.map(String)).toEqual([
        expect.stringMatching(
          /the body is not of the shape at endpoints\["POST \/"\]\.response\.shape: \w+ at /,
        ),
      ]);
      expect(await ask(to, 'GET /')).toEqual(answer(200, []));
    }
  });

  it('is all of the content, what it is under too', async () => {
    const shape = 'shape: { type: object, required: [card] }, body: { n: 5 }';
    expect((await made(`{ status: 201, under: card, ${shape} }`))[0]).toEqual(
      answer(201, { card: { n: 5 } }),
    );
    expect((await made(`{ status: 201, ${shape} }`))[0].status).toBe(500);
  });

  it('may hold members that nobody stated, but where that list is closed', async () => {
    const response = '{ status: 201, shape: Note, body: { text: a, more: 1 } }';
    expect((await made(response))[0].status).toBe(201);
    expect((await made(response, { name: 'a' }, 'complete: [resources.Note.fields]'))[0].status).toBe(500);
  });

  it('is not looked into where it is no JSON, or is not there', async () => {
    for (const response of [
      '{ status: 201, shape: { type: integer }, body: text, media: text/plain }',
      '{ status: 201, shape: { type: integer } }',
    ])
      expect([response, (await made(response))[0].status]).toEqual([response, 201]);
  });
});

describe('a header field beside which its shape is stated (language §H.3)', () => {
  const sent = async (field: string): Promise<[number, string | undefined, string[]]> => {
    const [{ status, fields }, to] = await made(`{ status: 201, headers: { X-Left: ${field} } }`);
    const found = fields.find((each) => each.startsWith('X-Left: '));
    return [status, found?.slice('X-Left: '.length), to.faults.map(String)];
  };
  const at = 'endpoints["POST /"].response.headers.X-Left';

  it('is sent where it fits', async () => {
    for (const [field, value] of [
      ['{ type: integer, value: "${1 + 1}" }', '2'],
      ['{ type: array, items: { type: integer }, maxItems: 2, value: "1, 2" }', '1, 2'],
      ['{ type: string, value: "${null}" }', undefined],
    ])
      expect([field, ...(await sent(field as string))]).toEqual([field, 201, value, []]);
  });

  it('that does not fit, or lacks a required value, is a fault', async () => {
    for (const [field, keyword] of [
      ['{ type: integer, maximum: 1, value: "${1 + 1}" }', 'maximum'],
      ['{ type: array, items: { type: integer }, maxItems: 1, value: "1, 2" }', 'maxItems'],
      ['{ type: string, required: true, value: "${null}" }', 'required'],
    ])
      expect([field, ...(await sent(field as string))]).toEqual([
        field,
        500,
        undefined,
        [expect.stringContaining(`the header field X-Left is not of the shape at ${at}: ${keyword}`)],
      ]);
  });

  it('is not sent while its value is open', async () => {
    expect(await sent('{ type: integer, required: true }')).toEqual([201, undefined, []]);
  });
});
