import { writeFileSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterEach } from 'vitest';
import type { ExitCode } from '../../../src/cli/command.ts';
import { main } from '../../../src/cli/main.ts';
import { temporaryFolder } from '../../cli/terminal.ts';
import { chromiumHere } from '../../cli/test/chromium.ts';

const browserPath = chromiumHere();
if (browserPath === null) console.warn('the console is looked at in no browser: there is no Chromium here');
/** Whether there is no browser to look with. */
export const isSkipped = browserPath === null && !process.env['CI'];

export const wide = { width: 1280, height: 860 };
export const narrow = { width: 360, height: 740 };
/** A screen of 4k. */
export const large = { width: 3840, height: 2160 };

/** A page, with what it complained of. */
export interface Opened {
  readonly at: Page;
  readonly complaints: readonly string[];
}

/** A document that `tacet dev` follows, and the address of its console. */
export interface Followed {
  readonly path: string;
  readonly address: string;
  /** Ends it before the test does. */
  readonly end: () => Promise<void>;
}

let browser: Promise<Browser> | undefined;

/** The browser of all tests of this process, with which it ends. */
function started(): Promise<Browser> {
  if (browserPath === null) throw new Error('CI is set, and there is no Chromium here');
  // Signals that other tests send to this process are not for the browser: it ends as the process does.
  const deaf = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  browser ??= chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'], ...deaf });
  return browser;
}

/** Consoles to look at, and pages of a browser to do so. All are closed after each test. */
export function browsing(): {
  readonly dev: (
    content: string,
    name?: string,
    credentials?: object,
    words?: readonly string[],
  ) => Promise<Followed>;
  readonly opened: (
    address: string,
    viewport?: typeof wide,
    colorScheme?: 'light' | 'dark',
  ) => Promise<Opened>;
} {
  const { file } = temporaryFolder();
  let made = 0;
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return {
    dev: async (content, name = 'service.md', credentials = {}, words = []) => {
      made += 1;
      const path = file(`${made}-${name}`, '');
      writeFileSync(path, content);
      const ended = new AbortController();
      const printed = Promise.withResolvers<string>();
      let all = '';
      const print = (text: string): void => {
        all += text;
        const found = /console +(http:\S+)\n/.exec(all)?.[1];
        if (found) printed.resolve(found);
      };
      const code: Promise<ExitCode> = main(
        ['dev', path, '--port', '0', '--data', `${path}.sqlite`, ...words],
        {
          out: print,
          error: print,
          environment: { TACET_CREDENTIALS: JSON.stringify(credentials) },
          colours: false,
          ended: ended.signal,
        },
      );
      const end = async (): Promise<void> => {
        ended.abort();
        await code;
      };
      ends.push(end);
      const address = await Promise.race([printed.promise, code.then(() => Promise.reject(new Error(all)))]);
      return { path, address, end };
    },
    opened: async (address, viewport = wide, colorScheme = 'light') => {
      const context = await (await started()).newContext({ viewport, colorScheme });
      ends.unshift(() => context.close());
      context.setDefaultTimeout(10_000);
      const at = await context.newPage();
      const complaints: string[] = [];
      at.on('console', (message) => complaints.push(message.text()));
      at.on('pageerror', (error) => complaints.push(error.message));
      await at.goto(address);
      await at.locator('main').waitFor();
      return { at, complaints };
    },
  };
}

/** Shows another screen, or something on it. */
export async function show(at: Page, address: string): Promise<void> {
  await at.evaluate(`location.hash = ${JSON.stringify(address)}`);
}

/** Waits until one element alone is found. */
export async function only(found: Locator): Promise<void> {
  await found.nth(1).waitFor({ state: 'detached' });
  await found.waitFor();
}

/** By how much the page is wider than the window. */
export async function tooWide(at: Page): Promise<number> {
  return Math.max(0, await at.evaluate<number>('document.documentElement.scrollWidth - innerWidth'));
}

/** What axe finds, and by how much the page is wider than the window. */
export async function faults(at: Page): Promise<unknown> {
  await at.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const { violations } = await at.evaluate<AxeResults>('axe.run()');
  return [violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), await tooWide(at)];
}
