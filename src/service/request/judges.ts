import type { Frame } from '../../expression/compile.ts';
import { worked } from '../../expression/values.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { answerByMedia, mediaAmong } from '../../specification/vocabulary/answer.ts';
import { type ConditionName, conditionNames } from '../../specification/vocabulary/condition.ts';
import type { Proofs } from '../access/proofs.ts';
import type { Who } from '../access/who.ts';
import { accepts } from '../http/accept.ts';
import type { Judge } from '../judge/judge.ts';
import type { Refusals } from '../judge/refusals.ts';
import type { Presented } from '../message/frame.ts';
import type { Incoming } from '../message/incoming.ts';
import { type Checked, type Failing, type Refusal, refuse } from '../message/refusal.ts';
import type { Row } from '../store/store.ts';
import type { Doing } from '../transaction/doing.ts';
import { type Found, itemsFound } from '../transaction/found.ts';
import type { Acted } from './act.ts';
import type { Attempt } from './repeats.ts';

type Names = Readonly<Record<string, unknown>>;

/** What is known of a request while its reasons to be refused are judged. */
export interface Trial {
  readonly frame: (names: Names) => Frame;
  /** What of it cannot be read: `body`, `query.page`. */
  readonly unreadable: readonly string[];
  readonly foreign: boolean;
  /** Whether its content is more than is stated that it may be (language §8.3). */
  readonly oversized: boolean;
  /** The media types that the client takes, as it says so. */
  readonly accept: string | undefined;
  readonly parameters: Checked | null;
  readonly body: Checked | null;
  readonly incoming: Incoming;
  readonly presented: Presented;
  /** The request as a repeat of others; null where keys are not looked at. */
  readonly attempt: Attempt | null;
  /** What is kept; null before that is looked at. */
  readonly within: Within | null;
}

/** A request's change, while it is carried out. */
export interface Within {
  readonly doing: Doing;
  readonly who: Who;
  readonly proofs: Proofs;
  /** Whether it is about several items, of which a rule leaves some out. */
  readonly isSeveral: boolean;
  /** The items that the request is about, as they were. */
  readonly found: () => Found;
  /** Carries the change out, once: what stands against it is in `doing`. */
  readonly change: () => Acted;
  /** The item that a `create` would meet; null: there is none. */
  readonly meets: () => Row | null;
  /** What is wrong with what the request asks of a list. */
  readonly list: () => readonly Failing[];
}

const no: readonly Refusal[] = [];
const one = (refusal: Refusal): readonly Refusal[] => [refusal];
const simple = { code: null, kept: false, byChange: false } as const;

/** What only the change tells (language §H.4, 9, 13 and 14). */
const told: readonly ConditionName[] = [
  'invalid',
  ...conditionNames.slice(conditionNames.indexOf('transition refused'), conditionNames.indexOf('expression')),
];

/** What an operation is like, as far as its reasons to refuse hang on it. */
interface Kind {
  /** Whether it looks for an item that may not be there. */
  readonly seeks: boolean;
  /** The resources of which the path names an item that is gone; null: no row tells of any. */
  readonly gone: ((doing: Doing) => readonly string[]) | null;
  /** The names that its path binds. */
  readonly names: readonly string[];
  readonly writes: boolean;
  /** Whether what is asked of its list is held against what is kept. */
  readonly list: boolean;
  readonly takesBody: boolean;
}

