import { json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import type { Said } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';

/** Whether what is told is stated, assumed (language §A.6), or left open. */
export type Standing = 'stated' | 'assumed' | 'open';

/** A line of text about a document. What is not stated begins with `(open)` or ends with `(assumed)`. */
export interface Line {
  readonly text: string;
  readonly standing: Standing;
}

export function standingOf(...said: readonly Said<unknown>[]): Standing {
  if (said.some(({ kind }) => kind === 'open')) return 'open';
  return said.some((one) => one.kind !== 'open' && one.assumed) ? 'assumed' : 'stated';
}

/** A line about something that is stated or assumed. */
export function line(text: string, standing: Standing = 'stated'): Line {
  if (standing === 'stated') return { text, standing };
  return { text: standing === 'assumed' ? `${text} (assumed)` : `(open) ${text}`, standing };
}

/** A line about something that nobody stated: what is asked there, or else what it is. */
export function openLine(said: Said<unknown>, what: string): Line {
  const question = said.kind === 'open' ? said.question : null;
  return line(question === null ? what : `${what}: ${question}`, 'open');
}

/**
 * What is asked in the list at this address, if it may have more entries than it names; nothing, if it may not. A list
 * that is only assumed to be complete is told so (language §A.6).
 */
export function further(
  { points, completeness }: Specification,
  list: Address,
  what: string,
): readonly Line[] {
  const point = points.get(`${list}.*`);
  if (point?.state !== 'open') return [];
  if (completeness.closed(list) !== undefined) return [line(`no ${what}`, 'assumed')];
  return [line(point.question === null ? what : `${what}: ${point.question}`, 'open')];
}

/** A value or an expression as an author would write it, without `${ }`. */
export function written({ template, node }: PlacedTemplate): string {
  if (template.kind === 'expression') return oneLine(template.expression.text);
  if (template.kind === 'handled') return `handled: ${template.name}`;
  const value = json(node);
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Names in a sentence: `a, b and c`. */
export function listed(names: readonly string[], word = 'and'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
