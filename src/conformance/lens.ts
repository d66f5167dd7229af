import { callsMade } from '../expression/expression.ts';
import { equal, functions } from '../expression/functions.ts';
import { expressionsIn, pathsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Span } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, step } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource, View } from '../specification/vocabulary/parts/resources.ts';
import { isReadable, type Members, membersOf } from './item.ts';
import { type Truth, unseen, yes } from './verdict.ts';

/** What an item is shown through: its resource itself, or a view of it (language §2). */
export interface Lens {
  readonly name: string;
  readonly address: Address;
  readonly at: Span;
  readonly resource: Resource;
  readonly view: View | null;
  /** An answer draws it up, member by member. */
  readonly isDrawn: boolean;
  /** The fields that it speaks of; of a view those that it shows, and its own. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** The lens of a name; null where it is none, or where it is open what it shows. */
export const lensOf = once((of: Specification, name: string): Lens | null => {
  const entry = stated(stated(of.resources)?.get(name));
  const address = step('resources', name);
  const own = of.resourcesByName.get(name);
  if (own)
    return { name, address, at: own.at, resource: own, view: null, isDrawn: false, fields: own.fields };
  if (entry?.kind !== 'view') return null;
  const resource = of.resourcesByName.get(stated(entry.of)?.text ?? '');
  const fields = resource && fieldsOf(entry, resource);
  return fields ? { name, address, at: entry.at, resource, view: entry, isDrawn: false, fields } : null;
});

function fieldsOf(view: View, resource: Resource): ReadonlyMap<string, Field> | null {
  const [shows, omits] = [view.shows, view.omits].map((said) => stated(said)?.map((one) => one.text));
  if (shows === undefined && omits === undefined) return null;
  const isShown = (name: string): boolean => (shows ? shows.includes(name) : !omits?.includes(name));
  const readable = [...resource.fields].filter(([name, field]) => isShown(name) && isReadable(field));
  return new Map([...readable, ...view.fields]);
}

/** An item as something showed it. */
export interface Sight {
  readonly shown: Json | undefined;
  readonly lens: Lens | null;
}

/** Whether two sights may be of one item that did not change: alike in all that both lenses show. */
export function sameSight(a: Sight, b: Sight): boolean {
  if (a.shown === undefined || b.shown === undefined) return false;
  if (a.lens === b.lens || a.lens?.name === b.lens?.name) return equal(unmade(a), unmade(b));
  return equal(shared(a, b), shared(b, a));
}

/** Whether two sights show anything alike, so that one can be held against the other. */
export function comparable(a: Sight, b: Sight): Truth {
  const isOne = a.lens?.name === b.lens?.name;
  const common = [shared(a, b), shared(b, a)].flatMap((one) => Object.keys(one as Members));
  return isOne || common.length > 0 ? yes : unseen('what shows it shows nothing that the other does');
}

/** What a lens shows of an item that another one shows, too: fields alike in both. */
export function shared(a: Sight, b: { readonly lens: Lens | null }): Json {
  const members = membersOf(a.shown) ?? {};
  const kept = Object.entries(members).filter(([name]) => {
    const field = a.lens?.fields.get(name);
    // What is for nobody to read an answer may show that is drawn up so, and others leave out.
    const isShared = field === b.lens?.fields.get(name) && (field === undefined || isReadable(field));
    return isShared && !isMade(field);
  });
  return Object.fromEntries(kept);
}

/** What is shown of an item but what is made anew each time, as a credential is. */
export function unmade({ shown, lens }: Sight): Json {
  const made = lens ? madeIn(lens.fields) : [];
  const members = membersOf(shown);
  if (members === undefined || made.length === 0) return shown ?? null;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !made.includes(name)));
}

const madeIn = once((fields: ReadonlyMap<string, Field>): readonly string[] =>
  [...fields].flatMap(([name, field]) => (isMade(field) ? [name] : [])),
);

const isMade = once((field: Field | undefined): boolean => {
  const template = stated(field?.derived)?.template;
  return (template ? expressionsIn(template) : [])
    .flatMap(({ syntax }) => callsMade(syntax))
    .some((name) => functions.get(name)?.maker === true);
});

/** What an entry of a list shows but what others may have a part in: derived by way of other items, or by the time. */
export function still({ shown, lens }: Sight): Json {
  const members = membersOf(shown) ?? {};
  const kept = Object.entries(members).filter(([name]) => !isMoving(lens?.fields.get(name)));
  return Object.fromEntries(kept);
}

const isMoving = once((field: Field | undefined): boolean => {
  const template = stated(field?.derived)?.template ?? stated(field?.shown)?.template;
  const paths = template ? pathsIn(template) : [];
  return paths.some(
    ([first, ...inner]) =>
      /^[A-Z]/.test(first ?? '') ||
      ['now', 'actor'].includes(first ?? '') ||
      (first === 'this' && inner.length > 1),
  );
});
