import { stated } from '../../specification/reading/said.ts';
import type { View } from '../../specification/vocabulary/parts/resources.ts';
import { type Around, showingOf } from './resource.ts';
import type { Showing } from './write.ts';

/**
 * What a view shows of an item: some of its readable fields, and some that are derived (language §2.1). Null while it is
 * open what it is a view of; its operations are held up.
 */
export function showingOfView(view: View, around: Around): Showing | null {
  const { of, shows, omits, fields } = view;
  const target = around.specification.resourcesByName.get(stated(of)?.text ?? '');
  if (target === undefined) return null;
  const keyFields = (stated(target.identifier) ?? []).map(({ text }) => text);
  const [listed = null, omitted = []] = [stated(shows), stated(omits)].map((all) =>
    all?.map(({ text }) => text),
  );
  const isShown = (name: string): boolean => listed?.includes(name) ?? !omitted?.includes(name);
  return {
    ...showingOf(target, keyFields, around),
    isWhole: false,
    shows: (name) => !fields.has(name) && isShown(name),
    listed: listed?.filter((name) => !fields.has(name)) ?? null,
    left: [...(omitted ?? []), ...fields.keys()],
    further: [...fields.values()],
  };
}
