import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { declarations } from '../../src/interchange/types.ts';
import { tacet } from '../cli/terminal.ts';
import { specificationOf } from '../service/served.ts';
import { faults } from './compiled.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tacet-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Every document that is whole: those of `examples/`, and those that the tests of reading take for sound. */
function documents(): readonly string[] {
  return ['examples', 'test/documents/sound', 'test/documents/valid'].flatMap((under) =>
    readdirSync(join(root, under))
      .filter((name) => /\.(md|yaml)$/.test(name))
      .map((name) => join(root, under, name)),
  );
}

const shop = `
name: A shop
resources:
  Colour: { identifier: (none), type: string, enum: [red, green] }
  Maker: { identifier: name, fields: { name: { type: string } } }
  Tool:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      maker: { refers: Maker, ifDeleted: keep }
      colour: Colour
      state: { type: string }
      price: { type: [integer, 'null'], default: null }
      secretly: { type: string, secret: hashed }
      label: { type: string, derived: "\${this.id + '!'}" }
    required: [colour]
    others: refuse
  Card: { of: Tool, shows: [id], fields: { maker: { derived: "\${this.maker.name}" } } }
states:
  Tool.state:
    states: [free, held]
    initial: free
    transitions: { hold: { from: free, to: held }, release: { from: held, to: free } }
    work: { held: { handled: keeper, may: [release Tool] } }
endpoints:
  others: refuse
  POST /tools: { operation: make, does: create Tool, request: { body: Tool }, response: { status: 201, body: Tool } }
  PATCH /tools/{id}:
    operation: mend
    does: update Tool
    request: { media: application/merge-patch+json, body: Tool }
    response: [{ when: changed, status: 200, body: Card }, { status: 204 }]
  GET /tools:
    operation: look
    does: { list: Tool }
    request: { query: { colour: { type: string, enum: [red, green], filter: colour }, limit: { page: size, default: 10 } } }
    response: { status: 200, body: { tools: "\${Card(page.items)}", next: "\${page.next}" } }
  POST /searches:
    operation: search
    does: { handled: seek, gives: { type: array, items: Colour }, may: [list Tool, hold Tool, create Maker] }
    request: { body: { fields: { words: { type: string } }, required: [words] } }
    response: { status: 200, body: { found: "\${result}", shown: { handled: paint } } }
  POST /labels:
    operation: label
    does: (none)
    request: { content: { application/json: { body: { fields: { text: { type: string } }, required: [text] } }, text/plain: { body: { type: string } } } }
    response: { status: 200, content: { application/json: { body: { size: 1 } }, text/plain: { body: one } } }
errors:
  codes: { none_such: { when: unknown Tool, status: 404 }, sold_out: { when: "\${false}", operations: [search], status: 409 } }
`;

