import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { difference } from '../alike.ts';
import { type Check, ifReached, type Scenario, type Seen, scenario } from '../check.ts';
import { answerFound, doesJustThat, succeeded } from '../guards.ts';
import { identityOf } from '../item.ts';
import { isPaged, pageParameter, type Role } from '../page.ts';
import { make, perform, withOthers } from '../perform.ts';
import { before, deed, looksAsStated } from '../success.ts';
import { type Done, type Entry, operationFor, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { nothingRefuses } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { mostOf, NotTurned, turning, type Walk, walk } from '../walk.ts';
import { several, sightings, tellsWho, where } from './collection.ts';

interface Paged extends Seen {
  readonly whole: Walk;
  readonly small: Walk;
  readonly size: number | undefined;
  /** The answer to a page that was offered and not shown, which ends the walk. */
  readonly refused?: Done;
}

/** A list that is sent page by page: whole, each item once, in pages of the size asked for (language §4.2). */
export function pages(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  if (!isPaged(operation)) return [];
  const size = pageParameter(operation, 'size');
  const way = turning(operation);
  const turn = way && { address: way.address, at: way.at };
  const most = mostOf(trial, operation);
  const says = `${operation.key}, page by page,`;
  const observe = async (): Promise<Paged> => {
    const made = await ifReached(() => several(trial, resource, 6));
    const attempt = where(trial, made?.[0]);
    try {
      const whole = await walk(trial, operation, { attempt, ...(most !== undefined && { size: most }) });
      const many = size && smaller(trial, operation, size, whole.entries.length);
      const small = await walk(trial, operation, { attempt, ...(many !== undefined && { size: many }) });
      return { exchange: small.last.exchange, whole, small, size: many };
    } catch (error) {
      if (!(error instanceof NotTurned)) throw error;
      const { done } = error;
      const none = { entries: [], pages: [{ ...done, entries: [] }], last: done };
      return { exchange: done.exchange, whole: none, small: none, size: undefined, refused: done };
    }
  };
  const isShown = ({ refused }: Paged) =>
    known(refused === undefined, 'a page that was offered was not shown');
  const guard = (seen: Paged) => all(isShown(seen), doesJustThat(trial.of, operation));
  const turned: Check<Paged> = {
    name: 'page.turned',
    says: `${says} shows each page that it offers`,
    cites: turn ?? deed(operation),
    guard: ({ small, refused = small.last }) =>
      nothingRefuses(trial.of, operation, [], before(refused), refused.exchange),
    claim: ({ exchange, refused }) => ({
      truth: known(refused === undefined),
      expected: 'a page of the list',
      found: answerFound(exchange),
    }),
  };
  const once: Check<Paged> = {
    name: 'page.whole',
    says: `${says} shows each item of the list once`,
    cites: turn ?? deed(operation),
    guard: (seen) => all(guard(seen), known(seen.small.pages.length > 1, 'the list has one page')),
    claim: ({ whole, small }) => {
      const { gone, come } = difference(shownIn(whole.entries), shownIn(small.entries));
      const isSame = gone.length === 0 && come.length === 0;
      return {
        truth: known(isSame),
        expected: `the ${whole.entries.length} items of the list`,
        found: isSame ? 'so' : `missing: ${shownAs(gone)}; besides: ${shownAs(come)}`,
      };
    },
  };
  const filled: Check<Paged> = {
    name: 'page.size',
    says: `${says} shows as many items a page as are asked for`,
    cites: size ? { address: size.address, at: size.at } : deed(operation),
    guard: (seen) =>
      all(guard(seen), known(seen.whole.entries.length > (seen.size ?? 0), 'the list has one page')),
    claim: ({ small, size: wanted = 0 }) => {
      const counts = small.pages.map((page) => page.entries.length);
      const fits = counts.every((count, i) => count === wanted || (i >= counts.length - 2 && count < wanted));
      return {
        truth: known(fits),
        expected: `${wanted} on each page but the last`,
        found: counts.join(', '),
      };
    },
  };
  const ends: Check<Paged> = {
    name: 'page.next',
    says: `${says} offers no page that nothing is on`,
    cites: turn ?? deed(operation),
    guard: (seen) => all(guard(seen), known(seen.small.entries.length > 0, 'the list is empty')),
    claim: ({ small }) => {
      const empty = small.pages.slice(1).filter((page) => page.entries.length === 0);
      return {
        truth: known(empty.length === 0),
        expected: 'items on each page',
        found: `${empty.length} without any`,
      };
    },
  };
  const isOffered = ['cursor'].some((role) => pageParameter(operation, role as Role));
  const told: Check<Paged>[] = looksAsStated(trial, operation)
    .filter(({ name }) => name === 'answer.body' || name === 'answer.headers')
    .map((check) => ({
      name: check.name,
      cites: check.cites,
      says: `${says}: ${check.says}, on each page`,
      guard: (seen) => all(isShown(seen), ...seen.small.pages.map((page) => check.guard(page))),
      claim: ({ small }) => {
        const claims = small.pages.map((page) => check.claim(page));
        const [first] = claims;
        const wrong = claims.find(({ truth }) => truth.value === false);
        return (
          wrong ??
          claims.find(({ truth }) => truth.value === null) ??
          (first as ReturnType<typeof check.claim>)
        );
      },
    }));
  const scenarios = [
    scenario<Paged>(trial.of, restsOf(operation), observe, [
      ...(isOffered ? [turned] : []),
      once,
      ...(size ? [filled] : []),
      ...(isOffered ? [ends] : []),
      ...told,
    ]),
    ...(size ? usual(trial, operation, size) : []),
  ];
  if (pageParameter(operation, 'cursor')) scenarios.push(meanwhile(trial, operation, resource));
  return scenarios;
}

function shownIn(entries: readonly Entry[]) {
  return entries.map((entry) => entry.shown);
}

/** A size that makes several pages of a list, the last of them full if that can be. */
function smaller(trial: Trial, operation: Operation, { shape }: Parameter, total: number): number {
  const { minimum = 1 } = schemaOf(shape) as { minimum?: number };
  const most = mostOf(trial, operation) ?? 100;
  const least = Math.min(Math.max(minimum, Math.ceil(total / 5), 1), most);
  const range = Array.from({ length: Math.max(0, most - least) + 1 }, (_, index) => least + index);
  return range.find((one) => total % one === 0 && one < total) ?? least;
}

/** Without a size, a page is as long as the default says. */
function usual(trial: Trial, operation: Operation, size: Parameter): Scenario[] {
  const fallback = stated(size.default);
  if (typeof fallback !== 'number') return [];
  const observe = async (): Promise<Done & { readonly total: number }> => {
    const attempt = await withOthers(trial, operation, {});
    const { entries } = await walk(trial, operation, { attempt });
    return { ...(await perform(trial, operation, attempt)), total: entries.length };
  };
  const check: Check<Done & { readonly total: number }> = {
    name: 'page.default',
    says: `${operation.key} without ${size.name} shows as many items as its default says`,
    cites: { address: size.default.address, at: size.default.at },
    guard: ({ entries }) =>
      all(doesJustThat(trial.of, operation), entries ? yes : unseen(`${operation.key} showed no list`)),
    claim: ({ entries, total }) => ({
      truth:
        entries?.length !== Math.min(fallback, total)
          ? known(false)
          : total > fallback
            ? yes
            : unseen(`the list has no more than ${total}`),
      expected: `${Math.min(fallback, total)} of ${total}`,
      found: String(entries?.length ?? 'none'),
    }),
  };
  return [scenario(trial.of, restsOf(operation), observe, [check])];
}

interface Meanwhile extends Seen {
  readonly before: readonly Entry[];
  readonly seen: readonly Entry[];
  readonly after: readonly Entry[];
  /** What was carried out between two of its pages. */
  readonly written: readonly Done[];
}

/** With a cursor, no item that stayed is lost or doubled while others write (language §4.2). */
function meanwhile(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const cursor = pageParameter(operation, 'cursor') as Parameter;
  const size = pageParameter(operation, 'size');
  const observe = async (): Promise<Meanwhile> => {
    const made = await several(trial, resource, 6);
    const attempt = where(trial, made[0]);
    const before = (await walk(trial, operation, { attempt })).entries;
    const remover = operationFor(trial.of, resource, 'delete');
    const isTried = { removing: remover === null, making: false };
    const written: Done[] = [];
    // One is removed, and after another page one is made, lest the two make up for one another.
    const between = async (seen: readonly Entry[]): Promise<void> => {
      const own = made.find((one) => sightings(seen, one).length > 0);
      const isRemoved = own !== undefined && !isTried.removing;
      if (!isRemoved && isTried.making) return;
      isTried[isRemoved ? 'removing' : 'making'] = true;
      const done = await ifReached(() =>
        isRemoved ? perform(trial, remover as Operation, { item: own }) : make(trial, resource, {}, attempt),
      );
      if (done && succeeded(done.exchange, done.operation).value === true) written.push(done);
    };
    const many = size && smaller(trial, operation, size, before.length);
    const small = await walk(trial, operation, {
      attempt,
      ...(many !== undefined && { size: many }),
      between,
    });
    const after = (await walk(trial, operation, { attempt })).entries;
    return { exchange: small.last.exchange, before, seen: small.entries, after, written };
  };
  const check: Check<Meanwhile> = {
    name: 'page.cursor',
    says: `${operation.key}, page by page while others write, loses and doubles no item that stayed`,
    cites: { address: cursor.address, at: cursor.at },
    guard: ({ before, after, seen, written }) =>
      all(
        doesJustThat(trial.of, operation),
        known(written.length > 0, 'nothing was written between two pages'),
        tellsWho([...before, ...after, ...seen]) ? yes : unseen('the list does not tell who an item is'),
      ),
    claim: ({ before, seen, after }) => {
      const who = (entries: readonly Entry[]) => entries.map(({ item }) => identityOf(item) as string);
      const last = new Set(who(after));
      const stayed = who(before).filter((one) => last.has(one));
      const counts = new Map<string, number>();
      for (const one of who(seen)) counts.set(one, (counts.get(one) ?? 0) + 1);
      const wrong = stayed.filter((one) => counts.get(one) !== 1);
      return {
        truth: stayed.length === 0 ? unseen('no item stayed') : known(wrong.length === 0),
        expected: `each of ${stayed.length} once`,
        found:
          wrong.length === 0 ? 'so' : wrong.map((one) => `${one}: ${counts.get(one) ?? 0} times`).join(', '),
      };
    },
  };
  return scenario(trial.of, restsOf(operation), observe, [check]);
}
