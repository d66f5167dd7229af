import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { petsDescription } from './pets.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { file, path } = temporaryFolder();
const document = file(
  'tasks.yaml',
  `
name: Tasks
resources:
  Task: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, owner: { refers: Task } } }
endpoints:
  GET /tasks/{id}: { does: read Task, response: { status: 200, body: Task } }
  GET /tasks-id: { does: (open) what?, response: 204 }
`,
);

async function pageOf(...words: string[]): Promise<string> {
  const out = join(path, 'reference.html');
  const { code, error } = await tacet(['docs', ...words, '-o', out, '--force']);
  expect([code, error]).toEqual([0, '']);
  return readFileSync(out, 'utf8');
}

describe('tacet docs', () => {
  it('writes a page, and says so', async () => {
    const out = join(path, 'first.html');
    expect(await tacet(['docs', document, '-o', out])).toEqual({ code: 0, out: `wrote ${out}\n`, error: '' });
    const page = readFileSync(out, 'utf8');
    expect(page).toContain('<title>Tasks: reference</title>');
    expect(page).toContain('<a href="#shape-Task">Task</a>');
    expect(page).toContain('<h3 id="shape-Task">Task</h3>');
    expect(page).toContain('role="img"');
  });

  it('gives each heading an identifier of its own, and each link a heading', async () => {
    const page = await pageOf(document);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('marks what is assumed and open, of an OpenAPI description too', async () => {
    const openapi = file('openapi.yaml', petsDescription);
    const guessed = await pageOf(openapi);
    for (const guess of [
      'read Pet',
      'no further operations',
      'query parameters that are not listed are ignored',
    ])
      expect(guessed).toMatch(new RegExp(`<span class="assumed">[^<]*${guess} \\(assumed\\)</span>`));
    expect(guessed).not.toContain('(open) further operations');
    expect(await pageOf(openapi, '--no-guesses')).toContain('<span class="open">(open) what it does');
  });

  it('takes no text of the document for markup', async () => {
    const page = await pageOf('test/interchange/pictures/hostile.yaml');
    expect(page).not.toMatch(/<script|<img|<b>|<i>/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it.each([
    [[], 'name the document'],
    [[document], 'name the page to write: -o reference.html'],
    [[document, '-o', 'x.pdf'], 'the page is written to a .html file, and x.pdf is none'],
    [[document, 'b.md', '-o', 'x.html'], 'one document at a time, and b.md is a second one'],
  ])('refuses %j', async (words, message) => {
    const { code, out, error } = await tacet(['docs', ...words]);
    expect([code, out, error]).toEqual([2, '', `tacet: ${message}\nhelp: tacet docs --help\n`]);
  });

  it('writes over nothing, unless it is told to', async () => {
    const out = file('mine.html', 'mine');
    const refused = await tacet(['docs', document, '-o', out]);
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('is there already; --force')]);
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });

  it('shows the errors of a document, and writes nothing', async () => {
    const wrong = file('wrong.yaml', 'name: Wrong\nresources: { a: {} }');
    const { code, error } = await tacet(['docs', wrong, '-o', join(path, 'wrong.html')]);
    expect([code, error]).toEqual([1, expect.stringContaining('bad-name')]);
  });
});
