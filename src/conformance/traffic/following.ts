import type { Made } from '../../semantics/value/value.ts';
import { type OperatorCredential, World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Judged, judgedIn } from './exchange.ts';
import type { Recorded } from './har.ts';
import { messageOf } from './message.ts';
import { firstOf, ordersOf } from './together.ts';
import { changesNothing } from './unchanged.ts';

/** What is known before the first exchange. */
export interface Beginning {
  readonly specification: Specification;
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  readonly operators: readonly OperatorCredential[];
  /** Whether nobody else sends requests, and nothing was stored before but what the document states. */
  readonly isClosed: boolean;
  /** Whether the implementation may do what is not stated, where a list is not closed (language §D.2). Default: true */
  readonly mayAdd?: boolean;
}

/** Of so many requests that are under way together, every order is tried. */
const mostTogether = 4;
/** More worlds than this are not followed: then nothing is known. */
const mostWorlds = 24;
/** So long a world is followed, in milliseconds: the semantics knows no timers and credentials that end later. */
const longestMs = 3_600_000;

/** What may have come of a group of exchanges, in one world and one order. */
interface Course {
  readonly judged: readonly Judged[];
  readonly world: World | null;
  readonly bound: ReadonlyMap<Made, string | number>;
}

/** The worlds in which a service may be, after all exchanges that were seen. */
export class Following {
  readonly #beginning: Beginning;
  #worlds: readonly World[];
  #sinceMs: number | null = null;

  constructor(beginning: Beginning) {
    this.#beginning = beginning;
    this.#worlds = [this.#begun(!beginning.isClosed)];
  }

  get worlds(): readonly World[] {
    return this.#worlds;
  }

  /** Judges exchanges that were under way together: some order of them has to explain all answers (language §F.7). */
  note(group: readonly Recorded[]): readonly Judged[] {
    this.#goOn(group);
    const isReading = group.every((recorded) => this.#changesNothing(recorded));
    if (group.length > mostTogether && !isReading) {
      this.lose();
      const why = `more than ${mostTogether} requests were under way together`;
      return group.map((recorded) => ({ recorded, operation: null, settled: null, why }));
    }
    const fitting = this.#worlds.flatMap((world) => [...this.#explaining(world, group, isReading)]);
    const kept = fitting.length > 0 ? fitting : [this.#nearest(group, isReading)];
    this.#keep(kept);
    // What is determined in one world alone is not determined.
    const [least] = kept.toSorted((a, b) => determined(a) - determined(b));
    return least?.judged ?? [];
  }

  #changesNothing({ exchange: { request, response } }: Recorded): boolean {
    const { specification, url } = this.#beginning;
    const { method, target } = messageOf(request, url);
    const path = target.split('?')[0] as string;
    return changesNothing({ method, path, status: response?.status ?? null }, specification);
  }

  /** Every course that explains all answers. Nothing stays bound. */
  *#explaining(world: World, group: readonly Recorded[], isReading: boolean): Iterable<Course> {
    if (group.length === 0) yield { judged: [], world, bound: new Map() };
    // Where nothing is changed, the order makes no difference.
    for (const first of isReading ? group.slice(0, 1) : firstOf(group)) {
      const { judged, world: next } = judgedIn(world, first, this.#beginning.url);
      if ((judged.settled?.differences.length ?? 0) > 0) continue;
      const bound = judged.settled?.bound ?? new Map<Made, string | number>();
      const others = group.filter((other) => other !== first);
      for (const rest of this.#explaining(next ?? this.#begun(true), others, isReading))
        yield {
          judged: [judged, ...rest.judged],
          world: next && rest.world,
          bound: new Map([...bound, ...rest.bound]),
        };
      for (const made of bound.keys()) made.bound = undefined;
    }
  }

  /** No course explains all answers: the nearest one. */
  #nearest(group: readonly Recorded[], isReading: boolean): Course {
    const orders = isReading ? [group] : ordersOf(group, firstOf);
    const courses = this.#worlds.flatMap((world) => orders.map((order) => this.#course(world, order)));
    return courses.toSorted((a, b) => differences(a) - differences(b))[0] as Course;
  }

  /** Carries out requests in this order. Nothing stays bound. */
  #course(world: World, order: readonly Recorded[]): Course {
    const judged: Judged[] = [];
    const bound = new Map<Made, string | number>();
    let isKnown = true;
    let latest = world;
    for (const recorded of order) {
      const course = judgedIn(latest, recorded, this.#beginning.url);
      judged.push(course.judged);
      for (const [made, value] of course.judged.settled?.bound ?? []) bound.set(made, value);
      isKnown &&= course.world !== null;
      latest = course.world ?? this.#begun(true);
    }
    for (const made of bound.keys()) made.bound = undefined;
    return { judged, world: isKnown ? latest : null, bound };
  }

  /** The worlds of these courses are those in which the service may be now. */
  #keep(courses: readonly Course[]): void {
    const worlds = apart(courses.map(({ world }) => world));
    const bound = joined(courses.map((course) => course.bound));
    if (worlds === null || bound === null || worlds.length > mostWorlds) {
      this.lose();
      return;
    }
    for (const [made, value] of bound) made.bound = value;
    this.#worlds = worlds;
  }

  /** From now on nothing is known: what is stored may be anything. */
  lose(): void {
    this.#worlds = [this.#begun(true)];
    this.#sinceMs = null;
  }

  #goOn([first]: readonly Recorded[]): void {
    const sentMs = first?.sentMs ?? 0;
    if (this.#sinceMs !== null && sentMs - this.#sinceMs > longestMs) this.lose();
    this.#sinceMs ??= sentMs;
  }

  #begun(isShared: boolean): World {
    const { specification, mayAdd = true } = this.#beginning;
    const world = new World(specification, { isShared, mayAdd });
    world.operators = this.#beginning.operators;
    world.countedUnseenMs = Number.POSITIVE_INFINITY;
    return world;
  }
}

/** Worlds that differ; null: one of them is not known. */
function apart(all: readonly (World | null)[]): readonly World[] | null {
  const found: World[] = [];
  for (const world of all) {
    if (world === null) return null;
    if (!found.some((other) => other === world || other.isAlike(world))) found.push(world);
  }
  return found;
}

/** What several courses bind; null: they differ. */
function joined(all: readonly Course['bound'][]): Course['bound'] | null {
  const found = new Map<Made, string | number>();
  for (const [made, value] of all.flatMap((bound) => [...bound])) {
    if ((found.get(made) ?? value) !== value) return null;
    found.set(made, value);
  }
  return found;
}

function differences({ judged }: Course): number {
  return judged.reduce((sum, { settled }) => sum + (settled?.differences.length ?? 0), 0);
}

function determined({ judged }: Course): number {
  return judged.reduce((sum, { settled }) => sum + (settled?.determined ?? 0), 0);
}
