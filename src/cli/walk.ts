import { type Assumed, added, saveLedger } from '../load/ledger.ts';
import { Refused } from '../load/refused.ts';
import type { Offer } from '../report/offers.ts';
import { type AskedPoint, type Queued, queue } from '../report/queue.ts';
import { status, summary } from '../report/status.ts';
import { printable, some } from '../report/text.ts';
import type { Paint } from '../source/diagnostic.ts';
import { count, type ExitCode, paintFor, printDiagnostics, type Terminal } from './command.ts';

/** A list of open points for people stays readable: so many are shown. */
const mostListed = 20;

/** Shows the open points with what is offered, and takes nothing. */
export function listOpen(of: Assumed, document: string, terminal: Terminal): ExitCode {
  const all = queue(of.specification);
  const paint = paintFor(terminal);
  for (const { point, offers: found, addresses } of all.slice(0, mostListed))
    terminal.out(`${shownPoint(point, found, paint, addresses.length - 1)}\n`);
  if (all.length > mostListed)
    terminal.out(`and ${count(all.length - mostListed, 'more open point')} (tacet status ${document})\n\n`);
  terminal.out(
    all.length === 0
      ? 'nothing is open that could be assumed\n'
      : `nothing is taken: tacet assume ${document} ADDRESS VALUE --because TEXT takes one\n`,
  );
  return 0;
}

/** A point for people, and how many `more` one answer is for: what is asked, what waits, and what is usual. */
export function shownPoint(point: AskedPoint, found: readonly Offer[], paint: Paint, more = 0): string {
  const { address, at, holds, holdsSometimes, question } = point;
  const lines = [
    ...(question === undefined ? [] : [`asks: ${printable(question)}`]),
    ...(holds.length > 0 ? [`holds up ${some(holds)}`] : []),
    ...(holdsSometimes ? [`holds up some requests of ${some(holdsSometimes)}`] : []),
  ];
  const values = found.map(({ value }) => JSON.stringify(value));
  const width = Math.min(24, Math.max(0, ...values.map((value) => value.length)));
  const usual = found.map(
    ({ why, source }, index) =>
      `  ${index + 1}  ${paint.green((values[index] ?? '').padEnd(width))}  ${why} ${paint.dim(`(${source})`)}\n`,
  );
  return [
    `${paint.bold(printable(address))}${more > 0 ? ` and ${more} more` : ''}${at === '' ? '' : `  ${paint.dim(at)}`}\n`,
    ...lines.map((line) => `  ${line}\n`),
    ...usual,
  ].join('');
}

/**
 * Goes through the open points, one at a time. The person picks an offer by its number, types a value, skips, or
 * ends; each answer is written at once.
 */
export async function walk(
  document: string,
  begun: Assumed,
  terminal: Terminal,
  typed: () => AsyncIterable<string>,
  who: string | undefined,
): Promise<ExitCode> {
  const paint = paintFor(terminal);
  const lines = typed()[Symbol.asyncIterator]();
  const ask = async (prompt: string): Promise<string | null> => {
    terminal.out(prompt);
    const { done, value } = await lines.next();
    return done === true ? null : value.trim();
  };
  const passed = new Set<string>();
  let now = begun;
  const next = (): { readonly question: Queued; readonly left: number } | null => {
    const left = queue(now.specification).filter(({ point }) => !passed.has(point.address));
    return left[0] ? { question: left[0], left: left.length } : null;
  };
  try {
    for (let step = next(); step !== null; step = next()) {
      const { point, offers: found, addresses } = step.question;
      terminal.out(`\n${shownPoint(point, found, paint, addresses.length - 1)}`);
      const prompt = found.length > 0 ? 'a number, a value (=1 for the value 1), ' : 'a value, ';
      const answer = await ask(`${count(step.left, 'point')} left; ${prompt}Enter to skip, q to end: `);
      if (answer === null || answer === 'q') break;
      if (answer === '') {
        for (const address of addresses) passed.add(address);
        continue;
      }
      const offer = found[Number(answer) - 1];
      const why = offer ? `${offer.why} (${offer.source})` : await ask('because: ');
      if (why === null) break;
      if (why === '') {
        terminal.out('not taken: an assumption needs a reason\n');
        continue;
      }
      const value = offer ? JSON.stringify(offer.value) : answer.replace(/^=\s*/, '');
      for (const address of addresses) {
        const before = now;
        now = taken(document, before, { address, value, why }, who, terminal);
        if (now === before) break;
      }
    }
  } finally {
    await lines.return?.();
  }
  const fresh = now.ledger.assumptions.length - begun.ledger.assumptions.length;
  terminal.out(`\n${count(fresh, 'assumption')} added to ${now.ledger.file}\n`);
  terminal.out(`${summary(status(now.specification))}\n`);
  return 0;
}

/** The document with one assumption more, which is written; the same as before where it is refused. */
function taken(
  document: string,
  before: Assumed,
  wanted: { readonly address: string; readonly value: string; readonly why: string },
  who: string | undefined,
  terminal: Terminal,
): Assumed {
  try {
    const signed = { ...wanted, ...(who !== undefined && { who }) };
    const after = added(document, before, signed, terminal.now?.() ?? Date.now());
    if (!('refused' in after)) {
      saveLedger(after.ledger.file, after.ledger.assumptions);
      return after;
    }
    printDiagnostics(after.refused, terminal);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    terminal.error(`${error.message}\n`);
  }
  return before;
}
