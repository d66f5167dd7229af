import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { notes } from '../opened.ts';
import { browsing, faults, isSkipped, show } from './browsing.ts';

const { dev, opened } = browsing();

describe.skipIf(isSkipped)('the changes, in a browser', () => {
  it('teach where nothing differs, follow an edit, and tell whom each affects', async () => {
    const { path, address } = await dev(notes);
    const { at, complaints } = await opened(address);
    await show(at, '#/changes');
    await at.getByText('Nothing differs from the document as it was when the console was opened').waitFor();
    writeFileSync(path, notes.replace('status: 200', 'status: 203'));
    await at.getByRole('heading', { name: 'breaks clients 1' }).waitFor();
    await at.getByRole('link', { name: 'GET /notes response.status' }).press('Enter');
    await at.locator('aside', { hasText: /was\s*200.*is\s*203.*Clients of\s*GET \/notes/s }).waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    await at.getByLabel('from').fill('nowhere');
    await at.keyboard.press('Enter');
    await at.getByRole('alert').waitFor();
    expect(complaints).toEqual([expect.stringContaining('400 (Bad Request)')]);
  });
});
