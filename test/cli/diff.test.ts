import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { tacet, tacetIn, temporaryFolder } from './terminal.ts';

const folder = temporaryFolder();
const todo = readFileSync('examples/todo.md', 'utf8');
const old = folder.file('old.md', todo);
const same = folder.file('same.md', todo.replace('  response: 204', '  response: { status: 204 }'));
const broken = folder.file('broken.md', todo.replace('status: 201', 'status: 202'));
const less = folder.file('less.md', todo.replace('status: 201', 'status: (open) 201 or 202?'));
const wrong = folder.file('wrong.md', todo.replace('does: list Todo', 'does: lst Todo'));
const shown = (printed: string): string => printed.replaceAll(`${folder.path}/`, '');

describe('tacet diff', () => {
  it('says so where both state the same, however it is written', async () => {
    expect(await tacet(['diff', old, same])).toEqual({
      code: 0,
      out: 'no difference: both state the same\n',
      error: '',
    });
  });

  it('shows what breaks, with both places, and ends with 1', async () => {
    const { code, out, error } = await tacet(['diff', old, broken]);
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(shown(out)).toBe(
      [
        'breaks clients',
        '  endpoints["POST /"].response.status',
        '    clients see another status (status, §H.3)',
        '    - 201  old.md:62:23',
        '    + 202  broken.md:62:23',
        '',
        '1 breaking',
        '',
      ].join('\n'),
    );
  });

  it('counts apart what no rule knows', async () => {
    const ordered = folder.file(
      'ordered.md',
      todo
        .replace('does: list Todo', 'does: { list: Todo, where: "${this.completed}" }')
        .replace('purpose: Keep', 'purpose: To keep'),
    );
    const { code, out } = await tacet(['diff', old, ordered]);
    expect(code).toBe(0);
    expect(out).toContain('unclassified: no rule knows what this comes to');
    expect(out.split('\n').at(-2)).toBe('2 changed (1 unclassified)');
  });

  it('shows what became stated, where it could have been, and calls it a refinement', async () => {
    const { code, out } = await tacet(['diff', less, old]);
    expect(code).toBe(0);
    expect(shown(out)).toBe(
      [
        'became stated',
        '  endpoints["POST /"].response.status',
        '    was open, and is stated (§F.4)',
        '    - (open)  less.md:62:23',
        '    + 201  old.md:62:23',
        '',
        '1 became stated: a refinement, nothing that was stated is otherwise',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['breaking', old, broken, 1],
    ['breaking', less, old, 0],
    ['change', less, old, 0],
    ['change', old, broken, 1],
    ['never', old, broken, 0],
  ])('with --fail-on %s ends as it is told to', async (what, before, after, code) => {
    expect((await tacet(['diff', before, after, '--fail-on', what])).code).toBe(code);
  });

  it('prints JSON of the published form', async () => {
    const { out } = await tacet(['diff', old, broken, '--json']);
    const schema = JSON.parse(readFileSync('schemas/diff.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ strict: true }).compile(schema);
    const printed: unknown = JSON.parse(out);
    validate(printed);
    expect(validate.errors).toBe(null);
    expect(printed).toMatchObject({ refinement: false, counts: { breaking: 1, refinement: 0 } });
  });

  it('prints Markdown in which no document can inject markup', async () => {
    const hostile = folder.file(
      'hostile.md',
      todo.replace('title:     {', '"<img>|`*[x](y)":     { type: string }\n    title:     {'),
    );
    const { out } = await tacet(['diff', old, hostile, '--markdown']);
    const row = out.split('\n').find((line) => line.includes('img')) as string;
    expect(row).not.toMatch(/<img|`|\*|\[x\]/);
    expect(row.split('|')).toHaveLength(6);
    expect(row).toContain('&#60;img&#62;&#124;&#96;&#42;&#91;x&#93;(y)');
  });

  it('does not compare a document with errors, and shows them', async () => {
    const { code, out, error } = await tacet(['diff', old, wrong]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain('unknown-verb');
  });

  it.each([
    [[], 'name what to compare: OLD NEW, REVISION DOCUMENT, or DOCUMENT'],
    [[old, same, broken], `two are compared, and ${broken} is a third one`],
    [[old, 'nowhere.md'], 'there is no file nowhere.md'],
    [[old, same, '--json', '--markdown'], '--json and --markdown are two forms; choose one'],
    [[old, same, '--fail-on', 'x'], '--fail-on takes breaking, change, never, and x is none'],
    [
      [old, same, '--fail-on', 'constructor'],
      '--fail-on takes breaking, change, never, and constructor is none',
    ],
  ])('refuses wrong use: %j', async (argv, message) => {
    expect(await tacet(['diff', ...argv])).toEqual({
      code: 2,
      out: '',
      error: `tacet: ${message}\nhelp: tacet diff --help\n`,
    });
  });
});

describe('tacet diff with git', () => {
  const repository = join(folder.path, 'repository');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: repository,
      encoding: 'utf8',
    });
  mkdirSync(join(repository, 'api'), { recursive: true });
  const document = join(repository, 'api', 'todo.md');
  writeFileSync(document, todo);
  writeFileSync(join(repository, 'api', 'raw.md'), Buffer.from([0x23, 0xff]));
  mkdirSync(join(repository, 'empty'));
  writeFileSync(join(repository, 'empty', 'x.txt'), '');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  writeFileSync(document, todo.replace('status: 201', 'status: 202'));
  writeFileSync(join(repository, 'later.md'), todo);
  const here = relative('.', document);

  it('compares a document with what a revision has of it, and alone with HEAD', async () => {
    for (const argv of [[document], ['HEAD', document], [here], ['HEAD', here]]) {
      const { code, out, error } = await tacet(['diff', ...argv]);
      expect({ code, error }).toEqual({ code: 1, error: '' });
      expect(out).toContain(`    - 201  HEAD:${argv.at(-1)}:62:23\n    + 202  ${argv.at(-1)}:62:23\n`);
    }
  });

  it('compares two revisions, and folders, as git spells them', async () => {
    git('commit', '--quiet', '-a', '-m', 'second');
    const run = async (...argv: string[]): Promise<string> => {
      const { out, error } = await tacetIn(repository, ['diff', ...argv]);
      return out + error;
    };
    git('rm', '--quiet', 'api/raw.md');
    git('commit', '--quiet', '-m', 'third');
    expect(await run('HEAD~2:api/todo.md', 'HEAD:api/todo.md')).toContain('- 201  HEAD~2:api/todo.md:62:23');
    expect(await run('HEAD:api/', 'HEAD:api')).toBe('no difference: both state the same\n');
    expect(await run('HEAD:api', 'api')).toBe('no difference: both state the same\n');
    expect(await run('HEAD', 'api')).toBe('no difference: both state the same\n');
    for (const [argv, message] of [
      [['HEAD~2:api/raw.md', 'api'], 'HEAD~2:api/raw.md is not UTF-8 text'],
      [['HEAD:empty', 'api'], 'HEAD:empty holds no document: no .md, .yaml or .json file'],
      [['nope:api', 'api'], 'there is no revision nope'],
      [['nope', 'api'], 'there is no revision nope'],
      [['HEAD:nope.md', 'api'], 'HEAD has no nope.md'],
      [['HEAD', 'later.md'], 'HEAD has no later.md'],
      [[':api', 'api'], 'a revision stands before the colon of :api'],
      [['nope', 'nope.md'], 'there is no file nope'],
    ] as const)
      expect(await run(...argv)).toBe(`tacet: ${message}\nhelp: tacet diff --help\n`);
  });

  it('says where there is no repository, and where there is no git', async () => {
    const alone = folder.file('alone.md', todo);
    expect((await tacet(['diff', alone])).error).toContain('tacet: this folder is in no git repository\n');
    const path = process.env['PATH'];
    process.env['PATH'] = folder.path;
    try {
      expect((await tacet(['diff', alone])).error).toContain(
        'tacet: git is not on the PATH, and a revision is asked for\n',
      );
    } finally {
      process.env['PATH'] = path;
    }
  });
});
