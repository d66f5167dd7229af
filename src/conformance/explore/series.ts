import type { Request } from '../../semantics/request/prediction.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyIn, isMembers, withBody } from '../requests/bodies.ts';
import { sizesIn } from '../requests/literals.ts';
import type { Pool } from '../requests/pool.ts';

/** How many requests of a hundred begin a series, while one is left. */
const begins = 3;

/** Shorter ones come by chance. */
const shortest = 4;

/** No series of a usual walk is longer, and none at all. */
const [longest, longestOfAll] = [32, 1001];

/** One of so many or more makes each request after it slow, so it comes late: after so many requests. */
const [long, late] = [16, 100];

/** So many requests of a long series that make nothing are not counted: for each that is, and at least. */
const [vainEach, leastVain] = [0.25, 20];

/** How many series a walk has at the most. */
const most = 3;

/** How many of a hundred requests make an item that is alike in what lists are sorted by first. */
const tied = 50;

/** What requests of a series have in common. */
type Same = 'sender' | 'place';

const ways: readonly (readonly Same[])[] = [['sender', 'place'], ['sender'], ['place']];

/** An operation that makes items, and how many show where something stated of their number turns. */
export interface Wanted {
  readonly operation: Operation;
  readonly requests: number;
  /** Resources of which there have to be as many items. */
  readonly needs: readonly string[];
}

/** What is sent next: to make one more item, or to list them. */
interface Next {
  readonly operation: Operation;
  /** The request, once values for it were chosen. */
  readonly like: (request: Request) => Request;
}

/**
 * Series of requests of the same sender that make items of one kind in one place, and then list them. What is stated of how
 * many there may be, as a quota or the size of a page, is not shown by the few items that walks have at other times.
 */
export class Series {
  readonly #left: Wanted[];
  #begun = 0;
  /** How many requests had their turn. */
  #turns = 0;
  #making: { readonly operation: Operation; left: number } | null = null;
  #listing: Operation[] = [];
  #isLong = false;
  #length = 0;
  /** How many requests of a long series made nothing. */
  #vain = 0;
  /** The last request that made an item, or would have made one. */
  #last: Request | null = null;
  /** The members by which lists of what is made are sorted, but for the last one of each. */
  #sorting: ReadonlySet<string> = new Set();
  /** What all requests of the series have in common: what is counted together may be of one sender, or in one place. */
  #same: readonly Same[] = [];

  constructor(specification: Specification) {
    this.#left = [...wantedIn(specification)];
  }

  /** Whether one is under way: then no time should pass. */
  get isOn(): boolean {
    return this.#making !== null || this.#listing.length > 0;
  }

  /**
   * Begins a series at once, whose items are all made by one sender in one place. It is as long as is wanted.
   *
   * @param last a request that makes such an item. Default: the first of the series is
   */
  begin({ operation, requests }: Wanted, specification: Specification, last: Request | null = null): void {
    this.#last = last;
    this.#isLong = last !== null;
    this.#vain = 0;
    this.#length = requests;
    this.#same = ways[0] as readonly Same[];
    this.#making = { operation, left: requests };
    const lists = listsOf(operation.subject?.name ?? '', specification);
    this.#sorting = new Set(lists.flatMap((list) => orderOf(list).slice(0, -1)));
  }

