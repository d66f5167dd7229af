import { any, object, oneOf, type Type, textType, timestamp } from '../../../expression/type.ts';
import type { Operation } from '../../model/operation.ts';
import type { Specification } from '../../model/specification.ts';
import { type Placed, type Reading, unknownName } from '../../reading/reading.ts';
import { type Said, stated } from '../../reading/said.ts';
import type { Delivery, Held, Webhook } from '../../vocabulary/delivery.ts';
import type { Kind } from '../../vocabulary/parts/events.ts';
import { checkEntry, checkField, checkOperation, entryNames, knownMoves, transitionsOf } from '../names.ts';
import type { Standing } from '../scope.ts';
import type { Typing, Validate } from '../typing.ts';

type Of = Specification;

/** What part 6 says of other parts, and its expressions (language §6). */
export const validate: Validate = (of, typing, reading) => {
  const events = stated(of.events);
  if (events === undefined) return;
  const kinds = [...(stated(events.kinds) ?? [])];
  const about = new Set<string | null>();
  for (const [, said] of kinds) {
    const kind = stated(said);
    if (kind === undefined) continue;
    const emitters = stated(kind.by) ?? [];
    for (const one of emitters) checkEmitter(of, one, reading);
    const resource = only(emitters.map((one) => resourceOf(of, one.text)));
    about.add(resource);
    const standing = aboutEvent(of, resource, emitters);
    if (kind.when.kind === 'stated') typing.truth(kind.when.value, standing);
    typing.text(kind.subject, standing);
    typing.sent(kind.body, standing);
  }
  const resource = only([...about]);
  const all = kinds.flatMap(([, said]) => stated(stated(said)?.by) ?? []);
  typing.text(events.subject, aboutEvent(of, resource, all));
  typing.text(events.source, { situation: 'envelope', subject: null, bound: [] });
  const event = eventType(kinds, resource);
  const wrapped: Standing = { situation: 'envelope', subject: null, bound: [], more: [['event', event]] };
  const envelope = stated(events.envelope);
  if (envelope?.kind === 'template') typing.payload(envelope.template, wrapped);
  for (const said of stated(events.delivery)?.values() ?? []) {
    const delivery = stated(said);
    if (delivery) checkDelivery(of, delivery, wrapped, typing, reading);
  }
};

/** An operation that changes something, or `R.transition` (language §6.1). */
function checkEmitter(of: Of, { text, at }: Placed, reading: Reading): void {
  const operation = of.operations.find((one) => one.name === text);
  if (operation) {
    reading.use('operation', text, at);
    if (changesNothing(operation))
      reading.report('no-effect', at, { what: text, why: 'it changes nothing, so that nothing is told' });
    return;
  }
  const [resource = '', transition] = text.split('.');
  const moves = transitionsOf(of, resource);
  if (transition === undefined) {
    checkOperation(of, text, at, reading);
    return;
  }
  reading.use('entry', resource, at);
  reading.use('transition', text, at);
  if (moves.includes(transition)) return;
  const isOpen = moves.length === 0 && of.completeness.closed('states') === undefined;
  if (!isOpen || !entryNames(of).includes(resource)) {
    const known = [...of.operations.map((one) => one.name), ...knownMoves(of)];
    unknownName(text, at, 'an operation or a transition', known, reading);
  }
}

function changesNothing({ does, endpoint }: Operation): boolean {
  if ((stated(endpoint.also) ?? []).length > 0) return false;
  return does.kind === 'none' || ['read', 'list', 'authenticate', 'run'].includes(stated(does)?.verb ?? '');
}

/** The resource that an operation or a transition is about; null where that cannot be told. */
function resourceOf(of: Of, emitter: string): string | null {
  const operation = of.operations.find((one) => one.name === emitter);
  if (operation) return operation.subject?.name ?? null;
  const [resource = ''] = emitter.split('.');
  return of.resourcesByName.has(resource) ? resource : null;
}

function only(resources: readonly (string | null)[]): string | null {
  return new Set(resources).size === 1 ? (resources[0] ?? null) : null;
}

function aboutEvent(of: Of, resource: string | null, emitters: readonly Placed[]): Standing {
  const by = emitters.length === 0 ? textType : oneOf(emitters.map((one) => one.text));
  const subject = (resource !== null && of.resourcesByName.get(resource)) || null;
  return { situation: 'event', subject, bound: [], more: [['event', object([['by', by]])]] };
}

/** What `event` offers to an envelope and to delivery (language §6.2). */
function eventType(kinds: readonly (readonly [string, Said<Kind>])[], resource: string | null): Type {
  return object([
    ...['id', 'by', 'source', 'subject'].map((name) => [name, textType] as const),
    ['kind', kinds.length === 0 ? textType : oneOf(kinds.map(([name]) => name))],
    ['at', timestamp],
    ['body', any],
    ['item', resource === null ? any : { kind: 'item', resource }],
  ]);
}

