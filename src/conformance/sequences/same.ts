import { equal } from '../../expression/functions.ts';
import type { Json } from '../../source/node.ts';
import { difference } from '../alike.ts';
import { mediaType, type Response } from '../http.ts';
import { escaped } from './playing.ts';
import type { Bound, Sequence, Step } from './sequence.ts';
import { parsed } from './tokens.ts';

/** How a sequence went this time, beside when it was found. */
export interface Comparison {
  /** The places of deciding answers that differ, and may: what stands there has the form that it had. */
  readonly varies: readonly string[];
  /** The first deciding answer that is another one than was found, by its step; null: none is. */
  readonly other: number | null;
}

/** Thrown where two answers are not alike. */
class Other extends Error {}

/**
 * Holds the deciding answers of a sequence against those of when it was found. Values that are told by earlier
 * answers have to be told by the same ones now; what is the service's to make anew each time may differ.
 */
export function compare(
  { steps, values }: Sequence,
  answers: readonly (Response | null)[],
  now: ReadonlyMap<Bound, string>,
): Comparison {
  const [then, today] = [
    marking(values.map(({ was }, index) => [was, index] as const)),
    marking(values.flatMap((one, index) => (now.has(one) ? [[now.get(one) as string, index] as const] : []))),
  ];
  const varies: string[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.together) continue;
    const group = steps.slice(index + 1).findIndex((one) => !one.together);
    const end = group < 0 ? steps.length : index + 1 + group;
    if (!steps.slice(index, end).some(({ decides }) => decides)) continue;
    if (end > index + 1) {
      const [was, is] = [steps.slice(index, end).map((one) => one.answer), answers.slice(index, end)];
      if (!equal(outcomeOf(was), outcomeOf(is))) return { varies, other: index };
      continue;
    }
    const answer = answers[index] ?? null;
    const note = (place: string): void => void varies.push(`${index} ${place}`);
    try {
      if ((step.answer === null) !== (answer === null)) throw new Other();
      if (step.answer && answer) sameAnswer(marked(step.answer, then), marked(answer, today), note);
      const before = steps.slice(0, index).findLastIndex((one) => one.decides && isSame(one, step));
      if (before >= 0 && !equal(turn(steps[before]?.answer, step.answer), turn(answers[before], answer)))
        throw new Other();
    } catch (error) {
      if (!(error instanceof Other)) throw error;
      return { varies, other: index };
    }
  }
  return { varies, other: null };
}

/** What came of requests that were sent together, whoever of them was first: whether several succeeded, and otherwise. */
function outcomeOf(answers: readonly (Response | null)[]): readonly boolean[] {
  const won = answers.filter((one) => one !== null && one.status >= 200 && one.status < 300);
  return [won.length > 1, new Set(won.map((one) => one?.body)).size > 1];
}

function isSame(one: Step, other: Step): boolean {
  return one.request.method === other.request.method && one.request.path === other.request.path;
}

type Mark = (text: string) => string;

/** Puts in the place of each value a mark that tells which one it is. */
function marking(pairs: readonly (readonly [string, number])[]): Mark {
  const by = new Map(pairs.toReversed().filter(([text]) => text.length >= 4));
  if (by.size === 0) return (text) => text;
  const words = [...by.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(words.join('|'), 'gu');
  return (text) =>
    text.replaceAll(
      pattern,
      (found) => `\u{27e6}${by.get(found)}${isTime(found) ? `|${formOf(found)}` : ''}\u{27e7}`,
    );
}

interface Marked {
  readonly status: number;
  readonly media: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly json: Json | undefined;
}

/** Header fields that tell of the message alone, or that any server may add (RFC 9110 §6.6.1, §8.6; RFC 9112). */
const ofMessage = /^(date|connection|keep-alive|content-length|transfer-encoding|server|age)$/;

function marked(response: Response, mark: Mark): Marked {
  const named = response.headers.map(([name, value]) => [name.toLowerCase(), mark(value)] as const);
  return {
    status: response.status,
    media: mediaType(response),
    headers: new Map(named.filter(([name]) => !ofMessage.test(name))),
    text: mark(response.body),
    json: parsed(mark(response.body)),
  };
}

function sameAnswer(then: Marked, now: Marked, note: (place: string) => void): void {
  const isKind = then.status === now.status && then.media === now.media;
  if (!isKind || then.headers.size !== now.headers.size) throw new Other();
  for (const [name, value] of then.headers)
    sameText(value, now.headers.get(name), () => note(`header ${name}`));
  if (then.json === undefined || now.json === undefined) sameText(then.text, now.text, () => note('body'));
  else sameJson(then.json, now.json, '', note);
}

function sameText(then: string, now: string | undefined, note: () => void): void {
  if (then === now) return;
  if (now === undefined || formOf(then) !== formOf(now)) throw new Other();
  note();
}

/** Whether a text is a time: two may be the same by chance. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d|^\w{3}, \d\d \w{3} \d{4}/.test(text);
}

/** What a text looks like: which kinds of characters follow one another, and which values it holds but times. */
function formOf(text: string): string {
  return text.replaceAll(
    /\u{27e6}\d+(?:\|([^\u{27e7}]*))?\u{27e7}|[\p{L}\p{N}]+/gu,
    (found, time?: string) => (found.startsWith('\u{27e6}') ? (time ?? found) : 'a'),
  );
}

function sameJson(then: Json, now: Json, place: string, note: (place: string) => void): void {
  if (Array.isArray(then) && Array.isArray(now)) {
    sameList(then, now, place, note);
    return;
  }
  if (isObject(then) && isObject(now)) {
    const names = Object.keys(then);
    if (names.length !== Object.keys(now).length) throw new Other();
    for (const name of names) {
      if (!Object.hasOwn(now, name)) throw new Other();
      sameJson(then[name] as Json, now[name] as Json, `${place}/${name}`, note);
    }
    return;
  }
  if (typeof then === 'string' && typeof now === 'string') {
    sameText(then, now, () => note(`body ${place}`));
    return;
  }
  if (equal(then, now)) return;
  if (typeof then !== 'number' || typeof now !== 'number') throw new Other();
  note(`body ${place}`);
}

/** Of a list that others may add to, what the sequence itself brought there: in its order, and as it was. */
function sameList(
  then: readonly Json[],
  now: readonly Json[],
  place: string,
  note: (place: string) => void,
): void {
  const own = (list: readonly Json[]): readonly Json[] =>
    list.filter((one) => JSON.stringify(one).includes('\u{27e6}'));
  const isWhole = then.length === now.length;
  const [a, b] = isWhole && own(then).length === then.length ? [then, now] : [own(then), own(now)];
  if (a.length !== b.length) throw new Other();
  if (!isWhole) note(`body ${place} length`);
  for (const [index, one] of a.entries()) sameJson(one, b[index] as Json, `${place}/*`, note);
  if (isWhole && a.length === 0)
    for (const [index, one] of then.entries()) sameJson(one, now[index] as Json, `${place}/*`, note);
}

/** How many entries of the first list in a body were gone, and how many came, since it was asked for before. */
function turn(before: Response | null | undefined, after: Response | null): readonly number[] | null {
  const [a, b] = [firstList(parsed(before?.body ?? '')), firstList(parsed(after?.body ?? ''))];
  if (!a || !b) return null;
  const { gone, come } = difference(a, b);
  return [gone.length, come.length];
}

function firstList(value: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  return Object.values(value).find((one) => Array.isArray(one)) as readonly Json[] | undefined;
}

function isObject(value: Json | undefined): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
