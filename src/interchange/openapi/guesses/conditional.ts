import type { Json } from '../../../source/node.ts';
import { step } from '../../../specification/reading/address.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import type { Places } from '../place.ts';
import type { Meant } from './meant.ts';

/** What a status refuses where `If-Match` is judged (RFC 9110 §15.5.13, RFC 6585 §3). */
const refusing: Readonly<Record<number, Json>> = {
  412: ['precondition failed'],
  428: ['precondition missing'],
};

const changing: readonly Meant['verb'][] = ['update', 'replace', 'delete'];

/**
 * Preconditions by tags (RFC 9110 §13.1.1). A change of an item with a header parameter `If-Match` and an answer with 412 judges
 * that field. What reads the item has a tag, if its answer has a header `ETag`. Which tag, and when it changes, nobody says.
 */
export function ofConditions(meant: ReadonlyMap<Described, Meant>, places: Places): readonly Guess[] {
  const judged = [...meant].filter(([operation, what]) => isJudged(operation, what));
  const names = new Set(judged.map(([, { kept }]) => kept.name));
  const tagged = [...meant].filter(
    ([operation, { verb, kept }]) => verb === 'read' && names.has(kept.name) && hasTag(operation, places),
  );
  const guess = ({ key }: Described, value: Json, why: string): Guess => ({
    at: `${step('endpoints', key)}.conditional`,
    value,
    why,
    confidence: 'high',
  });
  return [
    ...tagged.map(([operation]) => guess(operation, { etag: '(any)' }, 'its answer has the header ETag')),
    ...judged.map(([operation]) =>
      guess(
        operation,
        { etag: '(any)', ifMatch: isAsked(operation) ? 'required' : 'allowed' },
        'it has the parameter If-Match, and an answer with 412 (RFC 9110 §13.1.1)',
      ),
    ),
  ];
}

/** What a status refuses, if all operations that list it judge `If-Match`; undefined: nobody can say. */
export function conditionOf(
  status: number,
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
): Json | undefined {
  const isSure = operations
    .filter((operation) => lists(operation, String(status)))
    .every((operation) => {
      const what = meant.get(operation);
      return what !== undefined && isJudged(operation, what) && (status !== 428 || isAsked(operation));
    });
  return isSure ? refusing[status] : undefined;
}

function isJudged(operation: Described, { verb, isVague }: Meant): boolean {
  return changing.includes(verb) && isVague !== true && takesTag(operation) && lists(operation, '412');
}

/** Whether a request without the field is refused with a status of its own. */
function isAsked(operation: Described): boolean {
  return lists(operation, '428') && takesTag(operation);
}

function takesTag({ parameters }: Described): boolean {
  return parameters.some((each) => each.in === 'header' && /^if-match$/i.test(each.name));
}

function lists({ failures }: Described, status: string): boolean {
  return failures.some((each) => each.status === status);
}

function hasTag({ successes }: Described, places: Places): boolean {
  return successes
    .slice(0, 1)
    .some(({ place }) =>
      places.members(places.member(place, 'headers')).some(([name]) => /^etag$/i.test(name)),
    );
}
