import type { Span } from '../../../source/text.ts';
import { twiceIn } from '../../model/machine.ts';
import { bodiesOf, type Operation } from '../../model/operation.ts';
import { type ParameterPlace, parametersAt, parametersNamed } from '../../model/parameters.ts';
import type { Specification } from '../../model/specification.ts';
import { type Reading, unknownName } from '../../reading/reading.ts';
import { stated } from '../../reading/said.ts';
import { answerByMedia } from '../../vocabulary/answer.ts';
import { fieldShapes, fieldValues } from '../../vocabulary/answer-field.ts';
import { type Condition, type ConditionName, isKeyword, places } from '../../vocabulary/condition.ts';
import { guardedVerbs } from '../../vocabulary/guards.ts';
import { keywords, ownKeywords } from '../../vocabulary/keywords.ts';
import type { Payload, Row } from '../../vocabulary/parts/errors.ts';
import { checkAnswerContent } from '../content.ts';
import { knownBy } from '../lacking.ts';
import { boundBy, checkEntry, checkField, entryNames, nameAt, transitionsOf } from '../names.ts';
import { checkRefusals } from '../never-refused.ts';
import type { Standing } from '../scope.ts';
import type { Typing, Validate } from '../typing.ts';

type Of = Specification;

/** What the subject of a condition names (language §H.4, first table); conditions that take none are not here. */
const subjects: {
  readonly [N in ConditionName]?: 'entry' | 'field' | 'transition' | 'rate' | 'size' | 'quota' | 'place';
} = {
  malformed: 'place',
  unknown: 'entry',
  gone: 'entry',
  'not authorized': 'entry',
  invalid: 'field',
  'rate exceeded': 'rate',
  'too large': 'size',
  'wrong credentials': 'entry',
  'transition refused': 'entry',
  'guard refused': 'transition',
  'not unique': 'field',
  different: 'entry',
  'in use': 'entry',
  'invariant broken': 'entry',
  'quota exceeded': 'quota',
};

/** What `too large` can be about (language §8.3). */
const sizeNames: readonly string[] = ['body', 'page'];

/** What part 7 says of other parts: codes, operations, what conditions are about, expressions (language §7). */
export const validate: Validate = (of, typing, reading) => {
  const errors = stated(of.errors);
  if (errors === undefined) return;
  const rows = [...(stated(errors.codes) ?? [])].flatMap(([code, said]) => {
    const row = stated(said);
    return row ? [{ code, row }] : [];
  });
  const codes = [...(stated(errors.codes)?.keys() ?? [])];
  for (const one of stated(errors.order) ?? []) {
    reading.use('code', one.text, one.at);
    if (!codes.includes(one.text) && one.text !== 'replay')
      unknownName(one.text, one.at, 'a code', codes, reading);
  }
  const twice = twiceIn(stated(errors.order) ?? []);
  if (twice)
    reading.report('key-twice', twice.second.at, { key: twice.second.text }, { related: [twice.first.at] });
  const standing: Standing = { situation: 'error', subject: null, bound: [] };
  const payload = stated(errors.payload);
  if (payload) {
    const bodies = answerByMedia(payload).map(({ body }) => body);
    for (const said of [...bodies, ...(fieldValues(payload.headers)?.values() ?? [])])
      typing.sent(said, standing);
    checkAnswerContent(payload, reading);
  }
  for (const [name, said] of stated(errors.messages) ?? []) {
    message(of, name, nameAt(of, said), reading);
    typing.template(said, { situation: 'message', subject: null, bound: [] });
  }
  const stating = [payload ?? [], rows.map(({ row }) => row)].flat();
  const shapes = [
    ...stating.flatMap(answerByMedia<Payload>).flatMap(({ shape }) => stated(shape) ?? []),
    ...stating.flatMap(({ headers }) => fieldShapes(headers)).map(([, { shape }]) => shape),
  ];
  for (const use of shapes.flatMap(({ uses }) => uses)) checkEntry(of, use.name, use.at, 'a shape', reading);
  for (const media of [payload?.media, ...rows.map(({ row }) => row.media)])
    if (media) typing.text(media, standing);
  for (const { row } of rows) {
    const own = stated(row.when) ?? [];
    // Where the row has one condition alone, that is known to be true.
    const known = own.length === 1 ? knownBy(own[0]?.expression, true) : [];
    const maps = [fieldValues(row.headers), stated(row.extra)].flatMap((map) => [...(map?.values() ?? [])]);
    const bodies = answerByMedia(row).map(({ body }) => body);
    for (const said of [row.message, ...bodies, ...maps]) typing.sent(said, { ...standing, known });
    checkAnswerContent(row, reading);
    conditions(of, row, typing, reading);
  }
  const all = rows.map(({ row }) => row);
  conditionTwins(all, reading);
  checkRefusals(of, all, reading);
};

function conditions(of: Of, row: Row, typing: Typing, reading: Reading): void {
  const names = of.operations.map((one) => one.name);
  const listed = stated(row.operations)?.map((one) => one.text) ?? [];
  for (const one of stated(row.operations) ?? []) {
    reading.use('operation', one.text, one.at);
    if (!names.includes(one.text)) unknownName(one.text, one.at, 'an operation', names, reading);
  }
  const about = of.operations.filter((one) => listed.includes(one.name));
  // What it may name, only its operations tell. A version may lack some of them.
  const isTyped = row.operations.kind !== 'stated' || about.length > 0;
  const subject = about.length === 1 ? (about[0]?.subject ?? null) : null;
  const bound = about.flatMap(boundBy);
  for (const condition of stated(row.when) ?? [])
    if (condition.expression) {
      if (isTyped)
        typing.truth(condition.expression, {
          situation: 'condition',
          subject,
          bound,
          among: listed.length > 0 ? about : undefined,
        });
    } else {
      subjectOf(of, condition, reading);
      memberOf(row.operations.kind === 'stated' ? about : of.operations, condition, reading);
    }
  const as = stated(row.as);
  if (as) subjectOf(of, as, reading);
}

