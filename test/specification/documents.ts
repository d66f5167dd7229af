import { readFileSync } from 'node:fs';
import { position, type Span } from '../../src/source/text.ts';
import type { Specification } from '../../src/specification/model/specification.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { read } from '../../src/specification/read.ts';
import type { Part } from '../../src/specification/reading/address.ts';

const valid = new URL('../documents/valid/', import.meta.url);

/** The four whole specifications that are known to be right. */
export const wholeDocuments = ['todo', 'broker', 'parcel-desk', 'publishing'] as const;

export function wholeDocument(name: (typeof wholeDocuments)[number]): string {
  return readFileSync(new URL(`${name}.md`, valid), 'utf8');
}

/** A document of these parts, each a block of YAML under its heading; `head` stands before them. */
export function document(parts: Partial<Record<Part | 'head', string>>): string {
  const { head, ...stated } = parts;
  const block = (yaml: string): string => `\`\`\`yaml\n${yaml}\n\`\`\`\n`;
  const blocks = Object.entries(stated).map(([part, yaml]) => `## ${part}\n\n${block(yaml)}`);
  return ['# Service\n', ...(head === undefined ? [] : [block(head)]), ...blocks].join('\n');
}

/** The specification that a document states, which must be free of faults. */
export function specification(content: string, assumptions: readonly Assumption[] = []): Specification {
  const { specification: found, diagnostics } = read('x.md', content, assumptions);
  const errors = diagnostics.filter((one) => one.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((one) => `${one.code}: ${one.message}`).join('\n'));
  return found;
}

/** Every fault of a document: its code, and the characters that it points at, up to a line's end. */
export function faults(content: string, file = 'x.md'): string[] {
  return read(file, content).diagnostics.map((one) => `${one.code}: ${words(one.span)}`);
}

export function words({ text, start, end }: Span): string {
  return text.content.slice(start, end).split('\n')[0] as string;
}

/** Every fault as `line:column code`. */
export function places(content: string, file = 'x.md'): string[] {
  return read(file, content).diagnostics.map((one) => `${place(one.span)} ${one.code}`);
}

export function place({ text, start }: Span): string {
  const { line, column } = position(text, start);
  return `${line}:${column}`;
}

/** The points of a document under an address, each with its state. */
export function points(of: Specification, under = ''): Record<string, string> {
  return Object.fromEntries(
    [...of.points.values()]
      .filter((point) => point.address.startsWith(under))
      .map((point) => [point.address, point.question === null ? point.state : `open: ${point.question}`]),
  );
}

/** A model without places: what it says, and nothing of where it says so. */
export function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (['tree', 'places', 'from', 'pos', 'start', 'end', 'node'].includes(key) || isPlace(member))
        return undefined;
      if (member instanceof Map) return { map: [...member] };
      return typeof member === 'bigint' ? `${member}n` : member;
    }),
  );
}

function isPlace(member: unknown): boolean {
  return typeof member === 'object' && member !== null && 'start' in member && 'text' in member;
}
