import { describe, expect, it } from 'vitest';
import { answer, ask, start } from './served.ts';

/** True of any list, after as many steps as it has pairs of elements. */
const pairs = (list: string): string => `${list}.all(a, ${list}.all(b, a == b))`;

interface Places {
  readonly field?: string;
  readonly create?: string;
  readonly error?: string;
  readonly more?: string;
}

const document = ({ field = '', create = '', error = '', more = '' }: Places): string => `
name: Things
resources:
  Thing:
    identifier: id
    others: ignore
    fields:
      id: { type: string }
      list: { type: array, items: { type: integer } }
      ${field || 'note: { type: string }'}
endpoints:
  POST /things:
    does: { create: Thing ${create} }
    request: { body: Thing }
    response: { status: 201 ${more} }
  GET /things: { does: list Thing, response: { status: 200, body: "\${page.items.map(x, x.id)}" } }
errors:
  payload: (none)
  codes:
    ours: { when: internal, status: 599 }
    ${error}
`;

const places: Readonly<Record<string, Places>> = {
  'what a field is set to': {
    field: `many: { type: boolean, set: { create: "\${${pairs('this.list')}}" } }`,
  },
  'what always holds of a field': {
    field: `note: { type: string, holds: { "it is so": "\${${pairs('this.list')}}" } }`,
  },
  'what a change sets': {
    create: `, with: ["\${request.body}", { note: "\${${pairs('request.body.list')} ? 'a' : 'b'}" }]`,
  },
  "a condition of one's own": { error: `mine: { when: "\${!${pairs('request.body.list')}}", status: 400 }` },
  'the body of an answer': { more: `, body: { many: "\${${pairs('this.list')}}" }` },
  'a derived field that is shown': {
    field: `many: { type: boolean, derived: "\${${pairs('this.list')}}" }`,
    more: ', body: Thing',
  },
};

describe('an expression of too many steps refuses the request as internal, wherever it stands (language §G.7)', () => {
  it.each(Object.entries(places))('%s', async (_, place) => {
    const service = await start(document(place));
    const list = (length: number): number[] => Array.from({ length }, () => 1);
    const send = (id: string, length: number) =>
      ask(service, 'POST /things', { id, note: 'x', list: list(length) });
    expect((await send('a', 2000)).status).toBe(599);
    expect(service.faults.map((fault) => (fault as Error).message)).toEqual([
      'an expression takes more than 1000000 steps',
    ]);
    expect((await send('b', 500)).status).toBe(201);
    expect(await ask(service, 'GET /things')).toEqual(answer(200, ['b']));
  });
});
