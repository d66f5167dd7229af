import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../../src/cli/test/html.ts';
import { read } from '../../../src/specification/read.ts';
import { temporaryFolder } from '../terminal.ts';
import { chromiumHere } from './chromium.ts';
import { document, reportOf } from './runs.ts';

const browserPath = chromiumHere();
if (browserPath === null) console.warn('the page is looked at in no browser: there is no Chromium here');
const isSkipped = browserPath === null && !process.env['CI'];

const { file } = temporaryFolder();
let browser: Browser;
let page: string;

beforeAll(async () => {
  if (isSkipped) return;
  if (browserPath === null) throw new Error('CI is set, and there is no Chromium here');
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  page = pathToFileURL(file('report.html', html(reportOf(), read('notes.md', document).specification))).href;
});

afterAll(() => browser?.close());

const wide = { width: 1200, height: 900 };
const narrow = { width: 360, height: 700 };

/** The page, with what it complained of and asked for. */
async function opened(viewport = wide, colorScheme: 'light' | 'dark' = 'light') {
  const at = await browser.newPage({ viewport, colorScheme });
  const [complaints, requests]: [string[], string[]] = [[], []];
  at.on('console', (message) => complaints.push(message.text()));
  at.on('pageerror', (error) => complaints.push(error.message));
  at.on('request', (request) => requests.push(request.url()));
  await at.goto(page);
  return { at, complaints, requests };
}

/** The verdicts of the checks that are shown, each once. */
const shownVerdicts = (at: Page): Promise<string[]> =>
  at.evaluate(
    "[...new Set([...document.querySelectorAll('.check')].filter((one) => getComputedStyle(one).display !== 'none').map((one) => one.dataset.verdict))]",
  );

describe.skipIf(isSkipped)('the page of a report, in a browser', () => {
  it.each([
    ['wide', 'light'],
    ['wide', 'dark'],
    ['narrow', 'light'],
    ['narrow', 'dark'],
  ] as const)('%s and %s: all fits, contrasts, and can be told by a screen reader', async (width, scheme) => {
    const { at, complaints, requests } = await opened(width === 'wide' ? wide : narrow, scheme);
    await at.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await at.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await at.evaluate(axe.source);
    const { violations } = await at.evaluate<AxeResults>('axe.run()');
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html: one }) => one)])).toEqual([]);
    expect([complaints, requests]).toEqual([[], [page]]);
    await at.close();
  });

  it('has other colours in the dark', async () => {
    const colour = ({ at }: { at: Page }): Promise<string> =>
      at.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await colour(await opened(wide, 'dark'))).not.toBe(await colour(await opened(wide, 'light')));
  });

  it('shows checks of one verdict alone, and the parts and statements that have such, by the keyboard too', async () => {
    const { at } = await opened();
    const all = ['conforms', 'violates', 'not-exercised', 'not-stated'];
    expect((await shownVerdicts(at)).sort()).toEqual([...all].sort());
    await at.getByLabel('every check').focus();
    for (const verdict of all) {
      await at.keyboard.press('ArrowRight');
      expect(await shownVerdicts(at)).toEqual([verdict]);
    }
    await at.locator('label', { hasText: 'violates' }).click();
    expect(await at.locator('.statement:visible .address').allTextContents()).toEqual([
      'endpoints["POST /notes"].response.status',
    ]);
    expect(await at.locator('.part:visible h3').allTextContents()).toEqual(['4 endpoints']);
    await at.close();
  });

  it('shows a statement as the document has it, and all that was sent and answered, on paper too', async () => {
    const { at } = await opened();
    const violation = at.locator('.violation').first();
    expect(await violation.locator('mark').textContent()).toContain('status: 201');
    const content = violation.locator('.content pre').first();
    expect(await content.isVisible()).toBe(false);
    await violation.locator('.content summary').first().press('Enter');
    expect(await content.isVisible()).toBe(true);
    await at.emulateMedia({ media: 'print' });
    expect(await violation.locator('.content pre').last().isVisible()).toBe(true);
    expect(await at.locator('.filter').isVisible()).toBe(false);
    await at.close();
  });
});
