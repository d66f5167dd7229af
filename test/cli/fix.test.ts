import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from './terminal.ts';

const { path, file } = temporaryFolder();
const shown = (printed: string): string => printed.replaceAll(`${path}/`, '');
const document = (row: string): string =>
  `# Notes\n\n## Endpoints\n\n\`\`\`yaml\nGET /: { does: (none), response: 204 }\n\`\`\`\n\n## Errors\n\n\`\`\`yaml\n# Everything else is the floor's.\ncodes:\n  gone: { when: unknown path, status: 404, ${row} } # for people\n\`\`\`\n`;
const before = document('title: Gone');
const after = document('message: Gone');

describe('tacet check --fix', () => {
  it('writes the words of today into the file, tells what it changed, and checks the result', async () => {
    const name = file('notes.md', before);
    expect((await tacet(['check', name])).code).toBe(1);
    const { code, out, error } = await tacet(['check', '--fix', name]);
    expect({ code, error, out: shown(out) }).toEqual({
      code: 0,
      error: '',
      out: 'notes.md:14:44: title becomes message\nnotes.md: 1 change\nnotes.md: no error, 1 operation, 0 warnings\n',
    });
    expect(readFileSync(name, 'utf8')).toBe(after);
    expect(shown((await tacet(['check', '--fix', name])).out)).toMatch(/^notes.md: 0 changes\n/);
  });

  it('leaves what only the author can replace, says so, and ends with 1', async () => {
    const content = 'resources:\n  Note:\n    identifier: id\n    unique: [[id]]\n';
    const name = file('left.yaml', content);
    const { code, out } = await tacet(['check', '--fix', name]);
    expect([code, shown(out)]).toEqual([
      1,
      'left.yaml:4:14: unique: [[id]] is left as it is; write unique: true at the field id\nleft.yaml: 0 changes, 1 left to you\n',
    ]);
    expect(readFileSync(name, 'utf8')).toBe(content);
  });

  it('prints what it changed apart from a format for machines', async () => {
    const name = file('machine.md', before);
    const { out, error } = await tacet(['check', '--fix', '--format', 'json', name]);
    expect(() => JSON.parse(out)).not.toThrow();
    expect(shown(error)).toContain('machine.md: 1 change');
  });

  it('changes the documents of a folder', async () => {
    mkdirSync(join(path, 'folder'));
    file('folder/a.yaml', 'errors: { codes: { gone: { when: unknown path, status: 404, title: Gone } } }\n');
    file('folder/b.yaml', 'endpoints: { GET /: { does: (none), response: 204 } }\n');
    const { code, out } = await tacet(['check', '--fix', join(path, 'folder')]);
    expect([code, shown(out).split('\n')[1]]).toEqual([
      0,
      `${path}/folder: 1 change`.replace(`${path}/`, ''),
    ]);
  });
});

describe('tacet diff', () => {
  it('reads a document that git keeps in the words of before', async () => {
    const name = file('kept.md', before);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: path });
    git('init', '-q');
    git('add', 'kept.md');
    git('commit', '-q', '-m', 'one');
    file('kept.md', after);
    expect(await tacet(['diff', name])).toEqual({
      code: 0,
      out: 'no difference: both state the same\n',
      error: '',
    });
  });
});
