import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the browser is that pages are looked at in: as `TACET_CHROMIUM` says, or where systems put it; null: nowhere. */
export function chromiumHere(): string | null {
  const named = process.env['TACET_CHROMIUM'];
  return [...(named === undefined ? places : [named])].find((path) => existsSync(path)) ?? null;
}
