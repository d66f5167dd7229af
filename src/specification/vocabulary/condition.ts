import type { Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { defined, type Form } from '../reading/form.ts';
import { type Formed, formed, type Reading, text } from '../reading/reading.ts';
import { expression, holdsExpression, isHandled, type PlacedTemplate } from '../reading/templates.ts';

/** A reason to refuse, as a row of the reference's table (language §H.4). */
export interface ConditionRow {
  /** Its number in the order in which our service judges. */
  readonly place: number;
  /** When it holds, in one plain sentence. */
  readonly holds: string;
  /** The status that our service sends where no row of part 7 lists it. */
  readonly floor: number;
  /** What narrows it, as the reference writes it. */
  readonly subject?: string;
  /** The section that says more of it. */
  readonly section: string;
  /** The numbered rules of H.4 that say more. */
  readonly rules?: string;
  /** What the reference says of the floor, if it is more than the status. */
  readonly floorSays?: string;
  /** It also has this form, about something else. */
  readonly other?: {
    readonly place: number;
    readonly subject: string;
    readonly holds: string;
    readonly section: string;
  };
}

/** The closed list of reasons to refuse (language §H.4), in the order that is the service's choice. */
export const conditions = {
  malformed: {
    place: 1,
    floor: 400,
    subject: 'PLACE',
    section: 'H.4',
    holds: 'The message, the coding of a parameter or the JSON cannot be read.',
    rules: '9',
  },
  'unknown path': { place: 2, floor: 404, section: '4.1', holds: 'No endpoint has this path.' },
  'method not allowed': {
    place: 2,
    floor: 405,
    section: '4.1',
    holds: 'The path has endpoints, but none with this method.',
    floorSays: '405 with Allow',
  },
  'version missing': {
    place: 3,
    floor: 400,
    section: '9.1',
    holds: 'The request names no version, and there is no default.',
  },
  'version unknown': { place: 3, floor: 400, section: '9.2', holds: 'No version has this name.' },
  'version retired': { place: 3, floor: 400, section: '9.2', holds: 'The version is past its last day.' },
  'credential missing': {
    place: 4,
    floor: 401,
    section: '5.1',
    holds: 'No credential came, and the rule does not hold for a null actor.',
    rules: '10',
    floorSays: '401 if a challenge is stated, else 400',
  },
  'credential wrong': {
    place: 4,
    floor: 401,
    section: '5.1',
    holds: 'A credential came that is not good.',
    rules: '10',
    floorSays: '401 if a challenge is stated, else 400',
  },
  'rate exceeded': {
    place: 5,
    floor: 400,
    subject: 'NAME',
    section: '8.1',
    holds: 'More requests came than a rate, or a bound on concurrency, allows.',
  },
  'too large': {
    place: 5,
    floor: 413,
    subject: 'WHAT',
    section: '8.3',
    holds: 'The content of the request, or the page, is past its bound.',
  },
  'timed out': { place: 5, floor: 500, section: '8.3', holds: 'The request took longer than stated.' },
  'unsupported media': {
    place: 6,
    floor: 415,
    section: '4.2',
    holds: 'The media type of the content is not stated, or is missing.',
  },
  'not acceptable': {
    place: 6,
    floor: 406,
    section: 'H.4',
    holds: 'No media type of the answer fits `Accept`, and a row lists this condition.',
    floorSays: 'never',
  },
  unknown: {
    place: 7,
    floor: 404,
    subject: 'R',
    section: '4.2',
    holds: 'The subject, or an item that a parameter binds, does not exist.',
    rules: '11',
  },
  gone: {
    place: 7,
    floor: 404,
    subject: 'R',
    section: 'H.4',
    holds: 'The path names an item that was deleted, and a row lists this condition.',
    rules: '11',
    floorSays: 'never',
  },
  'not authorized': {
    place: 7,
    floor: 400,
    section: '5.5',
    holds:
      'A rule that is not about the item, judged before the item is searched for, does not let the client in.',
    other: {
      place: 8,
      subject: 'R',
      holds: 'A rule about the item does not let the client in.',
      section: '5.5',
    },
  },
  invalid: {
    place: 9,
    floor: 400,
    subject: 'R.field.keyword',
    section: 'H.1',
    holds: 'A value does not fit its shape.',
    rules: '12 to 14',
  },
  'key missing': {
    place: 10,
    floor: 400,
    section: '4.4',
    holds: 'An idempotency key is required, and none came.',
  },
  'key reused': { place: 10, floor: 400, section: '4.4', holds: 'The key came before with another request.' },
  'key busy': {
    place: 10,
    floor: 400,
    section: '4.4',
    holds: 'The first request with the key is still running.',
  },
  'precondition missing': {
    place: 11,
    floor: 400,
    section: '4.3',
    holds: 'A precondition is required, and none came.',
  },
  'precondition failed': { place: 11, floor: 412, section: '4.3', holds: 'A precondition does not hold.' },
  'range not satisfiable': {
    place: 11,
    floor: 416,
    section: '4.3',
    holds: 'The range lies past the end of the content.',
  },
  'wrong credentials': {
    place: 12,
    floor: 400,
    subject: 'R',
    section: 'H.2',
    holds: '`authenticate` found no match.',
  },
  'transition refused': {
    place: 13,
    floor: 400,
    subject: 'R',
    section: '3.2',
    holds: 'No transition leads from the state of the item to the wanted state.',
  },
  'guard refused': {
    place: 13,
    floor: 400,
    subject: 'R.transition',
    section: '3.1',
    holds: 'The guard of the transition is not true.',
    other: {
      place: 13,
      subject: 'R.create',
      holds: 'The guard of the change is not true; also `R.update`, `R.delete`.',
      section: '2.1',
    },
  },
  'not unique': {
    place: 14,
    floor: 400,
    subject: 'R.field',
    section: '2.2',
    holds: 'Another item has the same value.',
  },
  different: {
    place: 14,
    floor: 400,
    subject: 'R',
    section: 'H.2',
    holds: '`present: match`, and the item that exists differs.',
  },
  'in use': {
    place: 14,
    floor: 400,
    subject: 'R',
    section: '2.2',
    holds: 'Items refer to the item that is to be deleted, with `ifDeleted: refuse`.',
  },
  'invariant broken': {
    place: 14,
    floor: 400,
    subject: 'R',
    section: '2.1',
    holds: 'An invariant would no longer hold.',
  },
  'quota exceeded': {
    place: 14,
    floor: 400,
    subject: 'NAME',
    section: '8.4',
    holds: 'What is stored would be more than a quota allows.',
  },
  expression: {
    place: 15,
    floor: 400,
    section: 'H.4',
    holds: 'An expression of the row itself is true, for the operations that the row names.',
    floorSays: 'no row, no condition',
  },
  internal: { place: 16, floor: 500, section: 'H.4', holds: 'A fault of the service.' },
} as const satisfies Readonly<Record<string, ConditionRow>>;

export type ConditionName = keyof typeof conditions;
export const conditionNames = Object.keys(conditions) as readonly ConditionName[];

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
export const floorStatus = Object.fromEntries(
  conditionNames.map((name) => [name, conditions[name].floor]),
) as Readonly<Record<ConditionName, number>>;

const longestFirst = [...conditionNames].sort((a, b) => b.length - a.length);
const words = conditionNames.filter((name) => name !== 'expression');
const both = 'not authenticated';
const spoken = [...words, both, '${ … }'];

const withSubject = conditionNames.filter(
  (name) => 'subject' in conditions[name] || 'other' in conditions[name],
);

const conditionForm: Form = defined('condition', {
  kind: 'own',
  says: 'a condition',
  within: () => [expression.form],
  schema: (of) => ({
    title: 'condition',
    $comment:
      'Why a request is refused: a condition, and what narrows it, as in unknown Parcel or invalid Parcel.weight; or an expression of one’s own (language §H.4).',
    anyOf: [
      {
        enum: [...words, both],
        enumDescriptions: [
          ...words.map((name) => `${conditions[name].holds} (language §${conditions[name].section})`),
          '`credential missing` or `credential wrong` (language §H.4).',
        ],
      },
      {
        type: 'string',
        pattern: `^\\s*(?:${withSubject.map((name) => name.replaceAll(' ', '\\s+')).join('|')})\\s+\\S+\\s*$`,
        patternErrorMessage: 'A condition of language §H.4, and what narrows it, as in unknown Parcel.',
      },
      of(expression.form),
    ],
  }),
  marked: true,
});

export const condition: Formed<Condition> = formed(conditionForm, (node, place, reading) => {
  if (holdsExpression(node) || isHandled(node)) {
    const own = expression(node, place, reading);
    return own && { names: ['expression'], subject: '', expression: own, at: node.span };
  }
  const written = text(node, place, reading);
  return written === undefined ? undefined : named(written, node, reading);
});

function named(written: string, node: Node, reading: Reading): Condition | undefined {
  const words = written.trim().replace(/\s+/g, ' ');
  const make = (names: readonly ConditionName[], name: string): Condition => ({
    names,
    subject: words.slice(name.length).trim(),
    expression: null,
    at: node.span,
  });
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
