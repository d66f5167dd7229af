import { type Diff, diff } from '../diff/diff.ts';
import { readSides } from '../load/sides.ts';
import {
  type Command,
  type ExitCode,
  hasErrors,
  paintFor,
  printDiagnostics,
  text,
  UsageError,
} from './command.ts';
import { markdown } from './diff/markdown.ts';
import { pretty } from './diff/pretty.ts';

/** `tacet diff`: what two versions of a specification state differently, and what that comes to. */
export const command: Command = {
  name: 'diff',
  summary: 'show what two versions of a document state differently, and what breaks',
  help: `usage: tacet diff OLD NEW [--json | --markdown] [--fail-on WHAT]
       tacet diff REVISION DOCUMENT
       tacet diff DOCUMENT

Compares what is stated, point by point: what breaks clients, what touches stored data, what
changed, what became open, what became stated. Spelling, order of keys and prose are nothing.
A change that no rule knows is shown as unclassified. OLD and NEW are documents, folders, or
git's REVISION:PATH; one document alone is compared with what HEAD has of it.

  --json            as JSON; its form is schemas/diff.schema.json
  --markdown        as Markdown, for a pull request
  --fail-on WHAT    breaking (default), change (whatever is no refinement) or never

exit code: 0 nothing to fail on, 1 there is, 2 wrong use, or a document with errors
`,
  options: { json: { type: 'boolean' }, markdown: { type: 'boolean' }, 'fail-on': { type: 'string' } },
  run: (given, terminal) => {
    const failsOn = text(given, 'fail-on') ?? 'breaking';
    const fails = failures[failsOn];
    if (fails === undefined || !Object.hasOwn(failures, failsOn))
      throw new UsageError(`--fail-on takes ${Object.keys(failures).join(', ')}, and ${failsOn} is none`);
    if (given.values['json'] && given.values['markdown'])
      throw new UsageError('--json and --markdown are two forms; choose one');
    const { before, after } = readSides(given.positionals);
    for (const { diagnostics } of [before, after]) {
      const errors = diagnostics.filter((one) => one.severity === 'error');
      printDiagnostics(errors, terminal);
    }
    if ([before, after].some(({ diagnostics }) => hasErrors(diagnostics))) return 2;
    const found = diff(before.specification, after.specification);
    if (given.values['json']) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
    else terminal.out(given.values['markdown'] ? markdown(found) : pretty(found, paintFor(terminal)));
    return fails(found);
  },
};

const failures: Readonly<Record<string, (found: Diff) => ExitCode>> = {
  breaking: ({ counts }) => (counts.breaking > 0 ? 1 : 0),
  change: ({ refinement }) => (refinement ? 0 : 1),
  never: () => 0,
};
