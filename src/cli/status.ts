import { checklist, markdown } from '../report/markdown.ts';
import { inProse, type ProseQuestion } from '../report/questions.ts';
import { ofPart, type PointStatus, type Status, status } from '../report/status.ts';
import { svg } from '../report/svg.ts';
import { text as forPeople, questionsText } from '../report/text.ts';
import { canonical, isUnder, parts } from '../specification/reading/address.ts';
import {
  type Command,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  readDocument,
  type Terminal,
  text,
  texts,
  UsageError,
} from './command.ts';

/** `tacet status`: what is stated, assumed and open, and which open point holds up which operation. */
export const command: Command = {
  name: 'status',
  summary: 'show what is stated, assumed and open, and what that holds up',
  help: `usage: tacet status DOCUMENT [--part PART] [--all] [--assume LEDGER]
                    [--json | --markdown | --svg] [--require ADDRESS …]
       tacet status DOCUMENT --asked [--part PART] [--all] [--assume LEDGER] [--markdown]

Shows the nine parts of a specification: what is stated, what is assumed, what is open,
which operations wait for open points, and in which order to answer these so that
operations run soon.

  --part PART       one part alone, such as endpoints
  --asked           the questions alone, each once, to send to whom can answer them; with
                    --markdown as a checklist
  --all             every point, the stated ones too; of a long list, all of it
  --assume LEDGER   answers to open points, taken for the time being (JSON)
  --json            as JSON; its form is schemas/status.schema.json
  --markdown        for a pull request: short, with the details folded away
  --svg             as a picture for a README, light or dark as its reader prefers
  --require ADDRESS ends with 1 while a point at or under the address is open; it may be
                    given several times

exit code: 0, also where points are open; 1 the document has errors, or what is required is
open; 2 wrong use
`,
  options: {
    part: { type: 'string' },
    asked: { type: 'boolean' },
    all: { type: 'boolean' },
    assume: { type: 'string' },
    'no-guesses': { type: 'boolean' },
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    svg: { type: 'boolean' },
    require: { type: 'string', multiple: true },
  },
  run: async (given, terminal) => {
    const form = formOf(given);
    const part = partOf(given);
    const { specification, diagnostics } = readDocument(given);
    printDiagnostics(diagnostics, terminal);
    const faulty = hasErrors(diagnostics);
    const whole = status(specification);
    const required = requiredOf(given, whole);
    const report = part === null ? whole : ofPart(whole, part);
    terminal.out(
      form === 'json'
        ? asJson(report, inProse(diagnostics))
        : shown(report, form, specification.name || specification.file, given, terminal),
    );
    for (const { address, at } of required) terminal.error(`${at} ${address} is open, and required\n`);
    return faulty || required.length > 0 ? 1 : 0;
  },
};

const forms = ['json', 'markdown', 'svg'] as const;
type Form = (typeof forms)[number] | 'text';

function formOf(given: Given): Form {
  const [form, second] = forms.filter((one) => given.values[one] === true);
  if (second !== undefined) throw new UsageError(`one form at a time: --${form} or --${second}`);
  if (given.values['asked'] === true && form !== undefined && form !== 'markdown')
    throw new UsageError(`--asked is text, or --markdown; --${form} is the whole report`);
  return form ?? 'text';
}

function partOf(given: Given): (typeof parts)[number] | null {
  const name = text(given, 'part');
  if (name === undefined) return null;
  const part = parts.find((one) => one === name);
  if (part === undefined) throw new UsageError(`${name} is no part; there are ${parts.join(', ')}`);
  return part;
}

/** The open points at or under the addresses of `--require`. An address at which there is no point is a mistake. */
function requiredOf(given: Given, { parts: all }: Status): readonly PointStatus[] {
  const points = all.flatMap((part) => part.points);
  const found = texts(given, 'require').flatMap((written) => {
    const address = canonical(written);
    if (address === undefined) throw new UsageError(`${written} is no address`);
    const under = points.filter((point) => isUnder(point.address, address));
    if (under.length === 0) throw new UsageError(`there is no point at ${written}, nor under it`);
    return under.filter((point) => point.state === 'open');
  });
  return [...new Set(found)];
}

/** The form of `schemas/status.schema.json`. */
function asJson(report: Status, questions: readonly ProseQuestion[]): string {
  return `${JSON.stringify({ ...report, inProse: questions }, null, 2)}\n`;
}

function shown(
  report: Status,
  form: Exclude<Form, 'json'>,
  name: string,
  given: Given,
  terminal: Terminal,
): string {
  const all = given.values['all'] === true;
  if (given.values['asked'] === true)
    return form === 'markdown'
      ? checklist(report, name)
      : questionsText(report, name, all, paintFor(terminal));
  switch (form) {
    case 'markdown':
      return markdown(report, name);
    case 'svg':
      return svg(report, name);
    case 'text':
      return forPeople(report, name, all, paintFor(terminal));
  }
}
