import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { screens } from '../../../src/console/page/state/screens.ts';
import { isLong } from '../../long.ts';
import { ours } from '../opened.ts';
import { browsing, faults, isSkipped, large, narrow, tooWide, wide } from './browsing.ts';

const { dev, opened } = browsing();

const all = readdirSync(ours('examples')).filter((name) => name.endsWith('.md'));

/** What the operator gives, where a document asks for it. */
const credentials: Readonly<Record<string, object>> = {
  'broker.md': { basic: { platform: 'secret' } },
  'parcel-desk.md': { desk: { clerk: 'secret' } },
  'subscriptions.md': { accounts: { clerk: 'secret' } },
};
const words: Readonly<Record<string, readonly string[]>> = {
  // Nothing is emitted here, so nobody need listen.
  'weather-alerts.md': ['--deliver', 'sirens=nats://127.0.0.1:9'],
};

/** Shows a screen, and on it the first thing that can be chosen, so that what is told of it is looked at too. */
async function choose(at: Page, screen: string): Promise<void> {
  await at.evaluate(`location.hash = '#/${screen}'`);
  await at.locator(`main.on-${screen}[aria-busy=false]`).waitFor();
  await at.evaluate(`document.querySelector('main .screen :is(.queue, .group, svg, .table, .causes) a')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`);
  await at.locator('main[aria-busy=false]').waitFor();
}

describe.skipIf(isSkipped)('each screen of each example', () => {
  it.each(isLong ? all : ['todo.md'])(
    '%s: fits, contrasts, and can be told by a screen reader',
    async (name) => {
      const content = readFileSync(ours(`examples/${name}`), 'utf8');
      const { address } = await dev(content, name, credentials[name], words[name]);
      const { at, complaints } = await opened(address);
      const sizes = [
        [wide, 'light'],
        [narrow, 'dark'],
        [large, 'light'],
      ] as const;
      for (const [index, [viewport, colorScheme]] of sizes.entries()) {
        await at.setViewportSize(viewport);
        await at.emulateMedia({ colorScheme });
        for (const [place, screen] of screens.entries()) {
          await choose(at, screen);
          // That all fits is looked at everywhere; the rules of axe take a second a screen, so each screen has one.
          const isJudged = (index < 2 || isLong) && place % 2 === index % 2;
          const found = isJudged ? await faults(at) : [[], await tooWide(at)];
          expect([screen, colorScheme, found]).toEqual([screen, colorScheme, [[], 0]]);
        }
      }
      expect(complaints).toEqual([]);
    },
  );
});
