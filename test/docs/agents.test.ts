import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { described } from '../../src/cli/mcp/described.ts';
import { tacet, temporaryFolder } from '../cli/terminal.ts';

const page = readFileSync('docs/agents.md', 'utf8');
const { file } = temporaryFolder();

/** The block whose fence names this. */
function block(named: string): string {
  const found = new RegExp(`^(\`{3,})${named}\n([\\s\\S]*?)^\\1$`, 'm').exec(page)?.[2];
  if (found === undefined) throw new RangeError(`docs/agents.md has no block ${named}`);
  return found;
}

describe('docs/agents.md', () => {
  it('shows what tacet next asks about its document, and the answer is written where it says', async () => {
    const document = file('notes.md', block('markdown notes\\.md'));
    const { out } = await tacet(['next', document, '--json']);
    expect(JSON.parse(out.replaceAll(document, 'notes.md'))).toEqual(JSON.parse(block('json next')));
    expect((await tacet(['next', document, '--answer', '200'])).code).toBe(0);
    expect(readFileSync(document, 'utf8')).toContain('"${Note(page.items)}" }, status: 200 } }');
  });

  it('names the tools that there are', () => {
    const listed = [...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(described.map(({ name }) => name));
    expect(Object.keys(JSON.parse(block('json mcp')).mcpServers)).toEqual(['tacet']);
  });

  it('names commands and options that there are', async () => {
    for (const [, name = '', rest = ''] of page.matchAll(/`(?:npx )?tacet ([a-z]+)([^`]*)`/g)) {
      const { code, out } = await tacet([name, '--help']);
      expect([name, code]).toEqual([name, 0]);
      for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(out).toContain(option);
    }
  });
});

describe('llms.txt', () => {
  const text = readFileSync('llms.txt', 'utf8');

  it('has the form of llmstxt.org: a title, a summary, and lists of links', () => {
    expect(text).toMatch(/^# tacet\n\n> .+\n\n[^#]+\n## /);
    expect(text).toContain('\n## Optional\n');
  });

  it('leads to files that the package carries', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) {
      expect([link, existsSync(link)]).toEqual([link, true]);
      expect([...files, 'README.md']).toContain(link.split('/')[0]);
    }
    expect(files).toContain('llms.txt');
  });
});
