import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../long.ts';
import { ours } from '../opened.ts';
import { browsing, faults, isSkipped, narrow, tooWide, wide } from './browsing.ts';

const { dev, opened } = browsing();

const screens: readonly string[] = ['map', 'document', 'operations', 'requests', 'states', 'data'];

// That all fits is looked at everywhere; the rules of axe take a second a screen, so each example has some.
const all: readonly [string, object, Record<'light' | 'dark', readonly string[]>][] = [
  ['todo', {}, { light: ['map', 'document', 'operations', 'requests', 'data'], dark: ['states'] }],
  ['parcel-desk', { desk: { clerk: 'secret' } }, { light: ['states'], dark: ['map', 'operations', 'data'] }],
  ['train-travel', {}, { light: ['map'], dark: ['document', 'requests'] }],
];

describe.skipIf(isSkipped)('each screen of each example', () => {
  it.each<[string, object, Record<'light' | 'dark', readonly string[]>]>(isLong ? all : all.slice(0, 1))(
    '%s: fits, contrasts, and can be told by a screen reader',
    async (name, credentials, judged) => {
      const content = readFileSync(ours(`examples/${name}.md`), 'utf8');
      const { address } = await dev(content, `${name}.md`, credentials);
      const { at, complaints } = await opened(address);
      for (const [viewport, colorScheme] of [
        [wide, 'light'],
        [narrow, 'dark'],
      ] as const) {
        await at.setViewportSize(viewport);
        await at.emulateMedia({ colorScheme });
        for (const screen of screens) {
          await at.evaluate(`location.hash = '#/${screen}'`);
          await at.locator(`main.on-${screen}[aria-busy=false]`).waitFor();
          const found = judged[colorScheme].includes(screen) ? await faults(at) : [[], await tooWide(at)];
          expect([screen, colorScheme, found]).toEqual([screen, colorScheme, [[], 0]]);
        }
      }
      expect(complaints).toEqual([]);
    },
  );
});
