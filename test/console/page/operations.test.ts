import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { notes, ours } from '../opened.ts';
import { browsing, faults, isSkipped } from './browsing.ts';

const { dev, opened } = browsing();

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
