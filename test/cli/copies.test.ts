import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transferCodes } from '../../src/service/store/transfer/transfer.ts';
import { ask, start } from '../service/served.ts';
import { absence, schema } from '../service/store/postgres.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { path: folder, file } = temporaryFolder();
const missing = await absence();

const text = `
name: Notes
resources: { Note: { identifier: id, fields: { id: { type: string }, n: { type: integer, set: { create: "\${sequence()}" } } } } }
endpoints:
  POST /notes: { does: create Note, request: { body: Note, others: refuse }, response: 201 }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
`;
const document = file('notes.yaml', text);
const at = (name: string): string => join(folder, name);

const told = (done: string) => ({
  code: 0,
  out: expect.stringMatching(
    new RegExp(
      `^${done}: 3 rows of 2 tables, compared row by row\n  Note {13}2  [0-9a-f]{16}\n  sequence {9}1  [0-9a-f]{16}\n$`,
    ),
  ),
  error: '',
});

describe.skipIf(missing !== null)('what a service stores, copied by commands', () => {
  it('goes to a backup while it runs, to PostgreSQL, and back to a file', async () => {
    const service = await start(text, { data: at('notes.sqlite') });
    for (const id of ['a', 'b']) expect((await ask(service, 'POST /notes', { id })).status).toBe(201);
    const { address } = await schema();
    const [one, other] = [at('one.backup'), at('other.sqlite')];
    const run = (...words: string[]) => tacet([words[0] as string, document, ...words.slice(1)]);
    expect(await run('backup', '--data', service.data, '--to', one)).toEqual(told('backed up'));
    expect(await run('restore', '--from', one, '--store', address)).toEqual(told('restored'));
    expect(await run('move', '--store', address, '--to', `sqlite:${other}`)).toEqual(told('moved'));
    const again = await start(text, { data: other });
    expect((await ask(again, 'GET /notes')).body).toEqual([
      { id: 'a', n: 1 },
      { id: 'b', n: 2 },
    ]);
  });
});

describe('a copy that cannot be', () => {
  it.each([
    [['backup', document], '--to is missing: --to notes.backup', 'backup'],
    [['restore', document], '--from is missing: --from notes.backup', 'restore'],
    [['move', document], '--to is missing: --to postgres://USER@HOST/DATABASE', 'move'],
    [
      ['backup', document, '--to', at('x'), '--data', at('none')],
      `source-missing: there is no ${at('none')}; name it with --data, or --store`,
      'backup',
    ],
    [
      ['restore', document, '--from', document, '--data', at('none')],
      `not-a-backup: ${document} is no backup of tacet; name one that tacet backup made`,
      'restore',
    ],
  ])('%j: says why and what to do', async (argv, why, command) => {
    expect(await tacet(argv)).toEqual({
      code: 2,
      out: '',
      error: `tacet: ${why}\nhelp: tacet ${command} --help\n`,
    });
  });

  it('has a code that docs/backup.md explains', () => {
    const page = readFileSync('docs/backup.md', 'utf8');
    expect(Array.from(page.matchAll(/^\| `([\w-]+)` \|/gm), ([, code]) => code)).toEqual([...transferCodes]);
  });
});
