import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Answer, Outcome } from '../specification/answer.ts';
import type { Operation } from '../specification/operation.ts';
import { stated } from '../specification/said.ts';
import { foresee } from './foresee/foresee.ts';
import { succeeded } from './guards.ts';
import { type Exchange, jsonOf } from './http.ts';
import { isReadable, itemSeen } from './item.ts';
import { namesFor } from './names.ts';
import { hole, type Item, item, type Partly } from './partly.ts';
import { type Names, workOut } from './solve.ts';
import type { Attempt, Done, Entry, Trial } from './trial.ts';

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
  const json = jsonOf(exchange);
  const asked = attempt.item ?? null;
  const asking = { operation, request: exchange.request, given, item: asked };
  const plain = namesFor(trial.of, trial.url, asking);
  const { outcome } = foresee(trial.of, operation, plain);
  const names = outcome === null ? plain : new Map(plain).set('outcome', outcome);
  const answer = answerFor(operation, outcome, names);
  const at =
    answer?.body.kind === 'stated' && subject ? shownIn(answer.body.value.template, subject.name) : null;
  const isDone = succeeded(exchange, operation).value === true;
  const shown = at && isDone ? dig(json, at) : undefined;
  const bare = { operation, given, asked, answer, json, exchange };
  if (subject && stated(operation.does)?.verb === 'list') {
    const entries = Array.isArray(shown)
      ? shown.map((one: Json) => ({ shown: one, item: itemSeen(subject, one, undefined, names, []) }))
      : null;
    return {
      ...bare,
      shown: entries === null ? undefined : shown,
      item: null,
      entries,
      names: new Map(names).set('page', pageOf(entries)),
    };
  }
  const item =
    subject && isDone
      ? itemSeen(
          subject,
          shown,
          leftKnown(operation, attempt.item),
          names,
          headersOf(answer, exchange),
          given,
        )
      : (attempt.item ?? null);
  return { ...bare, shown, item, entries: null, names: item ? new Map(names).set('this', item) : names };
}

/** What stays known of an item that a request was carried out on: of one that it may have changed, who it is. */
function leftKnown(operation: Operation, asked: Item | undefined): Item | undefined {
  const verb = stated(operation.does)?.verb;
  if (asked === undefined || verb === undefined || ['create', 'read', 'delete'].includes(verb)) return asked;
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

/** What `page` offers (language §4.2): a list with no paging stated is sent whole, so its total is seen. */
function pageOf(entries: readonly Entry[] | null): Partly {
  const rest = ['size', 'offset', 'number', 'next', 'previous', 'links'].map(
    (name) => [name, hole()] as const,
  );
  const items = entries === null ? hole({ list: true }) : entries.map(({ item }) => item);
  return { items, total: entries === null ? hole() : entries.length, ...Object.fromEntries(rest) };
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

/** Where in a body an item, or the list of them, is shown by the resource's name; null where it is not. */
export function shownIn(template: Template, name: string): readonly (string | number)[] | null {
  const inside = (entries: Iterable<readonly [string | number, Template]>) => {
    for (const [step, inner] of entries) {
      const found = shownIn(inner, name);
      if (found) return [step, ...found];
    }
    return null;
  };
  if (template.kind === 'object') return inside(template.members);
  if (template.kind === 'list') return inside(template.items.entries());
  if (template.kind !== 'expression') return null;
  const { syntax } = template.expression;
  return syntax.op === 'call' && syntax.args[0] === name ? [] : null;
}

function dig(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, step) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, step)
        ? (here as { readonly [step: string | number]: Json })[step]
        : undefined,
    value,
  );
}
