import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { notes, ours } from '../opened.ts';
import { browsing, faults, isSkipped, narrow, show, wide } from './browsing.ts';

const { dev, opened } = browsing();

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

  it('is scrolled within its editor, so that its faults stay in reach', async () => {
    const { address } = await dev(readFileSync(ours('examples/todo.md'), 'utf8').repeat(3));
    const { at } = await opened(address);
    await show(at, '#/document');
    await at.locator('.cm-line').first().waitFor();
    for (const viewport of [wide, narrow]) {
      await at.setViewportSize(viewport);
      const { height = Infinity } = (await at.locator('.editor').boundingBox()) ?? {};
      expect(height).toBeLessThan(viewport.height);
    }
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

  it('renames what stands at the cursor, wherever it stands, before it is saved', async () => {
    const { path, address } = await dev(short);
    const { at } = await editing(address, 'does: create Note');
    await at.keyboard.press('F2');
    await at.getByLabel('resource, shape or view Note, at 4 places').waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    await at.keyboard.type('a letter');
    await at.keyboard.press('Enter');
    await at.getByRole('alert').filter({ hasText: 'a letter is no name here' }).waitFor();
    await at.getByLabel('resource, shape or view Note, at 4 places').fill('Letter');
    await at.keyboard.press('Enter');
    await at.locator('.strip', { hasText: 'touches stored data' }).waitFor();
    expect(readFileSync(path, 'utf8')).toBe(short);
    await at.keyboard.press('Control+s');
    await at.getByText('saved; what you type').waitFor();
    expect(readFileSync(path, 'utf8')).toBe(short.replaceAll(/Note\b/g, 'Letter'));
  });

  it('leaves open what is stated at the cursor, and can take it back', async () => {
    const { address } = await dev(short.replace('(open)', '201'));
    const { at } = await editing(address, 'status: 201');
    await at.getByRole('button', { name: 'Mark as open' }).click();
    await at.locator('.strip', { hasText: 'POST /notes runs no longer' }).waitFor();
    await at.locator('.cm-line', { hasText: 'status: (open)' }).waitFor();
    await at.keyboard.press('Control+z');
    await at.locator('.cm-line', { hasText: 'status: 201' }).waitFor();
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
