import { compileTemplate, type Frame, type Item } from '../../expression/compile.ts';
import { callsMade } from '../../expression/expression.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { expressionsIn } from '../../expression/template.ts';
import { worked } from '../../expression/values.ts';
import type { Json } from '../../source/node.ts';
import { isAsked, type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { counting, counts } from '../content/made.ts';
import { compileRender, environmentOf, type Render, type Writers } from '../content/render.ts';
import type { Renamings } from '../shape/renaming.ts';
import { concealer } from './conceal.ts';
import { withThis } from './item.ts';
import type { KeptItem } from './kept.ts';
import { eachMember } from './text.ts';

/** Writes one item as JSON text. */
export type Write = (item: Item, frame: Frame) => string;

/** What of a resource is shown, and what it takes to know it. */
export interface Showing {
  readonly resource: Resource;
  readonly keyFields: readonly string[];
  /** Whether it is all that is shown of the resource, and no view of it. */
  readonly isWhole: boolean;
  /** Whether a member is among those that are shown. */
  readonly shows: (name: string) => boolean;
  /** The names of those that are, where they are listed; null: all but those that are left. */
  readonly listed: readonly string[] | null;
  readonly left: readonly string[];
  /** Further fields, which are derived: those of a view. */
  readonly further: readonly Field[];
  readonly definitions: Readonly<Record<string, Json>>;
  readonly writers: Writers;
  /** What members are called; null: as they are kept. */
  readonly renamings: Renamings | null;
}

/** A member as it is written; undefined: it is not shown. */
type WriteMember = (item: KeptItem, frame: Frame) => string | undefined;

interface Member {
  readonly name: string;
  readonly json: string;
  /** Null: the kept value is written as it is. */
  readonly write: WriteMember | null;
}

/**
 * Compiles how an item is written. Members that are kept and shown as they are come out of the store as text; only
 * where one of them is hidden, or shown otherwise, is the text taken apart. The order of members is a choice
 * (language §F.1).
 */
export function compileWriter(showing: Showing): Write {
  const { resource, keyFields, shows, further, isWhole } = showing;
  const own = [...resource.fields.values()];
  const isKept = (field: Field): boolean => stated(field.derived) === undefined;
  const member = (field: Field): Member | undefined => compileMember(field, showing);
  const members = [...own.filter(({ name }) => shows(name)), ...further].flatMap((f) => member(f) ?? []);
  // An identifier that is named and not described is shown as it is.
  const bare = keyFields.filter((name) => !resource.fields.has(name) && shows(name));
  const keys = [
    ...bare.map((name) => ({ name, json: JSON.stringify(name) })),
    ...members.filter(({ name, write }) => write === null && keyFields.includes(name)),
  ].map(({ name, json }) => ({ json, index: keyFields.indexOf(name) }));
  const rest = own.filter((field) => isKept(field) && !keyFields.includes(field.name));
  const isPlain = (field: Field): boolean =>
    members.some(({ name, write }) => name === field.name && write === null);
  const isCalledSo = ({ name, json }: Member): boolean => json === JSON.stringify(name);
  const allText = isWhole && rest.every(isPlain) && members.every(isCalledSo);
  const plain = members.filter(({ name, write }) => write === null && !keyFields.includes(name));
  const workedOut = members.filter(({ write }) => write !== null);
  const names = new Set(own.map(({ name }) => name));
  const called = new Map(plain.map(({ name, json }) => [name, json]));
  // What is kept and is no field is kept as `others` says, or is one that `required` alone names (language §H.1).
  const calledAs = (name: string): string | undefined =>
    names.has(name) || !shows(name) ? called.get(name) : JSON.stringify(name);
  return (item, frame) => {
    const kept = item as KeptItem;
    const { row } = kept;
    if (row === undefined) throw new CannotWorkOut('this is no item, and is shown as one');
    if (row === null) return 'null';
    let written = '{';
    for (const { json, index } of keys)
      written += `${between(written)}${json}:${JSON.stringify(row.key[index])}`;
    if (allText) {
      if (row.text !== '{}') written += between(written) + row.text.slice(1, -1);
    } else {
      const { text } = row;
      eachMember(text, (name, value, to) => {
        const json = calledAs(name);
        if (json !== undefined) written += `${between(written)}${json}:${text.slice(value, to)}`;
        return false;
      });
    }
    if (workedOut.length > 0) {
      const inner = withThis(frame, item);
      for (const { json, write } of workedOut) {
        const value = write?.(kept, inner);
        if (value !== undefined) written += `${between(written)}${json}:${value}`;
      }
    }
    return `${written}}`;
  };
}

/** What stands between what is written of an object and its next member. */
function between(written: string): string {
  return written === '{' ? '' : ',';
}

/** How a field is shown; undefined where nobody is shown it. */
function compileMember(field: Field, showing: Showing): Member | undefined {
  const { readable, shown, derived, secret, name } = field;
  // While it is asked who may see a member, or in what form, nobody does.
  if (isAsked(readable) || isAsked(shown) || stated(readable) === false) return undefined;
  const { renamings } = showing;
  const json = JSON.stringify(renamings?.nameOf(field) ?? name);
  const value = worth();
  const may = stated(readable);
  if (typeof may !== 'object') return { name, json, write: value };
  const allows = compileTemplate(may.template, environmentOf(showing.writers));
  const plain = value ?? keptAs(name);
  // What cannot be worked out is not true.
  const write: WriteMember = (item, frame) =>
    worked(() => allows(frame)) === true ? plain(item, frame) : undefined;
  return { name, json, write };

  function worth(): WriteMember | null {
    if (stated(derived)) {
      const render = compileValue(derived, showing.writers);
      return (_item, frame) => render(frame);
    }
    if (stated(secret)) return (item) => textOf(item.clear?.[name]);
    if (stated(shown)) {
      const render = mayBeAbsent(shown)
        ? compileRender((stated(shown) as PlacedTemplate).template, showing.writers)
        : compileValue(shown, showing.writers);
      return (item, frame) =>
        item.has(name)
          ? render({ ...frame, names: { ...frame.names, value: item.member(name) } })
          : undefined;
    }
    const conceal = concealer(schemaOf(field.shape), showing.definitions);
    const renaming = renamings?.within(field);
    if (conceal === undefined && !renaming) return null;
    const kept = keptAs(name);
    return (item, frame) => {
      const text = kept(item, frame);
      if (text === undefined) return undefined;
      const copy = JSON.parse(text) as unknown;
      conceal?.(copy);
      return JSON.stringify(renaming ? renaming.shown(copy) : copy);
    };
  }
}

/** Whether a member may be left out because of what it comes to: `absent()` (language §G.4). */
function mayBeAbsent(said: Said<PlacedTemplate>): boolean {
  const { template } = stated(said) as PlacedTemplate;
  return expressionsIn(template).some(({ syntax }) => callsMade(syntax).includes('absent'));
}

/** A value that is worked out: what comes to nothing is null, since the field is there. */
function compileValue(said: Said<PlacedTemplate>, writers: Writers): Render {
  const { template } = stated(said) as PlacedTemplate;
  const render = compileRender(template, writers);
  if (!counts(template)) return (frame) => render(frame) ?? 'null';
  return (frame) => render(counting(frame, said.address)) ?? 'null';
}

function keptAs(name: string): WriteMember {
  return (item) => (item.has(name) ? textOf(item.member(name)) : undefined);
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value) as string | undefined;
}
