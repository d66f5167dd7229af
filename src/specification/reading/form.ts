import type { Json } from '../../source/node.ts';

/** A JSON Schema, as data. */
export type Schema = { readonly [keyword: string]: Json };

/** What a key of the language is for: a row of the reference, and what an editor shows and offers. */
export interface About {
  /** What the key states, in one plain sentence. */
  readonly states: string;
  /** The section of the reference that says what it means, as in `8.1` or `H.2`. */
  readonly section: string;
  /** The table of the reference in which its row stands, by the name of its marker; null: no such table has it. */
  readonly table: string | null;
  /** The numbered rules of that chapter that say more, as in `6` or `7 to 9`. */
  readonly rules?: string;
  /** How the table writes the key, if not by its name alone, as in `create: R`. */
  readonly written?: string;
  /** What the key goes with: a qualifier with verbs, a key of a scheme with its type. */
  readonly goesWith?: string;
  /** The outcome of a verb. */
  readonly outcome?: string;
  /** What the service must do, what the tester can see, and what holds while the key is absent or open. */
  readonly must?: string;
  readonly see?: string;
  readonly open?: string;
  /** An editor does not offer the key, since few documents use it. */
  readonly quiet?: true;
  /** The release that brought the key; without it, the first. */
  readonly since?: string;
}

/** The texts of keys that one section is about, and that one table of the reference lists. */
export function section(
  number: string,
  table: string | null,
): (states: string, more?: Omit<About, 'states' | 'section' | 'table'>) => About {
  return (states, more) => ({ states, section: number, table, ...more });
}

/** A key with what it takes, its absence and its texts: what a reader's `Key` says of itself. */
export interface DescribedKey {
  readonly read: { readonly form: Form };
  readonly absence: 'value' | 'entry' | 'list';
  readonly literal: boolean;
  readonly about?: About;
}

export type DescribedKeys = { readonly [name: string]: DescribedKey };

/** What an editor offers to fill in where a map has entries of the author's own names. */
export interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: Json;
}

/** The form of the names in a map, and what is said of a name that has another. */
export interface NameForm {
  readonly title: string;
  readonly pattern: RegExp;
  readonly message: string;
  /** Names of the form that are none here. */
  readonly barred?: readonly string[];
}

/** What may stand at some place, as data. A JSON Schema and the tables of the reference are made of it. */
export type Form =
  | {
      readonly kind: 'own';
      /** What it is, in a word or two. */
      readonly says: string;
      /** A JSON Schema; `of` gives that of a form within it. */
      readonly schema: Schema | ((of: (form: Form) => Schema) => Schema);
      readonly within?: () => readonly Form[];
      /** It takes markers itself. */
      readonly marked?: true;
    }
  | { readonly kind: 'words'; readonly words: readonly Json[] }
  | { readonly kind: 'any of'; readonly forms: readonly Form[] }
  | {
      readonly kind: 'list';
      readonly of: Form;
      /** One that stands alone is a list of one. */
      readonly alone: boolean;
      readonly more?: Schema;
    }
  | {
      readonly kind: 'map';
      readonly of: DescribedKey;
      readonly names?: NameForm;
      readonly snippets?: readonly Snippet[];
    }
  | RecordForm
  /** A form with a name, which stands once in a schema however often it is used. */
  | {
      readonly kind: 'defined';
      readonly name: string;
      readonly form: () => Form;
      /** Its definition takes markers besides. */
      readonly marked?: true;
    };

/** A map of keys of the language. */
export interface RecordForm {
  readonly kind: 'record';
  readonly keys: DescribedKeys;
  readonly title?: string;
  /** Further keys, of defined records that are `shared`. */
  readonly also?: () => readonly Form[];
  /** It is part of other records, so that further keys may stand beside its own. */
  readonly shared?: true;
  readonly snippets?: readonly Snippet[];
  /** Further keywords of its JSON Schema. */
  readonly more?: Schema;
  /** Names of the author's own beside the keys. */
  readonly open?: () => readonly OpenKey[];
}

