import type { View } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import { type Around, showingOf } from './resource.ts';
import { compileWriter, type Write } from './write.ts';

/** How a view shows an item: some of its readable fields, and some that are derived (language §2.1). */
export function compileView(view: View, around: Around): Write {
  const { of, shows, omits, fields } = view;
  const target = around.specification.resourcesByName.get(stated(of)?.text ?? '');
  // While it is open what it is a view of, or which fields it shows, its operations are held up.
  if (target === undefined) return () => 'null';
  const keyFields = (stated(target.identifier) ?? []).map(({ text }) => text);
  const [shown, omitted] = [stated(shows), stated(omits)].map((names) => names?.map(({ text }) => text));
  const isShown = (name: string): boolean => shown?.includes(name) ?? !omitted?.includes(name);
  return compileWriter({
    ...showingOf(target, keyFields, around),
    isWhole: false,
    shows: (name) => !fields.has(name) && isShown(name),
    further: [...fields.values()],
  });
}
