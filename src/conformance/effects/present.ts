import { equal } from '../../expression/functions.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Answer, Outcome } from '../../specification/vocabulary/answer.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { type Check, type Scenario, scenario, Unreached } from '../check.ts';
import { bodies } from '../foresee/bodies.ts';
import { carryOut, courseTo } from '../foresee/course.ts';
import { foresee, reasonsIn } from '../foresee/foresee.ts';
import { refreshed, withNewKeys } from '../foresee/going.ts';
import { thereName } from '../foresee/present.ts';
import type { Step } from '../foresee/tree.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { answerFor } from '../look.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { create, perform } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { isAboutOne } from '../request.ts';
import { fieldSchema } from '../schema.ts';
import { machinesOf } from '../states/machines.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { type Attempt, type Done, restsOf, type Trial } from '../trial.ts';
import { all, known } from '../verdict.ts';
import { placeOf } from '../world.ts';
import { becomes } from './becomes.ts';
import {
  entriesOf,
  followed,
  isDoneBy,
  type Lived,
  leavesOthers,
  listTells,
  live,
  readsTheSame,
} from './listing.ts';

/** Two requests for one item: what the first gives, and what the second does. */
interface Pair {
  readonly label: string;
  readonly first: Json | undefined;
  readonly second: Json | undefined;
  /** What takes the item to another state in between. */
  readonly course?: readonly Step[];
}

/** `present`: an item is made that is there already (language §H.2). */
export function againThere(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { present } = stated(operation.does)?.qualifiers ?? {};
  if (present?.kind !== 'stated') return [];
  const cites = { address: present.address, at: present.at };
  return pairs(trial, operation).map((pair) => {
    const { outcome, reasons, answer } = foreseen(trial, operation, pair);
    const says = `${operation.key} of ${withArticle(resource.name)} that is there, ${pair.label},`;
    return reasons.length > 0
      ? refused(trial, operation, resource, pair, says, cites)
      : done(trial, operation, resource, pair, says, cites, outcome, answer);
  });
}

/** The same again, with less and with more, and with one member another or left out. */
function pairs(trial: Trial, operation: Operation): readonly Pair[] {
  const [most, least] = bodies(trial, operation);
  const body = bodyOf(trial.of, operation);
  const members = membersOf(most);
  const all: Pair[] = [{ label: 'with the same', first: most, second: most }];
  if (body === null || members === undefined) return all;
  const keys = (operation.subject && stated(operation.subject.identifier))?.map(({ text }) => text) ?? [];
  const required = (body.schema['required'] ?? []) as readonly string[];
  const fields = [...body.fields.values()].filter(
    ({ name }) => !keys.includes(name) && Object.hasOwn(members, name),
  );
  const without = (name: string): Json =>
    Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
  all.push(
    { label: 'with what is required alone', first: most, second: least },
    { label: 'with the same little', first: least, second: least },
    {
      label: 'with the defaults in so many words',
      first: least,
      second: withDefaults(trial, operation, least),
    },
  );
  for (const field of fields) {
    const value = otherThan(trial, field, members[field.name] as Json);
    if (value !== undefined)
      all.push({
        label: `with another ${field.name}`,
        first: most,
        second: { ...members, [field.name]: value },
      });
    if (required.includes(field.name)) continue;
    // What is left out is not to become what it would be by default.
    const isDefault = equal(stated(field.default), members[field.name] as Json);
    const first = isDefault && value !== undefined ? { ...members, [field.name]: value } : most;
    all.push({ label: `without ${field.name}`, first, second: without(field.name) });
  }
  for (const { resource, field, states } of operation.subject ? machinesOf(trial.of, operation.subject) : [])
    for (const state of states) {
      const course = courseTo(trial, resource, field, state);
      if (course) all.push({ label: `where its ${field} is ${state}`, first: most, second: most, course });
    }
  return all;
}

/** Another value that a field may hold; undefined where none is found. */
function otherThan({ tools, of }: Trial, field: Field, value: Json): Json | undefined {
  for (let i = 0; i < 20; i++) {
    const other = tools.valid(fieldSchema(of, field), 'most');
    if (other !== undefined && !equal(other, value)) return other;
  }
  return undefined;
}

