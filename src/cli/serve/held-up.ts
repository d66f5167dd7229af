import { questionAt } from '../../report/status.ts';
import { printable } from '../../report/text.ts';
import type { HeldUp } from '../../service/message/reply.ts';
import { at } from '../../source/text.ts';
import type { Specification } from '../../specification/model/specification.ts';

/** Addresses longer than this are let stand out, so that the places of the others stay in sight. */
const widestAddress = 64;

/** How often the same is said of an operation, before it is said no more: a test may send thousands of requests. */
const mostRepeats = 3;

/**
 * Tells of requests that were answered 501: what their operation waits for, a line an address, what is open first;
 * and one line alone while it is the same as the last time for this operation, a few times.
 */
export function heldUpLog(of: Specification, print: (text: string) => void): (heldUp: HeldUp) => void {
  const last = new Map<string, { readonly told: string; repeats: number }>();
  return ({ operation, points }) => {
    const name = operation.name === operation.key ? operation.key : `${operation.key} (${operation.name})`;
    const told = pointLines(of, points);
    const before = last.get(operation.key);
    if (before?.told !== told) {
      last.set(operation.key, { told, repeats: 0 });
      print(`501 ${printable(name)}\n${told}`);
      return;
    }
    before.repeats += 1;
    const isLast = before.repeats === mostRepeats;
    const more = isLast ? '; further ones are not shown' : '';
    if (before.repeats <= mostRepeats) print(`501 ${printable(name)}: as above${more}\n`);
  };
}

function pointLines(of: Specification, points: HeldUp['points']): string {
  const width = Math.min(widestAddress, Math.max(...points.map(({ address }) => printable(address).length)));
  const lines = (why: 'open' | 'not run'): string[] =>
    points
      .filter((point) => point.why === why)
      .flatMap((point, index) => {
        const title = (index === 0 ? why : '').padEnd(7);
        const question = why === 'open' ? questionAt(of, point.address) : null;
        const asks = question === null ? [] : [`${' '.repeat(11)}asks: ${printable(question)}`];
        const wants =
          point.handler === undefined
            ? []
            : [`${' '.repeat(11)}wants the function ${point.handler} (--handlers)`];
        return [`  ${title}  ${printable(point.address).padEnd(width)}  ${at(point.at)}`, ...asks, ...wants];
      });
  return [...lines('open'), ...lines('not run')].map((line) => `${line}\n`).join('');
}