  /**
   * What is sent next.
   *
   * @param isAble whether an operation may be asked now
   * @param world what there is
   * @returns null: nothing, as no series is under way
   */
  next(pool: Pool, world: World, isAble: (operation: Operation) => boolean): Next | null {
    this.#turns += 1;
    if (!this.isOn) this.#begin(pool, world, isAble);
    const making = this.#making;
    if (making) {
      making.left -= 1;
      if (making.left === 0) this.end(pool.specification);
      const isTied = pool.often(tied);
      return { operation: making.operation, like: (request) => this.#again(request, isTied) };
    }
    const operation = this.#listing.pop();
    return operation ? { operation, like: ofUsualSize } : null;
  }

  /**
   * Notes the last request, and whether it makes an item. If not, what follows in a usual series has nothing in common with it,
   * and a long one is none the shorter.
   */
  note(request: Request, isMade: boolean): void {
    if (isMade) this.#last = request;
    // What made nothing is no pattern for the next item of a long series.
    else if (!this.#isLong) this.#last = this.#same.length === 1 ? request : null;
    else if (this.#making && this.#vain++ < Math.max(leastVain, this.#length * vainEach))
      this.#making.left += 1;
  }

  /** Whether it is one for which a walk was begun. */
  get isLong(): boolean {
    return this.#isLong && this.isOn;
  }

  /** Nothing more of the series is sent. */
  stop(): void {
    this.#making = null;
    this.#listing = [];
  }

  #begin(pool: Pool, world: World, isAble: (operation: Operation) => boolean): void {
    const able = this.#left.filter(
      ({ operation, requests, needs }) =>
        isAble(operation) &&
        (requests < long || this.#turns > late) &&
        needs.every((resource) => world.items(resource).length >= requests),
    );
    if (able.length === 0 || this.#begun === most || !pool.often(begins)) return;
    const chosen = pool.random.pick(able);
    this.#left.splice(this.#left.indexOf(chosen), 1);
    this.#begun += 1;
    this.begin(chosen, pool.specification);
    this.#same = pool.random.pick(ways);
  }

  /** Nothing more can be made: what was made is listed. */
  end(specification: Specification): void {
    if (this.#making === null) return;
    this.#listing = [...listsOf(this.#making.operation.subject?.name ?? '', specification)];
    this.#making = null;
  }

  /**
   * One more, of the same sender or in the same place.
   *
   * @param isTied whether it is alike in what lists are sorted by first
   */
  #again(request: Request, isTied: boolean): Request {
    const last = this.#last;
    if (last === null) return request;
    const tied = isTied ? likeIn(this.#sorting, request, last) : request;
    const placed = this.#same.includes('place') ? inPlaceOf(tied, last) : tied;
    return this.#same.includes('sender') ? { ...placed, credentials: last.credentials } : placed;
  }
}

/**
 * The request about the same items as another one, by its path and by what its body refers to, and at the same times; but for
 * what no two items share.
 */
function inPlaceOf(request: Request, other: Request): Request {
  const { bindings, subject } = request.operation;
  const place = Object.entries(other.path).filter(([name]) => bindings.get(name)?.kind === 'other');
  const identifier = (subject && stated(subject.identifier)) ?? [];
  const together = (subject && stated(subject.unique)) ?? [];
  const apart = new Set([...identifier, ...together.flatMap(({ fields }) => fields)].map(({ text }) => text));
  const placing = [...(subject?.fields.values() ?? [])].filter(
    ({ name, refers, shape, unique }) =>
      !apart.has(name) &&
      stated(unique) === undefined &&
      (stated(refers) || schemaOf(shape)['format'] === 'date-time'),
  );
  return {
    ...likeIn(new Set(placing.map(({ name }) => name)), request, other),
    path: { ...request.path, ...Object.fromEntries(place) },
  };
}

/** The request with some members as another one gives them. */
function likeIn(names: ReadonlySet<string>, request: Request, other: Request): Request {
  const given = bodyIn(other);
  if (given === undefined || !isMembers(given)) return request;
  const same = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
  return withBody(request, (body) => (isMembers(body) ? { ...body, ...same } : undefined));
}

function listsOf(resource: string, { operations }: Specification): readonly Operation[] {
  return operations.filter(
    ({ does, subject }) => stated(does)?.verb === 'list' && subject?.name === resource,
  );
}

/** By which members a list is sorted. */
function orderOf({ does }: Operation): readonly string[] {
  const order = stated(stated(does)?.qualifiers.order);
  return Array.isArray(order)
    ? order.map(({ text }: { readonly text: string }) => text.replace(/^-/, ''))
    : [];
}

/** The same list without what filters it, or says how long its page is. */
function ofUsualSize(request: Request): Request {
  const needed = queryParameters(request.operation).filter(({ required }) => stated(required) === true);
  const names = new Set(needed.map(({ name }) => name));
  return {
    ...request,
    query: Object.fromEntries(Object.entries(request.query).filter(([name]) => names.has(name))),
  };
}

const wantedIn = once((specification: Specification): readonly Wanted[] => {
  const making = specification.operations.filter(({ does }) => stated(does)?.verb === 'create');
  const counts = new Map(
    [...specification.resourcesByName.keys()].map((name) => [name, countOf(name, specification)]),
  );
  const countFor = ({ subject }: Operation): number => counts.get(subject?.name ?? '') ?? 0;
  for (const operation of making)
    for (const other of needsOf(operation, specification))
      counts.set(other, Math.max(countFor(operation), counts.get(other) ?? 0));
  return making
    .filter((operation) => countFor(operation) >= shortest)
    .map((operation) => ({
      operation,
      requests: countFor(operation),
      needs: needsOf(operation, specification),
    }));
});

/** The resources to which the identifier of what is made refers, but for those in whose place it is made. */
function needsOf({ subject, bindings }: Operation, specification: Specification): readonly string[] {
  const places = [...bindings.values()].flatMap((binding) =>
    binding.kind === 'other' ? [binding.resource] : [],
  );
  return identifying(subject?.name ?? '', specification).filter((resource) => !places.includes(resource));
}

/** The resources to which the identifier of another one refers. */
function identifying(resource: string, { resourcesByName }: Specification): readonly string[] {
  const of = resourcesByName.get(resource);
  const names = (of && stated(of.identifier)) ?? [];
  return names.flatMap(({ text }) => {
    const refers = of?.fields.get(text)?.refers;
    return (refers && stated(refers)?.resource) ?? [];
  });
}

/** One more than the largest number of items of a resource that something is stated of; 0: nothing is. */
function countOf(resource: string, specification: Specification): number {
  const isSorted = listsOf(resource, specification).some((list) => orderOf(list).length > 1);
  const counts = numbersOf(resource, specification).filter((count) => count < longest);
  return Math.max(isSorted ? shortest : 0, ...counts.map((count) => count + 1));
}

/** How many items of a resource quotas allow, pages have and lists in bodies hold, where that is a number. */
function numbersOf(resource: string, specification: Specification): readonly number[] {
  const quotas = [...(stated(stated(specification.limits)?.quotas) ?? [])].flatMap(([, said]) => {
    const quota = stated(said);
    return quota && stated(quota.of)?.text === resource ? (stated(quota.allow) ?? []) : [];
  });
  const pages = listsOf(resource, specification)
    .flatMap((operation) => queryParameters(operation))
    .filter(({ roles }) => stated(roles.page) === 'size')
    .map((parameter) => stated(parameter.default));
  const all = [...quotas, ...pages, ...sizesIn(specification, resource)];
  return all.filter((count) => typeof count === 'number');
}

/** A series for each resource of whose number something is stated: up to the largest number, and one more. */
export const seriesIn = once((specification: Specification): readonly Wanted[] => {
  const making = specification.operations.filter(({ does }) => stated(does)?.verb === 'create');
  return [...Map.groupBy(making, ({ subject }) => subject?.name ?? '')].flatMap(([resource, [operation]]) => {
    const counts = numbersOf(resource, specification).filter((each) => each < longestOfAll);
    const needs = operation ? needsOf(operation, specification) : [];
    const requests = Math.max(0, ...counts) + 1;
    return operation === undefined || requests < shortest || needs.length > 0
      ? []
      : [{ operation, requests, needs }];
  });
});

/** Whether a series makes so many items that each request after it takes longer. */
export function isLong(wanted: Wanted | undefined): boolean {
  return wanted !== undefined && wanted.requests >= longest;
}
