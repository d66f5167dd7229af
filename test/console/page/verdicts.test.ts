import { describe, expect, it } from 'vitest';
import { notes } from '../opened.ts';
import { browsing, faults, isSkipped, show } from './browsing.ts';

const { dev, opened } = browsing();

describe.skipIf(isSkipped)('the verdicts, in a browser', () => {
  it('teach where nothing was tested, come in, and each statement tells what it came to', async () => {
    const { address } = await dev(`${notes}## Authentication\n\`\`\`yaml\n(none)\n\`\`\`\n`);
    const { at, complaints } = await opened(address);
    await show(at, '#/verdicts');
    await at.getByText('Nothing was tested yet').waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    await at.getByLabel('quickly').check();
    await at.getByRole('button', { name: 'Run the tests' }).press('Enter');
    await at.getByRole('button', { name: 'End the run' }).waitFor();
    await at.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 });
    await at.locator('.outcome', { hasText: 'no violation' }).waitFor();
    await at.getByRole('link', { name: /not stated/ }).click();
    await at.getByRole('searchbox').fill('response');
    await at.locator('.statements a').first().press('Enter');
    await at.locator('aside li b', { hasText: 'not stated' }).first().waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    expect(complaints).toEqual([]);
  });
});
