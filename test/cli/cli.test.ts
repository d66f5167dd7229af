import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from './terminal.ts';

const { path: folder, file } = temporaryFolder();

const wrong = file(
  'wrong.md',
  '# Wrong\n\n## Endpoints\n\n```yaml\nGET /:\n  does: lst Todo\n  respones: 200\n```\n',
);
const notes = file(
  'notes.md',
  '# Notes\n\n## Endpoints\n\n```yaml\nGET /: { does: (none), response: { body: hello } }\n```\n',
);

describe('the command line', () => {
  it('tells its commands, and ends with 2 where none is named', async () => {
    const asked = await tacet(['--help']);
    expect(asked.code).toBe(0);
    for (const name of ['check', 'explain', 'status', 'assume', 'serve', 'test'])
      expect(asked.out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(await tacet([])).toEqual({ ...asked, code: 2 });
  });

  it.each(['check', 'explain', 'status', 'assume', 'serve', 'test'])(
    'has help for %s, by --help and by help',
    async (name) => {
      const asked = await tacet([name, '--help']);
      expect(asked).toEqual({
        code: 0,
        out: expect.stringMatching(/^usage: tacet .*\n[\s\S]*exit code: /),
        error: '',
      });
      expect(await tacet(['help', name])).toEqual(asked);
      expect(Math.max(...asked.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    },
  );

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await tacet(['--version'])).toEqual({ code: 0, out: `${version}\n`, error: '' });
  });

  it.each([
    [['serv'], 'there is no command serv; did you mean serve?'],
    [['build'], 'there is no command build; there are check, explain, '],
    [['help', 'serv'], 'there is no command serv; did you mean serve?'],
    [['help', 'toString'], 'there is no command toString; there are check, explain, '],
    [['check'], 'name the document\nhelp: tacet check --help'],
    [['check', 'none.md'], 'there is no file none.md'],
    [['status', notes, wrong], 'one document at a time'],
    [['check', notes, '--formt'], 'there is no option --formt of tacet check; did you mean --format?'],
    [['check', notes, '-x'], 'there is no option -x of tacet check'],
    [
      ['check', notes.replace(/([^/]+)\.md$/, '$1s.md')],
      `there is no file ${notes.replace(/([^/]+)\.md$/, '$1s.md')}; did you mean ${notes}?`,
    ],
    [['serve', notes, '--port', '80a'], '80a is no port: a number from 0 to 65535 is wanted'],
    [['serve', notes, '--port', '70000'], '70000 is no port'],
    [['serve', notes, '--log', 'text'], '--log is json, and not text'],
    [['serve', notes, '--url', 'example'], 'example is no address: https://HOST/PATH is wanted'],
    [
      ['serve', notes, '--data', join(folder, 'wrong.md')],
      'is not a SQLite database; name another file with --data',
    ],
    [
      ['serve', notes, '--host', '0.0.0.0', '--data', join(folder, 'a.sqlite')],
      'authentication is open, so the service listens on loopback alone',
    ],
    [['status', notes, '--assume', 'none.json'], 'there is no file none.json'],
  ])('refuses %j with one message and exit code 2', async (argv, message) => {
    const { code, out, error } = await tacet(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
    expect(error).toMatch(/^tacet: .*\nhelp: tacet .*--help\n$/);
  });

  it('refuses a document that is not UTF-8', async () => {
    const path = join(folder, 'latin.md');
    writeFileSync(path, Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
    expect(await tacet(['check', path])).toMatchObject({
      code: 2,
      error: expect.stringContaining('is not UTF-8 text'),
    });
  });

  it('says that a port is taken, and how to name another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const found = await tacet(['serve', notes, '--port', String(port), '--data', join(folder, 'b.sqlite')]);
    taken.close();
    expect(found).toMatchObject({
      code: 2,
      error: expect.stringContaining(`127.0.0.1:${port} is in use; name another with --port`),
    });
  });
});

describe('tacet check', () => {
  it('shows every fault in one pass, each with place, code, excerpt and remedy, and ends with 1', async () => {
    const { code, out, error } = await tacet(['check', wrong]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toBe(
      [
        `${wrong}:7:9 error unknown-verb`,
        '  lst is neither a verb nor a transition of this resource',
        '    7 |   does: lst Todo',
        '      |         ^^^',
        '  help: did you mean list?',
        '',
        `${wrong}:8:3 error unknown-key`,
        '  endpoints["GET /"] has no key respones',
        '    8 |   respones: 200',
        '      |   ^^^^^^^^',
        '  help: did you mean response?',
        '',
        '2 errors; for more about one: tacet explain unknown-verb',
        '',
      ].join('\n'),
    );
  });

  it('ends with 0 where there is none', async () => {
    expect(await tacet(['check', 'examples/todo.md'])).toEqual({
      code: 0,
      out: 'examples/todo.md: no error, 6 operations, 0 warnings\n',
      error: '',
    });
  });

  it('colours a terminal, and nothing else', async () => {
    expect((await tacet(['check', wrong], { colours: true })).error).toContain('\u001b[31merror\u001b[39m');
    expect((await tacet(['check', wrong])).error).not.toContain('\u001b');
  });
});

describe('tacet serve', () => {
  it('does not serve a document with an error', async () => {
    expect(await tacet(['serve', wrong, '--port', '0'])).toMatchObject({ code: 1, out: '' });
  });

  it('tells its address, what is stated and open, and a request to try; and ends with 0 when it is asked to', async () => {
    const { code, out, error } = await tacet([
      'serve',
      'examples/todo.md',
      '--port',
      '0',
      '--data',
      join(folder, 'c.sqlite'),
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replace(folder, 'FOLDER')).toBe(
      [
        'A to-do list: Keep a list of things to do.',
        '',
        '  address  http://HOST',
        '  data     FOLDER/c.sqlite (SQLite)',
        '  stated   all nine parts',
        '  open     nothing',
        '  runs     6 of 6 operations',
        '',
        `try:  curl -i -H 'Content-Type: application/json' -d '{"title":"my first title"}' http://HOST/`,
        '',
      ].join('\n'),
    );
  });
});
