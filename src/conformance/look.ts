import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { Answer, Outcome } from '../specification/vocabulary/answer.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import { foresee } from './foresee/foresee.ts';
import { asKept, closed, doesJustThat, succeeded } from './guards.ts';
import { type Exchange, jsonOf } from './http.ts';
import { isReadable, itemSeen, membersOf, tellsAll } from './item.ts';
import type { Lens } from './lens.ts';
import { asItCame, isOther } from './media/came.ts';
import { namesFor } from './names.ts';
import { pageOf } from './page.ts';
import { type Item, isItem, item } from './partly.ts';
import { dig, showingOf, shownAt } from './shown-in.ts';
import { type Names, workOut } from './solve.ts';
import type { Attempt, Done, Entry, Trial } from './trial.ts';
import { all } from './verdict.ts';
import { worldOf } from './world.ts';

/** What `does` usually comes to where it is carried out (language §H.3). */
export function outcomeOf(operation: Operation): Outcome | null {
  const outcomes: Readonly<Record<string, Outcome | null>> = {
    create: 'created',
    delete: 'deleted',
    read: null,
    list: null,
    authenticate: null,
  };
  const verb = stated(operation.does)?.verb;
  if (verb === undefined) return null;
  return Object.hasOwn(outcomes, verb) ? (outcomes[verb] as Outcome | null) : 'changed';
}

/** What an answer tells: the answer that was due, what it shows, and what it gives away of the item. */
export function look(trial: Trial, operation: Operation, attempt: Attempt, exchange: Exchange): Done {
  const { subject } = operation;
  const given = attempt.raw === undefined ? attempt.body : undefined;
  const asked = attempt.item ?? null;
  const asking = {
    operation,
    request: exchange.request,
    given,
    item: asked,
    ...(attempt.others && { others: attempt.others }),
    ...(attempt.there !== undefined && { there: attempt.there }),
    world: worldOf(trial),
    ...(attempt.as !== undefined && { as: attempt.as }),
  };
  const plain = namesFor(trial, asking);
  const { outcome, after } = foresee(trial.of, operation, plain);
  const names = outcome === null ? plain : new Map(plain).set('outcome', outcome);
  const become = after && isDetermined(trial.of, operation) ? keptOf(after) : null;
  const due = answerFor(operation, outcome, become ? new Map(names).set('this', become) : names);
  const answer = due && asItCame(due, exchange);
  const json = isOther(answer) ? undefined : jsonOf(exchange);
  const at =
    answer?.body.kind === 'stated' && subject
      ? showingOf(answer.body, answer.body.value.template, trial.of, subject)
      : null;
  const under = stated(answer?.under);
  const isDone = succeeded(exchange, operation).value === true;
  const shown = at && isDone ? shownAt(at, under, json) : undefined;
  const lens = at?.lens ?? null;
  const bare = { operation, given, asked, answer, json, exchange, lens };
  if (subject && stated(operation.does)?.verb === 'list') {
    const entries = Array.isArray(shown)
      ? tellsAll(subject, lens?.fields ?? subject.fields)
        ? entriesKnown(subject, lens)(shown)
        : shown.map((one: Json) => entryOf(subject, lens, one, names))
      : null;
    return {
      ...bare,
      shown: entries === null ? undefined : shown,
      item: null,
      entries,
      names: new Map(names).set('page', pageOf(operation, entries, names)),
    };
  }
  // What stands elsewhere in the body tells of the item, too.
  const whole = isDone && answer?.body.kind === 'stated' ? answer.body.value.template : null;
  const content = under === undefined ? json : dig(json, [under]);
  const besides: [Template, Json][] = whole && content !== undefined ? [[whole, content]] : [];
  const item =
    subject && isDone
      ? itemSeen(
          subject,
          shown,
          become ? withKnown(become, leftKnown(operation, attempt)) : leftKnown(operation, attempt),
          names,
          [...headersOf(answer, exchange), ...besides],
          broughtOf(trial.of, operation, given),
          lens?.fields,
        )
      : (attempt.item ?? null);
  return { ...bare, shown, item, entries: null, names: item ? new Map(names).set('this', item) : names };
}

