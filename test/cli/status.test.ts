import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parcels } from '../report/document.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { file } = temporaryFolder();

const notes = file(
  'notes.md',
  '# Notes\n\n## Endpoints\n\n```yaml\nGET /: { does: (none), response: { body: hello } }\n```\n',
);
const wrong = file('wrong.md', '# Wrong\n\n## Endpoints\n\n```yaml\nGET /: { does: lst Todo }\n```\n');
const many = file('parcels.md', parcels);

describe('tacet status', () => {
  const schema = JSON.parse(readFileSync('schemas/status.schema.json', 'utf8')) as object;
  const fits = new Ajv2020().compile(schema);

  it.each([
    ['examples/todo.md'],
    [notes],
    [wrong],
    [many],
    [many, '--part', 'endpoints'],
    ['test/documents/valid/parcel-desk.md'],
  ])('prints JSON of the published form: %s %s %s', async (...argv) => {
    const { out } = await tacet(['status', ...argv, '--json']);
    const valid = fits(JSON.parse(out));
    expect(fits.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('the published form has no room for what is not reported', () => {
    expect(fits({ parts: [], operations: [], steps: [] })).toBe(false);
    expect(fits({ parts: [{ part: 'states', state: 'stated', points: [] }], operations: [] })).toBe(false);
  });

  it('shows what to answer first, and no longer once it is assumed', async () => {
    const open = await tacet(['status', notes]);
    expect(open.out).toContain(
      `answer first, so that operations run\n  1. lets GET / run (1 of 1)\n       endpoints["GET /"].response.status  ${notes}:6:34\n`,
    );
    expect(open.out).toContain('0 of 1 operation can be carried out; answering 1 point lets 1 more run');
    const ledger = file(
      'ledger.json',
      JSON.stringify([{ at: 'endpoints["GET /"].response.status', value: 200, why: 'usual' }]),
    );
    const assumed = await tacet(['status', notes, '--assume', ledger]);
    expect(assumed.out).toContain(`assumed\n  endpoints["GET /"].response.status  ${ledger}:1:55\n`);
    expect(assumed.out).toContain('1 of 1 operation can be carried out');
  });

  it('shows a few warnings of one kind, of which check shows all', async () => {
    const words = ['a', 'b', 'c', 'd', 'e'];
    const paths = ['{id}', ...words].map((word) => `  GET /${word}: { does: (none), response: 204 }`);
    const document = file('words.yaml', ['endpoints:', ...paths, ''].join('\n'));
    const shown = async (command: string) => {
      const { error } = await tacet([command, document]);
      return [error.match(/ warning shadowed-path/g)?.length, error.trimEnd().split('\n').at(-1)];
    };
    expect(await shown('status')).toEqual([
      3,
      '5 warnings, of which 2 are like these: tacet check shows them; for more about one: tacet explain shadowed-path',
    ]);
    expect(await shown('check')).toEqual([5, '5 warnings; for more about one: tacet explain shadowed-path']);
  });

  it('ends with 1 where the document, or the ledger, has errors', async () => {
    expect((await tacet(['status', wrong])).code).toBe(1);
    const ledger = file('no-ledger.json', '{}');
    expect(await tacet(['status', notes, '--assume', ledger])).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        `${ledger}:1:1 error wrong-kind\n  a list of assumptions is wanted here`,
      ),
    });
  });

  it('prints one part alone, and comes to the same', async () => {
    const { code, out } = await tacet(['status', many, '--part', 'states']);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Service\n\n  states          stated  1 stated\n\n2 of 5 operations can be carried out; answering 3 points lets 3 more run\n',
    });
  });

  it('prints Markdown for a pull request, and a picture for a README', async () => {
    expect((await tacet(['status', many, '--markdown'])).out).toMatch(
      /^### `Service`\n\n\*\*2 of 5 operations/,
    );
    expect((await tacet(['status', many, '--svg'])).out).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  it('prints the questions alone, of the whole or of a part, and as a checklist', async () => {
    const address = 'endpoints["DELETE /parcels/{id}"].response';
    expect(await tacet(['status', many, '--asked'])).toEqual({
      code: 0,
      out: `Service: 1 question\n\n  1. 200 or 204?\n       ${address}  ${many}:19:81\n       holds up removeParcel\n`,
      error: '',
    });
    expect((await tacet(['status', many, '--asked', '--markdown'])).out).toBe(
      `### \`Service\`: 1 question\n\n- [ ] \`200 or 204?\`\n  - \`${address}\` at \`${many}:19:81\`\n  - holds up \`removeParcel\`\n`,
    );
    expect((await tacet(['status', many, '--asked', '--part', 'states'])).out).toBe(
      'Service: nothing is asked\n',
    );
  });

  it('ends with 1 while what is required is open, and names it', async () => {
    const address = 'endpoints["GET /parcels"].response.status';
    const found = await tacet(['status', many, '--require', address, '--require', 'states']);
    expect(found).toMatchObject({
      code: 1,
      error: `${many}:17:70 endpoints["GET /parcels"].response.status is open, and required\n`,
    });
    expect(await tacet(['status', many, '--require', 'states'])).toMatchObject({ code: 0, error: '' });
    const another = await tacet(['status', many, '--part', 'states', '--require', 'resources.Parcel']);
    expect(another.code).toBe(1);
  });

  it.each([
    [['--part', 'endpoint'], 'endpoint is no part; there are service, resources, states,'],
    [['--json', '--svg'], 'one form at a time: --json or --svg'],
    [['--asked', '--json'], '--asked is text, or --markdown; --json is the whole report'],
    [['--require', 'nothing'], 'nothing is no address'],
    [['--require', 'resources.Parcl'], 'there is no point at resources.Parcl, nor under it'],
  ])('refuses %j with one message and exit code 2', async (argv, message) => {
    const { code, out, error } = await tacet(['status', many, ...argv]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toMatch(/^tacet: .*\nhelp: tacet status --help\n$/);
  });
});
