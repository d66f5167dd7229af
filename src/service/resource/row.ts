import { setMember } from '../../source/node.ts';
import type { Key, Row } from '../store/store.ts';
import type { Over } from './item.ts';
import type { KeptItem, KeptResource, Members } from './kept.ts';
import type { Clear } from './make.ts';

type Rows = Pick<KeptResource, 'members' | 'row' | 'item'>;

/** How the members of an item are laid down in a row, and found there again. */
export function compileRows(keyFields: readonly string[], over: Over, clear: Clear): Rows {
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
      for (const [name, value] of Object.entries(all))
        if (!keyFields.includes(name)) setMember(others, name, value);
      const row = { key: keyFields.map((name) => all[name]) as Key, text: JSON.stringify(others) };
      const made = clear.get(all);
      if (made) clear.set(row, made);
      return row;
    },
    item: (row, frame) => {
      let parsed: Members | undefined;
      const value = (name: string): unknown => {
        const index = keyFields.indexOf(name);
        if (index !== -1) return row.key[index];
        parsed ??= JSON.parse(row.text) as Members;
        return Object.hasOwn(parsed, name) ? parsed[name] : undefined;
      };
      return over({ value, row, clear: clear.get(row) }, frame) as KeptItem & {
        readonly row: Row;
      };
    },
  };
}
