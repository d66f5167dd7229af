import { step } from '../../../specification/reading/address.ts';
import { plainName } from '../../recognise/collections.ts';
import type { Guess } from '../../recognise/guess.ts';
import type { Answer, Described } from '../operations.ts';
import { type Places, textIn } from '../place.ts';
import { propertiesOf } from '../shape.ts';
import type { Meant } from './meant.ts';
import { givenIn, typesOf } from './taken.ts';

/** How people say that another item has the value: "There is a vehicle with this plate", "The email is already taken". */
const said = [
  /\b(?:with|has|have|uses|using|by) (?:this|that|the same|the given|such an?) `?([A-Za-z_]\w*)`?(?: address| already| already exists| exists)?$/i,
  /^(?:the |this |that )?`?([A-Za-z_]\w*)`? (?:is|has been|was) (?:already )?(?:taken|in use|used|registered|known|not unique)(?: already)?(?: by an?other \w+)?$/i,
  /^(?:the |this |that )?`?([A-Za-z_]\w*)`? (?:already exists|exists already|must be unique)$/i,
];

/** A member of which no two items have the same value, since the description says so of the answer with 409. */
interface Unique {
  readonly resource: string;
  readonly member: string;
  readonly sentence: string;
}

/** What the operations that make or replace items refuse with 409, by what their answers tell people. */
export function uniqueIn(
  meant: ReadonlyMap<Described, Meant>,
  places: Places,
): ReadonlyMap<Described, Unique> {
  const found = new Map<Described, Unique>();
  for (const [operation, what] of meant) {
    const refusal = operation.failures.find(({ status }) => status === '409');
    const unique = refusal && uniqueBy(refusal, operation, what, places);
    if (unique) found.set(operation, unique);
  }
  return found;
}

function uniqueBy(
  { place }: Answer,
  { body }: Described,
  { verb, kept, isVague }: Meant,
  places: Places,
): Unique | undefined {
  if (!['create', 'replace', 'update'].includes(verb) || isVague) return undefined;
  const sentence = (textIn(place, 'description') ?? '').trim().replace(/\.$/, '');
  // Of several reasons, nobody knows which is meant.
  if (/[,;.]|\b(?:and|or)\b/i.test(sentence)) return undefined;
  const name = said.map((form) => form.exec(sentence)?.[1]).find((each) => each !== undefined);
  if (name === undefined) return undefined;
  const [member, schema] =
    [...propertiesOf(kept.schema, places)].find(([each]) => plainName(each) === plainName(name)) ?? [];
  const types = schema && typesOf(places.followed(schema), places);
  const isPlain = types?.every((type) => ['string', 'integer'].includes(type));
  if (member === undefined || !isPlain || givenIn(body, member, places) === 'never') return undefined;
  return { resource: kept.name, member, sentence };
}

/** That no two items have the same value: of the identifier, that is so anyway. */
export function ofUnique(meant: ReadonlyMap<Described, Meant>, places: Places): readonly Guess[] {
  const keys = new Map([...meant].map(([, { kept }]) => [kept.name, kept.key]));
  const found = new Map<string, Guess>();
  for (const { resource, member, sentence } of uniqueIn(meant, places).values()) {
    const at = `${step(`${step('resources', resource)}.fields`, member)}.unique`;
    const why = `the answer with 409 says so: ${sentence}`;
    if (keys.get(resource) !== member) found.set(at, { at, value: true, why, confidence: 'high' });
  }
  return [...found.values()];
}

/** Whether 409 refuses only what another item has, whichever operation lists it. */
export function isOfUnique(
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
  places: Places,
): boolean {
  const unique = uniqueIn(meant, places);
  const those = operations.filter(({ failures }) => failures.some(({ status }) => status === '409'));
  return those.length > 0 && those.every((each) => unique.has(each));
}
