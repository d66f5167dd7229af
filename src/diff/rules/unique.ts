import type { Json } from '../../source/node.ts';
import { breaking, harmless, type Rule, stored } from '../rule.ts';
import { statedValue } from '../value.ts';

/** What no two items have alike (language §2). */
export const unique: Rule = {
  name: 'unique',
  section: '2',
  at: ['resources/*/fields/*/unique', 'resources/*/unique'],
  judge: ({ before, after }) => {
    if (isLess(statedValue(before), statedValue(after))) return [harmless('a second is taken now')];
    return [
      breaking('a second with the same value is refused'),
      stored('kept items may have the same value'),
    ];
  },
};

function isLess(before: Json | undefined, after: Json | undefined): boolean {
  if (after === undefined || after === false) return true;
  // Of the words, `true` asks least.
  if (!Array.isArray(after)) return after === true && typeof before === 'string';
  return after.every((now) => listOf(before).some((old) => follows(now, old)));
}

/** Whether items that `old` tells apart are told apart by `now` too: it has all those fields, and compares as closely. */
function follows(now: Json, old: Json): boolean {
  const [is, was] = [together(now), together(old)];
  return was.fields.every((field) => is.fields.includes(field)) && (was.caseless || !is.caseless);
}

function together(list: Json): { readonly fields: readonly Json[]; readonly caseless: boolean } {
  if (list === null || typeof list !== 'object' || Array.isArray(list))
    return { fields: listOf(list), caseless: false };
  const { fields, caseless } = list as { readonly fields?: Json; readonly caseless?: Json };
  return { fields: listOf(fields), caseless: caseless === true };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
