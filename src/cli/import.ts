import { basename } from 'node:path';
import type { Losses } from '../interchange/losses.ts';
import { assumptionOf } from '../interchange/openapi/import.ts';
import { documentText, tooLargeFor, tooMuch } from '../interchange/openapi/write.ts';
import { formatIn, importedFrom } from '../load/descriptions.ts';
import { readText } from '../load/files.ts';
import { printable } from '../report/text.ts';
import { readerLimits } from '../source/yaml.ts';
import { ledgerText } from '../specification/openness/ledger.ts';
import { type Command, count, type Given, text, UsageError } from './command.ts';
import { lossTable, writeFiles } from './written.ts';

/** `tacet import`: makes a document of descriptions in formats of others. */
export const command: Command = {
  name: 'import',
  summary: 'make a document of an OpenAPI or AsyncAPI description',
  help: `usage: tacet import DESCRIPTION… -o DOCUMENT [--ledger FILE] [--no-guesses] [--losses] [--force]

Writes a document that says what an OpenAPI description (2.0 or 3.0 to 3.2, YAML or JSON) says:
what is sent and received. What the operations do, no description says: the document asks it,
and what paths and shapes suggest stands in a ledger of assumptions beside it.

Of an AsyncAPI description (2.0 to 2.6, 3.0 or 3.1), each message that the service sends becomes
a kind of event. One OpenAPI and several AsyncAPI descriptions can be put into one document:
tacet import openapi.yaml asyncapi.yaml -o service.md.

  -o, --out FILE    the document to write
  --ledger FILE     the ledger to write (default: beside the document, as NAME.assumptions.json)
  --no-guesses      no ledger
  --losses          lists what was not carried whole: how often, how, what, and the first place
  --force           writes over files that are there

Every command reads a description itself, too: tacet serve openapi.yaml.

exit code: 0; 2 wrong use, or the description cannot be read
`,
  options: {
    out: { type: 'string', short: 'o' },
    ledger: { type: 'string' },
    'no-guesses': { type: 'boolean' },
    losses: { type: 'boolean' },
    force: { type: 'boolean' },
  },
  run: (given, terminal) => {
    const files = given.positionals;
    if (files.length === 0) throw new UsageError('name the description');
    const out = text(given, 'out');
    if (out === undefined) throw new UsageError('name the document to write: -o service.md');
    for (const file of files)
      if (formatIn(file, readText(file)) === undefined)
        throw new UsageError(
          `${file} is no OpenAPI or AsyncAPI description: it has no key openapi, swagger or asyncapi`,
        );
    const imported = importedFrom(files);
    const takesGuesses = given.values['no-guesses'] !== true && imported.guesses.length > 0;
    const ledger = takesGuesses ? ledgerOf(given, out) : null;
    const written: [string, string][] = [
      [out, documentText(imported, ledger && basename(ledger))],
      ...(ledger === null
        ? []
        : ([[ledger, ledgerText(imported.guesses.map(assumptionOf))]] as [string, string][])),
    ];
    writeFiles(written, given.values['force'] === true);
    const { guesses, losses } = imported;
    terminal.out(
      [
        ...written.flatMap(([file, content]) => tooLarge(file, content)),
        ...shortening(out, losses),
        `wrote ${printable(out)}${ledger === null ? '' : ` and ${count(guesses.length, 'guess', 'guesses')} in ${printable(ledger)}`}`,
        `${count(losses.all.length, 'loss', 'losses')}${given.values['losses'] === true ? '' : ' (--losses lists them)'}`,
        ...(given.values['losses'] === true ? ['', ...lossTable(losses)] : []),
        '',
        `next: tacet status ${printable(out)}${ledger === null ? '' : ` --assume ${printable(ledger)}`}`,
        '',
      ].join('\n'),
    );
    return 0;
  },
};

/** What is told of a document that would be too large to be read with all that people read, or is too large without. */
function shortening(file: string, { all }: Losses): readonly string[] {
  const left = all.flatMap(({ what }) =>
    what.endsWith(tooLargeFor) ? [what.slice(0, -tooLargeFor.length)] : [],
  );
  return [
    ...(left.length > 0
      ? [`${printable(file)} would be too large to be read: ${left.join(', ')} are left out`]
      : []),
    ...(all.some(({ what }) => what === tooMuch)
      ? [
          `${printable(file)} holds ${tooMuch} (${readerLimits.nodes}): name the description itself in its place`,
        ]
      : []),
  ];
}

/** What is told of a file that no command reads. */
function tooLarge(file: string, content: string): readonly string[] {
  const bytes = Buffer.byteLength(content);
  if (bytes <= readerLimits.bytes) return [];
  return [
    `${printable(file)} has ${bytes} bytes, and ${readerLimits.bytes} are read of a document: name the description itself in its place`,
  ];
}

function ledgerOf(given: Given, out: string): string {
  return text(given, 'ledger') ?? `${out.replace(/\.(md|markdown)$/i, '')}.assumptions.json`;
}
