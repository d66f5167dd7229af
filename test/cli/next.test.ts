import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const content = [
  '# Parcels',
  '',
  '## Resources',
  '',
  '```yaml',
  'Parcel:',
  '  identifier: id',
  '  fields: { id: { type: string, set: { create: "${uuid()}" } } } # kept',
  '```',
  '',
  '## Endpoints',
  '',
  '```yaml',
  'GET /parcels: { does: list Parcel, response: {} }',
  'DELETE /parcels/{id}: { does: delete Parcel, response: (open) 200 or 204? }',
  'GET /parcels/{id}: { does: read Parcel, response: { status: 200 } }',
  '```',
  '',
].join('\n');

const { file } = temporaryFolder();
let count = 0;

/** A document that no other test writes into. */
function fresh(text = content): string {
  count += 1;
  return file(`parcels${count}.md`, text);
}

const isRight = new Ajv2020().compile(JSON.parse(readFileSync('schemas/next.schema.json', 'utf8')));

/** What was printed, which has the form that is promised. */
function printed({ out }: { readonly out: string }) {
  const found = JSON.parse(out);
  expect([isRight(found), isRight.errors]).toEqual([true, null]);
  return found;
}

/** A person who types these lines. */
const typing = (...typed: readonly string[]): Partial<Terminal> => ({
  lines: async function* () {
    yield* typed;
  },
});

describe('tacet next', () => {
  it('asks about the point that lets most run, and takes nothing by itself', async () => {
    const document = fresh();
    const { code, out } = await tacet(['next', document]);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(`endpoints["GET /parcels"].response.status  ${document}:14:46`);
    expect(out).toContain('holds up');
    expect(out).toContain(`tacet next ${document} --answer VALUE`);
    expect(readFileSync(document, 'utf8')).toBe(content);
  });

  it('writes an answer into the document, tells what runs now, and keeps all else', async () => {
    const document = fresh();
    const address = 'endpoints["GET /parcels"].response.status';
    const { code, out } = await tacet(['next', document, '--at', address, '--answer', '200']);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(
      `${document}:14: GET /parcels: { does: list Parcel, response: { status: 200 } }`,
    );
    expect(readFileSync(document, 'utf8')).toBe(
      content.replace('response: {} }', 'response: { status: 200 } }'),
    );
  });

  it('tells a program what it asks, and what came of the answer', async () => {
    const document = fresh();
    const address = 'endpoints["DELETE /parcels/{id}"].response.status';
    const asked = printed(await tacet(['next', document, '--at', address, '--json']));
    expect(asked).toMatchObject({
      point: { address, question: '200 or 204?', holds: ['DELETE /parcels/{id}'] },
      addresses: [address],
      left: expect.any(Number),
    });
    expect(asked.offers[0]).toMatchObject({ value: 204, source: expect.any(String) });
    const told = await tacet(['next', document, '--at', address, '--json', '--answer', '204']);
    expect(printed(told)).toMatchObject({
      answered: { address, value: 204, file: document, line: 15 },
      runs: expect.any(Array),
      left: asked.left - 1,
    });
  });

  it('goes on until nothing is left, which has a code of its own', async () => {
    const document = fresh();
    const asked = new Set<string>();
    for (;;) {
      const found = await tacet(['next', document, '--json']);
      if (found.code === 3) {
        expect(printed(found)).toEqual({ point: null, left: 0, inProse: [] });
        break;
      }
      const { point, offers } = printed(found);
      expect(asked.has(point.address)).toBe(false);
      asked.add(point.address);
      const value = JSON.stringify(offers[0]?.value ?? '(none)');
      expect(await tacet(['next', document, '--answer', value])).toMatchObject({ code: 0, error: '' });
    }
    expect((await tacet(['check', document])).code).toBe(0);
    expect((await tacet(['status', document])).out).toContain('3 of 3 operations can be carried out');
    expect(await tacet(['next', document])).toMatchObject({ code: 3, out: 'nothing is left to answer\n' });
  });

  it('takes an offer of a person by its number, a value after =, and nothing for Enter', async () => {
    const address = 'endpoints["DELETE /parcels/{id}"].response.status';
    const answers: readonly (readonly [string, string])[] = [
      ['1', 'status: 204'],
      ['=202', 'status: 202'],
      ['', 'response: (open) 200 or 204? }'],
    ];
    for (const [typed, line] of answers) {
      const document = fresh();
      expect((await tacet(['next', document, '--at', address], typing(typed))).code).toBe(0);
      expect(readFileSync(document, 'utf8')).toContain(line);
    }
  });

  it('asks a person again after an answer that does not fit', async () => {
    const document = fresh();
    const address = 'endpoints["GET /parcels"].response.status';
    const { code, out, error } = await tacet(['next', document, '--at', address], typing('many', '200'));
    expect(error).toContain('nothing is written');
    expect(out).toContain('another answer');
    expect([code, readFileSync(document, 'utf8').includes('status: 200 } }')]).toEqual([0, true]);
  });

  it.each([
    [['--answer', '[1'], 1, /nothing is written/],
    [['--at', 'endpoints["GET /parcels"].response.status', '--answer', 'many'], 1, /nothing is written/],
    [['--at', 'nowhere'], 2, /nowhere is no address/],
    [['--at', 'resources.Parcel.identifier'], 2, /is no open point that is to be answered/],
  ])('refuses %j', async (options, code, why) => {
    const document = fresh();
    const found = await tacet(['next', document, ...options]);
    expect([found.code, found.error]).toEqual([code, expect.stringMatching(why)]);
    expect(readFileSync(document, 'utf8')).toBe(content);
  });

  it('does not ask while the document has errors', async () => {
    const found = await tacet(['next', fresh(content.replace('list Parcel', 'list Parcle'))]);
    expect([found.code, found.error]).toEqual([1, expect.stringContaining('did you mean Parcel?')]);
  });
});
