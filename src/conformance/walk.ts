import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { type Operation, queryParameters } from '../specification/model/operation.ts';
import { stated } from '../specification/reading/said.ts';
import type { Parameter } from '../specification/vocabulary/request.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { Unreached } from './check.ts';
import { answerFound } from './guards.ts';
import { identityOf } from './item.ts';
import { pageParameter, type Role } from './page.ts';
import { hole, type Partly } from './partly.ts';
import { perform } from './perform.ts';
import { dig } from './shown-in.ts';
import type { Attempt, Done, Entry, Trial } from './trial.ts';

/** A list as it was found page by page. */
export interface Walk {
  readonly entries: readonly Entry[];
  readonly pages: readonly (Done & { readonly entries: readonly Entry[] })[];
  readonly last: Done;
}

export interface Walking {
  /** Items a page; as many as may be asked for, where it is left out. */
  readonly size?: number;
  /** Query parameters that are given with every page. */
  readonly query?: readonly string[];
  readonly attempt?: Attempt;
  /** Done between two pages, with what was seen so far. */
  readonly between?: (seen: readonly Entry[]) => Promise<void>;
}

/** A page that the one before offers is not shown. */
export class NotTurned extends Unreached {
  readonly done: Done;
  constructor(message: string, done: Done) {
    super(message);
    this.done = done;
  }
}

/** More pages than any list that the tester made can have: the next page is always there. */
const mostPages = 500;

/**
 * Asks for a list page after page, to its end. Throws `Unreached` where it is shown no list, or where no way to its end
 * is stated and no size was wanted; `NotTurned` where a page was offered.
 */
export async function walk(trial: Trial, operation: Operation, walking: Walking = {}): Promise<Walk> {
  const { query = [], attempt = {}, between } = walking;
  const size = pageParameter(operation, 'size');
  const many = walking.size ?? (size && mostOf(trial, operation));
  const fixed = [...query, ...(size && many !== undefined ? [asked(size.name, many)] : [])];
  const pages: (Done & { readonly entries: readonly Entry[] })[] = [];
  const entries: Entry[] = [];
  let next: readonly string[] | null = [];
  while (next !== null && pages.length < mostPages) {
    const given = [...fixed, ...next].join('&');
    const done: Done = await perform(trial, operation, {
      ...attempt,
      ...(given !== '' && { query: given }),
      omit: queryParameters(operation).map((one) => one.name),
    });
    if (done.entries === null) {
      const why = `${operation.key} showed no list: ${answerFound(done.exchange)}`;
      const isOffered = pages.length > 0 && pageParameter(operation, 'cursor') !== undefined;
      throw isOffered ? new NotTurned(why, done) : new Unreached(why);
    }
    pages.push({ ...done, entries: done.entries });
    entries.push(...done.entries);
    next = nextPage(operation, done, entries, pages.length, many);
    if (next !== null) await between?.(entries);
  }
  const isCut = many !== undefined && entries.length >= many && turning(operation) === undefined;
  if (isCut && walking.size === undefined)
    throw new Unreached(`no way to what ${operation.key} shows after ${many} items is stated`);
  // Of pages that are counted, the one after the last is empty, and none of the list's.
  if (!pageParameter(operation, 'cursor') && pages.length > 1 && pages.at(-1)?.entries.length === 0)
    pages.pop();
  const told = pages.map((page, index) =>
    saying(page, entries.length, index === 0, index === pages.length - 1),
  );
  return { entries, pages: told, last: told.at(-1) as Done };
}

/** A page of a list whose end was seen: what `page` offers is known, but for what the service picks (language §4.2). */
function saying<D extends Done>(done: D, total: number, isFirst: boolean, isLast: boolean): D {
  const page = done.names.get('page') as { readonly [member: string]: Partly };
  const some = hole({ picks: /^(?!null$)[\s\S]+$/ });
  const next = isLast ? null : some;
  const previous = isFirst ? null : hole({ picks: 'anything' });
  const url = {
    self: some,
    first: some,
    previous: isFirst ? null : some,
    next,
    last: hole({ picks: 'anything' }),
  };
  return {
    ...done,
    names: new Map(done.names).set('page', { ...page, total, next, previous, url, links: some }),
  };
}

/** The parameter by which one comes from one page to the next. */
export function turning(operation: Operation): Parameter | undefined {
  const roles: readonly Role[] = ['cursor', 'after', 'offset', 'start', 'number'];
  return roles.flatMap((role) => pageParameter(operation, role) ?? [])[0];
}

/** The largest page that may be asked for. */
export function mostOf(trial: Trial, operation: Operation): number | undefined {
  const size = pageParameter(operation, 'size');
  if (size === undefined) return undefined;
  const { maximum, exclusiveMaximum } = schemaOf(size.shape) as Record<string, number | undefined>;
  const whole = stated(stated(stated(trial.of.limits)?.sizes)?.page ?? undefined);
  const bounds = [maximum, exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1, whole];
  return Math.min(...bounds.filter((one) => one !== undefined), 100);
}

export function asked(name: string, value: Json): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
}

/** The parameters that ask for the page after one; null where that was the last. */
function nextPage(
  operation: Operation,
  done: Done,
  entries: readonly Entry[],
  pages: number,
  size: number | undefined,
): readonly string[] | null {
  const page = done.entries?.length ?? 0;
  if (page === 0) return null;
  const cursor = pageParameter(operation, 'cursor');
  if (cursor) {
    const next = offered(done, 'next');
    return next === undefined || next === null ? null : [asked(cursor.name, next)];
  }
  const after = pageParameter(operation, 'after');
  if (after) {
    if (size !== undefined && page < size) return null;
    const identity = entries.at(-1)?.item;
    const [key] =
      identity && identityOf(identity) ? (JSON.parse(identityOf(identity) as string) as Json[]) : [];
    if (key === undefined) throw new Unreached('no identifier could be learned: the list never shows it');
    return [asked(after.name, key)];
  }
  if (size !== undefined && page < size) return null;
  const count: readonly (readonly ['offset' | 'start' | 'number', number])[] = [
    ['offset', entries.length],
    ['start', entries.length + 1],
    ['number', pages + 1],
  ];
  for (const [role, value] of count) {
    const parameter = pageParameter(operation, role);
    if (parameter) return [asked(parameter.name, value)];
  }
  return null;
}

/** What an answer says of `page.NAME`, in its body or in a header field; undefined where it says nothing of it. */
export function offered({ answer, json, exchange }: Done, name: string): Json | undefined {
  const under = stated(answer?.under);
  if (answer?.body.kind === 'stated') {
    const path = placeIn(answer.body.value.template, name);
    if (path) return dig(json, under === undefined ? path : [under, ...path]);
  }
  for (const [field, said] of stated(answer?.headers) ?? []) {
    const template = stated(said)?.template;
    if (template === undefined || placeIn(template, name) === null) continue;
    const found = exchange.response?.headers.find(([key]) => key.toLowerCase() === field.toLowerCase());
    return found?.[1] ?? null;
  }
  return undefined;
}

/** Where in a template `page.NAME` stands; of `url.next` as of `next`. */
export function placeIn(template: Template, name: string): readonly (string | number)[] | null {
  const inside = (entries: Iterable<readonly [string | number, Template]>) => {
    for (const [step, inner] of entries) {
      const found = placeIn(inner, name);
      if (found) return [step, ...found];
    }
    return null;
  };
  if (template.kind === 'object') return inside(template.members);
  if (template.kind === 'list') return inside(template.items.entries());
  return template.kind === 'expression' && template.expression.text.trim() === `page.${name}` ? [] : null;
}
