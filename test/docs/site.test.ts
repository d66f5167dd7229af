import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Entry, sidebar } from '../../docs/.vitepress/sidebar.ts';
import { isLong } from '../long.ts';

const linksOf = ({ link, items = [] }: Entry): readonly string[] => [
  ...(link ? [link] : []),
  ...items.flatMap(linksOf),
];
const links = sidebar.flatMap(linksOf);

describe('the site of the documentation', () => {
  it('goes from learning to explaining', () => {
    expect(sidebar.map(({ text }) => text)).toEqual([
      'Tutorial',
      'Recipes',
      'Guides',
      'Reference',
      'Explanation',
    ]);
  });

  it('has each page of docs/ in its sidebar, once', () => {
    const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !/^(projects|\.vitepress)\//.test(path))
      .map((path) => `/docs/${path.slice(0, -3)}`);
    expect(links.filter((link) => link.startsWith('/docs/')).sort()).toEqual(pages.sort());
    expect(links.filter((link) => !existsSync(`.${link}.md`))).toEqual([]);
  });

  it.runIf(isLong)('is built, without a dead link, and asks nobody else for anything', async () => {
    await promisify(execFile)('npm', ['run', '-s', 'docs']);
    const home = readFileSync('docs/.vitepress/dist/index.html', 'utf8');
    expect(home).toContain('tacet never invents a value');
    expect([...home.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="(https?:[^"]*)"/g)]).toEqual([]);
  });
});
