import {
  type Assumed,
  added,
  type Ledger,
  ledgerBeside,
  openLedger,
  readAssumed,
  saveLedger,
} from '../load/ledger.ts';
import { offers } from '../report/offers.ts';
import { status, summary } from '../report/status.ts';
import { at } from '../source/text.ts';
import { canonical } from '../specification/reading/address.ts';
import {
  type Command,
  count,
  type ExitCode,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  type Terminal,
  text,
  UsageError,
} from './command.ts';
import { listOpen, shownPoint, walk } from './walk.ts';

/** `tacet assume`: keeps the ledger of assumptions beside a document. */
export const command: Command = {
  name: 'assume',
  summary: 'answer an open point for the time being, beside the document',
  help: `usage: tacet assume DOCUMENT ADDRESS VALUE --because TEXT [--by WHO] [--ledger FILE]
       tacet assume DOCUMENT [ADDRESS] [--ledger FILE]
       tacet assume DOCUMENT --list | --remove ADDRESS [--ledger FILE]

Keeps the ledger: answers to open points that are taken for the time being, apart from the
document. An assumption is written only if the document can be read with it.

With VALUE, as it would stand in the document (YAML or JSON), it is assumed. Without, the
open points are gone through, those that hold up most first, each with what the field
usually states there, and its source; nothing is taken that nobody picks. Where input is no
terminal, or an ADDRESS is named, they are shown, and nothing is taken.

  --because TEXT    why; it stands in the ledger
  --by WHO          who assumes it
  --list            what is assumed, why, by whom and when
  --remove ADDRESS  assume it no longer
  --ledger FILE     the ledger (default: DOCUMENT, with .assumptions.json for its ending)

Use it with --assume FILE, of check, status, serve, dev and test.
exit code: 0 done, 1 the document or the ledger has errors, or the value does not fit;
2 wrong use
`,
  options: {
    because: { type: 'string' },
    by: { type: 'string' },
    list: { type: 'boolean' },
    remove: { type: 'string' },
    ledger: { type: 'string' },
  },
  run: async (given, terminal) => {
    const [document, address, value, surplus] = given.positionals;
    if (document === undefined) throw new UsageError('name the document');
    if (surplus !== undefined)
      throw new UsageError(
        `${surplus} is one word too many; put a VALUE of several words in quotation marks`,
      );
    const ledger = openLedger(text(given, 'ledger') ?? ledgerBeside(document));
    if (hasErrors(ledger.diagnostics)) {
      printDiagnostics(ledger.diagnostics, terminal);
      return 1;
    }
    const remove = text(given, 'remove');
    if (remove !== undefined) return removed(ledger, remove, terminal);
    const before = readAssumed(document, ledger);
    printDiagnostics(before.diagnostics, terminal);
    if (given.values['list'] === true) return list(before, terminal);
    if (hasErrors(before.diagnostics)) return 1;
    if (value !== undefined) return take(document, before, address as string, value, given, terminal);
    if (address !== undefined) return show(before, address, terminal);
    if (terminal.lines === undefined) return listOpen(before, document, terminal);
    return walk(document, before, terminal, terminal.lines, text(given, 'by'));
  },
};

function take(
  document: string,
  before: Assumed,
  address: string,
  value: string,
  given: Given,
  terminal: Terminal,
): ExitCode {
  const why = text(given, 'because')?.trim() ?? '';
  if (why === '') throw new UsageError('say why, with --because: whoever reads the ledger will want to know');
  const who = text(given, 'by');
  const wanted = { address, value, why, ...(who !== undefined && { who }) };
  const after = added(document, before, wanted, terminal.now?.() ?? Date.now());
  if ('refused' in after) {
    printDiagnostics(after.refused, terminal);
    terminal.error(`nothing is written to ${before.ledger.file}\n`);
    return 1;
  }
  const { file, assumptions } = after.ledger;
  saveLedger(file, assumptions);
  const taken = assumptions.at(-1);
  terminal.out(
    `${taken?.at} is assumed to be ${JSON.stringify(taken?.value)}, in ${file}\n${summary(status(after.specification))}\n`,
  );
  return 0;
}

function removed({ file, assumptions }: Ledger, address: string, terminal: Terminal): ExitCode {
  const at = canonical(address) ?? address;
  const left = assumptions.filter((one) => (canonical(one.at) ?? one.at) !== at);
  if (left.length === assumptions.length) throw new UsageError(`nothing is assumed at ${at} in ${file}`);
  saveLedger(file, left);
  terminal.out(`${at} is assumed no longer, in ${file}; ${count(left.length, 'assumption')} left\n`);
  return 0;
}

function list({ ledger, diagnostics }: Assumed, terminal: Terminal): ExitCode {
  const paint = paintFor(terminal);
  for (const { at: address, value, why, who, when, placed } of ledger.assumptions) {
    const place = placed ? `  ${paint.dim(at(placed.at))}` : '';
    const by = [who, when].filter((one) => one !== undefined).join(', ');
    const because = [why, ...(by === '' ? [] : [`(${by})`])].filter((one) => one !== undefined).join(' ');
    terminal.out(`${address}: ${JSON.stringify(value)}${place}\n${because === '' ? '' : `  ${because}\n`}`);
  }
  if (ledger.assumptions.length === 0) terminal.out(`nothing is assumed in ${ledger.file}\n`);
  return hasErrors(diagnostics) ? 1 : 0;
}

/** What is known of one address, and what the field usually states there. */
function show({ specification }: Assumed, written: string, terminal: Terminal): ExitCode {
  const address = canonical(written);
  if (address === undefined) throw new UsageError(`${written} is no address`);
  const points = status(specification).parts.flatMap((part) => part.points);
  const point = points.find((one) => one.address === address);
  const found = point === undefined || point.state === 'open' ? offers(specification, address) : [];
  terminal.out(shownPoint(point ?? { address, at: '', holds: [] }, found, paintFor(terminal)));
  if (point !== undefined && point.state !== 'open') terminal.out(`  it is ${point.state}\n`);
  return 0;
}
