import { readFileSync } from 'node:fs';

/** Which tacet this is, as its package says. */
export function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
