import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { fragments } from '../hostile.ts';
import { bounds } from '../probes.ts';
import type { Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';

/** Texts that look like no key, each with what it may be taken for. */
const disguised = ['no-such-key', '__proto__', 'null'];

/** How many values are tried that just miss what is stated of a key. */
const mostOutside = 3;

/**
 * Texts for a parameter of a path that are nobody's key: what its shape does not admit, just past its bounds and far from
 * them, and what is hostile to one or another layer, with letters that were not used before. What parts a path is not in
 * them, since many a server looks for it once all is decoded.
 */
export function oddKeys(
  { tools, fresh }: Trial,
  { shape }: Field,
): readonly (readonly [label: string, key: string])[] {
  const schema = schemaOf(shape);
  const outside = bounds(schema, tools)
    .filter(({ place, keyword }) => place.length === 0 && keyword !== 'type')
    .flatMap(({ outside: [first] }) => (first ? [first.value] : []))
    .filter((value) => ['string', 'number'].includes(typeof value));
  const none = [...outside.slice(0, mostOutside).map(String), ...disguised].filter(
    (text) => /^[^/\\]+$/.test(text) && !/^\.+$/.test(text) && tools.failures(schema, text).length > 0,
  );
  const hostile = `${fragments.join('')}${fresh.random.letters(8)}`.replaceAll(/[/\\]/g, '');
  return [...[...new Set(none)].map((key) => [shownAs(key), key] as const), ['a hostile text', hostile]];
}
