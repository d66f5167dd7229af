import { readFileSync } from 'node:fs';
import { type Message, received } from '../semantics/message/message.ts';
import { step } from '../semantics/request/request.ts';
import { Unknown } from '../semantics/value/value.ts';
import { World } from '../semantics/world/world.ts';
import type { Json } from '../source/node.ts';
import {
  type Command,
  type ExitCode,
  type Given,
  hasErrors,
  paintFor,
  printDiagnostics,
  readNamed,
  type Terminal,
  text,
  texts,
  UsageError,
} from './command.ts';
import { after } from './why/after.ts';
import { sentAs } from './why/sender.ts';
import { messageOf, withAnswers } from './why/sending.ts';
import { outcomesText, refusalText } from './why/text.ts';

/** `tacet why`: what may come of a request, and by which statements. */
export const command: Command = {
  name: 'why',
  summary: 'tell what may come of a request, and by which statements',
  help: `usage: tacet why DOCUMENT 'METHOD /path' [--with FILE] [--header 'NAME: VALUE']…
                 [--as NAME] [--after FILE] [--assume LEDGER]

Tells what a service does with a request, as the document says: each outcome with its status,
its body, the statements that decide it, and the conditions that were judged before, in their
order. No service is needed, and nothing is sent. Before the request, nothing is stored but
what the document states.

In an outcome, ? is a value that is not known; <Todo.id> is one that the service makes.

  --with FILE       the content of the request (JSON)
  --header 'NAME: VALUE'
                    a header field, as often as you like
  --as NAME         who sends the request, with a good credential: a resource whose items are
                    clients, or a name that the operator gives
  --after FILE      requests that were answered before: a HAR file, or a list (JSON) of
                    {"request": "POST /todos", "headers": {…}, "body": {…}}. Of these, {1.body.id}
                    is a member of the first answer, wherever a later request needs it
  --assume LEDGER   answers to open points, taken for the time being (JSON)

exit code: 0; 1 the document has errors; 2 wrong use
`,
  options: {
    with: { type: 'string' },
    header: { type: 'string', multiple: true },
    as: { type: 'string' },
    after: { type: 'string' },
    assume: { type: 'string' },
  },
  run: (given, terminal) => {
    const [document, request, third] = given.positionals;
    if (document === undefined) throw new UsageError('name the document');
    if (request === undefined) throw new UsageError("name the request, such as 'GET /todos'");
    if (third !== undefined) throw new UsageError(`${third} is too much: put the request in quotation marks`);
    return tellWhy(document, messageOf(request, fieldsOf(given), contentOf(given)), given, terminal);
  },
};

/** Tells what may come of a message, with the options of the command but those that the message is made of. */
export function tellWhy(document: string, message: Message, given: Given, terminal: Terminal): ExitCode {
  const { specification, diagnostics } = readNamed(document, given);
  printDiagnostics(diagnostics, terminal);
  if (hasErrors(diagnostics)) return 1;
  const { worlds, answers, url } = after(text(given, 'after'), new World(specification));
  const found = received(withAnswers(message, answers), url, specification);
  if (found instanceof Unknown)
    throw new UsageError('this version does not carry out how the request is read');
  const paint = paintFor(terminal);
  if (found.kind === 'refused') {
    terminal.out(refusalText(found.refusal, { of: specification, operation: found.operation, paint }));
    return 0;
  }
  const name = text(given, 'as');
  const steps = worlds.flatMap((world) => {
    if (name === undefined) return step(world, found.request);
    const sent = sentAs(name, world);
    return step(sent.world, { ...found.request, credentials: sent.credentials });
  });
  terminal.out(outcomesText(steps, { of: specification, operation: found.request.operation, paint }));
  return 0;
}

function fieldsOf(given: Given): readonly (readonly [string, string])[] {
  return texts(given, 'header').map((written) => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(written) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`${written} is no header field: write it as 'Name: value'`);
    return [name, value];
  });
}

/** The content that `--with` names. */
function contentOf(given: Given): Json | undefined {
  const file = text(given, 'with');
  if (file === undefined) return undefined;
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(content) as Json;
  } catch {
    throw new UsageError(`${file} is no JSON`);
  }
}
