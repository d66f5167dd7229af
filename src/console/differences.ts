import { existsSync } from 'node:fs';
import { type Class, classes, type Diff, diffInSteps, type Finding } from '../diff/diff.ts';
import { summary, titles } from '../diff/words.ts';
import { Refused } from '../load/refused.ts';
import { keptIn, side } from '../load/sides.ts';
import { once } from '../source/once.ts';
import { inTurns, type Steps } from '../source/turns.ts';
import type { Specification } from '../specification/model/specification.ts';
import type { Reader } from '../specification/read.ts';
import type { Context, Given } from './context.ts';
import { type Effect, effectOfDiff } from './editing/effect.ts';

/** What two versions of the document state differently, the gravest first. */
export interface Differences {
  /** The version before: as it is named, or `start`, as the console found the document. */
  readonly before: string;
  /** The version after: as it is named, or empty for the document as it is now. */
  readonly after: string;
  /** What it comes to, in one line. */
  readonly summary: string;
  readonly counts: Diff['counts'];
  readonly groups: readonly {
    readonly class: Class;
    readonly title: string;
    readonly findings: readonly Finding[];
    /** How many more there are. */
    readonly left: number;
  }[];
  readonly effect: Effect;
}

/** So many findings of a class are listed. */
const most = 200;

type Compared = readonly [Diff, Effect];

const compared = once(
  (was: Specification, is: Specification): Promise<Compared> => inTurns(compare(was, is)),
);

function* compare(was: Specification, is: Specification): Steps<Compared> {
  const found = yield* diffInSteps(was, is);
  return [found, yield* effectOfDiff(found, was, is)];
}

/** Compares two versions: `before`, by default that of git's HEAD, else that of the start; and `after`, by default now. */
export async function differences(given: Given, context: Context): Promise<Differences> {
  const named = [given['before'], given['after']].map((one) => (typeof one === 'string' ? one.trim() : ''));
  const [asked = '', after = ''] = named;
  const { specification: is } = after === '' ? context.desk.read() : readSide(after);
  const { specification, before } = asked === '' ? usualBefore(context) : namedBefore(asked, context);
  // The functions of the operator are those of now, whichever version asks for them.
  const was = withHandlersOf(specification, is);
  const [found, effect] = await compared(was, is);
  return {
    before,
    after,
    summary: summary(found),
    counts: found.counts,
    groups: classes.flatMap((one) => {
      const findings = found.findings.filter((finding) => finding.class === one);
      const left = Math.max(0, findings.length - most);
      return findings.length === 0
        ? []
        : [{ class: one, title: titles[one].title, findings: findings.slice(0, most), left }];
    }),
    effect,
  };
}

const withHandlersOf = once(
  (of: Specification, { handlers }: Specification): Specification => (handlers ? { ...of, handlers } : of),
);

interface Before {
  readonly specification: Specification;
  readonly before: string;
}

/** Where git keeps no version of the document, that of the start. */
function usualBefore(context: Context): Before {
  try {
    return namedBefore('HEAD', context);
  } catch (error) {
    if (error instanceof Refused) return namedBefore('start', context);
    throw error;
  }
}

/** `start`, a revision of git's, or a file, a folder or `REVISION:PATH`. */
function namedBefore(before: string, { desk, start }: Context): Before {
  if (before === 'start') {
    if (start === null) throw new Refused('the document could not be read when the console was opened');
    return { specification: start, before };
  }
  if (existsSync(before) || before.includes(':'))
    return { specification: readSide(before).specification, before };
  return { specification: sound(keptIn(before, desk.document), before).specification, before };
}

function readSide(named: string): Reader {
  return sound(side(named), named);
}

/** A version with errors states nothing that could be compared. */
function sound(reader: Reader, named: string): Reader {
  const error = reader.diagnostics.find(({ severity }) => severity === 'error');
  if (error) throw new Refused(`${named} has errors: ${error.message}`);
  return reader;
}
