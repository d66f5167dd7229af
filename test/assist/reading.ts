import { readFileSync } from 'node:fs';
import { type Edit, edited } from '../../src/assist/answered.ts';
import { type Known, knownOf } from '../../src/assist/known.ts';
import type { Source } from '../../src/specification/read.ts';

/** A document as an editor knows it, without what is open in it. */
export function known(...sources: readonly Source[]): Known {
  return knownOf(sources[0]?.file ?? '', sources, [], () => ({ points: new Map(), diagnostics: [] }));
}

export function exampleNamed(name: string): Source {
  return { file: name, content: readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8') };
}

/** The texts with all these edits. */
export function withEdits(sources: readonly Source[], edits: readonly Edit[]): readonly Source[] {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce<readonly Source[]>(
      (now, edit) =>
        now.map((one) => (one.file === edit.file ? { ...one, content: edited(now, edit) } : one)),
      sources,
    );
}

/** Which faults a document has now that it had not: `CODE MESSAGE`. */
export function fresh(before: Known, after: Known): readonly string[] {
  const said = ({ code, message }: Known['findings'][number]): string => `${code} ${message}`;
  const known = before.findings.map(said);
  return after.findings.map(said).filter((one) => !known.includes(one));
}
