import { readWithTexts } from '../load/document.ts';
import { readFound, sourcesOf } from '../load/files.ts';
import { Refused } from '../load/refused.ts';
import { type Stating, stating, typedValue } from '../load/stating.ts';
import { writeWhole } from '../load/writing.ts';
import { inProse } from '../report/questions.ts';
import { type Queued, queue } from '../report/queue.ts';
import { running, status, summary } from '../report/status.ts';
import type { Json } from '../source/node.ts';
import type { Reader } from '../specification/read.ts';
import { canonical } from '../specification/reading/address.ts';
import {
  type Command,
  count,
  documentOf,
  type ExitCode,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  readNamed,
  type Terminal,
  text,
  UsageError,
} from './command.ts';
import { shownPoint } from './walk.ts';

/** `tacet next`: the one open point to answer now, and its answer into the document. */
export const command: Command = {
  name: 'next',
  summary: 'ask the one open point that lets most run, and write its answer',
  help: `usage: tacet next DOCUMENT [--at ADDRESS] [--answer VALUE] [--json] [--assume LEDGER]

Asks about one open point: that which lets most operations run once it is answered. It shows
what the document asks there, what waits for it, and what the field usually states, with its
source. The answer is written into the document in its place; all else keeps its letters. An
answer with which the document would have an error is refused, and nothing is written.

  --at ADDRESS      asks about this point instead
  --answer VALUE    answers without asking: the value as it would stand in the document (YAML
                    or JSON)
  --json            as JSON, and asks nobody: point, addresses, offers and left; with --answer,
                    what was written, what runs now, and the next point. Its form is
                    schemas/next.schema.json
  --assume LEDGER   answers that are taken for the time being are not asked about

exit code: 0 a point was shown or answered, 1 the document has errors, or the answer does not
fit; 2 wrong use; 3 nothing is left to answer
`,
  options: {
    at: { type: 'string' },
    answer: { type: 'string' },
    json: { type: 'boolean' },
    assume: { type: 'string' },
  },
  run: async (given, terminal) => {
    const reader = readNamed(documentOf(given), given);
    if (hasErrors(reader.diagnostics)) {
      printDiagnostics(reader.diagnostics, terminal);
      return 1;
    }
    const open = queue(reader.specification);
    const isJson = given.values['json'] === true;
    if (!isJson)
      printDiagnostics(
        reader.diagnostics.filter(({ code }) => code === 'question-in-prose'),
        terminal,
      );
    const asks = { inProse: inProse(reader.diagnostics) };
    const asked = askedOf(given, open);
    if (asked === undefined) {
      terminal.out(isJson ? asJson({ point: null, left: 0, ...asks }) : 'nothing is left to answer\n');
      return 3;
    }
    const typed = text(given, 'answer');
    if (typed !== undefined) return answer(given, reader, asked, typed, terminal);
    if (isJson) {
      const { point, addresses, offers } = asked;
      terminal.out(asJson({ point, addresses, offers, left: open.length, ...asks }));
      return 0;
    }
    terminal.out(shownPoint(asked.point, asked.offers, paintFor(terminal), asked.addresses.length - 1));
    if (terminal.lines === undefined) {
      terminal.out(`\n${count(open.length, 'point')} left: tacet next ${documentOf(given)} --answer VALUE\n`);
      return 0;
    }
    return ask(given, reader, asked, terminal, terminal.lines);
  },
};

function askedOf(given: Given, open: readonly Queued[]): Queued | undefined {
  const written = text(given, 'at');
  if (written === undefined) return open[0];
  const address = canonical(written);
  if (address === undefined) throw new UsageError(`${written} is no address`);
  const found = open.find(({ addresses }) => addresses.includes(address));
  if (found === undefined) throw new UsageError(`${address} is no open point that is to be answered`);
  return found;
}

/** Asks a person, until an answer fits or none is given. */
async function ask(
  given: Given,
  reader: Reader,
  asked: Queued,
  terminal: Terminal,
  typed: () => AsyncIterable<string>,
): Promise<ExitCode> {
  const prompt = asked.offers.length > 0 ? 'a number, or a value (=1 for the value 1)' : 'a value';
  terminal.out(`${prompt}; Enter leaves it open: `);
  for await (const line of typed()) {
    const said = line.trim();
    if (said === '') return 0;
    const offer = asked.offers[Number(said) - 1];
    const value = offer ? JSON.stringify(offer.value) : said.replace(/^=\s*/, '');
    if (answer(given, reader, asked, value, terminal) === 0) return 0;
    terminal.out('another answer; Enter leaves it open: ');
  }
  return 0;
}

/** Writes an answer, and tells what that comes to. */
function answer(given: Given, before: Reader, asked: Queued, typed: string, terminal: Terminal): ExitCode {
  let value: Json;
  let after: Stating;
  try {
    value = typedValue(typed);
    after = stated(given, before, asked, value);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    terminal.error(`${error.message}\nnothing is written\n`);
    return 1;
  }
  for (const [file, content] of after.texts) writeWhole(file, content);
  const [was, is] = [before, after.reader].map(({ specification }) => status(specification));
  const fresh = is && was ? running(is).filter((name) => !running(was).includes(name)) : [];
  const left = queue(after.reader.specification);
  const { file, line, excerpt } = after.place;
  if (given.values['json'] === true) {
    const answered = { address: asked.point.address, value, file, line, excerpt };
    const asks = inProse(after.reader.diagnostics);
    const point = left[0]?.point ?? null;
    terminal.out(asJson({ answered, runs: fresh, point, left: left.length, inProse: asks }));
    return 0;
  }
  terminal.out(`${file}:${line}: ${excerpt}\n`);
  if (fresh.length > 0) terminal.out(`runs now: ${fresh.join(', ')}\n`);
  if (is) terminal.out(`${summary(is)}\n`);
  return 0;
}

/** The document with an answer in it. */
function stated(given: Given, before: Reader, { addresses }: Queued, value: Json): Stating {
  const document = documentOf(given);
  if (before.isImported)
    throw new Refused(`${document} says nothing of tacet's own: tacet assume answers beside it`);
  const sources = sourcesOf(readFound(document));
  const ledger = text(given, 'assume');
  return stating(sources, addresses, value, before, (texts) => readWithTexts(document, ledger, texts));
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