/** Of what was given, what the operation's body brings: any other member is as one that nobody stated (language §E.4). */
function broughtOf(of: Specification, operation: Operation, given: Json | undefined): Json | undefined {
  const [body, members] = [bodyOf(of, operation), membersOf(given)];
  if (!body || !members || body.name !== operation.subject?.name) return given;
  return Object.fromEntries(Object.entries(members).filter(([name]) => body.fields.has(name)));
}

function entryOf(subject: Resource, lens: Lens | null, shown: Json, names: Names): Entry {
  return { shown, lens, item: itemSeen(subject, shown, undefined, names, [], undefined, lens?.fields) };
}

/** Reads lists of a resource; each list, and each element, is read once. */
const entriesKnown = once((subject: Resource, lens: Lens | null) => {
  const entryKnown = once((shown: Json) => entryOf(subject, lens, shown, new Map()));
  return once((shown: readonly Json[]): readonly Entry[] => shown.map((one) => entryKnown(one)));
});

/** Whether what an item becomes follows from what is stated, and nothing may be stated that adds to it (language §F.3). */
const isDetermined = once((of: Specification, operation: Operation): boolean => {
  const { subject } = operation;
  const resource = subject && all(closed(of, `${subject.address}.fields`), asKept(of, subject));
  return resource?.value === true && doesJustThat(of, operation).value === true;
});

/** What is foreseen of an item as it is kept; what is taken in otherwise than it is given is not told. */
function keptOf({ resource, known, absent, foreseen }: Item): Item {
  const isPlain = (name: string): boolean => {
    const field = resource.fields.get(name);
    return field?.taken.kind === 'open' && field.secret.kind === 'open';
  };
  return item(
    resource,
    [...known].filter(([name]) => isPlain(name)),
    [...absent].filter(isPlain),
    [...foreseen].filter(([, value]) => isItem(value)),
  );
}

function withKnown(become: Item, left: Item | undefined): Item {
  return left
    ? item(become.resource, [...left.known, ...become.known], become.absent, become.foreseen)
    : become;
}

/** What stays known of an item that a request was carried out on: of one that it may have changed, who it is. */
function leftKnown(operation: Operation, { item: asked, there }: Attempt): Item | undefined {
  const verb = stated(operation.does)?.verb;
  const keeps = ['create', 'read', 'delete'].includes(verb ?? '') && !there;
  if (asked === undefined || verb === undefined || keeps) return asked ?? (there || undefined);
  const { resource, known } = asked;
  const names = (stated(resource.identifier) ?? []).map((name) => name.text);
  const hidden = [...resource.fields.values()]
    .filter((field) => !isReadable(field))
    .map((field) => field.name);
  return item(
    resource,
    [...known].filter(([name]) => names.includes(name) || hidden.includes(name)),
    [],
  );
}

/** A header field as stated, beside what was received. */
function headersOf(answer: Answer | null, { response }: Exchange): [Template, string][] {
  return [...((answer && stated(answer.headers)) ?? [])].flatMap(([name, said]) => {
    const received = response?.headers.find(([key]) => key.toLowerCase() === name.toLowerCase());
    return said.kind === 'stated' && received ? [[said.value.template, received[1]]] : [];
  });
}

/** The answer to send for an outcome: the first that holds (language §H.3); null where that cannot be told. */
export function answerFor(operation: Operation, outcome: Outcome | null, names: Names): Answer | null {
  for (const answer of stated(operation.response) ?? []) {
    const { when } = answer;
    if (when.kind !== 'stated') return answer;
    if (when.value.kind === 'outcomes') {
      if (outcome !== null && when.value.outcomes.includes(outcome)) return answer;
    } else {
      const holds = workOut(when.value.expression.template, names);
      if (holds === true) return answer;
      if (holds !== false) return null;
    }
  }
  return null;
}
