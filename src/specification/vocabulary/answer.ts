import { get, type Mapping, type Node, put, type Scalar, scalar } from '../../source/node.ts';
import { anyOf, defined, type Form, markerForm, own, point, type Schema, section } from '../reading/form.ts';
import { fixedMedia, isMediaType, withMedia } from '../reading/media.ts';
import {
  absent,
  either,
  entry,
  type Formed,
  formed,
  kindOf,
  listOf,
  type Read,
  record,
  text,
  type Values,
  value,
  word,
} from '../reading/reading.ts';
import { isMarker, type Said, stated } from '../reading/said.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  type PlacedTemplate,
  textTemplate,
} from '../reading/templates.ts';
import { shapedFields } from './answer-field.ts';
import { checkAlone, contentKey } from './endpoint/content.ts';
import { payload } from './payload.ts';
import { shape } from './shape.ts';

/** What a change came to (language §H.3). */
export const outcomes = ['created', 'changed', 'unchanged', 'deleted'] as const;
export type Outcome = (typeof outcomes)[number];

/** When an answer is the one to send: for these outcomes, or where an expression is true. */
export type When =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'expression'; readonly expression: PlacedTemplate };

/** A status code (RFC 9110 §15): a final one, since an interim one answers nothing. */
const statusForm = defined(
  'status',
  own('a status', {
    title: 'status',
    $comment: 'A final status code of HTTP (language §H.3).',
    type: 'integer',
    minimum: 200,
    maximum: 599,
  }),
);

export const status: Formed<number> = formed(statusForm, (node, _place, reading) => {
  const code = node.kind === 'scalar' ? node.value : null;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 200 && code <= 599) return code;
  return reading.report('bad-status', node.span, {
    found: node.kind === 'scalar' ? node.written : kindOf(node),
  });
});

const statusList: Form = { kind: 'list', of: statusForm, alone: true, more: { minItems: 1 } };

/** One status, or those of which the service sends the first and the tester accepts each (language §F.1). */
export const statuses: Formed<readonly number[]> = formed(statusList, (node, place, reading) =>
  node.kind === 'list' && node.items.length === 0
    ? reading.report('wrong-kind', node.span, { wanted: 'a status', found: 'an empty list' })
    : listOf(status)(node, place, reading),
);

const outcomeWords = listOf(word(...outcomes));

const when: Formed<When> = either(
  (node, place, reading) => {
    if (holdsExpression(node) || isHandled(node)) {
      const read = expression(node, place, reading);
      return read && { kind: 'expression', expression: read };
    }
    const read = outcomeWords(node, place, reading);
    return read && { kind: 'outcomes', outcomes: read };
  },
  outcomeWords,
  expression,
);

/** The media type of an answer: a text or an expression; of a list, the first. */
export interface AnswerMedia extends PlacedTemplate {
  /** All of a list: the service sends the first, and the tester accepts each (language §F.1). Default: there is one. */
  readonly among?: readonly string[];
}

const mediaTypes: Form = { kind: 'list', of: text.form, alone: false, more: { minItems: 2 } };

const answerMedia: Formed<AnswerMedia> = formed(
  anyOf(textTemplate.form, mediaTypes),
  (node, place, reading) => {
    if (node.kind !== 'list') return textTemplate(node, place, reading);
    const among = listOf(text)(node, place, reading) ?? [];
    const wrong = among.find((type) => !isMediaType(type));
    const problem = wrong === undefined ? 'one media type is no list' : `${wrong} is no media type`;
    if (wrong !== undefined || among.length < 2)
      return reading.report('content-shape', node.span, { problem });
    return { template: { kind: 'literal', value: among[0] as string }, node, among };
  },
);

/** The media types that an answer may have; undefined: an expression gives it, or nothing is stated. */
export function mediaAmong(said: Said<AnswerMedia>): readonly string[] | undefined {
  const fixed = stated(fixedMedia(said));
  return stated(said)?.among ?? (fixed === undefined ? undefined : [fixed]);
}

const about = section('H.3', 'answer');

const ofContent = {
  under: entry(
    text,
    about('The body is the one member of this name of an object.', {
      rules: '6',
      must: 'send it so',
      see: 'the member',
      open: 'the body stands alone',
    }),
  ),
  body: value(
    payload,
    about('The body: a resource or view by name (E.5), or a template of literals and expressions.', {
      rules: '4 and 5',
      must: 'send it, and no other member',
      see: 'every member, type and value; one more, where the list is closed',
      open: 'no content; so too if it cannot be computed',
    }),
  ),
  shape: entry(
    shape,
    about('What the content looks like, as a shape (H.1), beside a `body` or without its values.', {
      rules: '14 to 16',
      must: 'send a `body` that fits; one that does not is `internal`',
      see: 'content that does not fit, if it is JSON',
      open: 'nothing is asked of the content',
    }),
  ),
};

