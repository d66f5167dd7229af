import type { Json } from '../source/node.ts';
import { boundFields, type Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { openHolds } from '../specification/openness/holds.ts';
import { withArticle } from '../specification/reading/article.ts';
import { stated } from '../specification/reading/said.ts';
import { floorStatus } from '../specification/vocabulary/condition.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { admits, hasItemRule, namesRead } from './access/admits.ts';
import { asNewcomer, noteMaking } from './access/newcomer.ts';
import type { Persona } from './access/persona.ts';
import { noteEntry, noteGiven, noteGone, personaOf } from './access/personas.ts';
import { isAboutSelf } from './access/schemes.ts';
import { bodyOf } from './body.ts';
import { ifReached, Unreached } from './check.ts';
import { touchedBy } from './foresee/also.ts';
import { answerFound, ownConditions, succeeded } from './guards.ts';
import type { Request } from './http.ts';
import { freshValue, identityOf, type Members, membersOf } from './item.ts';
import { freshReferences, keysGiven, othersCounted, othersInKey, renewed } from './keys.ts';
import type { Asked } from './limits/pace.ts';
import { look } from './look.ts';
import { calledIn, namesFor } from './names.ts';
import { itemsOf } from './page.ts';
import { heldBy, type Item, item as itemOf } from './partly.ts';
import { acceptable, type Reason, statusesOf } from './refusal.ts';
import { askerFor, bodyFor, isAboutOne, requestTo } from './request.ts';
import { type Names, workOut } from './solve.ts';
import { movesOn, noteSeen } from './states/since.ts';
import { type Attempt, type Done, operationFor, send, type Trial } from './trial.ts';
import { type Truth, unseen, yes } from './verdict.ts';
import { note, placeOf, worldOf } from './world.ts';

/** Sends a request to an operation, and reads what its answer tells. Throws `Unreached` where it cannot be made. */
export async function perform(trial: Trial, operation: Operation, attempt: Attempt = {}): Promise<Done> {
  const given = withContent(trial, operation, attempt);
  const usual = asMaker(trial, operation, asSelf(trial, operation, given));
  const asked = await withOthers(trial, operation, await asNewcomer(trial, operation, usual));
  const who = asked.as === undefined ? askerFor(trial, operation, asked) : asked.as;
  const equipped = { ...asked, as: who };
  if (who && !equipped.carried) await trial.renew(who);
  const request = requestTo(trial, operation, equipped);
  const earliestMs = trial.now();
  const exchange = await send(trial, request, askedOf(trial, operation, equipped, request));
  const latestMs = trial.now();
  const next = equipped.item && operation.method !== 'GET' ? movesOn(trial.of, equipped.item) : null;
  if (next && next.atMs <= latestMs) throw new Unreached(`${next.timer.name} may have moved it meanwhile`);
  const { subject } = operation;
  // What may have been changed is unknown until it is seen again (language §F.3).
  const isNew = stated(operation.does)?.verb === 'create' && operation.endpoint.also.kind !== 'stated';
  const changes = operation.method !== 'GET' && !isNew;
  const isDone = succeeded(exchange, operation).value;
  if (changes && isDone !== false) {
    const touched = touchedBy(trial.of, operation);
    for (const own of trial.spares.values())
      for (const [purpose, one] of own)
        if (touched.includes(one.resource.name) || isAbout(operation, equipped.item, one))
          own.delete(purpose);
    trial.seen.clear();
  }
  const done = look(trial, operation, equipped, exchange);
  if (done.item && equipped.item)
    noteSeen(done.item, equipped.item, { earliestMs, latestMs }, operation.method !== 'GET');
  for (const hear of trial.witnesses) hear(done);
  const items = done.entries ? itemsOf(done.entries) : [];
  const made = done.item && isDone === true ? [done.item] : [];
  noteEntry(trial, done, earliestMs);
  if (isDone === true) noteGiven(trial, done);
  if (isDone === true && equipped.item && stated(operation.does)?.verb === 'delete')
    noteGone(trial, equipped.item);
  note(trial, done.entries ? items : made);
  const self = isAboutSelf(trial.of, operation) && done.item && equipped.as;
  if (self && made.length > 0) self.item = heldBy(done.item as Item, self);
  if (who && subject && stated(operation.does)?.verb === 'create') {
    if (isDone !== false) noteMaking(who, subject.name);
    for (const one of made) trial.makers.set(placeOf(one), who);
  }
  if (equipped.others) for (const one of [...items, ...made]) trial.around.set(placeOf(one), equipped.others);
  return done;
}

/** Whether an item may be what an operation was carried out on. */
function isAbout({ subject }: Operation, item: Item | undefined, one: Item): boolean {
  return subject?.name === one.resource.name && (item === undefined || placeOf(item) === placeOf(one));
}

/** What rates see of a request to an operation. */
export function askedOf(
  trial: Trial,
  operation: Operation,
  attempt: Attempt,
  request: Request | null,
): Asked {
  const { item, others, body, raw, as = trial.persona, usesUp, carried } = attempt;
  const asking = { operation, request, given: raw === undefined ? body : undefined, item: item ?? null, as };
  let names: Names | undefined;
  return {
    operation,
    as,
    // Few rates read any.
    get names() {
      names ??= namesFor(trial, { ...asking, ...(others && { others }), world: worldOf(trial) });
      return names;
    },
    ...(usesUp && { usesUp }),
    ...(carried && { carries: true }),
  };
}

/** A removal brings the body that it takes, where nobody says which. */
function withContent(trial: Trial, operation: Operation, attempt: Attempt): Attempt {
  const { body, raw } = attempt;
  if (stated(operation.does)?.verb !== 'delete' || body !== undefined || raw !== undefined) return attempt;
  const usual = bodyFor(trial, operation, 'least');
  return usual === undefined ? attempt : { ...attempt, body: usual };
}

/** What its rule may let only its owner to is asked for by whoever made it, where they may be let to it and the usual one is not. */
function asMaker(trial: Trial, operation: Operation, attempt: Attempt): Attempt {
  const { item, as, carried } = attempt;
  const maker = item && trial.makers.get(placeOf(item));
  if (!maker || as !== undefined || carried || maker === trial.persona || !hasItemRule(trial.of, operation))
    return attempt;
  const lets = (as?: Persona): Truth =>
    admits(trial.of, operation, namesFor(trial, { operation, request: null, item, ...(as && { as }) }));
  return lets().value === true || lets(maker).value === false ? attempt : { ...attempt, as: maker };
}

/** What is about whoever asks is asked for by the one whose item it is (language §H.2, `where`). */
function asSelf(trial: Trial, operation: Operation, attempt: Attempt): Attempt {
  if (!isAboutSelf(trial.of, operation) || attempt.as !== undefined) return attempt;
  const as = attempt.item ? personaOf(trial, attempt.item) : trial.persona;
  if (as === undefined) throw new Unreached('nobody can be asked as who is the item');
  return { ...attempt, as, ...(as?.item && { item: attempt.item ?? as.item }) };
}

/**
 * The items that the path names besides the one that it is about: those that it was made under, or others.
 *
 * @param besides items that it is to be none of, where there are others
 */
export async function withOthers(
  trial: Trial,
  operation: Operation,
  attempt: Attempt,
  besides: readonly Item[] = [],
): Promise<Attempt> {
  const bindings = [...operation.bindings.values()].filter((one) => one.kind === 'other');
  if (bindings.length === 0) return attempt;
  const near = attempt.item && trial.around.get(placeOf(attempt.item));
  const others = new Map(attempt.others);
  for (const binding of bindings) {
    const called = calledIn(binding);
    if (others.has(called)) continue;
    const same = [...(near?.values() ?? [])].find((one) => one.resource.name === binding.resource);
    const isFit = (one: Item): boolean =>
      refusesNot(trial, operation, attempt, new Map(others).set(called, one)) &&
      !besides.some((other) => placeOf(other) === placeOf(one));
    others.set(called, near?.get(called) ?? same ?? (await trial.stocked(binding.resource, isFit)));
  }
  return { ...attempt, others };
}

/** Whether neither its rule nor an expression of one's own surely refuses a request about these items (language §H.4, 15). */
export function refusesNot(
  trial: Trial,
  operation: Operation,
  { item, body, as }: Attempt,
  others: ReadonlyMap<string, Item>,
): boolean {
  const names = namesFor(trial, {
    operation,
    request: null,
    given: body,
    item: item ?? null,
    others,
    ...(as !== undefined && { as }),
  });
  if (admits(trial.of, operation, names).value === false) return false;
  return !ownConditions(trial.of, operation).some(
    ({ condition }) => workOut(condition.template, names) === true,
  );
}

/** A new item, with these members if they are given. Throws `Unreached` where none can be made. */
export async function make(
  trial: Trial,
  resource: Resource,
  members: Members = {},
  more: Attempt = {},
): Promise<Done & { readonly item: Item }> {
  const operation = operationFor(trial.of, resource, 'create');
  if (operation === null)
    throw new Unreached(`no operation that can be exercised creates ${withArticle(resource.name)}`);
  const body = bodyFor(trial, operation, 'most');
  const done = await create(
    trial,
    operation,
    body === undefined ? body : { ...membersOf(body), ...members },
    more,
  );
  const { item } = done;
  if (item === null || succeeded(done.exchange, operation).value !== true)
    throw new Unreached(
      `no ${resource.name} could be made: ${operation.key} gave ${answerFound(done.exchange)}`,
      openHolds(trial.of, operation),
    );
  if (done.shown !== undefined || identityOf(item) === undefined) return { ...done, item };
  const read = await ifReached(() => readBack(trial, item));
  return { ...done, item: read?.item ?? item, shown: read?.shown, lens: read?.lens ?? null };
}

/** An item that was made, and then removed. Throws `Unreached` where it was not. */
export async function makeAndRemove(trial: Trial, remover: Operation, resource: Resource): Promise<Item> {
  const { item } = await make(trial, resource);
  const { exchange } = await perform(trial, remover, { item });
  if (succeeded(exchange, remover).value !== true)
    throw new Unreached(`no ${resource.name} could be removed`);
  return item;
}

/**
 * Asks for a creation; where the path holds the identifier, the client makes it up. One that turns out to be taken,
 * by a former run or by somebody else, is made up anew.
 */
export async function create(
  trial: Trial,
  operation: Operation,
  body: Json | undefined,
  more: Attempt = {},
): Promise<Done> {
  const { subject } = operation;
  const model = bodyOf(trial.of, operation);
  const keys = model ? keysGiven(operation, model) : [];
  const inPath = subject !== null && isAboutOne(operation);
  const renews = model !== null && !more.stays;
  let members = renews ? await referring(trial, operation, body) : body;
  const others = more.stays ? more.others : await underNew(trial, operation, more.others);
  for (let attempts = 1; ; attempts++) {
    const item = inPath ? await keyToMake(trial, operation, subject) : undefined;
    const done = await perform(trial, operation, {
      ...(item && { item }),
      ...(members !== undefined && { body: members }),
      ...more,
      ...(others && { others }),
    });
    const made = inPath ? (stated(subject.identifier) ?? []).map(({ text }) => text) : [];
    const renewable = [...made, ...(more.keepsKey ? [] : keys)];
    const again = attempts < 3 && isTaken(trial.of, done, renewable);
    if (!again) return done;
    if (model && members !== undefined)
      members = renews
        ? await referring(trial, operation, renewed(trial, model, keys, members))
        : renewed(trial, model, keys, members);
  }
}

/** What a path gives of an item that is to be made: what it refers to is there, and no item is known by it yet. */
export async function keyToMake(trial: Trial, operation: Operation, resource: Resource): Promise<Item> {
  const bound = boundFields(operation);
  const refers = (name: string) => stated(resource.fields.get(name)?.refers);
  const names = (stated(resource.identifier) ?? []).map(({ text }) => text);
  const isTold = names.every((name) => bound.includes(name) && refers(name));
  const known: [string, Json][] = [];
  for (const name of bound) {
    const to = refers(name);
    const target = trial.of.resourcesByName.get(to?.resource ?? '');
    if (!to || !target) {
      known.push([name, freshValue(trial.fresh, resource.fields.get(name))]);
      continue;
    }
    // Of several references, one to what nothing refers to yet is enough.
    const isNew = isTold && known.length === 0;
    const other = isNew ? (await make(trial, target)).item : await trial.stocked(target.name);
    const key = other.known.get(to.field ?? '');
    if (key === undefined) throw new Unreached(`there is no ${target.name} to refer to`);
    known.push([name, key]);
  }
  return itemOf(resource, known, []);
}

/** The same members with references to items that nothing refers to yet, where no other may have the same. */
export async function referring(
  trial: Trial,
  operation: Operation,
  body: Json | undefined,
): Promise<Json | undefined> {
  const model = bodyOf(trial.of, operation);
  if (model === null || body === undefined) return body;
  const made: [string, Json][] = [];
  for (const field of freshReferences(trial.of, operation, model)) {
    const to = stated(field.refers);
    const target = trial.of.resourcesByName.get(to?.resource ?? '');
    const isGiven = membersOf(body) && Object.hasOwn(membersOf(body) as Members, field.name);
    if (!target || !isGiven) continue;
    const { item } = await make(trial, target);
    const key = item.known.get(to?.field ?? '');
    if (key !== undefined) made.push([field.name, key]);
  }
  return made.length > 0 ? { ...membersOf(body), ...Object.fromEntries(made) } : body;
}

/** The items that a new one is made under, of which one is new where its identifier is made of them (language §H.2, `with`). */
export async function underNew(
  trial: Trial,
  operation: Operation,
  others: Attempt['others'],
): Promise<Attempt['others']> {
  const named = othersInKey(operation).filter((binding) => !others?.has(calledIn(binding)));
  const read = namesRead(trial.of, operation);
  const binding = named.find((one) => !read.has(calledIn(one))) ?? named[0];
  const under = new Map(others);
  for (const one of new Set([...othersCounted(trial.of, operation), ...(binding ? [binding] : [])])) {
    const target = trial.of.resourcesByName.get(one.resource);
    if (target && !under.has(calledIn(one))) under.set(calledIn(one), (await make(trial, target)).item);
  }
  return under;
}

/** Whether an answer may say that one of these fields is as another item has it: it has a status of `not unique`. */
function isTaken(of: Specification, { operation, exchange }: Done, keys: readonly string[]): boolean {
  const name = operation.subject?.name ?? '';
  return keys.some((key) => {
    const reason: Reason = { name: 'not unique', subject: `${name}.${key}`, failures: [] };
    const stated = acceptable(of, operation, [reason]).map((refusal) => statusesOf(of, refusal));
    const likely = [floorStatus['not unique'], 409];
    const status = exchange.response?.status ?? 0;
    return stated.some((codes) => (codes.length > 0 ? codes : likely).includes(status));
  });
}

/** Whether no other item has what was given, as far as one may go by the answer: what others made is not known. */
export function isFree(
  of: Specification,
  done: Done,
  keys: readonly string[],
  given: readonly string[],
): Truth {
  const key = keys.find((one) => given.includes(one) && isTaken(of, done, [one]));
  return key === undefined ? yes : unseen(`another item may have this ${key}`);
}

/** Asks for one item. Throws `Unreached` where no operation shows one. */
export async function readBack(trial: Trial, item: Item): Promise<Done> {
  const operation = operationFor(trial.of, item.resource, 'read');
  if (operation === null)
    throw new Unreached(`no operation that can be exercised reads ${withArticle(item.resource.name)}`);
  return await perform(trial, operation, { item });
}
