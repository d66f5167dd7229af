import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gradeOf } from './grade.ts';

const folders = ['docs/coming-from', 'docs/recipes'];
const pages = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
);

describe('what a newcomer reads first', () => {
  it.each(pages)('%s is in plain English: a grade of Flesch and Kincaid of 9 at most', (file) => {
    expect(gradeOf(readFileSync(file, 'utf8'))).toBeLessThanOrEqual(9);
  });

  it('is not all the pages by accident', () => {
    expect(pages.length).toBeGreaterThan(30);
  });
});
