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

  it('are sent again as they came, or with changes', async () => {
    const { address } = await dev(notes.replace('(open) 201 or 202?', '201'));
    const { at, complaints } = await opened(address);
    const service = (await at.locator('footer a').getAttribute('href')) as string;
    await fetch(`${service}/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"tea"}',
    });
    await at.evaluate("location.hash = '#/requests'");
    await at.locator('.requests a').click();
    await at.getByText('What it brought').click();
    await at.locator('aside', { hasText: '"text": "tea"' }).waitFor();
    await at.getByRole('button', { name: 'Send it again' }).click();
    await at.locator('.exchange h2', { hasText: '201 Created' }).waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    await at.getByRole('link', { name: 'Change it first, in a form' }).click();
    await at.getByLabel('body').fill('{"text":"milk"}');
    await at.getByRole('button', { name: 'Send' }).click();
    await at.locator('.exchange h2', { hasText: '201 Created' }).waitFor();
    const kept = (await (await fetch(`${service}/notes`)).json()) as { text: string }[];
    expect(kept.map(({ text }) => text)).toEqual(['tea', 'tea', 'milk']);
    expect(complaints).toEqual([]);
  });
});
