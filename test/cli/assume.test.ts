import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { ledgerBeside } from '../../src/load/ledger.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { type Printed, tacet, temporaryFolder } from './terminal.ts';

const content = [
  '# Parcels',
  '',
  '## Resources',
  '',
  '```yaml',
  'Parcel:',
  '  identifier: id',
  '  fields: { id: { type: string, set: { create: "${uuid()}" } } }',
  'Hook: { fields: { id: { type: string } } }',
  '```',
  '',
  '## Endpoints',
  '',
  '```yaml',
  'GET /parcels: { does: list Parcel, response: {} }',
  'DELETE /parcels/{id}: { does: delete Parcel, response: (open) 200 or 204? }',
  'GET /hooks/{id}: { does: read Hook, response: 200 }',
  '```',
  '',
].join('\n');

const listed = 'endpoints["GET /parcels"].response.status';
const { path, file } = temporaryFolder();
let folder: string;
let document: string;
let ledger: string;
let folders = 0;

beforeEach(() => {
  folders += 1;
  folder = `run${folders}`;
  mkdirSync(join(path, folder));
  document = file(`${folder}/parcels.md`, content);
  ledger = join(path, folder, 'parcels.assumptions.json');
});

const now = Date.UTC(2026, 10, 21, 12);
const assume = (argv: readonly string[], with_: Partial<Terminal> = {}): Promise<Printed> =>
  tacet(['assume', document, ...argv], { now: () => now, ...with_ });
const held = (): Assumption[] => JSON.parse(readFileSync(ledger, 'utf8')) as Assumption[];

