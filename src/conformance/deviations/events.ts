import { emitted } from '../../semantics/event/emit.ts';
import type { EmittedEvent, EventDelivery } from '../../semantics/event/event.ts';
import { boundFields } from '../../semantics/request/given/bound.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import type { Step } from '../../semantics/request/request.ts';
import { isList, isObject, Made, Text, textOf, Unknown, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import { Ways } from '../../semantics/world/ways.ts';
import { itemOf, snapshot, type World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import { changed } from './changed.ts';
import { type Deviation, type Implementation, implementing, isRefusal, type Kind } from './deviation.ts';

/** Events that come twice, of another kind, after a refusal, in another order, or at another address (language §6). */
export const events: Kind = (said, specification) => {
  const part = stated(specification.events);
  const named = (list: Said<ReadonlyMap<string, unknown>> | undefined): string | undefined =>
    [...((list && stated(list)) ?? [])].find(([, each]) => each === said)?.[0];
  const [kind, way] = [named(part?.kinds), named(part?.delivery)];
  if (kind !== undefined) return ofKind(kind, said, specification);
  return way === undefined ? [] : ofWay(way, said, specification);
};

function ofKind(name: string, said: Said<unknown>, specification: Specification): Deviation[] {
  const right = implementing(specification);
  const isIt = ({ kind }: EmittedEvent): boolean => kind === name;
  const twice: Implementation = (world, request) =>
    right(world, request).map((step) =>
      emitting(step, (all) => all.flatMap((event) => (isIt(event) ? [event, again(event)] : [event]))),
    );
  const by = stated(stated(stated(stated(specification.events)?.kinds)?.get(name))?.by) ?? [];
  const operations = specification.operations.filter(
    ({ name: each, does }) => by.some(({ text }) => text === each) && isOfItem(stated(does)),
  );
  const refusedToo: Implementation = (world, request) =>
    right(world, request).map((step) =>
      isRefusal(step) ? emitting(step, () => ofRefused(world, request).filter(isIt)) : step,
    );
  return [
    deviation(said, 'it comes twice', twice),
    deviation(said, 'it comes as another kind', implementing(renamed(specification, name))),
    ...operations.map(
      (operation): Deviation => ({
        ...deviation(said, `it comes though ${operation.name} is refused`, refusedToo),
        operation: operation.address,
        isUnread: true,
      }),
    ),
  ];
}

/** Whether a change is about an item that is there. */
function isOfItem(change: Change | undefined): boolean {
  return change?.subject.kind === 'one' && change.verb !== 'create';
}

function ofWay(name: string, said: Said<unknown>, specification: Specification): Deviation[] {
  const right = implementing(specification);
  const turned: Implementation = (world, request) =>
    right(world, request).map((step) => emitting(step, (all) => all.toReversed()));
  const elsewhere: Implementation = (world, request) =>
    right(world, request).map((step) =>
      emitting(step, (all) =>
        all.map((event) => ({
          ...event,
          deliveries: event.deliveries.map((each) =>
            each.way === name ? toAnother(each, event.deliveries, step.world ?? world) : each,
          ),
        })),
      ),
    );
  const isToItems = stated(specification.events)?.delivery;
  const way = isToItems && stated(stated(isToItems)?.get(name));
  const isApart = way?.kind === 'webhook' && stated(way.webhook)?.kind === 'field';
  return [
    deviation(said, 'events of one change come in another order', turned),
    ...(isApart ? [deviation(said, 'events go to another item', elsewhere)] : []),
  ];
}

function deviation(said: Said<unknown>, says: string, implementation: Implementation): Deviation {
  return { said, says, operation: null, implementation: () => implementation };
}

/** The same, with other events. Of what is unknown, nothing is made. */
function emitting(step: Step, change: (all: readonly EmittedEvent[]) => readonly EmittedEvent[]): Step {
  return step.events instanceof Unknown ? step : { ...step, events: change(step.events) };
}

/** The same event under another id. */
function again(event: EmittedEvent): EmittedEvent {
  const id = new Made('fresh', event.id.series, -event.id.place);
  const other = <T>(value: T): T =>
    typeof value === 'symbol' ? value : (withId(value as Value, event.id, id) as T);
  return {
    ...event,
    id,
    deliveries: event.deliveries.map((each) => ({
      ...each,
      content: other(each.content),
      headers: Object.fromEntries(Object.entries(each.headers).map(([name, value]) => [name, other(value)])),
      subject: other(each.subject),
    })),
  };
}

/** A value with one made value in place of another, at any depth. */
export function withId(value: Value, from: Made, to: Made): Value {
  if (value === from) return to;
  if (value instanceof Text) return textOf(value.pieces.map((piece) => (piece === from ? to : piece)));
  if (isList(value)) return value.map((each) => withId(each, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withId(each, from, to)]));
}

/** A kind under a name that nobody listed. */
function renamed(specification: Specification, name: string): Specification {
  const said = stated(specification.events)?.kinds;
  if (said?.kind !== 'stated') return specification;
  const value = new Map([...said.value].map(([each, kind]) => [each === name ? `${each}~` : each, kind]));
  return changed(specification, new Map([[said, { ...said, value }]]));
}

/** What the operation would emit of the item that a refused request names. */
function ofRefused(before: World, { operation, path, url, ...request }: Request): readonly EmittedEvent[] {
  const { subject } = operation;
  const fields = new Map(Object.entries(boundFields({ ...request, operation, path, url })));
  if (subject === null || fields.size === 0) return [];
  const world = before.fork(new Ways());
  const stored = world.find(subject.name, fields);
  if (stored === null) return [];
  const old = snapshot(stored, subject);
  const change = { item: itemOf(stored, subject), old };
  const done = { by: operation.name, changes: [change], otherwise: change, moves: 0 };
  const found = emitted(done, before, new Moment(world, { actor: null, now: world.now(), service: { url } }));
  return found instanceof Unknown ? [] : found;
}

/** To an item to which the event does not go; if it goes to all, as it was. */
function toAnother(sent: EventDelivery, all: readonly EventDelivery[], world: World): EventDelivery {
  const resource = world.specification.resourcesByName.get(sent.to?.resource ?? '');
  const meant = new Set(all.flatMap(({ way, to }) => (way === sent.way && to ? [to.handle] : [])));
  const other = resource && world.items(resource.name).find(({ handle }) => !meant.has(handle));
  if (resource === undefined || other === undefined) return sent;
  return { ...sent, to: itemOf(other, resource), url: other.members.get(sent.field) ?? null };
}
