import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ours } from '../opened.ts';
import { browsing, faults, isSkipped, narrow, show } from './browsing.ts';

const { dev, opened } = browsing();

describe.skipIf(isSkipped)('the events, in a browser', () => {
  it('come as the clock is moved on, which an edit of the document leaves as it is', async () => {
    const desk = readFileSync(ours('examples/parcel-desk.md'), 'utf8');
    const { path, address } = await dev(desk, 'desk.md', { desk: { office: 'secret' } });
    const { at, complaints } = await opened(address);
    const service = (await at.locator('footer a').getAttribute('href')) as string;
    const post = async (to: string, body: unknown, headers = {}) => {
      const sent = { 'Content-Type': 'application/json', ...headers };
      const answer = await fetch(`${service}${to}`, {
        method: 'POST',
        headers: sent,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { readonly key: string };
    };
    await show(at, '#/events');
    await at.getByText('None yet.').waitFor();
    await at.getByText('No item does anything by itself.').waitFor();
    const { key } = await post('/accounts', { email: 'ada@example.org', role: 'sender' });
    const to = { street: '1 Main Street', town: 'Springfield', country: 'US' };
    await post('/parcels', { recipient: 'Grace', address: to, weight: 900 }, { 'X-Desk-Key': key });
    await at.locator('.events li', { hasText: 'parcel.registered' }).waitFor();
    await at.getByRole('button', { name: /to what is due next, in 13 d/ }).press('Enter');
    await at.locator('.events li', { hasText: 'parcel.cancelled' }).locator('a').press('Enter');
    await at.locator('aside', { hasText: /emitted by\s*Parcel\.expire.*expired": true/s }).waitFor();
    expect(await faults(at)).toEqual([[], 0]);
    writeFileSync(path, desk.replace('# The parcel desk', '# Another desk'));
    await at.locator('header', { hasText: 'Another desk' }).waitFor();
    await at.getByText(/moved by 1[34] d/).waitFor();
    await at.setViewportSize(narrow);
    await show(at, '#/events');
    expect(complaints).toEqual([]);
  });
});
