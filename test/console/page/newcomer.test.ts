import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tacet, temporaryFolder } from '../../cli/terminal.ts';
import { browsing, faults, isSkipped, show } from './browsing.ts';

const { dev, opened } = browsing();
const folder = temporaryFolder();

/** What a newcomer states, by the part under whose prose it is typed. */
const statements = {
  'Resources and their fields':
    'Note: { identifier: id, fields: { id: { type: string, set: { create: "${uuid()}" } }, text: { type: string } } }',
  Endpoints:
    'POST /notes: { does: create Note, request: { body: Note, others: refuse }, response: { status: 201, body: "${Note(this)}" } }',
  Authentication: '(none)',
};

it.skipIf(isSkipped)(
  'a newcomer begins with nothing, states three things, and has a service that the tester passes',
  async () => {
    const path = join(folder.path, 'notes.md');
    expect((await tacet(['init', path])).code).toBe(0);
    const { path: followed, address } = await dev(readFileSync(path, 'utf8'), 'notes.md');
    const { at, complaints } = await opened(address, { width: 1280, height: 2000 });
    await at.getByText('Nothing is stated yet').waitFor();
    await show(at, '#/document');
    for (const [heading, statement] of Object.entries(statements)) {
      await at.locator('.cm-line', { hasText: `## ${heading}` }).click();
      await at.keyboard.press('End');
      for (const line of ['', '```yaml', statement, '```']) {
        await at.keyboard.press('Enter');
        await at.keyboard.insertText(line);
      }
    }
    await at.locator('.strip', { hasText: 'lets POST /notes run' }).waitFor();
    await at.keyboard.press('Control+s');
    await at.getByText('saved; what you type').waitFor();
    expect(readFileSync(followed, 'utf8')).toContain(statements.Endpoints);

    await show(at, '#/operations/POST%20%2Fnotes');
    await at.getByLabel('text').fill('tea');
    await at.keyboard.press('Enter');
    await at.locator('.exchange h2', { hasText: '201 Created' }).waitFor();

    await show(at, '#/verdicts');
    await at.getByLabel('quickly').check();
    await at.getByRole('button', { name: 'Run the tests' }).click();
    await at.getByRole('heading', { name: 'No violation' }).waitFor({ timeout: 120_000 });

    await at.locator('header .is-open').click();
    await at.locator('aside h2', { hasText: 'All parts' }).waitFor();
    await at.locator('.cell.open').first().waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    expect(complaints).toEqual([]);
  },
);
