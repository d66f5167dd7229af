import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readerLimits } from '../../src/source/yaml.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { path, file } = temporaryFolder();

function folder(name: string, documents: Record<string, string>): string {
  mkdirSync(join(path, name), { recursive: true });
  for (const [of, content] of Object.entries(documents)) file(join(name, of), content);
  return join(path, name);
}

const block = (part: string, yaml: string): string => `## ${part}\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;

const desk = {
  'desk.md': `# Desk\n\n${block('Resources', 'Note: { identifier: id, fields: { id: { type: string } } }')}`,
  'endpoints.yaml': 'endpoints: { GET /: { does: list Note, response: 204 } }\n',
  'limits.JSON': '{ "limits": "(none)" }',
  'README.md': '# Read this first\n',
  'notes.txt': 'resources: {}',
  '.hidden.md': block('Resources', '- wrong'),
  'assumptions.json': '[]',
};

describe('a folder of documents (language §A.2)', () => {
  const whole = folder('whole', desk);
  folder('whole/drafts', { 'draft.md': block('Resources', '- wrong') });
  mkdirSync(join(whole, 'archive.md'));

  it.each([whole, `${whole}/`, `${whole}/../whole/.`])(
    'is checked as one specification: %s',
    async (name) => {
      expect(await tacet(['check', name])).toEqual({
        code: 0,
        out: `${whole}: no error, 1 operation, 0 warnings\n`,
        error: '',
      });
    },
  );

  it('is reported as one specification, each point with its document', async () => {
    const { code, out } = await tacet(['status', whole, '--all']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Desk\n/);
    expect(out).toContain(`  endpoints["GET /"].does.list  ${whole}/endpoints.yaml:1:34\n`);
    expect(out).toContain(`  limits  ${whole}/limits.JSON:1:13\n`);
  });

  it('is served as one specification', async () => {
    const data = join(path, 'served.sqlite');
    const { code, out, error } = await tacet(['serve', whole, '--port', '0', '--data', data]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^Desk\n/);
  });

  it('is compared with another, and has a ledger beside it, as a document has', async () => {
    expect(await tacet(['diff', whole, whole])).toEqual({
      code: 0,
      out: 'no difference: both state the same\n',
      error: '',
    });
    const assumed = await tacet(['assume', whole, 'service.purpose', 'to try', '--because', 'nobody said']);
    expect(assumed).toMatchObject({ code: 0, error: '' });
    const ledger = `${whole}.assumptions.json`;
    expect((await tacet(['check', whole, '--assume', ledger])).code).toBe(0);
    expect((await tacet(['status', whole, '--assume', ledger])).out).toContain('assumed\n  service.purpose');
  });

  it('has an error that points at both places where a key stands twice', async () => {
    const twice = folder('twice', { ...desk, 'more.yml': 'endpoints: { GET /: {} }\n' });
    expect(await tacet(['check', twice])).toEqual({
      code: 1,
      out: '',
      error: [
        `${twice}/more.yml:1:14 error key-twice`,
        '  GET / stands twice',
        '    1 | endpoints: { GET /: {} }',
        '      |              ^^^^^',
        `  see also ${twice}/endpoints.yaml:1:14`,
        '    1 | endpoints: { GET /: { does: list Note, response: 204 } }',
        '      |              ^^^^^',
        '  help: keep one of them',
        '',
        '1 error; for more about one: tacet explain key-twice',
        '',
      ].join('\n'),
    });
  });

  it('takes in what a link leads to', async () => {
    const linked = folder('linked', {});
    for (const name of Object.keys(desk)) symlinkSync(join(whole, name), join(linked, name));
    symlinkSync(join(whole, 'drafts'), join(linked, 'drafts.md'));
    expect((await tacet(['check', linked])).out).toBe(`${linked}: no error, 1 operation, 0 warnings\n`);
  });

  it.each<[string, () => string, string]>([
    [
      'no document',
      () => folder('empty', { 'notes.txt': '' }),
      'holds no document: no .md, .yaml or .json file',
    ],
    [
      'more documents than are read',
      () => folder('many', Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.md`, '']))),
      'holds 1001 documents; tacet reads up to 1000',
    ],
    [
      'a link to nothing',
      () => {
        const at = folder('broken', desk);
        symlinkSync('nowhere.md', join(at, 'gone.md'));
        return at;
      },
      'broken/gone.md is a link to a file that is not there',
    ],
    [
      'a document that is no text',
      () => {
        const at = folder('bytes', desk);
        file('bytes/photo.md', Buffer.from([0x89, 0x50]));
        return at;
      },
      'bytes/photo.md is not UTF-8 text: see line 1',
    ],
  ])('cannot be read with %s', async (_what, make, message) => {
    const { code, out, error } = await tacet(['check', make()]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toMatch(/^tacet: .*\nhelp: tacet check --help\n$/);
  });

  it('is too large where its documents together are', async () => {
    const third = 'x'.repeat(0.4 * readerLimits.bytes);
    const large = folder('large', { 'a.md': third, 'b.md': third, 'c.md': third, 'd.yaml': 'wrong: 1' });
    const { code, error } = await tacet(['check', large]);
    expect(code).toBe(1);
    expect(error).toContain(`${large}/c.md:1:1 error too-large`);
    expect(error).toMatch(/\n1 error; .*\n$/);
  });
});

describe('a file that is no document', () => {
  const loop = join(path, 'loop.md');
  symlinkSync('loop.md', loop);
  symlinkSync('nowhere', join(path, 'dangling.md'));
  const utf16 = (bytes: string) => Buffer.from(bytes, 'hex');

  it.each<[string, string, string]>([
    ['is not there', join(path, 'none.md'), 'there is no file'],
    ['is under a file', join(file('plain.md', ''), 'x.md'), 'there is no file'],
    ['is a link to nothing', join(path, 'dangling.md'), 'is a link to a file that is not there'],
    ['is a link to itself', loop, 'is a link that leads to itself'],
    [
      'is UTF-16, little end first',
      file('little.md', utf16('fffe23002000')),
      'is UTF-16 text; save it as UTF-8',
    ],
    ['is UTF-16, big end first', file('big.md', utf16('feff00230020')), 'is UTF-16 text; save it as UTF-8'],
    ['is UTF-16 without a mark', file('bare.md', utf16('23002000')), 'line 1 holds a zero byte'],
    ['holds a zero byte', file('zero.md', '# A\n\n\0\n'), 'is not UTF-8 text: line 3 holds a zero byte'],
    [
      'is Latin-1',
      file('latin.md', Buffer.from('# A\n\ncaf\xe9\n', 'latin1')),
      'is not UTF-8 text: see line 3',
    ],
    [
      'ends within a character',
      file('cut.md', Buffer.from('# A\n\xc3', 'latin1')),
      'not UTF-8 text: see line 2',
    ],
    ['has a name that is too long', join(path, 'x'.repeat(300)), 'cannot be read: ENAMETOOLONG'],
  ])('%s: one message, and exit code 2', async (_what, name, message) => {
    const { code, out, error } = await tacet(['check', name]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toMatch(/^tacet: .*\nhelp: tacet check --help\n$/);
  });

  it.runIf(process.getuid?.() !== 0)('may not be read: one message, and exit code 2', async () => {
    const secret = file('secret.md', '');
    chmodSync(secret, 0);
    expect(await tacet(['check', secret])).toMatchObject({
      code: 2,
      error: expect.stringContaining('may not be read by this user'),
    });
  });

  it('is read no further than the reader takes, whatever its length', async () => {
    const { code, error } = await tacet(['check', '/dev/zero']);
    expect({ code, error: error.split('\n')[0] }).toEqual({
      code: 2,
      error: 'tacet: /dev/zero is not UTF-8 text: line 1 holds a zero byte',
    });
    const cut = file('long.md', `x${'ä'.repeat(readerLimits.bytes / 2)}`);
    expect((await tacet(['check', cut])).error).toContain(`${cut}:1:1 error too-large`);
  });

  it('may be a pipe', () => {
    const printed = execFileSync('bash', [
      '-c',
      `"$0" bin/tacet.js check <(printf '# A\\r\\n\\r\\n## Limits\\r\\n')`,
      process.execPath,
    ]);
    expect(printed.toString()).toContain(': no error, 0 operations');
  });

  it('may begin with a byte order mark, and end its lines as Windows does', async () => {
    const content = `\uFEFF# Desk\n\n${block('Limits', 'sizes: { page: 100 }')}`.replaceAll('\n', '\r\n');
    const name = file('windows.md', content);
    expect(await tacet(['check', name])).toMatchObject({ code: 0, error: '' });
    const wrong = file('windows-wrong.md', content.replace('sizes', 'size'));
    expect((await tacet(['check', wrong])).error).toContain(`${wrong}:6:1 error unknown-key`);
  });
});
