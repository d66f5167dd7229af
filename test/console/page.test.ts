import { readFileSync, writeFileSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExitCode } from '../../src/cli/command.ts';
import { blank } from '../../src/cli/init/blank.ts';
import { main } from '../../src/cli/main.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { chromiumHere } from '../cli/test/chromium.ts';
import { notes, ours } from './opened.ts';

const browserPath = chromiumHere();
if (browserPath === null) console.warn('the console is looked at in no browser: there is no Chromium here');
const isSkipped = browserPath === null && !process.env['CI'];

const { file } = temporaryFolder();
let browser: Browser;
let made = 0;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (isSkipped) return;
  if (browserPath === null) throw new Error('CI is set, and there is no Chromium here');
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => browser?.close());

/** A document that `tacet dev` follows, by its text; gives its file and the address of its console. */
async function dev(
  content: string,
  name = 'service.md',
  credentials = {},
): Promise<{ readonly path: string; readonly address: string }> {
  made += 1;
  const path = file(`${made}-${name}`, content);
  const ended = new AbortController();
  const printed = Promise.withResolvers<string>();
  let all = '';
  const print = (text: string): void => {
    all += text;
    const found = /console +(http:\S+)\n/.exec(all)?.[1];
    if (found) printed.resolve(found);
  };
  const code: Promise<ExitCode> = main(['dev', path, '--port', '0', '--data', `${path}.sqlite`], {
    out: print,
    error: print,
    environment: { TACET_CREDENTIALS: JSON.stringify(credentials) },
    colours: false,
    ended: ended.signal,
  });
  ends.push(async () => {
    ended.abort();
    await code;
  });
  const address = await Promise.race([printed.promise, code.then(() => Promise.reject(new Error(all)))]);
  return { path, address };
}

const wide = { width: 1280, height: 860 };
const narrow = { width: 360, height: 740 };

/** A page, with what it complained of. */
async function opened(address: string, viewport = wide, colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({ viewport, colorScheme });
  ends.unshift(() => context.close());
  context.setDefaultTimeout(10_000);
  const at = await context.newPage();
  const complaints: string[] = [];
  at.on('console', (message) => complaints.push(message.text()));
  at.on('pageerror', (error) => complaints.push(error.message));
  await at.goto(address);
  await at.locator('main').waitFor();
  return { at, complaints };
}

/** Waits until one element alone is found. */
async function only(found: Locator): Promise<void> {
  await found.nth(1).waitFor({ state: 'detached' });
  await found.waitFor();
}

/** By how much the page is wider than the window. */
async function tooWide(at: Page): Promise<number> {
  return Math.max(0, await at.evaluate<number>('document.documentElement.scrollWidth - innerWidth'));
}

/** What axe finds, and by how much the page is wider than the window. */
async function faults(at: Page): Promise<unknown> {
  await at.evaluate(`window.axe ?? (() => { ${axe.source} })()`);
  const { violations } = await at.evaluate<AxeResults>('axe.run()');
  return [violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), await tooWide(at)];
}