const keys = {
  when: entry(
    when,
    about('When the answer is sent: an outcome, a list of outcomes, or an expression.', {
      rules: '1 to 3',
      must: 'send the first answer that holds',
      see: 'each outcome',
      open: 'always; while it is asked, 501',
    }),
  ),
  status: value(
    statuses,
    about('The status code, or a list: the service sends the first, and the tester accepts each (F.1).', {
      must: 'send it',
      see: 'the status',
      open: '501, nothing is changed',
    }),
  ),
  headers: entry(
    shapedFields,
    about('Header fields by name, each a text with expressions, or its shape. Null sends none.', {
      rules: '7 to 9, 22 to 24',
      must: 'send them',
      see: 'the fields',
      open: "none but the floor's",
    }),
  ),
  media: entry(
    answerMedia,
    about('The media type of the body: a text or an expression, or a list of types.', {
      rules: '21',
      must: 'send it; of a list, the first',
      see: 'the field',
      open: 'E.5, E.6',
    }),
  ),
  ...ofContent,
  content: contentKey(
    ofContent,
    { media: literalText, ranges: false, spelledOut: withShown },
    about('The content by media type, instead of `media` and `body`.', {
      rules: '17 to 19',
      must: 'send what `Accept` prefers, else the first, with `Vary: Accept`',
      see: 'each type, another, and weights',
      open: '`media` and `body` say it',
    }),
  ),
};

export type Answer = Values<typeof keys>;

/** The content of an answer by its media type. */
export type AnswerContent = Pick<Answer, 'media' | 'under' | 'body' | 'shape'>;

/** Content of several media types, as `content` states it. */
export interface ByMedia {
  readonly content: Said<readonly AnswerContent[]>;
}

/** An answer as it is by each media type of `content`; without `content`, itself. */
export function answerByMedia<A extends AnswerContent & ByMedia>(answer: A): readonly A[] {
  return stated(answer.content)?.map((content) => ({ ...answer, ...content })) ?? [answer];
}

/** What `content` says by media type, in the keys that say it of one alone: the first is sent without `Accept`. */
export function withFirst<A extends AnswerContent & ByMedia>(answer: A): A {
  return { ...answer, ...stated(answer.content)?.[0] };
}

/** Statuses whose answers have no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5), so no body can be stated. */
export const bodiless: readonly number[] = [204, 205, 304];

const withBody = record(keys);
const withoutBody = record({ ...keys, body: absent(keys.body, 'entry') });

/** The media type of an entry of `content`, as `media` says it. */
export function literalText(node: Scalar): PlacedTemplate {
  return { template: { kind: 'literal', value: node.written }, node };
}

/** Where no status has content, no body stands. */
const noContent: Schema = {
  type: 'string',
  pattern: '^\\s*(?:\\((?:none|any)\\)|\\(open\\)(?:\\s[\\s\\S]*)?)\\s*$',
  patternErrorMessage: 'An answer with this status has no content (RFC 9110 §15.3.5).',
};

const bare: Schema = {
  anyOf: [{ enum: bodiless }, { type: 'array', minItems: 1, items: { enum: bodiless } }],
};

const answerRecord: Form = {
  kind: 'record',
  keys,
  more: {
    if: { not: { required: ['status'], properties: { status: bare } } },
    else: {
      properties: {
        body: { description: keys.body.about.states, ...noContent },
        shape: { description: keys.shape.about.states, ...noContent },
      },
    },
  },
};

const answerForm: Form = defined('answer', {
  kind: 'own',
  says: 'an answer',
  within: () => [answerRecord, statusForm],
  schema: (of) => ({ title: 'answer', anyOf: [of(answerRecord), of(statusForm), of(markerForm)] }),
  marked: true,
});

const answersForm: Form = point('response', {
  kind: 'list',
  of: answerForm,
  alone: true,
  more: { minItems: 1 },
});

/** The first status that is written, where none of them has content. */
export function bodilessStatus(status: Node | undefined): number | undefined {
  const codes = (status?.kind === 'list' ? status.items : [status]).map((one) =>
    one?.kind === 'scalar' ? (one.value as number) : 0,
  );
  return codes.every((code) => bodiless.includes(code)) ? codes[0] : undefined;
}

/** Reads one answer, or a list of them of which the first that holds is sent. */
export const answers: Formed<readonly Answer[]> = formed(answersForm, (node, place, reading) => {
  const read: Read<Answer> = (of, where, inner) => {
    const map = of.kind === 'map' ? shown(of) : of;
    const bare = bodilessStatus(get(map, 'status'));
    for (const content of ['body', 'shape', 'content'].map((key) => get(map, key)))
      if (bare !== undefined && content && !isMarker(content))
        inner.report('body-with-status', content.span, { status: bare });
    if (map.kind === 'map') checkAlone(map, ofContent, inner);
    const content = get(map, 'content');
    const isSaid = bare !== undefined || (content !== undefined && !isMarker(content));
    const answer = (isSaid ? withoutBody : withBody)(map, where, inner);
    return answer && withFirst(answer);
  };
  if (node.kind === 'list' && node.items.length === 0)
    return reading.report('wrong-kind', node.span, { wanted: 'an answer', found: 'an empty list' });
  if (node.kind === 'list') return listOf(formed(answerForm, read))(node, place, reading);
  const only = read(node, place, reading);
  return only && [only];
});

/** A body that is a name states what it shows (language §E.5), and a body's media type is JSON's (§E.5, §E.6). */
function shown(map: Mapping): Mapping {
  return withMedia(withShown(map));
}

/** A body that is a name states what it shows (language §E.5). */
function withShown(map: Mapping): Mapping {
  const body = map.entries.get('body');
  const named = body && nameOf(body.value);
  return body === undefined || named === undefined
    ? map
    : put(map, 'body', scalar(`\${${named}(this)}`, body.value.span, body.value.assumed), body.key);
}

/** The name of a resource or view that a body is, as `Todo` in `body: Todo`. */
export function nameOf(node: Node): string | undefined {
  return node.kind === 'scalar' && typeof node.value === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(node.value)
    ? node.value
    : undefined;
}
