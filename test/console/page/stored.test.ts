import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ours } from '../opened.ts';
import { browsing, faults, isSkipped, only, show } from './browsing.ts';

const { dev, opened } = browsing();
const desk = readFileSync(ours('examples/parcel-desk.md'), 'utf8');

/** A desk with two parcels of Ada's; gives its page, and how Ada asks. */
async function busy() {
  const { address } = await dev(desk, 'desk.md', { desk: { office: 'secret' } });
  const found = await opened(address);
  const service = (await found.at.locator('footer a').getAttribute('href')) as string;
  const ask = async (method: string, path: string, key: string, body?: unknown) => {
    const answer = await fetch(`${service}${path}`, {
      method,
      headers: { ...(key !== '' && { 'X-Desk-Key': key }), 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { readonly id: string; readonly key: string };
  };
  const { key } = await ask('POST', '/accounts', '', { email: 'ada@example.org', role: 'sender' });
  const to = { street: '1 Main Street', town: 'Springfield', country: 'US' };
  const parcel = { recipient: 'Grace Hopper', address: to, weight: 900 };
  const { id } = await ask('POST', '/parcels', key, parcel);
  await ask('POST', '/parcels', key, { ...parcel, recipient: 'Alan Turing' });
  return { ...found, id, cancel: () => ask('POST', `/parcels/${id}/cancellation`, key) };
}

/** What is said in the pane beside the screen. */
function pane(at: Page, text: string | RegExp): Promise<void> {
  return at.locator('aside', { hasText: text }).waitFor();
}

describe.skipIf(isSkipped)('the states, in a browser', () => {
  it('count what is in each as it changes, and lead to its items', async () => {
    const { at, complaints, cancel } = await busy();
    await show(at, '#/states');
    await at.getByRole('link', { name: 'registered 2 items' }).waitFor();
    await cancel();
    await at.getByRole('link', { name: 'registered 1 item' }).focus();
    await at.keyboard.press('Enter');
    await pane(at, 'Leads on by');
    expect(await faults(at)).toEqual([[], 0]);
    await at.getByRole('link', { name: '1 item', exact: true }).click();
    await only(at.locator('.table tbody tr'));
    expect(complaints).toEqual([]);
  });

  it('tell of a transition who may ask for it, its guard, and what is due by itself', async () => {
    const { at } = await busy();
    await show(at, '#/states');
    await at.getByRole('link', { name: 'cancel if this.weight < 20000' }).focus();
    await at.keyboard.press('Enter');
    await pane(at, /if this\.weight < 20000.*\/parcels\/\{id\}\/cancellation.*sender.*parcel\.cancelled/s);
    await at
      .locator('.points li', { hasText: /expire\s+in 13 d/ })
      .nth(1)
      .waitFor();
  });
});

describe.skipIf(isSkipped)('the data, in a browser', () => {
  it('is narrowed, gone through by the arrows, and an item shows its history and leads to others', async () => {
    const { at, complaints, id, cancel } = await busy();
    await cancel();
    await show(at, '#/data/Parcel');
    await at.locator('.table tbody a').first().focus();
    await at.keyboard.press('ArrowDown');
    await at.keyboard.press('Enter');
    await pane(at, id);
    const history = at.locator('.history li');
    await history.nth(1).waitFor();
    expect(await history.allTextContents()).toEqual([
      expect.stringMatching(/POST\s+\/parcels\/.*\/cancellation\s+changed status/),
      expect.stringMatching(/POST\s+\/parcels\s+created/),
    ]);
    expect(await faults(at)).toEqual([[], 0]);
    await at.getByRole('searchbox').fill('turing');
    await only(at.locator('.table tbody tr'));
    await at.locator('.table .reference').click();
    await pane(at, /ada@example\.org.*key\s*\(secret\).*Referred to by.*2 items of Parcel/s);
    await at.getByRole('link', { name: '2 items of Parcel' }).click();
    await at.locator('.table tbody tr').nth(1).waitFor();
    expect(complaints).toEqual([]);
  });
});
