import { describe, expect, it } from 'vitest';
import { notes } from '../opened.ts';
import { browsing, faults, isSkipped, only } from './browsing.ts';

const { dev, opened } = browsing();

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