/**
 * What `invalid query.page` or `invalid body.title` names is a parameter, or a member of a body that has no name. More
 * of them may be stated, so that a name is reported alone where it is most likely a slip of one that is; shorter names
 * are too alike for that.
 */
function memberOf(operations: readonly Operation[], { subject, at }: Condition, reading: Reading): void {
  const [place = '', member] = subject.split('.');
  if (member === undefined || !places.includes(place)) return;
  for (const name of place === 'body' ? [] : parametersNamed(operations, place as ParameterPlace, member))
    reading.use('parameter', name, at);
  const known = [...new Set(operations.flatMap((operation) => membersAt(operation, place)))];
  const same = (one: string): boolean => one.toLowerCase() === member.toLowerCase();
  const isShort = member.length < 4;
  if (isShort || known.includes(member) || (place === 'headers' && known.some(same))) return;
  if (reading.suggest(member, known) !== undefined)
    unknownName(member, at, place === 'body' ? 'a member of a body' : 'a parameter', known, reading);
}

function membersAt(operation: Operation, place: string): readonly string[] {
  if (place !== 'body') return parametersAt(operation, place as ParameterPlace);
  return bodiesOf(operation).flatMap(({ shape }) => [...(shape.object?.fields.keys() ?? [])]);
}

function subjectOf(of: Of, { names, subject, at }: Condition, reading: Reading): void {
  const [name] = names as [ConditionName];
  const kind = subjects[name];
  if (subject === '') return;
  const [first = '', second] = subject.split('.');
  if (kind === undefined) {
    const hint = `${names.length > 1 ? 'not authenticated' : name} is about nothing in particular`;
    reading.report('unknown-condition', at, { condition: `${name} ${subject}` }, { hint });
  } else if (kind === 'rate') {
    const limits = stated(of.limits);
    const known = [limits?.rates, limits?.concurrency].flatMap((said) => [...(stated(said)?.keys() ?? [])]);
    reading.use('rate', subject, at);
    const isDecided = known.length > 0 || of.completeness.closed('limits.rates') !== undefined;
    if (isDecided && !known.includes(subject)) unknownName(subject, at, 'a rate', known, reading);
  } else if (kind === 'place') {
    if (!places.includes(first)) unknownName(first, at, 'a place', places, reading);
    else if (first === 'body' && second !== undefined) unknownName(subject, at, 'a place', ['body'], reading);
  } else if (kind === 'size') {
    if (!sizeNames.includes(subject)) unknownName(subject, at, 'a size', sizeNames, reading);
  } else if (kind === 'quota') {
    const known = [...(stated(stated(of.limits)?.quotas)?.keys() ?? [])];
    reading.use('quota', subject, at);
    if (!known.includes(subject)) unknownName(subject, at, 'a quota', known, reading);
  } else if (kind === 'transition') {
    const transitions = [...transitionsOf(of, first), ...(name === 'guard refused' ? guardedVerbs : [])];
    checkEntry(of, first, at, 'a resource', reading);
    if (second !== undefined) reading.use('transition', subject, at);
    if (second !== undefined && entryNames(of).includes(first) && !transitions.includes(second))
      unknownName(second, at, name === 'guard refused' ? 'a guard' : 'a transition', transitions, reading);
  } else if (kind === 'field' && isKeyword(subject)) {
    if (!failing.includes(subject)) unknownName(subject, at, 'a keyword, or a resource', failing, reading);
  } else if (kind === 'entry') checkEntry(of, subject, at, 'a resource', reading);
  else entryOrField(of, first, second, at, reading);
}

/** The keywords that a failure can be one of: those of JSON Schema and the language's own. */
const failing: readonly string[] = [...Object.keys(keywords), ...ownKeywords];

function entryOrField(of: Of, name: string, field: string | undefined, at: Span, reading: Reading): void {
  if (places.includes(name)) return;
  checkEntry(of, name, at, 'a resource', reading);
  if (field !== undefined && field !== '$') checkField(of, name, field, at, reading);
}

/** A message stands under a keyword, a field, or a keyword of a field (language §7). */
function message(of: Of, name: string, at: Span, reading: Reading): void {
  const [first = '', second] = name.split('.');
  if (second !== undefined) entryOrField(of, first, second, at, reading);
  else if (!failing.includes(name)) unknownName(name, at, 'a keyword, or R.field', failing, reading);
}

/** Two rows that list one condition for the same operations: neither would be the longer (language §H.4). */
function conditionTwins(rows: readonly Row[], reading: Reading): void {
  const seen = new Map<string, Span>();
  for (const row of rows) {
    const operations = stated(row.operations)?.map((one) => one.text) ?? [''];
    for (const { names, subject, at, expression } of stated(row.when) ?? []) {
      if (expression) continue;
      for (const operation of operations)
        for (const name of names) {
          const condition = `${name} ${subject}`.trim();
          const twin = seen.get(`${condition}\n${operation}`);
          if (twin) reading.report('condition-twice', at, { condition }, { related: [twin] });
          seen.set(`${condition}\n${operation}`, at);
        }
    }
  }
}
