import type { About, DescribedKey, Form } from '../reading/form.ts';
import { document } from '../vocabulary/document.ts';

/** A key of the vocabulary: its name, and what it is for. */
export interface VocabularyKey {
  readonly name: string;
  readonly about: About;
}

/** Tells a key from others of its name, by its table and what it states. */
export function idOf(name: string, { section, table, states }: About): string {
  return `${name} (§${section}, ${table}): ${states}`;
}

/** Every key of the language, wherever it stands; one that several maps share is there once (language §A.2). */
export function vocabularyKeys(): readonly VocabularyKey[] {
  const found = new Map<string, VocabularyKey>();
  const seen = new Set<unknown>();
  const visitKey = (name: string, key: DescribedKey): void => {
    if (key.about) found.set(idOf(name, key.about), { name, about: key.about });
    visit(key.read.form);
  };
  const visit = (form: Form): void => {
    const once = form.kind === 'defined' ? form.name : form;
    if (seen.has(once)) return;
    seen.add(once);
    switch (form.kind) {
      case 'own':
        for (const inner of form.within?.() ?? []) visit(inner);
        return;
      case 'any of':
        for (const inner of form.forms) visit(inner);
        return;
      case 'list':
        visit(form.of);
        return;
      case 'map':
        visitKey('', form.of);
        return;
      case 'record':
        for (const [name, key] of Object.entries(form.keys)) visitKey(name, key);
        for (const inner of form.also?.() ?? []) visit(inner);
        for (const { name, key } of form.open?.() ?? []) visitKey(name, key);
        return;
      case 'defined':
        visit(form.form());
    }
  };
  visit(document);
  return [...found.values()];
}
