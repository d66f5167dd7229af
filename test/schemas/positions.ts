import type { Json } from '../../src/source/node.ts';
import type { Schema } from '../../src/specification/reading/form.ts';

/** A place in a document where a map of the language's own keys stands, and no other keys. */
export interface Position {
  /** Where, as in `resources.Thing.fields.name`. */
  readonly at: string;
  readonly keys: readonly string[];
  /** The document with one key there, and what this key needs beside it. */
  readonly document: (key: string, value: Json) => Json;
  /** The words that a key's value may be, of the keys that have any. */
  readonly words: ReadonlyMap<string, readonly Json[]>;
}

/** What an editor offers to fill in, and a document in which it was taken as it is. */
export interface Snippet {
  readonly at: string;
  readonly label: string;
  readonly document: Json;
}

/** Names to stand where a document gives its own: the first that the schema takes. */
const names = [
  'name',
  'Thing',
  'Thing.status',
  'GET /things',
  'every POST',
  'every /things/{id}',
  'resources.Thing.fields.name',
];

/** Shapes hold shapes: those within others are looked at in one place. */
const nested = 'schema';

/** Every position of a document that the schema describes, and every snippet that it offers. */
export function positions(root: Schema): { positions: readonly Position[]; snippets: readonly Snippet[] } {
  const defs = root['$defs'] as Record<string, Schema>;
  const found: Position[] = [];
  const snippets: Snippet[] = [];
  let isNestedSeen = false;

  const resolved = (of: Schema): Schema => (typeof of['$ref'] === 'string' ? def(of['$ref']) : of);
  const def = (reference: string): Schema => defs[reference.replace('#/$defs/', '')] as Schema;

  function walk(
    of: Json,
    at: string,
    wrap: (value: Json) => Json,
    around: readonly string[],
    beside: Schema = {},
  ): void {
    if (!isSchema(of)) return;
    const { $ref } = of;
    if (typeof $ref === 'string') {
      if (around.includes($ref) || ($ref.endsWith(`/${nested}`) && isNestedSeen)) return;
      isNestedSeen ||= $ref.endsWith(`/${nested}`);
      walk(def($ref), at, wrap, [...around, $ref], beside);
      return;
    }
    const inner = (to: Json | undefined, key: string, needed: Schema): void =>
      walk(
        to ?? null,
        at === '' ? key : `${at}.${key}`,
        (value) => wrap({ ...needed, [key]: value }),
        around,
      );
    for (const one of listOf(of['defaultSnippets'])) {
      const { label, body } = one as { label: string; body: Json };
      snippets.push({ at, label, document: wrap(filledIn(body)) });
    }
    for (const one of [...listOf(of['anyOf']), ...listOf(of['oneOf'])]) walk(one, at, wrap, around, beside);
    const { if: condition } = of;
    const isNot = isSchema(condition) ? condition['not'] : undefined;
    const chosen = isSchema(isNot) ? { ...beside, ...satisfying(isNot) } : beside;
    walk(of['else'] ?? null, at, wrap, around, chosen);
    walk(of['then'] ?? null, at, wrap, around, beside);
    const properties = propertiesOf(of);
    const needed = (key: string): Schema => ({ ...beside, ...verbOf(of, key), ...dependents(of, key) });
    if (of['additionalProperties'] === false)
      found.push({
        at,
        keys: Object.keys(properties),
        document: (key, value) => wrap({ ...needed(key), [key]: value }),
        words: new Map(Object.entries(properties).map(([key, one]) => [key, wordsOf(one)])),
      });
    for (const [key, one] of Object.entries(properties)) inner(one, key, needed(key));
    const pattern = (of['propertyNames'] as Schema | undefined)?.['pattern'];
    if (isSchema(of['additionalProperties'])) inner(of['additionalProperties'], nameFor(pattern), {});
    for (const [form, one] of Object.entries((of['patternProperties'] as Schema) ?? {}))
      inner(one, nameFor(form), {});
    if (of['items'] !== undefined) walk(of['items'], at, (value) => wrap([value]), around);
  }

  /** The properties of a map, and those of the schemas that it takes in, whose names it repeats as `true`. */
  function propertiesOf(of: Schema): Schema {
    const taken = listOf(of['allOf']).map((one) => propertiesOf(resolved(one as Schema)));
    const own = Object.entries((of['properties'] as Schema | undefined) ?? {});
    return Object.assign({}, ...taken, Object.fromEntries(own.filter(([, one]) => one !== true))) as Schema;
  }

  function wordsOf(of: Json): readonly Json[] {
    if (!isSchema(of)) return [];
    if (typeof of['$ref'] === 'string') return wordsOf(def(of['$ref']));
    return [...listOf(of['enum']), ...listOf(of['anyOf']).flatMap(wordsOf)];
  }

  walk(root, '', (value) => value, []);
  return { positions: found, snippets };
}

const isSchema = (of: Json | undefined): of is Schema =>
  typeof of === 'object' && of !== null && !Array.isArray(of);

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function nameFor(pattern: Json | undefined): string {
  const name = names.find((one) => new RegExp((pattern as string | undefined) ?? '').test(one));
  if (name === undefined) throw new Error(`no name fits ${pattern}`);
  return name;
}

/** What stands in a map that is what an `if` says that it is not. */
function satisfying(condition: Schema): Schema {
  const value = (key: string): Json => {
    const wanted = (condition['properties'] as Record<string, Schema> | undefined)?.[key];
    if (wanted === undefined) return 'Thing';
    return listOf(wanted['enum'])[0] ?? '(none)';
  };
  return Object.fromEntries(listOf(condition['required']).map((key) => [key, value(key as string)]));
}

/** A qualifier stands beside a verb that it fits; a verb stands alone. */
function verbOf(of: Schema, key: string): Schema {
  if (of['title'] !== 'change') return {};
  const verbs = listOf((of['if'] as Schema)['anyOf']).flatMap((one) => listOf((one as Schema)['required']));
  if (verbs.includes(key)) return {};
  return key === 'present' ? { create: 'Thing' } : { update: 'Thing' };
}

/** What stands beside a key because the map must have it, or this key needs it. */
function dependents(of: Schema, key: string): Schema {
  const keys = (of['dependentRequired'] as Record<string, string[]> | undefined)?.[key] ?? [];
  const wanted = listOf(of['required']).map((one) => [one, 'name']);
  return Object.fromEntries([...wanted, ...keys.map((one) => [one, {}])]);
}

/** A snippet's body as an editor leaves it: each `${1:name}` is its name, and `\\$` is `$`. */
function filledIn(body: Json): Json {
  const text = (of: string): string => of.replace(/\$\{\d+:([^{}]*)\}/g, '$1').replace(/\\([$}])/g, '$1');
  if (typeof body === 'string') return /^\$\{\d+:\d+\}$/.test(body) ? Number(text(body)) : text(body);
  if (Array.isArray(body)) return body.map(filledIn);
  if (!isSchema(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [text(key), filledIn(value)]));
}
