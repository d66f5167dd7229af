import { further } from './arithmetic.ts';
import { instant, span } from './time.ts';
import type { Type } from './type.ts';
import { equal, order } from './values.ts';

/** How lists are put in order, and how their elements compare (language §G.4, §G.6). */

export type Form = (value: unknown) => unknown;
type OnList = (list: readonly unknown[]) => unknown;

/** What puts a list in order, or tells its elements apart; `form` gives each the form in which they compare. */
export function ordering(form: Form): Readonly<Record<'sort' | 'min' | 'max' | 'distinct', OnList>> {
  const by = (a: unknown, b: unknown): number => order(form(a), form(b));
  const extreme = (list: readonly unknown[], sign: number): unknown =>
    list.reduce((best, one) => further(best, one, (a, b) => by(a, b) * sign > 0), null);
  return {
    sort: (list) => [...list].sort(by),
    min: (list) => extreme(list, -1),
    max: (list) => extreme(list, 1),
    distinct: (list) => {
      const forms = list.map(form);
      if (forms.every((one) => typeof one !== 'object' || one === null)) {
        const seen = new Set();
        return list.filter((_, i) => !seen.has(forms[i]) && seen.add(forms[i]));
      }
      return list.filter((_, i) => forms.findIndex((one) => equal(one, forms[i])) === i);
    },
  };
}

export const plain = ordering((value) => value);
export const timed: ReadonlyMap<Form, ReturnType<typeof ordering>> = new Map(
  [instant, span].map((form) => [form, ordering(form)]),
);

/** The form in which values of these types compare: times as instants, durations by length; undefined: as they are. */
export function formOf(types: readonly Type[]): Form | undefined {
  const kinds = types.map(elementary).map((type) => type.kind);
  return kinds.includes('timestamp') ? instant : kinds.includes('duration') ? span : undefined;
}

function elementary(type: Type): Type {
  return type.kind === 'list' ? elementary(type.of) : type;
}