function checkDelivery(
  of: Of,
  delivery: Delivery,
  wrapped: Standing,
  typing: Typing,
  reading: Reading,
): void {
  if (delivery.kind === 'broker') {
    typing.text(delivery.broker, wrapped);
    typing.text(delivery.version, { situation: 'envelope', subject: null, bound: [] });
  }
  if (delivery.kind === 'stream') checkEndpoint(of, delivery.stream, reading);
  if (delivery.kind !== 'webhook') return;
  const to = stated(delivery.webhook);
  const resource = to?.kind === 'field' ? to.resource : null;
  checkHeld(of, to, reading);
  const key = stated(delivery.secret);
  checkHeld(of, key, reading);
  if (key?.kind === 'field' && to && key.resource !== resource)
    reading.report('contradiction', key.at, {
      problem: `the key is a field of ${key.resource}, and what is posted to is ${resource === null ? 'the operator’s' : `of ${resource}`}`,
    });
  for (const header of stated(delivery.headers)?.values() ?? []) typing.text(header, wrapped);
  checkSign(delivery, wrapped, typing);
  checkExhausted(of, delivery, resource, reading);
  const holder = (resource !== null && of.resourcesByName.get(resource)) || null;
  const situation = resource === null ? 'envelope' : 'subscription';
  typing.text(delivery.version, { situation, subject: holder, bound: [] });
  const { where } = delivery;
  if (where.kind !== 'stated') return;
  if (to?.kind === 'operator') {
    reading.report('idle', where.at, { key: 'where', where: 'the operator’s address' });
    return;
  }
  const subject = (resource !== null && of.resourcesByName.get(resource)) || null;
  typing.truth(where.value, { ...wrapped, situation: 'subscription', subject });
  typing.storable(where.value);
}

/** It is a transition of what is posted to (language §6.3). */
function checkExhausted(
  of: Of,
  { exhausted, webhook }: Webhook,
  resource: string | null,
  reading: Reading,
): void {
  if (exhausted.kind !== 'stated') return;
  if (stated(webhook)?.kind === 'operator') {
    reading.report('idle', exhausted.at, { key: 'exhausted', where: 'the operator’s address' });
    return;
  }
  const { text, at } = exhausted.value;
  reading.use('entry', text.split('.')[0] as string, at);
  reading.use('transition', text, at);
  const moves = resource === null ? [] : transitionsOf(of, resource).map((one) => `${resource}.${one}`);
  const isOpen = moves.length === 0 && of.completeness.closed('states') === undefined;
  const isOthers = resource !== null && !text.startsWith(`${resource}.`);
  if (isOthers || (!isOpen && !moves.includes(text)))
    unknownName(text, at, `a transition of ${resource ?? 'what is posted to'}`, moves, reading);
}

/** What is signed is the content as it is sent; what is sent of it may be in either form (language §6.3). */
function checkSign(delivery: Webhook, wrapped: Standing, typing: Typing): void {
  const sign = stated(delivery.sign);
  if (sign?.kind !== 'hmac') return;
  const forms = object(['hex', 'base64'].map((form) => [form, textType] as const));
  typing.text(sign.over, withEvent(wrapped, 'content', textType));
  typing.text(sign.as, withEvent(wrapped, 'signature', forms));
}

/** The same, where `event` has one member more. */
function withEvent(wrapped: Standing, name: string, type: Type): Standing {
  const more = (wrapped.more ?? []).map(([of, event]) =>
    event.kind === 'object'
      ? ([of, object([...event.members, [name, type]])] as const)
      : ([of, event] as const),
  );
  return { ...wrapped, more };
}

function checkHeld(of: Of, held: Held | undefined, reading: Reading): void {
  if (held?.kind !== 'field') return;
  checkEntry(of, held.resource, held.at, 'a resource', reading);
  checkField(of, held.resource, held.field, held.fieldAt, reading);
}

function checkEndpoint(of: Of, said: Said<Placed>, reading: Reading): void {
  const endpoint = stated(said);
  if (endpoint === undefined) return;
  const { text, at } = endpoint;
  const keys = of.operations.map((one) => one.key);
  const decided = keys.length > 0 || of.completeness.closed('endpoints') !== undefined;
  if (decided && !keys.includes(text)) unknownName(text, at, 'an endpoint', keys, reading);
  else if (!text.startsWith('GET '))
    reading.report('wrong-kind', at, { wanted: 'an endpoint with GET', found: `"${text}"` });
}