describe('tacet assume', () => {
  it('writes an answer into the ledger beside the document, with why, who and when', async () => {
    const found = await assume([listed, '200', '--because', 'usual', '--by', 'Ada']);
    expect(found).toEqual({
      code: 0,
      out: `${listed} is assumed to be 200, in ${ledger}\n1 of 3 operations can be carried out; answering 2 points lets 2 more run\n`,
      error: '',
    });
    expect(readFileSync(ledger, 'utf8')).toBe(
      [
        '[',
        '  {',
        '    "at": "endpoints[\\"GET /parcels\\"].response.status",',
        '    "value": 200,',
        '    "why": "usual",',
        '    "who": "Ada",',
        '    "when": "2026-11-21T12:00:00Z"',
        '  }',
        ']',
        '',
      ].join('\n'),
    );
    expect(readdirSync(join(path, folder)).sort()).toEqual(['parcels.assumptions.json', 'parcels.md']);
  });

  it('which the other commands take up', async () => {
    await assume([listed, '200', '--because', 'usual']);
    const found = await tacet(['status', document, '--assume', ledger]);
    expect(found.out).toContain(`assumed\n  ${listed}  ${ledger}:4:14\n`);
    expect(found.code).toBe(0);
  });

  it('adds to what is there, and says it the one way, however it was written', async () => {
    await assume([listed, '200', '--because', 'usual']);
    await assume(['resources["Hook"]["identifier"]', 'id', '--because', 'its name']);
    expect(held().map(({ at, value }) => [at, value])).toEqual([
      [listed, 200],
      ['resources.Hook.identifier', 'id'],
    ]);
  });

  it('takes a value as it would stand in the document', async () => {
    const value = '{ type: object, properties: { note: {} } }';
    await assume(['resources.Parcel.fields.more', value, '--because', 'x']);
    await assume(['versioning', '(none)', '--because', 'x']);
    expect(held().map((one) => one.value)).toEqual([{ type: 'object', properties: { note: {} } }, '(none)']);
  });

  it('keeps it where it is told to, through a link too', async () => {
    const other = join(path, folder, 'other.json');
    const link = join(path, folder, 'link.json');
    await assume([listed, '200', '--because', 'x', '--ledger', other]);
    symlinkSync(other, link);
    await assume(['versioning', '(none)', '--because', 'x', '--ledger', link]);
    expect((JSON.parse(readFileSync(other, 'utf8')) as Assumption[]).length).toBe(2);
    expect(existsSync(ledger)).toBe(false);
  });

  it.each([
    [['endpoints["GET /parcels"].response.status', '99'], 'VALUE:1:1 error bad-status'],
    [['resources.Parcel.identifier', 'id'], 'ADDRESS:1:1 warning assumption-stated'],
    [['resources.Parcel.identifier', 'name'], 'ADDRESS:1:1 error assumption-differs'],
    [['resources.Parcel.identifer', 'id'], 'ADDRESS:1:1 error unknown-key'],
    [['nowhere', '1'], 'ADDRESS:1:1 error bad-address'],
    [['resources.*', '{}'], 'ADDRESS:1:1 error bad-address'],
    [['versioning', '{ scheme: nmber }'], 'VALUE:1:1 error unknown-word'],
    [['versioning', '{ '], 'VALUE:1:3 error yaml-syntax'],
    [['versioning', ''], 'VALUE:1:1 error wrong-kind'],
  ])('writes nothing where the document cannot be read with it: %j', async (argv, message) => {
    const found = await assume([...argv, '--because', 'x']);
    expect(found.code).toBe(1);
    expect(found.error).toContain(message);
    expect(found.error).toContain(`nothing is written to ${ledger}\n`);
    expect(existsSync(ledger)).toBe(false);
  });

  it.each([
    [[], 'name the document'],
    [['DOCUMENT', listed, '200'], 'say why, with --because'],
    [['DOCUMENT', listed, '200', '--because', ' '], 'say why, with --because'],
    [['DOCUMENT', listed, 'a', 'b', '--because', 'x'], 'b is one word too many'],
    [['DOCUMENT', 'versioning', '(open)', '--because', 'x'], 'versioning would stay open'],
    [['DOCUMENT', '--remove', listed], `nothing is assumed at ${listed} in `],
    [['DOCUMENT', 'nowhere'], 'nowhere is no address'],
    [['none.md'], 'there is no file none.md'],
  ])('refuses %j with one message and exit code 2, and writes nothing', async (argv, message) => {
    const words = argv.map((word) => (word === 'DOCUMENT' ? document : word));
    const { code, out, error } = await tacet(['assume', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toMatch(/^tacet: .*\nhelp: tacet assume --help\n$/);
    expect(existsSync(ledger)).toBe(false);
  });

  it('does not assume one point twice', async () => {
    await assume([listed, '200', '--because', 'x']);
    const found = await assume(['endpoints["GET /parcels"]["response"]["status"]', '204', '--because', 'x']);
    expect(found).toMatchObject({ code: 2, error: expect.stringContaining('is assumed already') });
    expect(held().map((one) => one.value)).toEqual([200]);
  });

  it('leaves alone a ledger that it cannot read, or that is YAML', async () => {
    file(`${folder}/parcels.assumptions.json`, '[{ "at": 1 }]');
    expect(await assume([listed, '200', '--because', 'x'])).toMatchObject({
      code: 1,
      error: expect.stringContaining(`${ledger}:1:2 error wrong-kind`),
    });
    file(`${folder}/parcels.assumptions.json`, '# why\n[]\n');
    expect(await assume([listed, '200', '--because', 'x'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('is no JSON, and what is not JSON in it would be lost'),
    });
    expect(readFileSync(ledger, 'utf8')).toBe('# why\n[]\n');
  });

  it('leaves the ledger whole where it cannot be written', async () => {
    const nowhere = join(path, folder, 'none', 'ledger.json');
    const found = await assume([listed, '200', '--because', 'x', '--ledger', nowhere]);
    expect(found).toMatchObject({
      code: 2,
      error: expect.stringContaining('ledger.json cannot be written: ENOENT'),
    });
    expect(statSync(join(path, folder)).isDirectory()).toBe(true);
  });

  it('does not assume anything about a document with errors', async () => {
    file(`${folder}/parcels.md`, content.replace('list Parcel', 'lst Parcel'));
    const found = await assume([listed, '200', '--because', 'x']);
    expect(found).toMatchObject({ code: 1, error: expect.stringContaining('error unknown-verb') });
    expect(existsSync(ledger)).toBe(false);
  });

  it('lists what is assumed, and says what speaks against it', async () => {
    expect(await assume(['--list'])).toEqual({
      code: 0,
      out: `nothing is assumed in ${ledger}\n`,
      error: '',
    });
    await assume([listed, '200', '--because', 'usual', '--by', 'Ada']);
    await assume(['versioning', '(none)', '--because', 'one version']);
    expect((await assume(['--list'])).out).toBe(
      [
        `${listed}: 200  ${ledger}:3:11`,
        '  usual (Ada, 2026-11-21T12:00:00Z)',
        `versioning: "(none)"  ${ledger}:10:11`,
        '  one version (2026-11-21T12:00:00Z)',
        '',
      ].join('\n'),
    );
    file(`${folder}/parcels.md`, content.replace('response: {}', 'response: 206'));
    expect(await assume(['--list'])).toMatchObject({
      code: 1,
      error: expect.stringContaining(`${ledger}:3:11 error assumption-differs`),
    });
  });

  it('takes an assumption out, also one that the document speaks against', async () => {
    await assume([listed, '200', '--because', 'usual']);
    await assume(['versioning', '(none)', '--because', 'one version']);
    file(`${folder}/parcels.md`, content.replace('response: {}', 'response: 206'));
    expect(await assume(['--remove', 'endpoints["GET /parcels"]["response"].status'])).toEqual({
      code: 0,
      out: `${listed} is assumed no longer, in ${ledger}; 1 assumption left\n`,
      error: '',
    });
    expect(held().map(({ at }) => at)).toEqual(['versioning']);
  });
});

describe('tacet assume, without a value', () => {
  const asked = [
    `${listed}  DOCUMENT:15:46`,
    '  holds up GET /parcels',
    '  1  200  the answer holds what was asked for (RFC 9110 §15.3.1)',
  ];

  it('shows the open points with what is usual, and takes nothing, where input is no terminal', async () => {
    const { code, out, error } = await assume([]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const lines = out.replaceAll(document, 'DOCUMENT').split('\n');
    expect(lines.slice(0, 14)).toEqual([
      ...asked,
      '',
      'endpoints["DELETE /parcels/{id}"].response.status  DOCUMENT:16:56',
      '  asks: 200 or 204?',
      '  holds up DELETE /parcels/{id}',
      '  1  204  it is gone, and there is nothing to show (RFC 9110 §9.3.5, §15.3.5)',
      '  2  200  it is gone, and the answer says how (RFC 9110 §9.3.5, §15.3.1)',
      '',
      'resources.Hook.identifier  DOCUMENT:9:7',
      '  holds up GET /hooks/{id}',
      '  1  "id"  the field that is called so (JSON:API 1.1, Resource Object Identification)',
      '',
    ]);
    expect(lines.at(-2)).toBe(
      'nothing is taken: tacet assume DOCUMENT ADDRESS VALUE --because TEXT takes one',
    );
    expect(existsSync(ledger)).toBe(false);
  });

  it('shows one point, where an address is named', async () => {
    const { out } = await assume([listed]);
    expect(out.replaceAll(document, 'DOCUMENT')).toBe(`${asked.join('\n')}\n`);
    expect((await assume(['resources.Parcel.identifier'])).out).toMatch(/\n {2}it is stated\n$/);
  });

  it('says so, where nothing is left to assume', async () => {
    const parts = ['states', 'authentication', 'events', 'errors', 'limits', 'versioning'];
    const whole = `# X\n\n## Endpoints\n\n\`\`\`yaml\nprotocol: RFC 9110\nGET /: { does: (none), response: 204 }\n\`\`\`\n${parts.map((part) => `\n## ${part}\n\n\`\`\`yaml\n(none)\n\`\`\`\n`).join('')}`;
    document = file(`${folder}/whole.md`, whole);
    expect((await assume([])).out).toBe('nothing is open that could be assumed\n');
  });

  /** A person who types these lines, and then no more. */
  const person = (...lines: readonly string[]): Partial<Terminal> => ({
    lines: async function* () {
      yield* lines;
    },
  });

  it('goes through them with a person, who picks, types, skips and ends', async () => {
    const { code, out, error } = await assume(['--by', 'Ada'], person('1', '', ' id ', ' its name ', 'q'));
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const usual = 'the answer holds what was asked for (RFC 9110 §15.3.1)';
    expect(held()).toEqual([
      { at: listed, value: 200, why: usual, who: 'Ada', when: '2026-11-21T12:00:00Z' },
      {
        at: 'resources.Hook.identifier',
        value: 'id',
        why: 'its name',
        who: 'Ada',
        when: '2026-11-21T12:00:00Z',
      },
    ]);
    const lines = out.replaceAll(document, 'DOCUMENT').split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '',
      ...asked,
      expect.stringMatching(
        /^\d+ points left; a number, a value \(=1 for the value 1\), Enter to skip, q to end: $/,
      ),
    ]);
    expect(lines.slice(-3)).toEqual([
      `2 assumptions added to ${ledger}`,
      '2 of 3 operations can be carried out; answering 1 point lets 1 more run',
      '',
    ]);
  });

  it('asks once what one place asks of many endpoints, and takes the answer for each', async () => {
    const keys = ['a', 'b', 'c'].map(
      (name) => `POST /${name}: { does: (none), request: { body: {} }, response: 204 }`,
    );
    document = file(
      `${folder}/shared.md`,
      `# X\n\n## Endpoints\n\n\`\`\`yaml\nothers: (open) kept?\n${keys.join('\n')}\n\`\`\`\n`,
    );
    ledger = ledgerBeside(document);
    const shared = [
      'endpoints["POST /a"].request.others and 2 more  DOCUMENT:6:9',
      '  asks: kept?',
      '  holds up some requests of POST /a, POST /b, POST /c',
    ];
    expect((await assume([])).out.replaceAll(document, 'DOCUMENT').split('\n').slice(0, 3)).toEqual(shared);
    const skipped = await assume([], person('', 'q'));
    expect(skipped.out.split('asks: kept?')).toHaveLength(2);
    await assume([], person('keep', 'as agreed', 'q'));
    expect(held().map(({ at, value, why }) => [at, value, why])).toEqual(
      ['a', 'b', 'c'].map((name) => [`endpoints["POST /${name}"].request.others`, 'keep', 'as agreed']),
    );
  });

  it('takes nothing by itself: not where input ends, nor without a reason', async () => {
    for (const lines of [[], ['q'], ['', 'q'], ['202'], ['202', ''], ['202', '', 'q']]) {
      const { code, out } = await assume([], person(...lines));
      expect(code).toBe(0);
      expect(out).toContain(`\n0 assumptions added to ${ledger}\n`);
      expect(existsSync(ledger)).toBe(false);
    }
  });

  it('asks again, where the document cannot be read with an answer', async () => {
    const { out, error } = await assume(
      [],
      person('=1', 'why not', '(open)', 'why not', '206', 'part of it'),
    );
    expect(error).toContain('VALUE:1:1 error bad-status');
    expect(error).toContain(`${listed} would stay open`);
    expect(out.split(`\n${listed}`).length).toBe(4);
    expect(held().map(({ value, why }) => [value, why])).toEqual([[206, 'part of it']]);
  });

  it('ends by itself, when every point was gone through', async () => {
    const skip = Array.from({ length: 50 }, () => '');
    const { code, out } = await assume([], person(...skip));
    expect(code).toBe(0);
    expect(out).toContain('1 point left; ');
    expect(existsSync(ledger)).toBe(false);
  });
});

describe('the ledger lies beside the document', () => {
  it.each([
    ['parcels.md', 'parcels.assumptions.json'],
    ['a/b.c.yaml', 'a/b.c.assumptions.json'],
    ['a/parcels', 'a/parcels.assumptions.json'],
    ['a/parcels/', 'a/parcels.assumptions.json'],
    ['a/.md', 'a/.md.assumptions.json'],
    ['.', `${resolve('.')}.assumptions.json`],
    ['a/../..', `${resolve('..')}.assumptions.json`],
  ])('of %s in %s', (of, expected) => {
    expect(ledgerBeside(of)).toBe(expected);
  });
});

describe('what is assumed', () => {
  it('is told by serve, when it starts', async () => {
    await assume([listed, '200', '--because', 'usual']);
    await assume(['versioning', '(none)', '--because', 'one version']);
    const data = join(path, folder, 'data.sqlite');
    const { code, out } = await tacet(['serve', document, '--port', '0', '--data', data, '--assume', ledger]);
    expect(code).toBe(0);
    expect(out).toContain(`  assumed  ${listed} (${ledger}:4:14)\n           versioning (${ledger}:10:14)\n`);
    const without = await tacet(['serve', document, '--port', '0', '--data', data]);
    expect(without.out).not.toContain('assumed');
  });

  it('is no document of a folder, although it lies in it', async () => {
    await assume([listed, '200', '--because', 'usual']);
    expect(await tacet(['check', join(path, folder)])).toMatchObject({ code: 0 });
    const beside = `${join(path, folder)}.assumptions.json`;
    await tacet(['assume', join(path, folder), 'versioning', '(none)', '--because', 'one version']);
    expect((JSON.parse(readFileSync(beside, 'utf8')) as Assumption[])[0]?.at).toBe('versioning');
  });
});
