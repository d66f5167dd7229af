import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heldUpLog } from '../../src/cli/serve/held-up.ts';
import { holds } from '../../src/specification/openness/holds.ts';
import { specification } from '../specification/documents.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { path: folder, file } = temporaryFolder();
const document = `# Searches

## Endpoints

\`\`\`yaml
GET /found: { operation: find, does: { handled: seek }, response: { status: 200, body: { all: { handled: list } } } }
GET /told: { operation: tell, does: (none), response: { status: 200, body: { handled: list } } }
\`\`\`
`;

async function served(functions: string): Promise<{ code: number; out: string; error: string }> {
  const at = file('searches.md', document);
  const module = file('functions.ts', functions);
  const data = join(folder, 'searches.sqlite');
  return await tacet(['serve', at, '--port', '0', '--data', data, '--handlers', module]);
}

describe('tacet serve --handlers', () => {
  it('runs what its functions are given for, and names at the start which are not there', async () => {
    const { code, out, error } = await served(
      'export const list = (): number[] => [1];\nexport const other = 1;\n',
    );
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain('  runs     1 of 2 operations: tell\n');
    expect(out).toContain('  waits    1 for answers: find\n');
    expect(out).toContain('  lacks    the functions seek (--handlers FILE)\n');
  });

  it('says why a module cannot be loaded', async () => {
    const at = file('searches.md', document);
    const missing = join(folder, 'missing.ts');
    const { code, error } = await tacet(['serve', at, '--handlers', missing]);
    expect(code).toBe(2);
    expect(error).toContain(`${missing} cannot be loaded: `);
  });

  it('names the function that a request waits for', () => {
    const of = specification(document);
    const printed: string[] = [];
    const [operation] = of.operations;
    if (operation === undefined) throw new TypeError('there is an operation');
    heldUpLog(of, (text) => printed.push(text))({ operation, points: holds(of, operation) });
    expect(printed.join('')).toBe(
      [
        '501 GET /found (find)',
        '  open     endpoints["GET /found"].does               x.md:6:38',
        '           wants the function seek (--handlers)',
        '           endpoints["GET /found"].response.body.all  x.md:6:95',
        '           wants the function list (--handlers)',
        '',
      ].join('\n'),
    );
  });
});
