import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/source/node.ts';
import { idOf, vocabularyKeys } from '../../src/specification/description/keys.ts';
import type { Form } from '../../src/specification/reading/form.ts';
import { document } from '../../src/specification/vocabulary/document.ts';
import { keywords } from '../../src/specification/vocabulary/keywords.ts';
import { sections } from '../docs/chapters.ts';
import { file, tree } from './documents.ts';

const keys = vocabularyKeys();
/** Those of the reference's tables: not the keywords of JSON Schema, not what OpenAPI says of the flows of `oauth2`. */
const own = keys.filter(
  ({ name, about }) =>
    name !== '' && (!Object.hasOwn(keywords, name) || name === 'required') && about.table !== null,
);

describe('the vocabulary', () => {
  it('cites sections that the reference has', () => {
    expect(
      keys.filter(({ about }) => !sections.has(about.section) && !/^[1-9]$/.test(about.section)),
    ).toEqual([]);
  });

  it('says what each key states, in at most two lines a cell', () => {
    const long = keys.filter(({ about: { states, must = '', see = '', open = '' } }) =>
      [states, must, see, open].some((one) => one.length > 160),
    );
    expect(long.map(({ name }) => name)).toEqual([]);
    expect(own.filter(({ about }) => !/[.]$/.test(about.states)).map(({ name }) => name)).toEqual([]);
  });
});

/** Marks the keys that a value uses, where it stands in place of this form. */
function uses(form: Form, value: Json, used: Set<string>): void {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  switch (form.kind) {
    case 'defined':
      uses(form.form(), value, used);
      if (form.name === 'change' && typeof value === 'string') usesVerb(form, value, used);
      if (form.name === 'olderField' && isMap) usesOlder(form, value, used);
      return;
    case 'own':
      for (const inner of form.within?.() ?? []) uses(inner, value, used);
      return;
    case 'any of':
      for (const inner of form.forms) uses(inner, value, used);
      return;
    case 'list':
      for (const one of Array.isArray(value) ? value : [value]) uses(form.of, one as Json, used);
      return;
    case 'map':
      if (isMap) for (const one of Object.values(value as object)) uses(form.of.read.form, one as Json, used);
      return;
    case 'record':
      for (const inner of form.also?.() ?? []) uses(inner, value, used);
      if (!isMap) return;
      for (const [name, one] of Object.entries(value as object)) {
        const open = form.open?.().find(({ pattern }) => pattern.test(name))?.key;
        const key = Object.hasOwn(form.keys, name) ? form.keys[name] : open;
        if (key?.about) used.add(idOf(name, key.about));
        if (key) uses(key.read.form, one as Json, used);
      }
  }
}

/** `create R` is `{ create: R }` (language §E.2). */
function usesVerb(form: Form, written: string, used: Set<string>): void {
  const [verb = ''] = written.trim().split(/\s+/);
  uses(form, { [verb]: 'R' }, used);
}

/** `differs` is a map from an address to what a field was (language §9.3). */
function usesOlder(form: Form & { kind: 'defined' }, differs: object, used: Set<string>): void {
  for (const [address, value] of Object.entries(differs))
    if (/\bfields\b/.test(address)) uses(form.form(), value as Json, used);
}

describe('the examples', () => {
  it('use every key of our own', () => {
    const used = new Set<string>();
    for (const name of readdirSync(new URL('../../examples/', import.meta.url)).filter((one) =>
      /\.(md|ya?ml)$/.test(one),
    ))
      uses(document, tree(name, file(`examples/${name}`)), used);
    const left = own.flatMap(({ name, about }) =>
      used.has(idOf(name, about)) || /[/A-Z]{4}/.test(name) ? [] : [idOf(name, about)],
    );
    expect(left).toEqual([]);
  });
});
