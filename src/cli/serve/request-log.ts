import { printable } from '../../report/text.ts';
import type { Answered } from '../../service/answered.ts';
import type { RequestIds } from '../../service/http/request-ids.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, isUnder } from '../../specification/reading/address.ts';
import type { Point } from '../../specification/reading/reading.ts';

type Log = (answered: Answered, ids: RequestIds) => void;

/** A line of JSON a request: its ids, what it came to, and the statements that took part, by their addresses. */
export function jsonLog(print: (text: string) => void, now: () => Date): Log {
  return ({ tookMs, ...answered }, { request, trace }) =>
    print(
      `${JSON.stringify({ time: now().toISOString(), request, ...(trace !== null && { trace }), ...answered, tookMs: Math.round(tookMs * 1000) / 1000 })}\n`,
    );
}

/** The same for people: a request, why it was refused if it was, and each statement with its place. */
export function explained(of: Specification, print: (text: string) => void): (answered: Answered) => void {
  return ({
    method,
    path,
    operation,
    version,
    status,
    condition,
    about,
    reason,
    statements,
    held,
    tookMs,
  }) => {
    const key = `${method} ${path}`;
    const notes = [
      ...(operation === null || operation === key ? [] : [operation]),
      ...(version === null ? [] : [`version ${version}`]),
      `${tookMs.toFixed(1)} ms`,
    ];
    const title = `${status ?? 'closed'} ${printable(key)} (${notes.map(printable).join(', ')})`;
    const cause = condition === null ? (reason ?? null) : [condition, about.join(', ')].join(' ').trim();
    const why = cause === null ? [] : [`refused: ${cause}`];
    const places = [...statements, ...held].map((address) => {
      const point = of.points.get(address) ?? within(of, address);
      return { address: printable(address), place: point ? at(point.at) : '' };
    });
    const width = Math.min(64, Math.max(0, ...places.map(({ address }) => address.length)));
    const lines = places.map(({ address, place }) => `${address.padEnd(width)}  ${place}`.trimEnd());
    print([title, ...[...why, ...lines].map((line) => `  ${line}`), ''].join('\n'));
  };
}

/** The first point of what holds several. */
function within({ points }: Specification, address: Address): Point | undefined {
  return [...points.values()].find((one) => one.state !== 'open' && isUnder(one.address, address));
}
