import type { Json } from '../source/node.ts';
import type { About, DescribedKey, Form } from '../specification/reading/form.ts';
import { document } from '../specification/vocabulary/document.ts';

/** A key that may stand somewhere; `name` is empty where the author names it. */
export interface KnownKey {
  readonly name: string;
  readonly about: About | undefined;
  readonly form: Form;
}

/** The forms of what may stand at a place of a document, by the keys that lead to it from its top. */
export function formsAt(path: readonly (string | number)[]): readonly Form[] {
  return path.reduce<readonly Form[]>(
    (forms, name) => forms.flatMap((form) => within(form, name)),
    [document],
  );
}

/** The keys that stand at the end of a path: of several that are called so, each. */
export function keysNamed(path: readonly (string | number)[]): readonly KnownKey[] {
  const name = path.at(-1);
  if (typeof name !== 'string') return [];
  return formsAt(path.slice(0, -1)).flatMap((form) => matching(form, name));
}

/** The keys of the language that may stand in a map at the end of a path; not those of the author's own. */
export function keysAt(path: readonly (string | number)[]): readonly KnownKey[] {
  const found = formsAt(path).flatMap((form) => all(form));
  return [...new Map(found.map((key) => [key.name, key])).values()];
}

/** The words that may stand as a value at the end of a path. */
export function wordsAt(path: readonly (string | number)[]): readonly Json[] {
  const words = (form: Form): readonly Json[] => {
    switch (form.kind) {
      case 'words':
        return form.words;
      case 'any of':
        return form.forms.flatMap(words);
      case 'own':
        return (form.within?.() ?? []).flatMap(words);
      case 'list':
        return words(form.of);
      case 'defined':
        return words(form.form());
      default:
        return [];
    }
  };
  return [...new Set(formsAt(path).flatMap(words))];
}

function within(form: Form, name: string | number): readonly Form[] {
  if (form.kind === 'list')
    return typeof name === 'number' ? [form.of] : form.alone ? within(form.of, name) : [];
  return typeof name === 'number'
    ? inner(form).flatMap((one) => within(one, name))
    : matching(form, name).map((key) => key.form);
}

/** The forms that a form is made of. */
function inner(form: Form): readonly Form[] {
  switch (form.kind) {
    case 'any of':
      return form.forms;
    case 'own':
      return form.within?.() ?? [];
    case 'defined':
      return [form.form()];
    default:
      return [];
  }
}

function matching(form: Form, name: string): readonly KnownKey[] {
  switch (form.kind) {
    case 'map':
      return [known(name, form.of)];
    case 'record': {
      const own = Object.hasOwn(form.keys, name) ? form.keys[name] : undefined;
      if (own) return [known(name, own)];
      const also = (form.also?.() ?? []).flatMap((one) => matching(one, name));
      if (also.length > 0) return also;
      return (form.open?.() ?? []).flatMap(({ pattern, key }) =>
        pattern.test(name) ? [known(name, key)] : [],
      );
    }
    case 'list':
      return form.alone ? matching(form.of, name) : [];
    default:
      return inner(form).flatMap((one) => matching(one, name));
  }
}

function all(form: Form): readonly KnownKey[] {
  switch (form.kind) {
    case 'record':
      return [
        ...Object.entries(form.keys).map(([name, key]) => known(name, key)),
        ...(form.also?.() ?? []).flatMap(all),
      ];
    case 'list':
      return form.alone ? all(form.of) : [];
    default:
      return inner(form).flatMap(all);
  }
}

function known(name: string, { about, read }: DescribedKey): KnownKey {
  return { name, about, form: read.form };
}