/** Every reason for which an operation may refuse a request, but for those that its parts bring themselves. */
export function judgesOf(
  operation: Operation,
  refusals: Refusals,
  { seeks, gone, names, writes, list, takesBody }: Kind,
): Judge<Trial>[] {
  // What an expression gives is not known before there is an answer.
  const media = (stated(operation.response) ?? [])
    .flatMap(answerByMedia)
    .flatMap(({ media: said }) => (said.kind === 'stated' ? (mediaAmong(said) ?? ['*/*']) : []));
  const judges: Judge<Trial>[] = [
    {
      ...simple,
      condition: 'malformed',
      refuses: (trial) => trial.unreadable.map((place) => refuse('malformed', place)),
    },
    {
      ...simple,
      condition: 'invalid',
      refuses: ({ parameters, body }) => {
        if (parameters === null && body === null) return no;
        const held = parameters?.held ?? body?.held;
        return held ?? invalid([...(parameters?.failures ?? []), ...(body?.failures ?? [])]);
      },
    },
  ];
  if (takesBody)
    judges.push({
      ...simple,
      condition: 'unsupported media',
      refuses: (trial) => (trial.foreign ? one(refuse('unsupported media')) : no),
    });
  if (list)
    judges.push({
      ...simple,
      condition: 'invalid',
      kept: true,
      refuses: ({ within }) => invalid(within?.list() ?? []),
    });
  // Only where a row lists it (language §H.4), and where there is content to take.
  if (refusals.lists('not acceptable') && media.length > 0)
    judges.push({
      ...simple,
      condition: 'not acceptable',
      refuses: ({ accept }) => (accepts(accept, media) ? no : one(refuse('not acceptable'))),
    });
  if (seeks)
    judges.push({
      ...simple,
      condition: 'unknown',
      kept: true,
      refuses: ({ within }) => {
        const missing = within?.found().missing ?? [];
        if (within === null || missing.length === 0) return no;
        const known = gone?.(within.doing) ?? [];
        return missing.flatMap((name) => (known.includes(name) ? [] : [refuse('unknown', name)]));
      },
    });
  if (gone)
    judges.push({
      ...simple,
      condition: 'gone',
      kept: true,
      refuses: ({ within }) => {
        const missing = within?.found().missing ?? [];
        if (within === null || missing.length === 0) return no;
        return gone(within.doing).flatMap((name) => (missing.includes(name) ? [refuse('gone', name)] : []));
      },
    });
  if (writes)
    for (const condition of told)
      judges.push({
        ...simple,
        condition,
        kept: true,
        byChange: true,
        refuses: ({ within, foreign, unreadable, oversized, body }) => {
          // Of a body that does not fit, it is not said what its change would meet (language §H.4, rule 8).
          const wrong = body !== null && (body.held !== null || body.failures.length > 0);
          if (
            within === null ||
            foreign ||
            unreadable.length > 0 ||
            oversized ||
            wrong ||
            within.found().isUnsought ||
            within.found().missing.length > 0
          )
            return no;
          within.change();
          const { held, refusals: met } = within.doing.found;
          if (held.length > 0) return { held };
          return met.length === 0 ? no : met.filter((refusal) => refusal.condition === condition);
        },
      });
  for (const { code, run, reads, follows } of refusals.own) {
    // A function may read every item that is found, and is asked only where all of them are.
    const isFree = reads === null;
    const about = [...names, 'this', 'old'].filter((name) => isFree || reads.has(name));
    const refusal = one({ ...refuse('expression'), code });
    judges.push({
      ...simple,
      condition: 'expression',
      code,
      kept:
        isFree ||
        follows ||
        about.length > 0 ||
        [...reads].some((name) => name === 'now' || name === 'actor' || isResource(name)),
      refuses: (trial) => {
        const known =
          about.length > 0 && trial.within ? itemsFound(trial.within.doing, trial.within.found()) : {};
        const isMissing = isFree
          ? (trial.within?.found().missing.length ?? 0) > 0
          : about.some((name) => (known[name] ?? null) === null);
        if (isMissing) return no;
        // An expression that cannot be worked out refuses nothing (language §H.4).
        return worked(() => run(trial.frame(known))) === true ? refusal : no;
      },
    });
  }
  return judges;
}

function invalid(failures: readonly Failing[]): readonly Refusal[] {
  return failures.length > 0 ? [{ ...refuse('invalid'), failures }] : no;
}

/** A name with a capital letter is a resource, and stands for the set of its items (language §G.2). */
function isResource(name: string): boolean {
  return /^[A-Z]/.test(name);
}
