import type { Json } from '../../source/node.ts';
import {
  type About,
  type DescribedKey,
  type DescribedKeys,
  type Form,
  markerForm,
  type NameForm,
  noteForm,
  type RecordForm,
  type Schema,
} from '../reading/form.ts';
import { document } from '../vocabulary/document.ts';
import { rulesNamed } from './key-tables.ts';

/**
 * The JSON Schema (2020-12) of a specification, made of the vocabulary: for editors, which complete by it, show what
 * each key is for, and mark what no specification holds.
 *
 * @throws where a form refers to a definition that nothing defines
 */
export function specificationSchema(): Schema {
  const { definitions, record } = new Writer();
  const root = record(document);
  for (const name of references({ root, $defs: Object.fromEntries(definitions) }))
    if (!definitions.has(name)) throw new Error(`nothing defines ${name}`);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A specification in YAML or JSON',
    description:
      'A whole specification in nine parts (language §A.2). Each part stands as a definition of its own, so that what is written under one heading can be judged alone.',
    ...root,
    $defs: Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function references(of: Json): string[] {
  return [...JSON.stringify(of).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name as string);
}

/** What a key is for, as an editor shows it. */
export function hover({ states, section, rules }: About): string {
  const where = rules === undefined ? section : `${section}, ${rulesNamed(rules)}`;
  return `${states.replace(/\.$/, '')} (language §${where}).`;
}

/** Whether a form takes markers itself, as one that takes any text does. */
function takesMarkers(form: Form): boolean {
  switch (form.kind) {
    case 'own':
      return form.marked === true;
    case 'any of':
      return form.forms.some(takesMarkers);
    case 'defined':
      return form.marked === true || takesMarkers(form.form());
    case 'list':
      return form.alone && takesMarkers(form.of);
    default:
      return false;
  }
}

class Writer {
  readonly definitions = new Map<string, Schema>();

  /** The schema of a form, by reference where it has a definition. */
  readonly of = (form: Form): Schema => {
    switch (form.kind) {
      case 'own':
        return this.#own(form);
      case 'words':
        return { enum: form.words };
      case 'any of':
        return { anyOf: form.forms.flatMap((one) => this.#alternatives(one)) };
      case 'list':
        return this.#list(form);
      case 'map':
        return {
          type: 'object',
          ...(form.names && { propertyNames: ofName(form.names) }),
          additionalProperties: this.key(form.of),
          ...(form.snippets && { defaultSnippets: form.snippets as unknown as Json }),
        };
      case 'record':
        return this.record(form);
      case 'defined':
        return this.#defined(form);
    }
  };

  #own(form: Extract<Form, { kind: 'own' }>): Schema {
    for (const inner of form.within?.() ?? []) this.of(inner);
    return typeof form.schema === 'function' ? form.schema(this.of) : form.schema;
  }

  /** The alternatives that a form is made of. */
  #alternatives(form: Form): readonly Schema[] {
    if (form.kind === 'any of') return form.forms.flatMap((one) => this.#alternatives(one));
    const schema = this.of(form);
    return form.kind === 'list' && Object.keys(schema).join() === 'anyOf'
      ? (schema['anyOf'] as Schema[])
      : [schema];
  }

  #list({ of, alone, more }: Extract<Form, { kind: 'list' }>): Schema {
    const array = { type: 'array', items: this.of(of), ...more };
    if (!alone) return array;
    const both = { anyOf: [this.of(of), array] };
    // A list of a form with a name has one, too: most lists are of texts.
    if (of.kind !== 'defined' || of.name !== 'text') return both;
    this.definitions.set('texts', both);
    return { $ref: '#/$defs/texts' };
  }

  #defined({ name, form, marked }: Extract<Form, { kind: 'defined' }>): Schema {
    if (!this.definitions.has(name)) {
      this.definitions.set(name, {});
      this.definitions.set(name, marked ? this.#orMarker(form()) : this.of(form()));
    }
    return { $ref: `#/$defs/${name}` };
  }

  #orMarker(form: Form): Schema {
    if (takesMarkers(form)) return this.of(form);
    return { anyOf: [...this.#alternatives(form), this.of(markerForm)] };
  }

  /** What may stand at a key: its form or, unless a literal could be meant, a marker. */
  key(key: DescribedKey): Schema {
    const { form } = key.read;
    const { about } = key;
    const told = {
      ...(about && { description: hover(about) }),
      ...(about?.quiet && { doNotSuggest: true }),
    };
    return { ...told, ...(key.literal ? this.of(form) : this.#orMarker(form)) };
  }

  readonly record = (form: RecordForm): Schema => {
    const also = form.also?.() ?? [];
    const shared = also.map((one) => this.of(one));
    const keys: Record<string, Json> = {};
    for (const [name, key] of Object.entries(form.keys)) keys[name] = this.key(key);
    if (form.shared) return { ...(shared.length > 0 && { allOf: shared }), properties: keys };
    for (const name of also.flatMap(keysOf)) keys[name] ??= true;
    keys['description'] ??= this.of(noteForm);
    const open = form.open?.().map(({ pattern, key }) => [sourceOf(pattern), this.key(key)] as const);
    return {
      ...(form.title !== undefined && { title: form.title }),
      type: 'object',
      ...(shared.length > 0 && { allOf: shared }),
      ...(form.snippets && { defaultSnippets: form.snippets as unknown as Json }),
      ...form.more,
      properties: keys,
      ...(open && { patternProperties: Object.fromEntries(open) }),
      additionalProperties: false,
    };
  };
}

/** The names of the keys of a record, with those that it takes in. */
function keysOf(form: Form): string[] {
  if (form.kind === 'defined') return keysOf(form.form());
  if (form.kind !== 'record') return [];
  return [...Object.keys(form.keys satisfies DescribedKeys), ...(form.also?.() ?? []).flatMap(keysOf)];
}

/** A pattern as JSON Schema writes it, in which no slash is escaped. */
function sourceOf(pattern: RegExp): string {
  return pattern.source.replaceAll('\\/', '/');
}

function ofName({ title, pattern, message, barred }: NameForm): Schema {
  const own = sourceOf(pattern);
  const source = barred ? own.replace('^', `^(?!(?:${barred.join('|')})$)`) : own;
  return { title, pattern: source, patternErrorMessage: message };
}