/** A body with the defaults given in so many words. */
function withDefaults({ of }: Trial, operation: Operation, body: Json | undefined): Json | undefined {
  const fields = [...(bodyOf(of, operation)?.fields.values() ?? [])];
  const defaults = fields.flatMap((field) =>
    field.default.kind === 'stated' ? [[field.name, field.default.value] as const] : [],
  );
  return body === undefined ? body : { ...Object.fromEntries(defaults), ...membersOf(body) };
}

function foreseen(trial: Trial, operation: Operation, pair: Pair) {
  const { first, second } = pair;
  const before = foresee(trial.of, operation, namesFor(trial, { operation, request: null, given: first }));
  const names = namesFor(trial, { operation, request: null, given: second });
  const there = pair.course?.at(-1)?.foreseen.after ?? before.after;
  const found = foresee(trial.of, operation, there ? new Map(names).set(thereName, there) : names);
  const shown = found.after ?? there;
  const answer = answerFor(operation, found.outcome, shown ? new Map(names).set('this', shown) : names);
  return { outcome: found.outcome, reasons: reasonsIn(found), answer };
}

/** Makes the item that is to be there. Throws `Unreached` where it cannot be made. */
async function there(trial: Trial, operation: Operation, { first, course }: Pair): Promise<Item> {
  if (course && operation.subject) return await carryOut(trial, operation.subject, course);
  const made = await create(trial, operation, withNewKeys(trial, operation, first));
  if (made.item === null || succeeded(made.exchange, operation).value !== true)
    throw new Unreached(`no ${operation.subject?.name} could be made to be there`);
  return await refreshed(trial, made, made.item);
}

/** The second request: for the same identifier, in the path or in the body. */
async function again(trial: Trial, operation: Operation, { second }: Pair, item: Item): Promise<Done> {
  const keys = (stated(item.resource.identifier) ?? []).flatMap(({ text }): [string, Json][] => {
    const value = item.known.get(text);
    return bodyOf(trial.of, operation)?.fields.has(text) && value !== undefined ? [[text, value]] : [];
  });
  const body =
    second === undefined ? second : ({ ...membersOf(second), ...Object.fromEntries(keys) } as Members);
  const others = trial.around.get(placeOf(item));
  const attempt: Attempt = {
    ...(isAboutOne(operation) && { item }),
    ...(others && { others }),
    ...(body !== undefined && { body }),
    there: item,
    keepsKey: true,
  };
  return await perform(trial, operation, attempt);
}

function done(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  pair: Pair,
  says: string,
  cites: Check<Lived>['cites'],
  outcome: Outcome | null,
  answer: Answer | null,
): Scenario {
  const once: Check<Lived> = {
    name: 'present.once',
    says: `${says} leaves one of it`,
    cites,
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        listTells(trial, resource, seen.after),
        followed(seen.after),
        doesJustThat(trial.of, operation),
      ),
    claim: ({ after = [], before = [], item }) => {
      const count = entriesOf(after, item, { shown: undefined, lens: null }).length;
      return {
        truth: known(count === 1 && after.length === before.length),
        expected: `once in a list of ${before.length}`,
        found: `${count} times in a list of ${after.length}`,
      };
    },
  };
  const observe = async (): Promise<Lived> => {
    const item = await there(trial, operation, pair);
    return await live(trial, resource, operation, () => again(trial, operation, pair, item));
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, says, Object.keys(membersOf(pair.second) ?? {}), cites),
    ...looksAsStated(trial, operation, outcome, answer ?? undefined),
    becomes(trial, operation, resource, says, cites),
    ...(isDoneBy(trial, resource, 'list') ? [once] : []),
    ...leavesOthers(trial, operation, resource),
    ...readsTheSame(trial, operation, resource),
  ]);
}

function refused(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  pair: Pair,
  says: string,
  cites: Check<Lived>['cites'],
): Scenario {
  const reason: Reason = { name: 'different', subject: resource.name, failures: [] };
  return refusing(trial, {
    says,
    operation,
    cites,
    reasons: [reason],
    must: mustRefuse(trial.of, operation, reason),
    members: Object.keys(membersOf(pair.second) ?? {}),
    item: () => there(trial, operation, pair),
    send: async (item) => await again(trial, operation, pair, item as Item),
  });
}
