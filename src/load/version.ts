import { readFileSync } from 'node:fs';
import { carried } from './carried.ts';

/** Which tacet this is, as its package says. */
export function version(): string {
  return (JSON.parse(readFileSync(carried('package.json'), 'utf8')) as { version: string }).version;
}
