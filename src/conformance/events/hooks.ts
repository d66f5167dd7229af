import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { isOfActor } from '../access/newcomer.ts';
import type { Persona } from '../access/persona.ts';
import { enter } from '../access/wallet.ts';
import { bodyOf } from '../body.ts';
import { ifReached, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { hole, type Item } from '../partly.ts';
import { create, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { type Names, workOut } from '../solve.ts';
import { operationFor, type Trial } from '../trial.ts';
import { namesOfEvent, type Telling } from './expected.ts';
import { kindsOf } from './kinds.ts';
import type { Coming } from './told.ts';
import { type Meeting, meetings } from './where.ts';

export type Webhook = Extract<Delivery, { readonly kind: 'webhook' }>;

/** The resource whose items keep the addresses of a webhook, and the field that does; null where the operator does. */
export function keeperOf(
  { of }: Trial,
  { webhook }: Webhook,
): { readonly resource: Resource; readonly field: string } | null {
  const to = stated(webhook);
  const resource = to?.kind === 'field' ? of.resourcesByName.get(to.resource) : undefined;
  return to?.kind === 'field' && resource ? { resource, field: to.field } : null;
}

/** What `where` reads of an event that is coming. */
export function namesOfComing(events: Events, { kind: name, by, foreseen }: Coming): Names {
  const found = kindsOf(events).find((one) => one.name === name);
  const item = foreseen.after ?? foreseen.before ?? hole();
  const names: Names = new Map([['this', item]]);
  if (found === undefined) return names;
  const own = namesOfEvent(events, { ...found, by, names: new Map(names).set('event', { by }) });
  const { this: _, ...rest } = Object.fromEntries(own);
  return new Map(Object.entries(rest));
}

/** How an item is to be made that keeps an address. */
export interface Keeping {
  readonly delivery: Webhook;
  readonly url: string;
  /** What `where` reads of an event that is coming. */
  readonly names: Names;
  /** Who is to make it, where `where` asks for its owner; left out: anybody. */
  readonly as?: Persona | undefined;
  /** In which way it is to be a stranger to that event, counted from 0; left out: in none. */
  readonly strange?: number;
}

/** Makes an item that keeps an address. Throws `Unreached` where none can be made, or none that is strange in this way. */
export async function keep(
  trial: Trial,
  { delivery, url, names, as: owner, strange }: Keeping,
): Promise<Item> {
  const keeper = keeperOf(trial, delivery);
  if (keeper === null) throw new Unreached('it is not stated which items keep the addresses');
  const { resource, field } = keeper;
  const operation = operationFor(trial.of, resource, 'create');
  if (operation === null)
    throw new Unreached(`no operation that can be exercised creates ${withArticle(resource.name)}`);
  const secret = stated(delivery.secret);
  const fields = bodyOf(trial.of, operation)?.fields ?? new Map<string, Field>();
  const own: Members = {
    ...membersOf(bodyFor(trial, operation, 'most')),
    [field]: url,
    ...(secret?.kind === 'field' && fields.has(secret.field) && { [secret.field]: keyFor(trial, delivery) }),
  };
  const found = strange === undefined ? meeting(trial, delivery, names, resource, fields, own) : null;
  const odd =
    strange === undefined ? null : strangers(trial, delivery, names, resource, fields, own)[strange];
  if (odd === undefined) throw new Unreached('nothing more is known by which it would not be sent there');
  const as = odd?.isAnother ? await enter(trial) : owner;
  if (as === null) throw new Unreached('nobody else could be made to ask');
  const attempt = { ...(as && { as }), stays: true };
  const { item, exchange } = await create(trial, operation, odd?.members ?? found ?? own, attempt);
  if (item === null || succeeded(exchange, operation).value !== true)
    throw new Unreached(`no ${resource.name} could be made: ${operation.key} gave ${answerFound(exchange)}`);
  if (as) makers.set(item, as);
  return item;
}

/** Whether `where` asks who made the item that keeps an address. */
export function isOfOwner(trial: Trial, delivery: Webhook): boolean {
  const resource = keeperOf(trial, delivery)?.resource;
  const template = stated(delivery.where)?.template;
  return (template ? expressionsIn(template) : [])
    .flatMap(({ syntax }) => pathsRead(syntax))
    .some(([root, name]) => root === 'this' && isOfActor(resource?.fields.get(name ?? '')));
}

/** Who made an item that is to be removed by the same. */
const makers = new WeakMap<Item, Persona>();

/** Removes an item that kept an address, where an operation does. */
export async function letGo(trial: Trial, item: Item): Promise<void> {
  const operation = operationFor(trial.of, item.resource, 'delete');
  const as = makers.get(item);
  if (operation) await ifReached(() => perform(trial, operation, { item, ...(as && { as }) }));
}

/** Members with which `where` may hold of what is coming; null where nothing is known that would help. */
function meeting(
  trial: Trial,
  delivery: Webhook,
  names: Names,
  resource: Resource,
  fields: Fields,
  own: Members,
): Members | null {
  const found = waysOf(delivery, resource, names).map((one) =>
    widened(trial, resource, own, givenOf(one, fields)),
  );
  return found.find((members) => isFit(trial, resource, members)) ?? null;
}

/** A way in which `where` would not hold of what is coming: by another member, or of another who asks. */
interface Strange {
  readonly members: Members;
  readonly isAnother: boolean;
}

function strangers(
  trial: Trial,
  delivery: Webhook,
  names: Names,
  resource: Resource,
  fields: Fields,
  own: Members,
): readonly Strange[] {
  const members = meeting(trial, delivery, names, resource, fields, own);
  const [way] = waysOf(delivery, resource, names);
  if (members === null || way === undefined) return [];
  return [...way].flatMap(([name, value]): Strange[] => {
    if (!fields.has(name)) return [{ members, isAnother: true }];
    const other = otherThan(trial, resource, name, value);
    const strange = { ...members, [name]: other ?? null };
    return other === undefined || !isFit(trial, resource, strange)
      ? []
      : [{ members: strange, isAnother: false }];
  });
}

/** In how many ways an item may be a stranger to what is coming. */
export function strangenesses({ trial, events }: Telling, delivery: Webhook, coming: Coming): number {
  const keeper = keeperOf(trial, delivery);
  const [way] = keeper ? waysOf(delivery, keeper.resource, namesOfComing(events, coming)) : [];
  return way?.size ?? 0;
}

type Fields = ReadonlyMap<string, Field>;

function waysOf({ where }: Webhook, resource: Resource, names: Names): readonly Meeting[] {
  const template = stated(where)?.template;
  const [condition] = template ? expressionsIn(template) : [];
  return condition ? meetings(condition.syntax, resource, names) : [];
}

/** What a client may give of it: the rest is the service's to set. */
function givenOf(way: Meeting, fields: Fields): Meeting {
  return new Map([...way].filter(([name]) => fields.has(name)));
}

function isFit({ tools }: Trial, resource: Resource, members: Members): boolean {
  return Object.entries(members).every(([name, value]) => {
    const field = resource.fields.get(name);
    return field === undefined || tools.failures(schemaOf(field.shape), value).length === 0;
  });
}

/** The members with what makes them meet a condition; of a list that takes more, all that it does. */
function widened({ tools }: Trial, resource: Resource, own: Members, meeting: Meeting): Members {
  const more = [...meeting].map(([name, value]) => {
    const field = resource.fields.get(name);
    const items = field && tools.resolve(membersOf(tools.resolve(schemaOf(field.shape))['items']) ?? {});
    const all =
      Array.isArray(value) && Array.isArray(items?.['enum'])
        ? [...new Set([...value, ...items['enum']])]
        : value;
    const fits = field && tools.failures(schemaOf(field.shape), all).length === 0;
    return [name, fits ? all : value] as const;
  });
  return { ...own, ...Object.fromEntries(more) };
}

/** Another value of a member, with which a condition that wants this one is not met. */
function otherThan(
  trial: Trial,
  resource: Resource,
  name: string,
  value: Members[string],
): Members[string] | undefined {
  const field = resource.fields.get(name);
  if (field === undefined) return undefined;
  const schema = schemaOf(field.shape);
  const fits = (one: Members[string]): boolean => trial.tools.failures(schema, one).length === 0;
  const to = stated(field.refers);
  if (to) {
    const keys = (trial.stock.get(to.resource) ?? []).flatMap((one) => one.known.get(to.field ?? '') ?? []);
    return keys.find((key) => key !== value);
  }
  if (Array.isArray(value)) {
    const items = trial.tools.resolve(membersOf(trial.tools.resolve(schema)['items']) ?? {});
    const others = (Array.isArray(items['enum']) ? items['enum'] : ['another']).filter(
      (one) => !value.includes(one),
    );
    return [others.slice(0, 1), []].find(fits);
  }
  if (typeof value === 'boolean') return fits(!value) ? !value : undefined;
  return undefined;
}

/** A key that a client gives, as its way of signing wants it. */
function keyFor({ fresh }: Trial, { sign }: Webhook): string {
  const isStandard = stated(sign)?.kind === 'standard-webhooks';
  return isStandard
    ? `whsec_${Buffer.from(fresh.random.letters(24)).toString('base64')}`
    : fresh.random.letters(32);
}

/** Whether what is coming is sent to an item's address, as `where` has it. */
export function isMeant(delivery: Webhook, item: Item, names: Names) {
  const where = stated(delivery.where);
  return where ? workOut(where.template, new Map(names).set('this', item)) : true;
}
