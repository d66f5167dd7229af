import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import type { Operation } from '../specification/model/operation.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { admits } from './access/admits.ts';
import { bodyOf } from './body.ts';
import { type Check, ifReached, type Scenario, type Statement, scenario, Unreached } from './check.ts';
import { answerFound, closed, doesJustThat, succeeded } from './guards.ts';
import { header, mediaType } from './http.ts';
import { freshKey, identityOf, membersOf } from './item.ts';
import { list } from './items.ts';
import type { Item } from './partly.ts';
import { perform } from './perform.ts';
import { pastBound } from './probes.ts';
import { type Raced, race, winners } from './races/race.ts';
import type { Reason } from './refusal.ts';
import { refusing } from './refusing.ts';
import { askerFor, bodyFor, isAboutOne } from './request.ts';
import { itemFor, sample } from './sample.ts';
import { notedAs, showedBy } from './sequences/witnesses.ts';
import { workOut } from './solve.ts';
import { succeeds } from './success.ts';
import { type Attempt, type Done, heldUp, restsOf, type Trial } from './trial.ts';
import { fitsField, shownAs } from './unify.ts';
import { all as every, known, type Truth, unseen, yes } from './verdict.ts';

interface Repeated extends Done {
  readonly again: Done;
  /** How many items there are after the first request, and after the second; undefined: nothing lists them. */
  readonly counts: readonly [number | undefined, number | undefined];
}

/** A second request: the body and the key of the first, or others. */
type Second = (body: Json | undefined, key: string) => readonly [Json | undefined, string];

