import { step } from '../../../specification/reading/address.ts';
import { plainName } from '../../recognise/collections.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Described } from '../operations.ts';
import { type Place, textIn } from '../place.ts';
import { propertiesOf, type Shaping } from '../shape.ts';
import type { Meant } from './meant.ts';
import { typesOf } from './taken.ts';

/** What comes first is called so; of numbers and times, the greater ones. */
const greater = /\b(newest|latest|most recent\w*|highest|largest|greatest|biggest|descending|reverse)\b/i;

const sorted = /\b(?:sorted|sort|ordered|order)\b.*?\bby (?:the |their |its )?`?([A-Za-z_]\w*)/i;
const byFirst =
  /\bby `?([A-Za-z_]\w*)`?,? (?:newest|latest|oldest|earliest|soonest|highest|largest|lowest|smallest) first\b/i;
const extreme = /\b(?:highest|largest|greatest|biggest|lowest|smallest|least) `?(\w+)`? first\b/i;
const aged = /\b(?:newest|latest|most recent\w*|oldest|earliest)(?: \w+)? first\b/i;
const asMade =
  /\bin (?:the )?order (?:of (?:their )?(?:creation|registration)|(?:in which|that) they (?:were|are) \w+)/i;

/** Members that say when an item was made. */
const times = ['created', 'added', 'registered', 'inserted', 'posted', 'written'];

/**
 * The order of a list, as its author tells people: "newest first", "sorted by `name`". Null: nobody tells it, or it hangs on a
 * parameter.
 */
export function orderOf(operation: Described, { kept }: Meant, { places }: Shaping): Guess | null {
  const { place, successes, parameters } = operation;
  if (parameters.some(({ name }) => /^(sort|order)/i.test(name))) return null;
  const texts = [place, ...successes.slice(0, 1).map((answer) => answer.place)].flatMap((each) =>
    ['summary', 'description'].map((name) => textIn(each, name) ?? ''),
  );
  const members = [...propertiesOf(kept.schema, places)]
    .map(([name, each]) => [name, places.followed(each)] as const)
    .filter(([, each]) =>
      typesOf(each, places)?.every((type) => ['string', 'integer', 'number'].includes(type)),
    );
  const said = texts
    .flatMap((text) => text.split(/[.;\n]/))
    .map((sentence) => [sentence.trim(), memberIn(sentence, members, kept.key)] as const)
    .find(([, member]) => member !== undefined);
  if (said === undefined) return null;
  const [sentence, member] = said;
  const schema = members.find(([name]) => name === member)?.[1];
  // Whether case and accents count in the order of texts, no author says.
  const isText =
    schema && textIn(schema, 'type') === 'string' && !textIn(schema, 'format')?.startsWith('date');
  return {
    at: `${step('endpoints', operation.key)}.does.order`,
    value: [`${greater.test(sentence) ? '-' : ''}${member}`],
    why: `its author says so: ${sentence}`,
    confidence: isText ? 'stand-in' : 'high',
  };
}

/** By which member a sentence says that items are sorted; undefined: it does not say so. */
function memberIn(
  sentence: string,
  members: readonly (readonly [string, Place])[],
  key: string,
): string | undefined {
  const [, name] = sorted.exec(sentence) ?? byFirst.exec(sentence) ?? extreme.exec(sentence) ?? [];
  if (name !== undefined) return members.find(([member]) => plainName(member) === plainName(name))?.[0];
  if (!aged.test(sentence) && !asMade.test(sentence)) return undefined;
  const made = members.find(([member]) =>
    times.some((time) => new RegExp(`^${time}(at|on|date|time)?$`, 'i').test(plainName(member))),
  );
  const numbered = members.find(([member, each]) => member === key && textIn(each, 'type') === 'integer');
  return (made ?? numbered)?.[0];
}
