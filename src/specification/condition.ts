import type { Node } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import type { Read, Reading } from './reading.ts';
import { text } from './reading.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate } from './templates.ts';

/** The closed list of reasons to refuse (language §H.4), in the order that is the service's choice. */
export const conditionNames = [
  'malformed',
  'unknown path',
  'method not allowed',
  'version missing',
  'version unknown',
  'version retired',
  'credential missing',
  'credential wrong',
  'rate exceeded',
  'too large',
  'timed out',
  'unsupported media',
  'not acceptable',
  'unknown',
  'not authorized',
  'invalid',
  'key missing',
  'key reused',
  'key busy',
  'precondition missing',
  'precondition failed',
  'wrong credentials',
  'transition refused',
  'guard refused',
  'not unique',
  'different',
  'in use',
  'invariant broken',
  'expression',
  'internal',
] as const;

export type ConditionName = (typeof conditionNames)[number];

/** A reason to refuse, as a row names it: a condition, and a subject that narrows it. */
export interface Condition {
  /** `not authenticated` stands for both of the credential's conditions. */
  readonly names: readonly ConditionName[];
  /** `Todo`, `Todo.title`, `Todo.title.minLength`; empty for all. */
  readonly subject: string;
  /** Set for an expression of one's own. */
  readonly expression: PlacedTemplate | null;
  readonly at: Span;
}

/** The status that the service sends where no row lists the condition (language §H.4, last column). */
export const floorStatus: Readonly<Record<ConditionName, number>> = {
  malformed: 400,
  'unknown path': 404,
  'method not allowed': 405,
  'version missing': 400,
  'version unknown': 400,
  'version retired': 400,
  'credential missing': 401,
  'credential wrong': 401,
  'rate exceeded': 400,
  'too large': 413,
  'timed out': 500,
  'unsupported media': 415,
  'not acceptable': 406,
  unknown: 404,
  'not authorized': 400,
  invalid: 400,
  'key missing': 400,
  'key reused': 400,
  'key busy': 400,
  'precondition missing': 400,
  'precondition failed': 412,
  'wrong credentials': 400,
  'transition refused': 400,
  'guard refused': 400,
  'not unique': 400,
  different: 400,
  'in use': 400,
  'invariant broken': 400,
  expression: 400,
  internal: 500,
};

const longestFirst = [...conditionNames].sort((a, b) => b.length - a.length);
const spoken = [...conditionNames.filter((name) => name !== 'expression'), 'not authenticated', '${ … }'];

export const condition: Read<Condition> = (node, place, reading) => {
  if (holdsExpression(node) || isHandled(node)) {
    const own = expression(node, place, reading);
    return own && { names: ['expression'], subject: '', expression: own, at: node.span };
  }
  const written = text(node, place, reading);
  return written === undefined ? undefined : named(written, node, reading);
};

function named(written: string, node: Node, reading: Reading): Condition | undefined {
  const words = written.trim().replace(/\s+/g, ' ');
  const make = (names: readonly ConditionName[], name: string): Condition => ({
    names,
    subject: words.slice(name.length).trim(),
    expression: null,
    at: node.span,
  });
  const both = 'not authenticated';
  if (words === both) return make(['credential missing', 'credential wrong'], both);
  for (const name of longestFirst) {
    if (name !== 'expression' && (words === name || words.startsWith(`${name} `))) return make([name], name);
  }
  const close = reading.suggest(words, spoken);
  const hint = close ? `did you mean "${close}"?` : `conditions are: ${spoken.join(', ')}`;
  return reading.report('unknown-condition', node.span, { condition: words }, { hint });
}

/** Where failures are that stand under no name of part 2 (language §H.4, 9). */
export const places: readonly string[] = ['body', 'query', 'path', 'headers'];

/** Whether a row's subject is one keyword, wherever it fails: `required` in `invalid required` (language §H.4). */
export function isKeyword(subject: string): boolean {
  return /^[a-z][A-Za-z]*$/.test(subject) && !places.includes(subject);
}

/** Whether a condition that holds of `subject` is one that a row's subject covers: `Todo` covers `Todo.title`. */
export function covers(rowSubject: string, subject: string): boolean {
  // The name of a rate, and `page`, are written as a keyword is.
  if (isKeyword(rowSubject)) return subject === rowSubject || subject.endsWith(`.${rowSubject}`);
  return rowSubject === '' || subject === rowSubject || subject.startsWith(`${rowSubject}.`);
}

/** How much a row's subject says: the longest counts most, and a keyword alone least but for none (language §H.4). */
export function precision(rowSubject: string): number {
  return isKeyword(rowSubject) ? 0.5 : rowSubject.length;
}
