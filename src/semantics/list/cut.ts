import { Stretch, type Value, type Window } from '../value/value.ts';
import type { Entry, Listing, Position } from '../world/cursors.ts';
import type { Asked } from './asked.ts';
import type { Listed } from './items.ts';
import { compared, type Key } from './order.ts';
import { liesIn } from './positions.ts';

/** An item of a list at one moment. */
export interface Placed extends Listed {
  readonly marks: readonly Value[];
}

/** A list from which a page is cut. */
export interface Cutting {
  readonly items: readonly Placed[];
  /** What somebody else's items are like; undefined: there are none. */
  readonly theirs: Value | undefined;
  readonly keys: readonly Key[];
  readonly asked: Asked;
  readonly positions: readonly Position[];
}

/** A page: its elements, and what is known of the list around it. */
export interface Cut {
  /** In brackets, if the elements and their order are known. */
  readonly elements: readonly Value[] | Stretch;
  readonly listing: Listing;
  /** How many items the stretch has from which the page is cut, at least and at most. */
  readonly least: number;
  readonly most: number;
}

/**
 * Cuts a page out of a list (language §4.5, rules 4 to 7). What is not known stays open: where an item lies whose order
 * nobody states, and what others made.
 *
 * @param goesOn whether the list is known to go on after the page; undefined: unknown
 */
export function cut({ items, theirs, keys, asked, positions }: Cutting, goesOn?: boolean): Cut {
  const isBack =
    positions.some(({ side }) => side === 'before') && !positions.some(({ side }) => side === 'after');
  const size = asked.size ?? Number.POSITIVE_INFINITY;
  const within = items.map((item) => sideOf(item, positions, keys));
  const isListed = (place: number): boolean => items[place]?.isSure === true && within[place] === 'within';
  const mayBe = [...items.keys()].filter((place) => ['within', undefined].includes(within[place]));
  const known = mayBe.filter(isListed).length;
  const others = theirs === undefined ? mayBe.length : Number.POSITIVE_INFINITY;
  // Of a page whose end is bounded, nothing follows from what comes after it.
  const end = positions.some(({ side }) => side === 'before') ? undefined : goesOn;
  const least = end === true ? Math.max(known, asked.skip + size + 1) : known;
  const most = end === false ? Math.max(known, Math.min(others, asked.skip + size)) : others;
  const isBefore = (a: number, b: number): boolean =>
    compared(items[a]?.marks ?? [], items[b]?.marks ?? [], keys) < 0;
  const order = (a: number, b: number): number =>
    compared(items[a]?.marks ?? [], items[b]?.marks ?? [], keys) * (isBack ? -1 : 1);
  const ranks = mayBe.map((place) => {
    const sure = mayBe.filter((other) => other !== place && isListed(other));
    return {
      place,
      least: sure.filter((other) => order(other, place) < 0).length,
      most: most - 1 - sure.filter((other) => order(other, place) > 0).length,
    };
  });
  const onPage = ranks.filter((rank) => rank.least < asked.skip + size && rank.most >= asked.skip);
  const places = onPage.map(({ place }) => place);
  const skipped = ranks.filter((rank) => rank.most < asked.skip && isListed(rank.place)).length;
  const count = (of: number): number => Math.max(0, Math.min(of - asked.skip, size));
  const window: Window = {
    least: count(least),
    most: count(most),
    sure: onPage.map(
      (rank) =>
        isListed(rank.place) &&
        rank.least >= asked.skip &&
        (rank.most < asked.skip + size || asked.size === undefined),
    ),
    listed: places.map(isListed),
    after: places.map(
      (place) => new Set(places.flatMap((other, at) => (isBefore(place, other) ? [at] : []))),
    ),
    skips: Math.max(0, asked.skip - skipped),
    isBack,
    sight: { shown: new Set(), hidden: new Set() },
  };
  const entries = items.map(
    ({ stored, marks, isSure }, place): Entry => ({
      stored,
      marks,
      side: isSure ? within[place] : undefined,
      place: places.includes(place) ? places.indexOf(place) : undefined,
    }),
  );
  const elements = elementsOf(
    places.map((place) => items[place] as Placed),
    theirs,
    window,
  );
  return {
    elements,
    listing: { entries, window, skip: asked.skip, isWhole: theirs === undefined },
    least,
    most,
  };
}

/** Where an item lies, of the stretch between some places. */
function sideOf(item: Placed, positions: readonly Position[], keys: readonly Key[]): Entry['side'] {
  const lies = positions.map((position) => [position, liesIn(position, item, keys)] as const);
  const out = lies.find(([, is]) => is === false);
  if (out) return out[0].side === 'after' ? 'before' : 'after';
  return lies.some(([, is]) => is === undefined) ? undefined : 'within';
}

/** In brackets, if it is known which they are and in what order they come. */
function elementsOf(
  items: readonly Placed[],
  theirs: Value | undefined,
  window: Window,
): readonly Value[] | Stretch {
  const all = items.map(({ item }) => item);
  const { sure, after, most } = window;
  const isEmpty = most === 0;
  const isOrdered = after.every(
    (later, place) => later.size + after.filter((others) => others.has(place)).length === items.length - 1,
  );
  const isKnown = isEmpty || (sure.every((is) => is) && isOrdered && most === items.length);
  if (!isKnown) return new Stretch(all, theirs, window);
  const places = isEmpty ? [] : [...items.keys()].toSorted((a, b) => (after[a]?.has(b) ? -1 : 1));
  window.sight.shown = new Set(places);
  window.sight.hidden = new Set([...items.keys()].filter((place) => !places.includes(place)));
  return places.map((place) => all[place] as Value);
}