/** A request that comes again with its key gets the first answer, and has no second effect (language §4.4). */
export function repeats(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const { of } = trial;
  const { key } = operation;
  const said = operation.endpoint.idempotency;
  const repeating = stated(said);
  const field = repeating && stated(repeating.header);
  if (repeating === undefined || field === undefined) return [];
  const cite = ({ address, at }: Said<unknown>): Statement => ({ address, at });
  const isCreation = stated(operation.does)?.verb === 'create';

  const fresh = (): string => freshKey(trial.fresh);
  const usual = (): Json | undefined => bodyFor(trial, operation, 'most');
  const ask = async (body: Json | undefined, more: Attempt): Promise<Done> => {
    const item = await itemFor(trial, operation);
    return await perform(trial, operation, {
      ...(item && { item }),
      ...(body !== undefined && { body }),
      ...more,
    });
  };
  const withKey = (one: string): Attempt => ({ headers: [[field, one]] });
  const count = async () => (await ifReached(() => list(trial, resource)))?.entries;
  const twice = (second: Second) => async (): Promise<Repeated> => {
    const one = fresh();
    const done = await ask(usual(), withKey(one));
    const before = await count();
    const [body, other] = second(done.given, one);
    const again = await ask(body, withKey(other));
    const lists = [before, await count()] as const;
    const counts = [lists[0]?.length, lists[1]?.length] as const;
    return {
      ...done,
      again,
      counts: notedAs(
        counts,
        lists.flatMap((one) => (one ? showedBy(one) : [])),
      ),
    };
  };

  const guard = ({ exchange }: Repeated): Truth =>
    every(succeeded(exchange, operation), doesJustThat(of, operation));
  const exchange = ({ again }: Repeated) => again.exchange;
  const sameAnswer = (says: string): Check<Repeated> => ({
    name: 'repeat.answer',
    says: `${key} ${says} gets the first answer again`,
    cites: cite(said),
    guard,
    claim: ({ exchange: first, json, again }) => {
      const [a, b] = [first.response, again.exchange.response];
      const isSame = equal(json ?? a?.body, again.json ?? b?.body) && mediaType(a) === mediaType(b);
      return {
        truth: known(isSame && a?.status === b?.status),
        expected: `${answerFound(first)}: ${shownAs(json)}`,
        found: `${answerFound(again.exchange)}: ${shownAs(again.json)}`,
      };
    },
    exchange,
  });
  const effect = (says: string, more: number): Check<Repeated> => ({
    name: 'repeat.effect',
    says: `${key} ${says} has ${more === 0 ? 'no second effect' : 'an effect of its own'}`,
    cites: cite(said),
    guard: (seen) =>
      every(
        guard(seen),
        more === 0 ? yes : succeeded(seen.again.exchange, operation),
        seen.counts.includes(undefined) || !isCreation
          ? unseen(`nothing shows how many of ${resource.name} there are`)
          : yes,
      ),
    claim: ({ counts: [before = 0, after = 0] }) => ({
      truth: known(after === before + more),
      expected: `${before + more} items`,
      found: `${after} items`,
    }),
    exchange,
  });
  const should = succeeds(trial, operation, `${key} with another key`, [], cite(said));
  const carriedOut: Check<Repeated> = {
    name: 'repeat.another',
    says: `${key} with another key is carried out`,
    cites: cite(said),
    guard: (seen) => every(guard(seen), should.guard(seen.again)),
    claim: ({ again }) => should.claim(again),
    exchange,
  };
  const told = [...(stated(stated(repeating.replay)?.headers) ?? [])].flatMap(
    ([name, one]): Check<Repeated>[] => {
      const template = stated(one)?.template;
      if (template === undefined) return [];
      return [
        {
          name: 'repeat.fields',
          says: `${key}, repeated, is told of by ${name}`,
          cites: cite(one),
          guard,
          claim: ({ names, again }) =>
            fitsField(workOut(template, names), header(again.exchange.response, name)),
          exchange,
        },
        {
          name: 'repeat.first',
          says: `${key}, asked for the first time, is not told to be a repeat by ${name}`,
          cites: cite(one),
          guard: (seen) => every(guard(seen), closed(of, operation.address)),
          claim: ({ exchange: first }) => ({
            truth: known(header(first.response, name) === undefined),
            expected: `no ${name}`,
            found: shownAs(header(first.response, name)),
          }),
        },
      ];
    },
  );

  const refused = (says: string, name: Reason['name'], more: () => Attempt, first?: () => Promise<Item>) =>
    refusing(trial, {
      says: `${key} ${says}`,
      operation,
      cites: cite(said),
      reasons: [{ name, subject: '', failures: [] }],
      must: doesJustThat(of, operation),
      ...(first && { item: first }),
      send: () => ask(another(), more()),
    });
  let used = '';
  let usedWith: Json | undefined;
  /** A body that the key was not used with: with that one the request would be a repeat. */
  const another = (): Json | undefined => {
    const found = [0, 1, 2, 3, 4, 5, 6, 7].map(usual).find((one) => !equal(one, usedWith));
    if (found === undefined && usedWith !== undefined) throw new Unreached('no other request is known');
    return found;
  };
  const useKey = (at: Operation) => async (): Promise<Item> => {
    if (at === operation && bodyOf(of, operation) === null && !isAboutOne(operation))
      throw new Unreached('no other request is known');
    used = fresh();
    const first =
      at === operation ? await ask(usual(), withKey(used)) : await sample(trial, at, withKey(used));
    usedWith = first.given;
    if (first.item === null || succeeded(first.exchange, at).value !== true)
      throw new Unreached(`the first request with the key gave ${answerFound(first.exchange)}`);
    return first.item;
  };
  const sharing = of.operations.find((one) => one !== operation && sharesKeys(trial, one, operation));

  return [
    scenario(
      of,
      restsOf(operation),
      twice((body, one) => [body, one]),
      [
        sameAnswer('with the key of an earlier request'),
        effect('with the key of an earlier request', 0),
        ...told,
      ],
    ),
    scenario(
      of,
      restsOf(operation),
      twice((body, one) => [turned(body), one]),
      [sameAnswer('with its members in another order'), effect('with its members in another order', 0)],
    ),
    scenario(
      of,
      restsOf(operation),
      twice((body) => [isCreation ? usual() : body, fresh()]),
      [carriedOut, effect('with another key', 1)],
    ),
    ...(isCreation ? [raced()] : []),
    ...(of.authentication.kind === 'stated' ? byAnother() : []),
    refused('with the key of another request', 'key reused', () => withKey(used), useKey(operation)),
    ...(sharing
      ? [refused(`with the key of a ${sharing.key}`, 'key reused', () => withKey(used), useKey(sharing))]
      : []),
    ...(stated(repeating.required) === true
      ? [refused('without a key', 'key missing', () => ({ omit: [field] }))]
      : []),
    ...(stated(repeating.remembers) === 'successes' ? [afterRefusal()] : []),
  ];

  /** Several send one request with one key at once: one of them has an effect, whatever the others are answered. */
  function raced(): Scenario {
    const check: Check<Raced> = {
      name: 'race.repeat',
      says: `${key} with one key, by several at once, has one effect`,
      cites: cite(said),
      guard: ({ raced: all }) =>
        every(
          known(winners(operation, all).length > 0, 'none of them succeeded'),
          known(
            winners(operation, all).every(({ item }) => item && identityOf(item)),
            'no identifier could be learned',
          ),
          doesJustThat(of, operation),
        ),
      claim: ({ raced: all }) => {
        const made = new Set(winners(operation, all).map(({ item }) => item && identityOf(item)));
        return {
          truth: known(made.size === 1),
          expected: 'one item',
          found: `${made.size} items of ${all.length} requests`,
        };
      },
    };
    const observe = async (): Promise<Raced> => {
      const item = await itemFor(trial, operation);
      const body = usual();
      const attempt = { ...(item && { item }), ...(body !== undefined && { body }), ...withKey(fresh()) };
      return await race(trial, operation, () => attempt);
    };
    return scenario(of, restsOf(operation), observe, [check]);
  }

  /** With a key for each actor, another's first request with one is its own; else it is a repeat, whoever asks. */
  function byAnother(): Scenario[] {
    const per = repeating && stated(repeating.per);
    if (!repeating || per === undefined) return [];
    const says = `with the key of somebody else's request`;
    const two = async (second: (body: Json | undefined) => Json | undefined): Promise<Repeated> => {
      const as = await trial.enter(askerFor(trial, operation, {}) ?? undefined);
      if (as === null) throw new Unreached('nobody else could be made to ask');
      const one = fresh();
      const done = await ask(usual(), withKey(one));
      if (succeeded(done.exchange, operation).value !== true)
        throw new Unreached(`the first request with the key gave ${answerFound(done.exchange)}`);
      const again = await ask(second(done.given), { ...withKey(one), as });
      return { ...done, again, counts: [undefined, undefined] };
    };
    if (per === 'actor') {
      const check = succeeds(trial, operation, `${key} ${says}`, [], cite(repeating.per));
      return [scenario(of, restsOf(operation), async () => (await two(usual)).again, [check])];
    }
    const same = sameAnswer(says);
    const isLetIn = ({ again }: Repeated): Truth => admits(of, operation, again.names);
    const check = {
      ...same,
      cites: cite(repeating.per),
      guard: (seen: Repeated) => every(guard(seen), isLetIn(seen)),
    };
    return [scenario(of, restsOf(operation), () => two((body) => body), [check])];
  }

  /** The key of a request that was refused is free, where successes alone are remembered. */
  function afterRefusal(): Scenario {
    const body = bodyOf(of, operation);
    const wrong = body && pastBound(body.schema, trial.tools, (place) => place.length > 0);
    const observe = async (): Promise<Done> => {
      const one = fresh();
      await ask(wrong?.value, { ...(wrong ? {} : { raw: '{"' }), ...withKey(one) });
      return await ask(usual(), withKey(one));
    };
    const says = `${key} with the key of a request that was refused`;
    const cites = repeating ? cite(repeating.remembers) : cite(said);
    return scenario(of, restsOf(operation), observe, [succeeds(trial, operation, says, [], cites)]);
  }
}

/** Whether a key of one operation is one of the other too: it comes in the same field, and is as much whose. */
function sharesKeys(trial: Trial, one: Operation, other: Operation): boolean {
  const [own, its] = [one, other].map(({ endpoint }) => stated(endpoint.idempotency));
  const fields = [own, its].map((all) => all && stated(all.header)?.toLowerCase());
  const owners = [own, its].map((all) => all && stated(all.per));
  const isSame = [fields, owners].every(([a, b]) => a !== undefined && a === b);
  return isSame && stated(one.does)?.verb === 'create' && heldUp(trial.of, one) === null;
}

/** The same members the other way round: equal as JSON values. */
function turned(body: Json | undefined): Json | undefined {
  const members = membersOf(body);
  return members ? Object.fromEntries(Object.entries(members).reverse()) : body;
}
