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
const own = keys.filter(({ name }) => name !== '' && (!Object.hasOwn(keywords, name) || name === 'required'));

/** Keys of our own that no example uses as yet, by the reason, each with its section; these lists only shrink. */
const unused: Readonly<Record<string, readonly string[]>> = {
  'no example takes the tokens of somebody else': [
    ...['algorithms (§5.2)', 'audience (§5.2)', 'issuer (§5.2)', 'openIdConnectUrl (§5.1)'],
    'oauth2MetadataUrl (§5.1)',
  ],
  'chapter 22 runs it': ['algorithm (§5.6)', 'claims (§5.6)', 'foreign (§5.1)', 'rotate (§5.6)'],
  'OpenAPI’s, told to people': [
    ...['bearerFormat (§5.1)', 'clientCredentials (§5.1)', 'deviceAuthorization (§5.1)'],
    ...['deviceAuthorizationUrl (§5.1)', 'implicit (§5.1)', 'password (§5.1)', 'refreshUrl (§5.1)'],
  ],
  'no example has a handler': ['gives (§I)', 'handled (§I)', 'may (§I)'],
  'the examples that are to come count what is stored': ['when (§8.4)'],
  'preconditions by time': [...['ifModifiedSince (§4.3)', 'ifUnmodifiedSince (§4.3)', 'lastModified (§4.3)']],
  'the examples deliver by webhooks alone': [
    ...['broker (§6.3)', 'exhausted (§6.3)', 'stream (§6.3)', 'version (§6.3)', 'within (§6.3)'],
    ...['subject (§6.1)', 'when (§6.1)'],
  ],
  'the examples version by a header field alone': [
    ...['headers (§9.2)', 'media (§9.1)', 'path (§9.1)', 'query (§9.1)', 'was (§9.3)'],
  ],
  'no example needs it: use it, or take it away': [
    ...[
      'at (§3.3)',
      'holds (§2.2)',
      'headers (§H.2)',
      'query (§H.2)',
      'replace (§H.2)',
      'revoke (§H.2)',
      'shape (§H.3)',
    ],
    ...['within (§3.3)', 'omits (§E.4)', 'shows (§E.4)', 'sort (§4.5)', 'taken (§4.2)', 'under (§H.3)'],
    ...['credentials (§4.1)', 'exposes (§4.1)', 'maxAge (§4.1)', 'operations (§8.3)', 'page (§8.3)'],
    ...['body (§4.2)', 'query (§4.2)', 'headers (§4.2)'],
  ],
};

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

describe('the examples', () => {
  it('use every key of our own but these', () => {
    const used = new Set<string>();
    for (const name of readdirSync(new URL('../../examples/', import.meta.url)).filter((one) =>
      /\.(md|ya?ml)$/.test(one),
    ))
      uses(document, tree(name, file(`examples/${name}`)), used);
    const left = own.flatMap(({ name, about }) =>
      used.has(idOf(name, about)) || /[/A-Z]{4}/.test(name) ? [] : [`${name} (§${about.section})`],
    );
    expect(left.sort()).toEqual(Object.values(unused).flat().sort());
  });
});
