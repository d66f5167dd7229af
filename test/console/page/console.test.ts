import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blank } from '../../../src/cli/init/blank.ts';
import { notes } from '../opened.ts';
import { browsing, faults, isSkipped } from './browsing.ts';

const { dev, opened } = browsing();

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
