import type { Frame, Item, Run } from '../../expression/compile.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { isAsked, stated } from '../../specification/said.ts';
import type { KeptItem, Members } from './kept.ts';

/**
 * Writes an item. Members that are kept and shown as they are come out of the store as text; only what is
 * hidden among them makes it necessary to take the text apart. The order of members is a choice (language §F.1).
 */
export function compileWriter(
  resource: Resource,
  fields: readonly Field[],
  keyFields: readonly string[],
  derived: ReadonlyMap<string, Run>,
): (item: Item, frame: Frame) => string {
  const readable = (name: string): boolean => {
    const field = resource.fields.get(name);
    if (field === undefined) return true;
    // While it is asked who may see a member, or in what form, nobody does.
    return !isAsked(field.readable) && !isAsked(field.shown) && stated(field.readable) !== false;
  };
  const keys = keyFields.flatMap((name, index) =>
    readable(name) ? [{ name: JSON.stringify(name), index }] : [],
  );
  const hidden = fields.filter(
    (f) => !derived.has(f.name) && !keyFields.includes(f.name) && !readable(f.name),
  );
  const shown = [...derived].flatMap(([name, run]) =>
    readable(name) ? [{ name: JSON.stringify(name), run }] : [],
  );
  return (item, frame) => {
    const { row } = item as KeptItem;
    if (row === null) return 'null';
    const before = keys.map(({ name, index }) => `${name}:${JSON.stringify(row.key[index])}`);
    const between = (hidden.length === 0 ? row.text : without(row.text, hidden)).slice(1, -1);
    const after: string[] = [];
    if (shown.length > 0) {
      const isAtHand = frame.names['this'] === item;
      const inner: Frame = isAtHand ? frame : { ...frame, names: { ...frame.names, this: item } };
      for (const { name, run } of shown) after.push(`${name}:${JSON.stringify(run(inner)) ?? 'null'}`);
    }
    return `{${[...before, ...(between === '' ? [] : [between]), ...after].join(',')}}`;
  };
}

function without(text: string, hidden: readonly Field[]): string {
  const members = JSON.parse(text) as Members;
  for (const field of hidden) delete members[field.name];
  return JSON.stringify(members);
}
