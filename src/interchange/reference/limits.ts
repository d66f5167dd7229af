import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Limits, Per, Quota, Rate, Share } from '../../specification/vocabulary/parts/limits.ts';
import { durationWords } from '../wording/duration.ts';
import { further, type Line, line, listed, openLine, standingOf, written } from '../wording/line.ts';

/** A limit of part 8, by its name. */
export interface LimitEntry {
  readonly name: string;
  readonly says: readonly Line[];
}

export function limitEntries(of: Specification): readonly LimitEntry[] {
  const limits = stated(of.limits);
  if (limits === undefined)
    return of.limits.kind === 'open' ? [{ name: 'limits', says: [openLine(of.limits, 'limits')] }] : [];
  return [
    ...entries(limits.rates, rateLines),
    ...entries(limits.concurrency, shareLines),
    ...entries(limits.quotas, quotaLines),
    ...sizeEntries(limits),
    ...timeEntries(limits),
    ...[further(of, 'limits.rates', 'further rates')]
      .filter((says) => says.length > 0)
      .map((says) => ({ name: 'rates', says })),
  ];
}

function entries<T>(
  said: Said<ReadonlyMap<string, Said<T>>>,
  lines: (of: T) => readonly Line[],
): readonly LimitEntry[] {
  return [...(stated(said) ?? [])].map(([name, one]) => {
    const value = stated(one);
    return { name, says: value ? lines(value) : [openLine(one, 'how much')] };
  });
}

function rateLines(rate: Rate): readonly Line[] {
  const { allow, every } = rate;
  const [count, time] = [stated(allow), stated(every)];
  const first =
    count === undefined
      ? openLine(allow, 'how many requests')
      : line(
          `${requests(count)} ${time === undefined ? '' : `in ${durationWords(time)}`}`.trim(),
          standingOf(allow),
        );
  return [first, ...(every.kind === 'open' ? [openLine(every, 'in what time')] : []), ...countedLines(rate)];
}

function shareLines(share: Share): readonly Line[] {
  const count = stated(share.allow);
  return [
    count === undefined
      ? openLine(share.allow, 'how many requests at once')
      : line(`${requests(count)} at once`, standingOf(share.allow)),
    ...countedLines(share),
  ];
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}

function countedLines({
  per,
  operations,
  when,
}: Pick<Share, 'per' | 'operations' | 'when'>): readonly Line[] {
  const names = stated(operations);
  const condition = stated(when);
  return [
    per.kind === 'open' ? openLine(per, 'counted for whom') : line(perText(stated(per)), standingOf(per)),
    ...(names ? [line(`of ${listed(names.map(({ text }) => text))}`, standingOf(operations))] : []),
    ...(condition ? [line(`if ${written(condition)}`, standingOf(when))] : []),
  ];
}

function perText(per: Per | undefined): string {
  if (per === undefined) return 'of all clients together';
  if (per.kind === 'expression') return `for each ${written(per.expression)}`;
  return per.kind === 'actor' ? 'for each client' : 'for each network address';
}

function quotaLines({ of, allow, per, sum, when }: Quota): readonly Line[] {
  const [most, group, added, condition] = [stated(allow), stated(per), stated(sum), stated(when)];
  const resource = stated(of)?.text ?? 'items';
  const much = typeof most === 'number' ? (added ? sizeWords(most) : String(most)) : most && written(most);
  return [
    much === undefined
      ? openLine(allow, `how many of ${resource}`)
      : line(`at most ${much} ${added ? `of ${written(added)} of ` : ''}${resource}`, standingOf(allow)),
    ...(group ? [line(`for each ${written(group)}`, standingOf(per))] : []),
    ...(condition ? [line(`with ${written(condition)}`, standingOf(when))] : []),
  ];
}

function sizeEntries({ sizes }: Limits): readonly LimitEntry[] {
  const said = stated(sizes);
  if (said === undefined) return [];
  const { body, page, operations } = said;
  return [
    ...bound('content of a request', body, sizeWords),
    ...bound('items on a page', page, String),
    ...[...(stated(operations) ?? [])].flatMap(([name, one]) => bound(`content of ${name}`, one, sizeWords)),
  ];
}

function timeEntries({ times }: Limits): readonly LimitEntry[] {
  const said = stated(times);
  if (said === undefined) return [];
  return [
    ...bound('time for a request', said.request, durationWords),
    ...[...(stated(said.operations) ?? [])].flatMap(([name, one]) =>
      bound(`time for ${name}`, one, durationWords),
    ),
  ];
}

function bound(name: string, said: Said<number>, words: (value: number) => string): readonly LimitEntry[] {
  const value = stated(said);
  if (value !== undefined) return [{ name, says: [line(`at most ${words(value)}`, standingOf(said))] }];
  return said.kind === 'open' && said.asked ? [{ name, says: [openLine(said, 'how much')] }] : [];
}

const sizes = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['GB', 1000 ** 3],
  ['MB', 1000 ** 2],
  ['kB', 1000],
] as const;

/** So many bytes, in the largest unit that they are a whole number of (language §H.5). */
export function sizeWords(bytes: number): string {
  const found = bytes > 0 ? sizes.find(([, size]) => bytes % size === 0) : undefined;
  return found ? `${bytes / found[1]} ${found[0]}` : `${bytes} bytes`;
}

/** An expression or a value that is stated, with its words before it. */
export function statedLine(begin: string, said: Said<PlacedTemplate>): readonly Line[] {
  const value = stated(said);
  return value ? [line(`${begin} ${written(value)}`, standingOf(said))] : [];
}
