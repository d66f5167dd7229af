import type { Client, Exchange, Request } from '../http.ts';
import type { Random } from '../random.ts';
import type { Bound, Sequence, Step, StepRequest, Use } from './sequence.ts';
import { valueAt } from './tokens.ts';

/** What came of a sequence. */
export interface Played {
  /** As many as could be sent: one that lacks a value that no answer told ends it. */
  readonly exchanges: readonly Exchange[];
  /** What the values of the sequence were this time, by their place in it. */
  readonly now: ReadonlyMap<Bound, string>;
  /** What the next request lacked. */
  readonly lacks: Bound | null;
}

/** Sends the requests of a sequence, each value as this time's answers tell it. */
export async function play(sequence: Sequence, client: Client, url: string, random: Random): Promise<Played> {
  const { steps, values } = sequence;
  const now = new Map<Bound, string>();
  for (const value of values) if (!value.from) now.set(value, anew(value.was, random));
  const exchanges: Exchange[] = [];
  for (let first = 0; first < steps.length; ) {
    let end = first + 1;
    while (steps[end]?.together) end += 1;
    const lacks = values.find(
      (one) => !now.has(one) && steps.slice(first, end).some((step, i) => stands(one, step, first + i)),
    );
    if (lacks) return { exchanges, now, lacks };
    const made = steps.slice(first, end).map((step, i) => bound(step.request, first + i, now, url));
    exchanges.push(...(await Promise.all(made.map((request) => client.send(request)))));
    for (const value of values) {
      const answer = value.from && exchanges[value.from.step]?.response;
      const told = answer ? valueAt(answer, value.from?.at ?? {}) : undefined;
      if (told !== undefined && !now.has(value)) now.set(value, told);
    }
    first = end;
  }
  return { exchanges, now, lacks: null };
}

/** What was exchanged when a sequence was played, in groups that were sent at once. */
export function groupsIn<T extends { readonly exchange: Exchange }>(
  { steps }: Sequence,
  { exchanges }: Played,
  recorded: readonly T[],
): readonly (readonly T[])[] {
  const groups: T[][] = [];
  for (const [place, exchange] of exchanges.entries()) {
    const found = recorded.filter((each) => each.exchange === exchange);
    if (steps[place]?.together) groups.at(-1)?.push(...found);
    else groups.push(found);
  }
  return groups;
}

/** Whether a value stands in a request. */
function stands({ was, uses }: Bound, { request }: Step, step: number): boolean {
  if (uses) return uses.some((use) => use.step === step);
  const spelled = [request.path, request.body ?? '', ...request.headers.flat()];
  return spelled.some((text) => text.includes(was) || text.includes(encodeURIComponent(was)));
}

/** A request with this time's values in the places of those that they were. */
function bound(
  { method, path, headers, body, base64 }: StepRequest,
  step: number,
  now: ReadonlyMap<Bound, string>,
  url: string,
): Request {
  const change = renaming(now);
  let request: Request = {
    method,
    url: url + change(path, encodeURIComponent),
    headers: headers.map(([name, value]) => [name, inBasic(value, change) ?? change(value)] as const),
    body:
      body &&
      change(
        change(body, (value) => JSON.stringify(value).slice(1, -1)),
        encodeURIComponent,
      ),
    ...(base64 !== undefined && { base64 }),
  };
  for (const [value, is] of now)
    for (const use of value.uses ?? []) if (use.step === step) request = placed(request, use, is, url);
  return request;
}

/** Words of HTTP that are no part of a value, where one stands beside another. */
const edge = '[\\p{L}\\p{N}_-]';

/** Replaces each value that is known by its text, wherever it stands by itself. */
export function renaming(
  now: ReadonlyMap<Bound, string>,
): (text: string, spelled?: (value: string) => string) => string {
  const known = [...now].filter(([{ uses }]) => uses === undefined);
  const pairs = known.flatMap(([{ was, from }, is]): [string, string][] =>
    from
      ? [[was, is]]
      : [
          [was, is],
          [was.toUpperCase(), is.toUpperCase()],
          [was.toLowerCase(), is.toLowerCase()],
        ],
  );
  return (text, spelled = (value) => value) => {
    const by = new Map(pairs.toReversed().map(([was, is]) => [spelled(was), spelled(is)]));
    if (by.size === 0) return text;
    const words = [...by.keys()].sort((a, b) => b.length - a.length).map(escaped);
    const pattern = new RegExp(`(?<!${edge})(?:${words.join('|')})(?!${edge})`, 'gu');
    return text.replaceAll(pattern, (found) => by.get(found) ?? found);
  };
}

/** A text as a pattern that it alone meets. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A name and password with their values changed (RFC 7617); undefined where there is none. */
function inBasic(value: string, change: (text: string) => string): string | undefined {
  const [, coded] = /^Basic ([\w+/=]+)$/.exec(value) ?? [];
  if (coded === undefined) return undefined;
  return `Basic ${Buffer.from(change(Buffer.from(coded, 'base64').toString())).toString('base64')}`;
}

function placed(
  request: Request,
  { segment, around, body: pointer }: Omit<Use, 'step'>,
  value: string,
  url: string,
): Request {
  if (segment !== undefined) {
    const [path = '', ...query] = request.url.slice(url.length).split('?');
    const segments = path.split('/');
    segments[segment + 1] = `${around?.before ?? ''}${encodeURIComponent(value)}${around?.after ?? ''}`;
    return { ...request, url: [url + segments.join('/'), ...query].join('?') };
  }
  if (pointer === undefined || request.body === null) return request;
  return { ...request, body: inJson(request.body, pointer, value) };
}

/** A body with another value at a place; a number stays one. */
function inJson(body: string, pointer: string, value: string): string {
  const json: unknown = JSON.parse(body);
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = json as { [name: string]: unknown };
  for (const name of names.slice(0, -1)) at = at[name] as typeof at;
  const last = names.at(-1) ?? '';
  at[last] = typeof at[last] === 'number' ? Number(value) : value;
  return JSON.stringify(json);
}

/** Another text of the same form: letters for letters, digits for digits. What comes after an @ stays. */
function anew(was: string, random: Random): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(was)) return random.uuid();
  if (/^\d{4}-\d\d-\d\d/.test(was)) return was;
  const [own = '', ...domain] = was.split(/(?=@)/);
  const other = own.replaceAll(/[A-Za-z]|\d/g, (one) => {
    if (/\d/.test(one)) return String(random.whole(1, 9));
    const letter = random.letters(1);
    return one === one.toUpperCase() ? letter.toUpperCase() : letter;
  });
  return other + domain.join('');
}
