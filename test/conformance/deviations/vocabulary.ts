import { vocabularyKeys } from '../../../src/specification/description/keys.ts';
import { steps } from '../../../src/specification/reading/address.ts';
import type { DescribedKey, Form } from '../../../src/specification/reading/form.ts';
import { document } from '../../../src/specification/vocabulary/document.ts';

/** A key of the language, by its name and section: `minLength (§H.1)`. */
export type KeyName = string;

/** Every key of the language. */
export function allKeys(): ReadonlySet<KeyName> {
  const named = vocabularyKeys().filter(({ name }) => name !== '');
  return new Set(named.map(({ name, about }) => `${name} (§${about.section})`));
}

/** The keys of the language along an address, the last one first. Names of the author's own are none. */
export function keysAlong(address: string): readonly KeyName[] {
  const found: KeyName[] = [];
  let forms: readonly Form[] = [document];
  for (const name of steps(address) ?? []) {
    const keys = forms.flatMap((form) => keysIn(form, String(name)));
    for (const [key, { about }] of keys) if (about) found.unshift(`${key} (§${about.section})`);
    // Elements of a list may have names: operations of one path. Differences of a version are named by addresses.
    if (keys.length === 0)
      forms = name === 'differs' ? forms : [...forms.flatMap(elementsOf), ...forms.flatMap(withinOf)];
    else forms = keys.flatMap(([, { read }]) => flat(read.form));
  }
  return found;
}

/** The forms that a form may be, with those within it. */
function flat(form: Form, known: ReadonlySet<Form> = new Set()): readonly Form[] {
  if (known.has(form)) return [];
  const seen = new Set([...known, form]);
  switch (form.kind) {
    case 'defined':
      return flat(form.form(), seen);
    case 'any of':
      return form.forms.flatMap((each) => flat(each, seen));
    case 'own':
      return [form, ...(form.within?.() ?? []).flatMap((each) => flat(each, seen))];
    case 'record':
      return [form, ...(form.also?.() ?? []).flatMap((each) => flat(each, seen))];
    case 'list':
      return [form, ...(form.alone ? flat(form.of, seen) : [])];
    default:
      return [form];
  }
}

function elementsOf(form: Form): readonly Form[] {
  return flat(form).flatMap((each) => (each.kind === 'list' ? flat(each.of) : []));
}

function withinOf(form: Form): readonly Form[] {
  return flat(form).flatMap((each) => (each.kind === 'own' ? (each.within?.() ?? []) : []));
}

/** By the name of the key. An entry of a map has none. */
function keysIn(form: Form, name: string): readonly (readonly [string, DescribedKey])[] {
  return flat(form).flatMap((each): (readonly [string, DescribedKey])[] => {
    if (each.kind === 'map') return [[name, each.of]];
    if (each.kind !== 'record') return [];
    const key = each.keys[name];
    if (key) return [[name, key]];
    return (each.open?.() ?? []).flatMap(({ name: written, pattern, key: of }) =>
      pattern.test(name) ? [[written, of] as const] : [],
    );
  });
}
