import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DocumentRefused, load, Refused, serve, test, violationsIn } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-load-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const notes = (length: number): string => `
name: Notes
complete: true
resources: { Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string, maxLength: ${length} } }, required: [text] } }
endpoints:
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
authentication: (none)
errors: { codes: { unfit: { when: [malformed, invalid], status: 422 }, media: { when: unsupported media, status: 415 } } }
limits: (none)
events: (none)
states: (none)
versioning: (none)
`;

describe('load', () => {
  it('reads a document, a ledger beside it, and an OpenAPI description', () => {
    expect(load(file('notes.yaml', notes(9))).name).toBe('Notes');
    const open = file('open.yaml', notes(9).replace('status: 201', 'status: (open)'));
    const entry = { at: 'endpoints["POST /notes"].response.status', value: 201, why: 'usual' };
    const ledger = file('open.assumptions.json', JSON.stringify([entry]));
    const [operation] = load(open, { ledger }).operations;
    expect(operation?.response).toMatchObject({ kind: 'stated' });
    const description = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} };
    expect(load(file('pets.json', JSON.stringify(description))).name).toBe('Pets');
  });

  it('refuses a document with errors, and shows them as `check` does', () => {
    const path = file('wrong.yaml', notes(9).replace('identifier: id', 'identifier: no'));
    expect(() => load(path)).toThrow(DocumentRefused);
    expect(() => load(path)).toThrow(/wrong\.yaml:4:\d+/);
    expect(() => load(join(folder, 'absent.md'))).toThrow(Refused);
    expect(() => load(join(folder, 'absent.md'))).toThrow('there is no file');
  });
});

describe('test', () => {
  it('finds what is not as it is stated, and tells all that is needed to see it', async () => {
    const data = join(folder, 'notes.sqlite');
    const service = await serve(load(file('served.yaml', notes(10))), { data });
    const right = await test(load(join(folder, 'served.yaml')), {
      url: service.url,
      searchMs: 0,
      walks: 160,
    });
    expect([violationsIn(right), right.inOrder]).toEqual([[], true]);
    const wrong = await test(load(file('stricter.yaml', notes(9))), {
      url: service.url,
      searchMs: 100,
      walks: 160,
    });
    const other = file('other.yaml', notes(10).replace('status: 422', 'status: 400'));
    const status = await test(load(other), { url: service.url, searchMs: 0, walks: 160 });
    await service.close();
    // Who refuses with another status looks at the keyword: one statement is to be mended.
    expect(violationsIn(status).map((text) => /errors\.codes\.unfit\.status/.test(text))).toEqual([true]);
    const [first = ''] = violationsIn(wrong);
    expect(wrong.inOrder).toBe(false);
    expect(first).toMatch(/^POST \/notes: /);
    expect(first).toMatch(
      /\n {2}stated {3}.*stricter\.yaml:4:\d+ {2}resources\.Note\.fields\.text\.maxLength/,
    );
    expect(first).toMatch(/\n {2}curl .+\/notes/);
  });
});