describe('the types of a specification', () => {
  it('are TypeScript that compiles, whatever the document', () => {
    const files = Object.fromEntries(
      documents().map((path) => [
        `${basename(path).replace(/\.\w+$/, '')}.ts`,
        declarations(specificationOf(readFileSync(path, 'utf8'))),
      ]),
    );
    expect(Object.keys(files).length).toBeGreaterThan(5);
    expect(faults(folder, files)).toEqual([]);
  });

  it('are the same for the same document', () => {
    expect(declarations(specificationOf(shop))).toBe(declarations(specificationOf(shop)));
  });

  it('take what is stated, and nothing else', () => {
    const uses = `
import type { Code, Handlers, Kept, Operations, Shown } from './shop.js';

export const card: Shown['Card'] = { id: 'a', maker: 'b' };
export const made: Operations['make']['request']['body'] = { colour: 'red' };
export const tool: Kept['Tool'] = { id: 'a', maker: 'm', colour: 'green', state: 'held', price: null };
export const shown: Shown['Tool'] = { id: 'a', colour: 'green', state: 'held', price: 3, label: 'a!' };
export const patch: Operations['mend']['request']['body'] = { price: 4, maker: null };
export const query: Operations['look']['request']['query'] = { limit: 3, colour: 'red' };
export const code: Code = 'none_such';
export function answer(response: Operations['mend']['response']): string {
  return response.status === 200 ? response.body.id : String(response.body);
}
export const seek: Handlers['seek'] = async ({ request, tx, refuse }) => {
  for await (const { id, state } of tx.list.Tool()) if (state === 'free') tx.hold.Tool(id);
  tx.create.Maker({ name: request.body.words });
  if (request.body.words === '') return refuse('sold_out');
  return ['red'];
};
export const keeper: Handlers['keeper'] = ({ item, tx }) => tx.release.Tool(item.id);
export const label: Operations['label']['request']['body'][] = ['a', { text: 'a' }];
export function size({ body }: Operations['label']['response']): number {
  return typeof body === 'string' ? body.length : body.size;
}
export const paint: Handlers['paint'] = ({ value }) => value;

// @ts-expect-error: a view shows no more
export const wrongCard: Shown['Card'] = { id: 'a', maker: 'b', colour: 'red' };
// @ts-expect-error: neither of its media types holds a number
export const wrongLabel: Operations['label']['request']['body'] = 1;
// @ts-expect-error: it is required
export const wrongMade: Operations['make']['request']['body'] = {};
// @ts-expect-error: the service sets it
export const wrongSet: Operations['make']['request']['body'] = { colour: 'red', id: 'a' };
// @ts-expect-error: a machine moves it
export const wrongMoved: Operations['make']['request']['body'] = { colour: 'red', state: 'held' };
// @ts-expect-error: there is no such state
export const wrongState: Kept['Tool'] = { ...tool, state: 'lost' };
// @ts-expect-error: it is kept only in a form that does not give it back
export const wrongSecret: Kept['Tool'] = { ...tool, secretly: 'x' };
// @ts-expect-error: there is no such colour
export const wrongColour: Operations['look']['request']['query'] = { limit: 3, colour: 'blue' };
// @ts-expect-error: it is required, so null does not take it away
export const wrongNull: Operations['mend']['request']['body'] = { colour: null };
// @ts-expect-error: there is no such code
export const wrongCode: Code = 'nothing';
// @ts-expect-error: it gives colours
export const wrongResult: Handlers['seek'] = () => ['blue'];
// @ts-expect-error: it may not delete
export const wrongVerb: Handlers['seek'] = ({ tx }) => tx.delete.Tool('a');
// @ts-expect-error: it may create makers alone
export const wrongResource: Handlers['seek'] = ({ tx }) => [tx.create.Tool({}) ?? 'red'];
export const wrongRefusal: Handlers['seek'] = ({ refuse }) => {
  // @ts-expect-error: it refuses by codes of part 7
  return refuse('no_reason');
};
// @ts-expect-error: there is no such handler
export type WrongName = Handlers['nobody'];
`;
    expect(faults(folder, { 'shop.ts': declarations(specificationOf(shop)), 'uses.ts': uses })).toEqual([]);
  });

  it('leave open what the document leaves open', () => {
    const text = declarations(
      specificationOf(
        'name: S\nresources: { Box: { identifier: id, fields: { id: { type: string }, what: {} } } }\nendpoints: { GET /boxes: { does: (open) } }\n',
      ),
    );
    expect(text).toContain('Box: { id: string; what?: unknown };');
    expect(text).toContain('response: unknown;');
    expect(text).toContain('export type Code = never;');
  });

  it('write names that are none of TypeScript in quotation marks', () => {
    const text = declarations(
      specificationOf(
        'name: "A\u2028name"\nresources: { Box: { identifier: "a b", fields: { "a b": { type: string, enum: ["};", "\\"{"] } } } }\n',
      ),
    );
    expect(text.split('\n')[0]).toBe(
      '// A name: its types, made by `tacet types`. Make them anew instead of changing them.',
    );
    expect(
      faults(folder, {
        'names.ts': text,
        'named.ts': `import type { Kept } from './names.js';\nexport const box: Kept['Box'] = { 'a b': '};' };\n`,
      }),
    ).toEqual([]);
  });
});

describe('tacet types', () => {
  it('prints them', async () => {
    const path = join(folder, 'shop.yaml');
    writeFileSync(path, shop);
    const { code, out, error } = await tacet(['types', path]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toBe(declarations(specificationOf(shop)));
  });

  it('prints none of a document with errors', async () => {
    const path = join(folder, 'broken.yaml');
    writeFileSync(path, 'name: S\nnothing: 1\n');
    const { code, out, error } = await tacet(['types', path]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('unknown');
  });
});
