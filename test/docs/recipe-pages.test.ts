import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { testOwnService } from '../conformance/examples.ts';
import { isLong, sampled } from '../long.ts';
import { absence, made } from '../service/store/postgres.ts';
import { givenBy, recipes, typed } from './recipe-pages.ts';

const { path: folder } = temporaryFolder();
const isMissing = (await absence()) !== null;

/** Those that are tested against themselves each time; the others are where tests run whole. */
const sample = ['data/counters.md', 'requests/quotas.md', 'requests/two-versions.md'];
const tested = isLong ? recipes : recipes.filter(({ path }) => sample.includes(path));

const named = (recipe: (typeof recipes)[number]) => [recipe.path, recipe] as const;

describe('docs/recipes', () => {
  it('has thirty recipes or more, at most 25 in a folder, and none over 90 lines', () => {
    expect(recipes.length).toBeGreaterThanOrEqual(30);
    expect(recipes.filter(({ text }) => text.split('\n').length > 91).map(({ path }) => path)).toEqual([]);
    for (const name of readdirSync('docs/recipes', { withFileTypes: true }))
      if (name.isDirectory()) expect(readdirSync(join('docs/recipes', name.name)).length).toBeLessThan(26);
  });

  it('lists each recipe by its title', () => {
    const index = readFileSync('docs/recipes/README.md', 'utf8');
    const linked = [...index.matchAll(/^\| \[(.+)\]\((.+)\) \|/gm)].map(([, title, path]) => [path, title]);
    const titled = recipes.map(({ path, text }) => [path, /^# (.*)/.exec(text)?.[1]]);
    expect(linked.sort()).toEqual(titled.sort());
  });

  it.each(recipes.map(named))('%s is a whole document without an error or a warning', (path, recipe) => {
    expect(recipe.name).toBe(path.replace(/^.*\/(.*)\.md$/, '$1.yaml'));
    expect(read(recipe.name, recipe.document).diagnostics).toEqual([]);
    expect(recipe.typed.length).toBeGreaterThan(1);
  });

  it.each(recipes.map(named))('%s answers what it shows', (path, recipe) =>
    typed(recipe, { data: join(folder, path.replaceAll('/', '-')), isMovable: true }),
  );

  it.skipIf(isMissing).each(sampled(recipes, 4).map(named))(
    '%s answers the same on PostgreSQL',
    async (_, recipe) => {
      const { address, drop } = await made();
      await typed(recipe, { data: address, isMovable: false }).finally(drop);
    },
  );

  it.each(tested.map(named))('%s holds when it is tested', { timeout: 240_000 }, async (path, recipe) => {
    const { credentials = {}, ...service } = await givenBy(recipe);
    const data = join(folder, `own-${path.replaceAll('/', '-')}`);
    const others = { credentials, service: { credentials, ...service } };
    const { results } = await testOwnService(recipe.name, recipe.document, 1, data, 'yaml', { others });
    const found = (verdict: string) => results.filter((one) => one.verdict === verdict);
    expect(found('violates')).toEqual([]);
    expect(found('conforms').length).toBeGreaterThan(5);
  });
});
