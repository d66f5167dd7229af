import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Diff, diff } from '../../src/diff/diff.ts';
import { rules } from '../../src/diff/rules.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import { specification } from '../specification/documents.ts';
import { cases } from './cases.ts';

function told({ findings }: Diff): string[] {
  return findings.map(({ class: of, address, also, message, rule }) => {
    const others = also.length === 0 ? '' : ` +${also.length}`;
    return `${of}: ${address}${others}: ${message} (${rule})`;
  });
}

interface Whole {
  readonly written: string;
  readonly before: Specification;
}

/** The documents that are edited, each read once. */
const whole = new Map(
  [...new Set(cases.map(({ document }) => document))].map((document): [string, Whole] => {
    const written = readFileSync(new URL(`../documents/valid/${document}.md`, import.meta.url), 'utf8');
    return [document, { written, before: specification(written) }];
  }),
);

describe('what an edit of a document comes to', () => {
  it.each(cases)('$document: $what', ({ document, from, to, finds, undone }) => {
    const { written, before } = whole.get(document) as Whole;
    expect(written.split(from)).toHaveLength(2);
    const after = specification(written.replace(from, () => to));
    expect(told(diff(before, after))).toEqual(finds);
    expect(told(diff(after, before))).toEqual(undone);
  });
});

describe('the rules', () => {
  it('have names of their own', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });

  it.each(rules)('$name is shown by an edit', ({ name }) => {
    expect(
      cases.flatMap(({ finds, undone }) => [...finds, ...undone]).some((one) => one.endsWith(`(${name})`)),
    ).toBe(true);
  });
});
