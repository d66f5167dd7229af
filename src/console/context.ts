import { Refused } from '../load/refused.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Desk } from './desk.ts';
import type { About } from './editing/edited.ts';
import type { Edits } from './editing/edits.ts';
import type { Requests } from './requests.ts';
import type { Run } from './testing/run.ts';

/** What an answer of the console is made of. */
export interface Context {
  readonly desk: Desk;
  readonly requests: Requests;
  /** Works out what edits come to. */
  readonly edits: Edits;
  /** What the document stated when the console was opened; null: it could not be read, or had errors. */
  readonly start: Specification | null;
  /** The run of the tester, and who is told that it went on. */
  readonly tests: { run: Run | null; readonly told: () => void };
  /** Counts how often the document was read. */
  readonly version: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The document as those who work out edits read it. */
export function edited({ document, ledger, read }: Desk): About {
  const { isImported = false, specification } = read();
  return { document, ledger, isImported, handlers: [...(specification.handlers ?? [])] };
}

/** Why nothing is edited beside a service that does not follow its document. */
export const fixed =
  'tacet serve does not follow its document: edit it with tacet dev, or elsewhere, and start the service again';

/** What a request of the page brings: members of its content, or parameters of its query. */
export type Given = Readonly<Record<string, unknown>>;

/** A member that is a text. Throws {@link Refused} if it is none. */
export function textOf(given: Given, name: string): string {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (typeof value !== 'string') throw new Refused(`${name} is missing, or no text`);
  return value;
}

/** A member that is a list of texts. Throws {@link Refused} if it is none. */
export function textsOf(given: Given, name: string): readonly string[] {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw new Refused(`${name} is missing, or no list of texts`);
  return value as readonly string[];
}
