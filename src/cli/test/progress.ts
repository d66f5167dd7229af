import type { Result } from '../../conformance/result.ts';
import type { Reporter, RunEvent } from '../../conformance/stream.ts';
import { causeKey } from '../../conformance/verdicts/causes.ts';
import { type Paint, visible } from '../../source/diagnostic.ts';
import { count } from '../command.ts';

/** Where a run is shown. */
export interface Screen {
  readonly write: (text: string) => void;
  /** How many characters a line holds; left out where no line can be written anew. */
  readonly columns?: (() => number) | undefined;
  /** Whether violations are counted, and not shown. Default: false */
  readonly isLineAlone?: boolean;
}

/** How often the line is written anew at most, in milliseconds. */
const everyMs = 100;

/**
 * Shows a run as it goes: the first violation of each cause as it is found; and below, where a line can be written anew,
 * one that tells of the part, the checks done, the requests and how many a second, and the violations. That line is gone
 * when the run has ended.
 */
export function progress(
  { write, columns, isLineAlone = false }: Screen,
  paint: Paint,
): Reporter & { readonly clear: () => void } {
  const so = { part: '', checks: 0, requests: 0, violations: 0, elapsedMs: 0 };
  let part = '';
  let shownMs = Number.NEGATIVE_INFINITY;
  const seen = new Set<string>();
  const clear = (): void => {
    if (columns) write('\r\u001b[2K');
  };
  const line = (): string => {
    const rate = so.elapsedMs > 0 ? `, ${Math.round((1000 * so.requests) / so.elapsedMs)}/s` : '';
    const found = count(so.violations, 'violation');
    const cells = [so.part, count(so.checks, 'check'), `${count(so.requests, 'request')}${rate}`];
    const plain = [...cells, found].join(' · ');
    if (columns && plain.length >= columns()) return plain.slice(0, Math.max(0, columns() - 1));
    return [...cells.map(paint.dim), so.violations > 0 ? paint.red(found) : paint.dim(found)].join(
      paint.dim(' · '),
    );
  };
  const show = (): void => {
    if (!columns) return;
    shownMs = so.elapsedMs;
    clear();
    write(line());
  };
  const note = (event: RunEvent): void => {
    switch (event.kind) {
      case 'run begins':
        so.part = 'examples and walks';
        show();
        break;
      case 'part begins':
        so.part = part = `walk ${event.part}`;
        break;
      case 'exchange':
        so.requests += 1;
        so.elapsedMs = event.sentMs + event.tookMs;
        if (so.elapsedMs - shownMs >= everyMs) show();
        break;
      case 'waiting':
        so.part = `waits up to ${Math.ceil(event.mostMs / 100) / 10} s`;
        show();
        so.part = part;
        break;
      case 'result':
        so.checks += 1;
        if (event.result.verdict !== 'violates') break;
        if (!event.result.assumed) so.violations += 1;
        if (isLineAlone || seen.has(causeKey(event.result))) break;
        seen.add(causeKey(event.result));
        clear();
        write(foundNow(event.result, paint));
        show();
        break;
      case 'sequence':
        so.part = 'the shortest ways to violations';
        show();
        break;
      case 'run ends':
        clear();
    }
  };
  return Object.assign(note, { clear });
}

function foundNow({ says, statement, assumed, expected, found }: Result, paint: Paint): string {
  const mark = assumed ? paint.yellow('violates (assumed)') : paint.red('violates');
  const what = paint.dim(visible(`expected ${expected}, found ${found}`));
  return `${mark}  ${visible(says)}  ${paint.dim(visible(statement.at))}\n          ${what}\n`;
}
