import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referencePage } from '../../../src/cli/docs/page.ts';
import { referenceOf } from '../../../src/interchange/reference/reference.ts';
import { read } from '../../../src/specification/read.ts';
import { isLong } from '../../long.ts';
import { temporaryFolder } from '../terminal.ts';
import { chromiumHere } from '../test/chromium.ts';

const browserPath = chromiumHere();
if (browserPath === null) console.warn('the page is looked at in no browser: there is no Chromium here');
const isSkipped = browserPath === null && !process.env['CI'];

const { file } = temporaryFolder();
let browser: Browser;

beforeAll(async () => {
  if (isSkipped) return;
  if (browserPath === null) throw new Error('CI is set, and there is no Chromium here');
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
});

afterAll(() => browser?.close());

/** The reference of a document, as a file. */
function written(document: string): string {
  const { specification } = read(document, readFileSync(document, 'utf8'));
  return pathToFileURL(file('reference.html', referencePage(referenceOf(specification)))).href;
}

const documents = ['examples/parcel-desk.md', 'test/interchange/pictures/hostile.yaml'];
// What fits depends on the width, and what contrasts on the scheme: each of both is looked at, and all pairs in the long form.
const looks = documents.flatMap((document) =>
  [1280, 360].flatMap((width) =>
    (['light', 'dark'] as const)
      .filter((scheme) => isLong || (scheme === 'light') === (width === 1280))
      .map((scheme) => [document, width, scheme] as const),
  ),
);

describe.skipIf(isSkipped)('the page of a reference, in a browser', () => {
  it.each(looks)(
    '%s, %i wide, %s: all fits, contrasts, and can be told by a screen reader',
    async (document, width, scheme) => {
      const page = written(document);
      const at = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
      const [complaints, requests]: [string[], string[]] = [[], []];
      at.on('console', (message) => complaints.push(message.text()));
      at.on('pageerror', (error) => complaints.push(error.message));
      at.on('request', (request) => requests.push(request.url()));
      await at.goto(page);
      await at.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await at.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await at.evaluate(axe.source);
      const { violations } = await at.evaluate<AxeResults>('axe.run()');
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect([complaints, requests]).toEqual([[], [page]]);
      await at.close();
    },
  );

  it('keeps the contents beside the operations where there is room, and above them where there is none', async () => {
    const page = written('examples/todo.md');
    const left = async (width: number): Promise<boolean> => {
      const at = await browser.newPage({ viewport: { width, height: 800 } });
      await at.goto(page);
      const [contents, operations] = await Promise.all(
        ['nav', 'main'].map((name) => at.locator(name).boundingBox()),
      );
      await at.close();
      return (contents?.x ?? 0) + (contents?.width ?? 0) <= (operations?.x ?? 0);
    };
    expect([await left(1280), await left(360)]).toEqual([true, false]);
  });
});
