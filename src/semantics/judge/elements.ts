import {
  type Collection,
  isList,
  isObject,
  Made,
  Stretch,
  Text,
  type Value,
  type Window,
} from '../value/value.ts';

/** Which found elements may be which items, by places. */
export interface Fitting {
  readonly window: Window;
  /** For each found element: the items that it may be. */
  readonly options: readonly (readonly number[])[];
  /** Whether a found element may be none of the items. */
  readonly others: readonly boolean[];
  /** Whether an item cannot be taken for somebody else's. */
  readonly told: readonly boolean[];
}

/** What the elements that came tell of a page. */
export interface Match {
  /** Places of an item and of the found element that surely is this item. */
  readonly pairs: readonly (readonly [item: number, found: number])[];
  readonly shown: ReadonlySet<number>;
  readonly hidden: ReadonlySet<number>;
}

/** More attempts than this are not made: then nothing is said. */
const mostTries = 5000;

/** Finds out which elements came; null: they are not those of the page; undefined: that takes too long. */
export function matched(fitting: Fitting): Match | null | undefined {
  const fits = canFit(fitting);
  if (fits !== true) return fits === false ? null : undefined;
  const { window, told } = fitting;
  const options = fitting.options.map((places) => new Set(places));
  const pairs = new Map<number, number>();
  for (let before = -1; before !== pairs.size; ) {
    before = pairs.size;
    for (const place of window.sure.keys()) {
      const found = [...options.keys()].filter((at) => options[at]?.has(place));
      const only = found.find((at) => {
        const isOnly = options[at]?.size === 1 && (!fitting.others[at] || told[place] === true);
        return isOnly || (window.sure[place] === true && found.length === 1);
      });
      if (pairs.has(place) || only === undefined) continue;
      pairs.set(place, only);
      options[only] = new Set([place]);
      for (const [at, places] of options.entries()) if (at !== only) places.delete(place);
    }
  }
  const isAll = pairs.size === options.length;
  const isHidden = (place: number): boolean =>
    !pairs.has(place) && (isAll || !options.some((places) => places.has(place)));
  const all = [...window.sure.keys()];
  return {
    pairs: [...pairs],
    shown: new Set(all.filter((place) => pairs.has(place) || window.sure[place])),
    hidden: new Set(all.filter(isHidden)),
  };
}

/** Whether there is a way to take each element for an item, or for somebody else's; undefined: not found out. */
function canFit({ window, options, others }: Fitting): boolean | undefined {
  let tries = 0;
  const used: (number | null)[] = [];
  const search = (at: number): boolean => {
    tries += 1;
    if (tries > mostTries) return false;
    if (at === options.length) return isPage(used, window);
    const mayCome = (place: number): boolean =>
      !used.includes(place) && !used.some((other) => other !== null && window.after[place]?.has(other));
    for (const place of [...(options[at] ?? []).filter(mayCome), ...(others[at] ? [null] : [])]) {
      used.push(place);
      if (search(at + 1)) return true;
      used.pop();
    }
    return false;
  };
  return search(0) || (tries > mostTries ? undefined : false);
}

/** Whether these items in this order may be the page: no item that is surely on it, or between two of them, is missing. */
function isPage(used: readonly (number | null)[], { sure, listed, after, skips, isBack }: Window): boolean {
  const there = used.filter((place) => place !== null);
  const missing = [...sure.keys()].filter((place) => !there.includes(place));
  if (missing.some((place) => sure[place])) return false;
  let passed = 0;
  for (const place of missing.filter((each) => listed[each])) {
    const comesBefore = there.some((other) => after[place]?.has(other));
    const comesAfter = there.some((other) => after[other]?.has(place));
    if (comesBefore && comesAfter) return false;
    if (isBack ? comesAfter : comesBefore) passed += 1;
  }
  return passed <= skips;
}

/** A list of which some elements are known, as a page of it. */
export function asStretch({ items, rest, closed, ordered }: Collection): Stretch {
  const all = items.map(() => true);
  return new Stretch(items, rest, {
    least: items.length,
    most: closed ? items.length : Number.POSITIVE_INFINITY,
    sure: all,
    listed: all,
    after: items.map((_, place) => new Set(ordered ? [...items.keys()].slice(place + 1) : [])),
    skips: 0,
    isBack: false,
    sight: { shown: new Set(), hidden: new Set() },
  });
}

/** Whether a value holds a text that nobody else can have. */
export function isTold(value: Value): boolean {
  if (value instanceof Made) return value.form === 'fresh' && value.bound !== undefined;
  if (value instanceof Text) return value.pieces.some((piece) => piece instanceof Made && isTold(piece));
  if (isList(value)) return value.some(isTold);
  return isObject(value) && Object.values(value).some(isTold);
}
