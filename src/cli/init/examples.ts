import { readdirSync, readFileSync } from 'node:fs';
import { carried } from '../../load/carried.ts';

const folder = carried('examples/');

/** The names of the documents that come with tacet, in order. */
export function exampleNames(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
}

/** The text of one of {@link exampleNames}. */
export function example(name: string): string {
  return readFileSync(new URL(`${name}.md`, folder), 'utf8');
}
