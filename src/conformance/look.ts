import type { Syntax } from '../expression/expression.ts';
import type { Template } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Answer, Outcome } from '../specification/answer.ts';
import type { Operation } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { foresee } from './foresee/foresee.ts';
import { succeeded } from './guards.ts';
import { type Exchange, jsonOf } from './http.ts';
import { isReadable, itemSeen } from './item.ts';
import { type Lens, lensOf } from './lens.ts';
import { namesFor } from './names.ts';
import { pageOf } from './page.ts';
import { type Item, item } from './partly.ts';
import { type Names, workOut } from './solve.ts';
import type { Attempt, Done, Trial } from './trial.ts';
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
  const json = jsonOf(exchange);
  const asked = attempt.item ?? null;
  const asking = {
    operation,
    request: exchange.request,
    given,
    item: asked,
    ...(attempt.others && { others: attempt.others }),
    ...(attempt.there !== undefined && { there: attempt.there }),
    world: worldOf(trial),
  };
  const plain = namesFor(trial.of, trial.url, asking);
  const { outcome } = foresee(trial.of, operation, plain);
  const names = outcome === null ? plain : new Map(plain).set('outcome', outcome);
  const answer = answerFor(operation, outcome, names);
  const at =
    answer?.body.kind === 'stated' && subject ? shownIn(answer.body.value.template, trial.of, subject) : null;
  const under = stated(answer?.under);
  const isDone = succeeded(exchange, operation).value === true;
  const shown = at && isDone ? dig(json, under === undefined ? at.path : [under, ...at.path]) : undefined;
  const lens = at?.lens ?? null;
  const bare = { operation, given, asked, answer, json, exchange, lens };
  if (subject && stated(operation.does)?.verb === 'list') {
    const entries = Array.isArray(shown)
      ? shown.map((one: Json) => ({
          shown: one,
          lens,
          item: itemSeen(subject, one, undefined, names, [], undefined, lens?.fields),
        }))
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
          leftKnown(operation, attempt),
          names,
          [...headersOf(answer, exchange), ...besides],
          given,
          lens?.fields,
        )
      : (attempt.item ?? null);
  return { ...bare, shown, item, entries: null, names: item ? new Map(names).set('this', item) : names };
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

/** Where in a body the item that `does` is about is shown, or the list of them, and through what. */
export function shownIn(
  template: Template,
  of: Specification,
  resource: Resource,
): { readonly path: readonly (string | number)[]; readonly lens: Lens } | null {
  const inside = (entries: Iterable<readonly [string | number, Template]>) => {
    for (const [step, inner] of entries) {
      const found = shownIn(inner, of, resource);
      if (found) return { ...found, path: [step, ...found.path] };
    }
    return null;
  };
  if (template.kind === 'object') return inside(template.members);
  if (template.kind === 'list') return inside(template.items.entries());
  if (template.kind !== 'expression') return null;
  const { syntax } = template.expression;
  if (syntax.op !== 'call') return null;
  const [name, [of_]] = syntax.args;
  const lens = lensOf(of, name);
  return lens?.resource === resource && of_ && isAtHand(of_) ? { path: [], lens } : null;
}

/** `this`, or `page.items`. */
function isAtHand(syntax: Syntax): boolean {
  if (syntax.op === 'id') return syntax.args === 'this';
  if (syntax.op !== '.') return false;
  const [over, name] = syntax.args;
  return over.op === 'id' && over.args === 'page' && name === 'items';
}

export function dig(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, step) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, step)
        ? (here as { readonly [step: string | number]: Json })[step]
        : undefined,
    value,
  );
}