/** Names of the author's own that stand beside keys of the language. */
export interface OpenKey {
  /** How the reference writes them, as in `R`. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly key: DescribedKey;
}

export function own(says: string, schema: Schema, marked?: true): Form {
  return { kind: 'own', says, schema, ...(marked && { marked }) };
}

export function words(...some: readonly Json[]): Form {
  return { kind: 'words', words: some };
}

export function anyOf(...forms: readonly Form[]): Form {
  return { kind: 'any of', forms };
}

export function defined(name: string, form: Form | (() => Form)): Form {
  return { kind: 'defined', name, form: typeof form === 'function' ? form : () => form };
}

/** A form with a name, for a place where a marker may stand instead. */
export function point(name: string, form: Form | (() => Form)): Form {
  return { kind: 'defined', name, form: typeof form === 'function' ? form : () => form, marked: true };
}

/** One of several forms of a map: the first whose condition, a JSON Schema, holds; else `otherwise`. */
export function choice(
  cases: readonly { readonly when: Schema; readonly form: Form }[],
  otherwise: Form,
): Form {
  return {
    kind: 'own',
    says: 'map',
    within: () => [...cases.map(({ form }) => form), otherwise],
    schema: (of) => ({
      type: 'object',
      ...cases.reduceRight<Schema>(
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        (rest, { when, form }) => ({ if: { not: when }, then: rest, else: of(form) }),
        of(otherwise),
      ),
    }),
  };
}

const nameMessage = 'A name is a letter, then letters, digits, _ or - (language §A.5).';

/** The forms of names (language §A.5). */
export function nameOf(title: string): NameForm {
  return { title, pattern: /^[A-Za-z][A-Za-z0-9_-]*$/, message: nameMessage };
}

export const typeNames: NameForm = {
  title: 'Name',
  pattern: /^[A-Z][A-Za-z0-9]*$/,
  message: 'The name of a resource, shape or view begins with a capital letter (language §A.5).',
};

export const eventKinds: NameForm = {
  title: 'kind',
  pattern: /^[A-Za-z][A-Za-z0-9_.-]*$/,
  message: 'The name of a kind is a letter, then letters, digits, _ - or . (language §A.5).',
};

export const machineNames: NameForm = {
  title: 'Resource.field',
  pattern: /^[A-Z][A-Za-z0-9]*\..+$/,
  message: 'A machine is named Resource.field (language §3.1).',
};

export const fieldNames: NameForm = {
  title: 'field name',
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
  message: "The name of a header field holds letters, digits and !#$%&'*+-.^_`|~ (RFC 9110 §5.1).",
};

/** A text of a form, and what is said of another. */
export function textOf(says: string, pattern: RegExp, message: string, more: Schema = {}): Form {
  return own(says, {
    type: 'string',
    pattern: pattern.source.replaceAll('\\/', '/'),
    patternErrorMessage: message,
    ...more,
  });
}

export const typeNameForm = defined(
  'typeName',
  textOf('a name', typeNames.pattern, typeNames.message, { title: 'name' }),
);

/** What may be written for people beside keys of the language. */
export const noteForm = defined(
  'note',
  own(
    'text',
    {
      description: 'For people: beside keys of this language it states nothing (language §E.18).',
      type: ['string', 'number', 'boolean'],
    },
    true,
  ),
);

export const markerForm = defined(
  'marker',
  own(
    'a marker',
    {
      title: 'marker',
      $comment:
        '(open): not said, and somebody may ask; (none): stated to be nothing; (any): stated to be free (language §B).',
      type: 'string',
      pattern: '^\\s*(?:\\((?:none|any)\\)|\\(open\\)(?:\\s[\\s\\S]*)?)\\s*$',
      patternErrorMessage: 'A marker is (open), (open) and a question, (none) or (any) (language §B).',
      examples: ['(open)', '(none)'],
    },
    true,
  ),
);
