import { ownMember, setMember } from '../../source/node.ts';
import type { Key, Row } from '../store/store.ts';
import type { Over, Source } from './item.ts';
import type { KeptResource, Members, RowItem } from './kept.ts';
import type { Clear } from './make.ts';
import { memberIn, memberText } from './text.ts';

type Rows = Pick<KeptResource, 'members' | 'row' | 'item' | 'told'>;

/**
 * How the members of an item are laid down in a row, and found there again.
 *
 * @param clear null where no field is secret
 */
export function compileRows(keyFields: readonly string[], over: Over, clear: Clear | null): Rows {
  const members = (row: Row): Members => {
    const others = JSON.parse(row.text) as Members;
    const found: Members = {};
    for (const [index, name] of keyFields.entries()) setMember(found, name, row.key[index]);
    for (const [name, value] of Object.entries(others)) setMember(found, name, value);
    return found;
  };
  return {
    members,
    row: (all) => {
      const others: Members = {};
      for (const name of Object.keys(all)) if (!keyFields.includes(name)) setMember(others, name, all[name]);
      const row = { key: keyFields.map((name) => ownMember(all, name)) as Key, text: JSON.stringify(others) };
      const made = clear?.get(all);
      if (made) clear?.set(row, made);
      return row;
    },
    told: (row, besides) => {
      const told = { ...row, besides };
      const made = clear?.get(row);
      if (made) clear?.set(told, made);
      return told;
    },
    item: (row, frame) => over(new Laid(row, keyFields, clear?.get(row)), frame) as RowItem,
  };
}

/** The values of a row; its text is looked through where a member of it is asked for, and each value made once. */
class Laid implements Source {
  readonly row: Row;
  readonly clear: Members | undefined;
  readonly #keyFields: readonly string[];
  #known: Map<string, unknown> | undefined;

  constructor(row: Row, keyFields: readonly string[], clear: Members | undefined) {
    this.row = row;
    this.clear = clear;
    this.#keyFields = keyFields;
  }
  value(name: string): unknown {
    const index = this.#keyFields.indexOf(name);
    if (index !== -1) return this.row.key[index];
    this.#known ??= new Map();
    const known = this.#known.get(name);
    if (known !== undefined || this.#known.has(name)) return known;
    const value = memberIn(this.row.text, name);
    this.#known.set(name, value);
    return value;
  }
  text(name: string): string | undefined {
    const index = this.#keyFields.indexOf(name);
    return index === -1 ? memberText(this.row.text, name) : JSON.stringify(this.row.key[index]);
  }
}
