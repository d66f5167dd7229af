import { readdirSync, readFileSync } from 'node:fs';
import type { Picture } from '../../../src/interchange/pictures/picture.ts';
import { picturesOf } from '../../../src/interchange/pictures/pictures.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import type { Assumption } from '../../../src/specification/openness/ledger.ts';
import { read } from '../../../src/specification/read.ts';

/** A document in YAML, without errors. */
export function specificationOf(content: string, assumptions: readonly Assumption[] = []): Specification {
  const { specification, diagnostics } = read('x.yaml', content, assumptions);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return specification;
}

/** One picture of a document, by its name. */
export function pictureOf(of: Specification, name: string): Picture {
  const found = picturesOf(of).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no picture ${name}`);
  return found.draw();
}

/** Names, questions and expressions of markup, of Mermaid's own words, and of its directives. */
export const hostile = specificationOf(readFileSync(new URL('hostile.yaml', import.meta.url), 'utf8'));

/** The examples of the repository, and a document whose texts are syntax elsewhere. */
export const documents: readonly (readonly [string, Specification])[] = [
  ...readdirSync('examples').map((name) => {
    const { specification } = read(name, readFileSync(`examples/${name}`, 'utf8'));
    return [name, specification] as const;
  }),
  ['hostile', hostile],
];
