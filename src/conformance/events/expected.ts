import type { Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { step } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { foresee } from '../foresee/foresee.ts';
import { closed, stating, succeeded } from '../guards.ts';
import type { Header } from '../http.ts';
import { hole, isHole, type Partly } from '../partly.ts';
import { dig } from '../shown-in.ts';
import { type Names, workOut } from '../solve.ts';
import { before } from '../success.ts';
import type { Done, Trial } from '../trial.ts';
import { fitsField, unify } from '../unify.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';
import { emittersOf, kindsOf, type Stated, surely } from './kinds.ts';
import type { Told } from './told.ts';

/** What part 6 and one of its ways say of the events that come by it. */
export interface Telling {
  readonly trial: Trial;
  readonly events: Events;
  readonly delivery: Delivery;
}

/** Whether nothing comes by a way but what is told from when it is observed; else what was told before may come late. */
export function isFresh({ delivery }: Telling): boolean {
  return (
    delivery.kind === 'stream' || (delivery.kind === 'webhook' && stated(delivery.webhook)?.kind === 'field')
  );
}

/** An event that a change should emit, as far as it can be told. */
export interface Expected extends Stated {
  readonly by: string;
  /** What the expressions of its kind read: `this`, `old`, `actor` and `event.by` (language §6.1). */
  readonly names: Names;
  readonly done: Done;
  /** Whether it is to be emitted. */
  readonly due: Truth;
}

/** What a request should emit, of each kind that names it or a move that it asks for, in listed order. */
export function expectedOf({ trial, events }: Telling, done: Done): readonly Expected[] {
  const { operation, names } = done;
  const isGone = names.get('outcome') === 'deleted';
  const about: Names = new Map(names)
    .set('this', (isGone ? done.asked : done.item) ?? hole())
    .set('old', names.get('outcome') === 'created' ? null : (done.asked ?? hole()));
  const bys = surely(operation, foresee(trial.of, operation, before(done)));
  return kindsOf(events).flatMap((one) => {
    const by = emittersOf(one.kind).find((name) => bys.includes(name));
    if (by === undefined) return [];
    const own = new Map(about).set('event', { by });
    const due = all(
      succeeded(done.exchange, operation),
      changed(done),
      dueBy(trial, one, own),
      deliverable(events, one),
    );
    return [{ ...one, by, names: own, done, due }];
  });
}

/** Whether the operation changed something: where nothing is, nothing is told. */
function changed({ names, operation }: Done): Truth {
  const outcome = names.get('outcome');
  const isSilent = outcome === null || outcome === 'unchanged';
  if (outcome === undefined || isHole(outcome) || (isSilent && operation.endpoint.also.kind !== 'open'))
    return unseen('whether anything was changed cannot be told');
  return known(!isSilent, 'nothing was changed');
}

/** Whether a kind is to be emitted of a change. Where nothing says when, and no more can be stated of the kind: always. */
export function dueBy({ of }: Trial, { name, kind: { when } }: Stated, names: Names): Truth {
  if (when.kind === 'open') return closed(of, step('events.kinds', name));
  return stating(when, (condition) => {
    if (condition === null) return yes;
    const value = workOut(condition.template, names);
    return isHole(value)
      ? unseen('whether it is to be emitted cannot be told')
      : known(value === true, 'its `when` is not true');
  });
}

/** Whether it can be told: what it says, and what it is sent in. */
export function deliverable({ envelope, source }: Events, { kind: { body } }: Stated): Truth {
  const isCloudEvent = stated(envelope)?.kind === 'cloudevents';
  return all(
    ...[body, envelope, ...(isCloudEvent ? [source] : [])].map((said: Said<unknown>) =>
      stating(said, () => yes),
    ),
  );
}

/** What an event tells of its change. */
export function bodyOf({ kind: { body }, names }: Pick<Expected, 'kind' | 'names'>): Partly {
  return worked(body, names) ?? hole();
}

/** The subject of an event: its kind's own, or that of all; null where there is none, undefined where that is open. */
export function subjectOf(
  events: Events,
  { kind, names }: Pick<Expected, 'kind' | 'names'>,
): Partly | undefined {
  const said = kind.subject.kind === 'open' ? events.subject : kind.subject;
  return said.kind === 'open' ? undefined : (worked(said, names) ?? null);
}

function worked(said: Said<PlacedTemplate>, names: Names): Partly | undefined {
  const template = stated(said)?.template;
  return template && workOut(template, names);
}

/** What templates over `event` read (language §6.2), beside the names of its kind; what the service picks is not known. */
export function namesOfEvent(
  events: Events,
  expected: Pick<Expected, 'kind' | 'names' | 'name' | 'by'>,
): Names {
  const { names, name, by } = expected;
  const event: { readonly [member: string]: Partly } = {
    id: hole({ picks: /^[\s\S]+$/ }),
    kind: name,
    by,
    at: hole({ picks: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/ }),
    source: worked(events.source, names) ?? hole(),
    subject: subjectOf(events, expected) ?? hole(),
    body: bodyOf(expected),
    item: names.get('this') ?? hole(),
  };
  return new Map(names).set('event', event);
}

/** What an event is sent in; undefined where that is open. */
export function envelopeOf(events: Events, expected: Expected): Partly | undefined {
  const { envelope } = events;
  if (envelope.kind === 'none') return bodyOf(expected);
  const said = stated(envelope);
  if (said === undefined) return undefined;
  const names = namesOfEvent(events, expected);
  return said.kind === 'template' ? workOut(said.template.template, names) : undefined;
}

/** The content of an event, where it is JSON. */
export function jsonIn({ content }: Pick<Told, 'content'>): Json | undefined {
  try {
    return JSON.parse(content) as Json;
  } catch {
    return undefined;
  }
}

/** The names of the kinds that an event may be of: the one that it says, or those that what it is sent in fits. */
export function kindsIn(telling: Telling, told: Told): readonly string[] {
  const { events, delivery } = telling;
  if (told.kind !== null) return [told.kind];
  const json = jsonIn(told);
  if (stated(events.envelope)?.kind === 'cloudevents') {
    const type = dig(json, ['type']);
    return typeof type === 'string' ? [type] : [];
  }
  return kindsOf(events)
    .filter((one) =>
      emittersOf(one.kind).some((by) => {
        const expected = { ...one, by, names: new Map<string, Partly>([['event', { by }]]) };
        const names = namesOfEvent(events, expected);
        const envelope = events.envelope.kind === 'none' ? bodyOf(expected) : wrapped(events, names);
        const fields = fieldsOf(delivery).map(([name, template]) =>
          fitsField(workOut(template, names), fieldIn(told.headers, name)),
        );
        const subject = delivery.kind === 'broker' ? stated(delivery.broker)?.template : undefined;
        const truths = [
          unify(envelope, json).truth,
          ...fields.map(({ truth }) => truth),
          ...(subject ? [unify(workOut(subject, names), told.subject ?? '').truth] : []),
        ];
        return truths.every(({ value }) => value !== false);
      }),
    )
    .map(({ name }) => name);
}

function wrapped({ envelope }: Events, names: Names): Partly {
  const said = stated(envelope);
  return said?.kind === 'template' ? workOut(said.template.template, names) : hole();
}

/** The header fields that a way states, by name. */
export function fieldsOf(delivery: Delivery): readonly (readonly [string, Template])[] {
  if (delivery.kind !== 'webhook') return [];
  return [...(stated(delivery.headers) ?? [])].flatMap(([name, said]) => {
    const value = stated(said);
    return value ? [[name, value.template] as const] : [];
  });
}

export function fieldIn(headers: readonly Header[], name: string): string | undefined {
  const values = headers.filter(([one]) => one.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}

/** What tells an event from every other: its id, as its way or what it is sent in has it; null where nothing shows it. */
export function idIn({ events, delivery }: Telling, told: Told): string | null {
  if (told.id !== null) return told.id;
  const envelope = stated(events.envelope);
  if (envelope?.kind === 'cloudevents') return textOf(dig(jsonIn(told), ['id']));
  const place = envelope?.kind === 'template' ? placeOf(envelope.template.template, 'event.id') : null;
  if (place !== null) return textOf(dig(jsonIn(told), place));
  const field = fieldsOf(delivery).find(([, template]) => placeOf(template, 'event.id') !== null);
  return field ? (fieldIn(told.headers, field[0]) ?? null) : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** What an event tells, taken out of what it was sent in; undefined where that does not show it. */
export function contentIn({ events }: Telling, told: Told): { readonly body: Json | undefined } | undefined {
  const { envelope } = events;
  const json = jsonIn(told);
  if (envelope.kind === 'none') return { body: json };
  const said = stated(envelope);
  if (said?.kind === 'cloudevents') return { body: dig(json, ['data']) };
  const place = said ? placeOf(said.template.template, 'event.body') : null;
  return place === null ? undefined : { body: dig(json, place) };
}

/** Where in a template an expression stands, alone or with nothing but text that is fixed; null where it does not. */
function placeOf(template: Template, text: string): readonly (string | number)[] | null {
  if (template.kind === 'expression') return template.expression.text.trim() === text ? [] : null;
  if (template.kind === 'text') {
    const [only, second] = template.pieces.filter((piece) => typeof piece !== 'string');
    const isIt = only !== undefined && second === undefined && only.expression.text.trim() === text;
    return isIt ? [] : null;
  }
  const inner =
    template.kind === 'object' ? template.members : template.kind === 'list' ? template.items.entries() : [];
  for (const [name, one] of inner as Iterable<readonly [string | number, Template]>) {
    const found = placeOf(one, text);
    if (found) return [name, ...found];
  }
  return null;
}

/** Whether an event can be the one that a change should emit: of its kind, and telling nothing that is not so. */
export function isOf(telling: Telling, expected: Expected, told: Told): boolean {
  const { events } = telling;
  if (!kindsIn(telling, told).includes(expected.name)) return false;
  const content = contentIn(telling, told);
  const isSaid = content === undefined || unify(bodyOf(expected), content.body).truth.value !== false;
  const envelope = envelopeOf(events, expected);
  const isWrapped = envelope === undefined || unify(envelope, jsonIn(told)).truth.value !== false;
  const subject = stated(events.envelope)?.kind === 'cloudevents' ? subjectOf(events, expected) : undefined;
  const found = dig(jsonIn(told), ['subject']);
  const isAbout = subject === undefined || subject === null || unify(subject, found).truth.value !== false;
  return isSaid && isWrapped && isAbout;
}

/** Whether it can be no other change's: all that it tells is known, the item by which it is told apart among it. */
export function isSurely(telling: Telling, expected: Expected, told: Told): boolean {
  const content = contentIn(telling, told);
  const { item } = expected.done;
  const names = (item && stated(item.resource.identifier)) ?? [];
  const keys = names.map(({ text }) => item?.known.get(text));
  const isTold =
    keys.length > 0 && keys.every((key) => key !== undefined && told.content.includes(String(key)));
  return isTold && unify(bodyOf(expected), content?.body).truth.value === true;
}

/** How long one is waited for, in milliseconds: as long as it may take, where that is within the tester's patience. */
export function comesWithinMs({ delivery, trial }: Pick<Telling, 'delivery' | 'trial'>): number {
  const within = stated(delivery.within) ?? 0;
  return trial.graceMs + (within <= trial.patienceMs ? within : 0);
}
