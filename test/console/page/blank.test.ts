import { describe, expect, it } from 'vitest';
import { screens } from '../../../src/console/page/state/screens.ts';
import { browsing, faults, isSkipped, large, show } from './browsing.ts';

const { dev, opened } = browsing();

describe.skipIf(isSkipped)('a document that states nothing', () => {
  it('has a next step on each screen, and looks right on a screen of 4k', async () => {
    const { address } = await dev('# Tools\n');
    const { at, complaints } = await opened(address, large, 'dark');
    for (const screen of screens) {
      await show(at, `#/${screen}`);
      await at.locator(`main.on-${screen}[aria-busy=false]`).waitFor();
      await at.locator('main .screen :is(p a, form, .editor)').first().waitFor();
      expect([screen, await faults(at)]).toEqual([screen, [[], 0]]);
    }
    expect(complaints).toEqual([]);
  });

  it('leads from what needs an operation to the place where one is stated', async () => {
    const { address } = await dev('# Tools\n');
    const { at } = await opened(address);
    for (const screen of ['operations', 'requests', 'verdicts']) {
      await show(at, `#/${screen}`);
      await at.locator(`main.on-${screen} .screen a[href="#/document"]`).waitFor();
    }
    expect(await at.getByRole('button', { name: 'Run the tests' }).count()).toBe(0);
  });

  it('shows where the keyboard is, and what is a link, in the text of each screen', async () => {
    const { address } = await dev('# Tools\n');
    const { at } = await opened(address);
    for (const screen of ['operations', 'requests', 'states', 'data', 'events', 'verdicts', 'changes']) {
      await show(at, `#/${screen}`);
      const link = at.locator(`main.on-${screen} .screen a[href="#/document"]`).first();
      await link.waitFor();
      await at.keyboard.press('Tab');
      await link.focus();
      const looks = await at.evaluate(
        '[getComputedStyle(document.activeElement).textDecorationLine, getComputedStyle(document.activeElement).outlineStyle]',
      );
      expect([screen, looks]).toEqual([screen, ['underline', 'solid']]);
    }
  });
});