describe.skipIf(isSkipped)('the console, in a browser', () => {
  it('opens by its address once, and tells what to do with one that was used', async () => {
    const { address } = await dev(notes);
    const { at } = await opened(address);
    await at.locator('h1', { hasText: 'Notes' }).waitFor();
    expect(at.url()).not.toContain('token');
    await at.reload();
    await at.locator('h1', { hasText: 'Notes' }).waitFor();
    const other = await opened(address);
    await other.at.locator('h1', { hasText: 'Open the address that tacet printed' }).waitFor();
    expect(await faults(other.at)).toEqual([[], 0]);
  });

  it('answers a point by the keyboard: the document says it, and the next point follows', async () => {
    const { path, address } = await dev(notes);
    const { at, complaints } = await opened(address);
    const first = at.locator('.queue a').first();
    await first.focus();
    await at.keyboard.press('Enter');
    await at.getByText('lets POST /notes run').waitFor();
    await at.keyboard.press('Enter');
    await at.getByRole('status').filter({ hasText: '2 of 2 operations run' }).waitFor({ state: 'attached' });
    expect(readFileSync(path, 'utf8')).toBe(notes.replace('(open) 201 or 202?', '201'));
    await at.locator('aside h2', { hasText: 'endpoints protocol' }).waitFor();
    expect(await at.evaluate('document.activeElement.type')).toBe('radio');
    expect(complaints).toEqual([]);
  });

  it('keeps what is typed while somebody else edits the document', async () => {
    const { path, address } = await dev(notes);
    const { at } = await opened(address);
    await at.locator('.queue a').first().click();
    const own = at.getByLabel('a value, as it stands in the document');
    await own.fill('202');
    writeFileSync(path, notes.replace('# Notes', '# Letters'));
    await at.locator('h1', { hasText: 'Letters' }).waitFor();
    expect([await own.inputValue(), await at.locator('input[value=own]').isChecked()]).toEqual(['202', true]);
  });

  it('changes what is stated, and tells whom that breaks before it does', async () => {
    const { path, address } = await dev(notes);
    const { at } = await opened(address);
    const point = 'endpoints["GET /notes"].response.status';
    await at.evaluate(`location.hash = ${JSON.stringify(`#/map/${encodeURIComponent(point)}`)}`);
    await at.getByText('Change it, or mark it as open').click();
    await at.getByLabel('a value, as it stands in the document').fill('203');
    await at.locator('.effect .is-error', { hasText: 'breaks clients at 1 place' }).waitFor();
    await at.locator('input[value=ask]').check();
    await at.getByLabel('leave it open, and note the question').last().fill('200 or 203?');
    await at.locator('.effect', { hasText: 'GET /notes runs no longer' }).waitFor();
    await at.getByRole('button', { name: 'Note the question' }).click();
    await at.locator('.queue a', { hasText: '200 or 203?' }).waitFor();
    expect(readFileSync(path, 'utf8')).toBe(notes.replace('status: 200', 'status: (open) 200 or 203?'));
  });

  it('follows the document while somebody else edits it', async () => {
    const { path, address } = await dev(notes);
    const { at } = await opened(address);
    writeFileSync(path, notes.replace('# Notes', '# Letters'));
    await at.locator('h1', { hasText: 'Letters' }).waitFor();
    writeFileSync(path, notes.replace('does: list', 'dose: list'));
    await at.locator('header a', { hasText: '1 error' }).waitFor();
  });

  it('begins where nothing is stated: with a line to state', async () => {
    const { path, address } = await dev(blank('Nothing'));
    const { at } = await opened(address);
    await at.locator('h1', { hasText: 'Nothing is stated yet' }).waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    await at.getByLabel('What does it keep?').fill('Note');
    await at.keyboard.press('Enter');
    await at.locator('.queue a', { hasText: 'how is one known?' }).waitFor();
    expect(readFileSync(path, 'utf8')).toContain('Note: { identifier: (open) how is one known? }');
  });

  it('finds an operation by its name, from everywhere', async () => {
    const { address } = await dev(notes);
    const { at } = await opened(address);
    await at.keyboard.press('Control+k');
    await at.keyboard.type('post');
    await at.getByRole('option').first().filter({ hasText: 'POST /notes' }).waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    await at.keyboard.press('Enter');
    await at.waitForURL(/#\/operations\/POST%20%2Fnotes$/);
  });
});

describe.skipIf(isSkipped)('an operation, in a browser', () => {
  it('is sent by the keyboard, and the answer says why', async () => {
    const { address } = await dev(notes.replace('(open) 201 or 202?', '201'));
    const { at, complaints } = await opened(address);
    await at.evaluate("location.hash = '#/operations'");
    await at.getByRole('link', { name: 'POST /notes' }).focus();
    await at.keyboard.press('Enter');
    await at.getByLabel('text').fill('tea');
    await at.keyboard.press('Enter');
    await at.locator('.exchange h2', { hasText: '201 Created' }).waitFor();
    expect(await at.locator('.reasons a:first-child').allTextContents()).toEqual([
      'POST /notes request.body',
      'POST /notes does',
      'POST /notes response.status',
    ]);
    expect(await faults(at)).toEqual([[], 0]);
    await at.evaluate("location.hash = '#/operations/GET%20%2Fnotes'");
    await at.getByRole('button', { name: 'Send' }).click();
    expect(JSON.parse((await at.locator('.content').textContent()) ?? '')).toMatchObject([{ text: 'tea' }]);
    expect(complaints).toEqual([]);
  });

  it('keeps what was sent as an example in the document', async () => {
    const { path, address } = await dev(notes.replace('(open) 201 or 202?', '201'));
    const { at } = await opened(address);
    await at.evaluate("location.hash = '#/operations/POST%20%2Fnotes'");
    await at.getByLabel('text').fill('tea');
    await at.getByRole('button', { name: 'Send' }).click();
    await at.getByLabel('Keep it as an example called').fill('tea');
    await at.keyboard.press('Enter');
    await at.locator('.exchange', { hasText: 'kept in' }).waitFor();
    expect(readFileSync(path, 'utf8')).toContain(
      ', examples: { tea: { request: { body: { text: tea } }, response: { status: 201 } } } }',
    );
    await at.getByRole('button', { name: 'tea' }).waitFor();
  });

  it('names the open point that it waits for, and leads to its answer', async () => {
    const { address } = await dev(notes);
    const { at } = await opened(address);
    await at.evaluate("location.hash = '#/operations/POST%20%2Fnotes'");
    await at.getByRole('button', { name: 'Send' }).click();
    await at.locator('aside h2', { hasText: 'Why 501' }).waitFor();
    await at.locator('.reasons a', { hasText: 'response.status' }).first().click();
    await at.getByRole('button', { name: 'State it' }).waitFor();
  });

  it('shows a refusal with its condition and its statement', async () => {
    const { address } = await dev(readFileSync(ours('examples/todo.md'), 'utf8'), 'todo.md');
    const { at } = await opened(address);
    await at.evaluate("location.hash = '#/operations/addTodo'");
    await at.getByRole('button', { name: 'Edit the body as text' }).click();
    await at.getByLabel('body').fill('{"title":7}');
    await at.getByRole('button', { name: 'Send' }).click();
    await at.locator('aside', { hasText: 'Refused: invalid Todo.title.type' }).waitFor();
  });
});

describe.skipIf(isSkipped)('the document, in a browser', () => {
  /** The screen, with the cursor at the end of the first line that holds a text. */
  async function editing(address: string, line: string) {
    const found = await opened(address);
    await found.at.evaluate("location.hash = '#/document'");
    await found.at.locator('.cm-line', { hasText: line }).first().click();
    await found.at.keyboard.press('End');
    return found;
  }

  const short = notes.replace(
    /^POST .*$/m,
    'POST /notes:\n  does: create Note\n  response:\n    status: (open)',
  );

  it('is edited: its faults stand in their places, and what the edit comes to before it is saved', async () => {
    const { path, address } = await dev(short);
    const { at, complaints } = await editing(address, 'status: (open)');
    for (let left = 0; left < '(open)'.length; left += 1) await at.keyboard.press('Backspace');
    await at.keyboard.insertText('many');
    await at.locator('.faults', { hasText: 'service.md:12' }).waitFor();
    await at.locator('.cm-lint-marker-error').waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    for (let left = 0; left < 'many'.length; left += 1) await at.keyboard.press('Backspace');
    await at.keyboard.insertText('202');
    await at
      .locator('.strip', { hasText: '1 point becomes stated; lets POST /notes run; breaks nobody' })
      .waitFor();
    expect(readFileSync(path, 'utf8')).toBe(short);
    await at.keyboard.press('Control+s');
    await at.locator('.strip', { hasText: 'saved; what you type' }).waitFor();
    expect(readFileSync(path, 'utf8')).toBe(short.replace('(open)', '202'));
    expect(complaints).toEqual([]);
  });

  it('completes keys, and says what each means', async () => {
    const { address } = await dev(short);
    const { at } = await editing(address, 'does: create');
    await at.locator('.cm-line', { hasText: 'status' }).getByText('status', { exact: true }).last().hover();
    await at.locator('.cm-tooltip-hover', { hasText: 'status (§H.3)' }).waitFor();
    await at.keyboard.press('Enter');
    await at.keyboard.insertText('req');
    await at.keyboard.press('Control+Space');
    await at.locator('.cm-tooltip-autocomplete li', { hasText: 'request' }).waitFor();
    await at.keyboard.press('Escape');
  });

  it('keeps an edit while another screen is shown, and does not save it over the edit of somebody else', async () => {
    const { path, address } = await dev(notes);
    const { at } = await editing(address, '# Notes');
    await at.keyboard.insertText(' of ours');
    await at.evaluate("location.hash = '#/map'");
    await at.locator('h1', { hasText: 'Notes' }).waitFor();
    await at.evaluate("location.hash = '#/document'");
    await at.locator('.cm-line', { hasText: '# Notes of ours' }).waitFor();
    const theirs = notes.replace('# Notes', '# Letters');
    writeFileSync(path, theirs);
    await at.locator('header', { hasText: 'Letters' }).waitFor();
    await at.getByText('was changed elsewhere').waitFor();
    expect(readFileSync(path, 'utf8')).toBe(theirs);
    await at.getByRole('button', { name: 'Drop the edit' }).click();
    await at.locator('.cm-line', { hasText: '# Letters' }).waitFor();
  });

  it('leads from a statement to its line', async () => {
    const { address } = await dev(notes);
    const { at } = await opened(address);
    await at.locator('.queue a').first().click();
    await at.locator('aside .place').first().click();
    await at.locator('.cm-activeLine', { hasText: 'POST /notes' }).waitFor();
  });
});

describe.skipIf(isSkipped)('the requests, in a browser', () => {
  it('come as they are answered, are narrowed, and each says why', async () => {
    const { address } = await dev(notes);
    const { at, complaints } = await opened(address);
    const service = (await at.locator('footer a').getAttribute('href')) as string;
    await at.evaluate("location.hash = '#/requests'");
    await at.getByText('No request yet').waitFor();
    await fetch(`${service}/notes`);
    await fetch(`${service}/nothing`);
    await fetch(`${service}/notes`, { method: 'POST', body: '{}' });
    await at.locator('.requests tbody tr').nth(2).waitFor();
    await at.getByRole('searchbox').fill('unknown path');
    await only(at.locator('.requests tbody tr'));
    await at.locator('.requests a').press('Enter');
    await at.locator('aside', { hasText: 'Refused: unknown path' }).waitFor();
    await at.locator('.stages .decided', { hasText: 'route' }).waitFor();
    await at.getByRole('searchbox').fill('');
    await at.locator('.requests a', { hasText: 'POST' }).click();
    await at.locator('.reasons a', { hasText: 'response.status' }).click();
    await at.getByRole('link', { name: '1 request in which it took part' }).click();
    await only(at.locator('.requests tbody tr'));
    expect(await faults(at)).toEqual([[], 0]);
    expect(complaints).toEqual([]);
  });
});

const screens: readonly string[] = ['map', 'document', 'operations', 'requests'];

describe.skipIf(isSkipped)('each screen of each example', () => {
  // That all fits is looked at everywhere; the rules of axe take a second a screen, so each example has some.
  it.each<[string, object, Record<'light' | 'dark', readonly string[]>]>([
    ['todo', {}, { light: screens, dark: [] }],
    ['parcel-desk', { desk: { clerk: 'secret' } }, { light: [], dark: ['map', 'operations'] }],
    ['train-travel', {}, { light: ['map'], dark: ['document', 'requests'] }],
  ])('%s: fits, contrasts, and can be told by a screen reader', async (name, credentials, judged) => {
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
  });
});
