import { type Json, setMember } from '../../source/node.ts';

/** What people read, from what they miss least: each is left out of a document that would be too large to be read. */
export const leftOut = [
  'descriptions of header fields',
  'examples of content',
  'examples in shapes',
  'notes in shapes',
  'titles and descriptions in shapes',
] as const;

export type LeftOut = (typeof leftOut)[number];

/** Keys below which names stand, and not keys of the language. */
const naming = ['fields', 'properties', 'patternProperties', 'dependentSchemas', 'query', 'headers', 'path'];

/** Keys below which values stand. */
const literal = ['default', 'const', 'enum', 'examples', 'required'];

/** A part without these texts for people. Nothing that is stated is left out. */
export function shortened(part: Json, without: readonly LeftOut[]): Json {
  return map(part, (entry) => keyed(entry, without, false));
}

function keyed(value: Json, without: readonly LeftOut[], isHeader: boolean): Json {
  if (Array.isArray(value)) return value.map((each) => keyed(each as Json, without, isHeader));
  if (!isMap(value)) return value;
  const found: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (isLeftOut(name, inner, 'type' in value || 'fields' in value, without, isHeader)) continue;
    if (literal.includes(name)) setMember(found, name, inner);
    else if (naming.includes(name)) {
      const areHeaders = name === 'headers' || isHeader;
      setMember(
        found,
        name,
        map(inner, (each) => keyed(each, without, areHeaders)),
      );
    } else if (name === 'description' && typeof inner === 'string') {
      const said = without.includes('examples of content') ? withoutExamples(inner) : inner;
      if (said !== '') setMember(found, name, said);
    } else setMember(found, name, keyed(inner, without, isHeader));
  }
  return found;
}

function isLeftOut(
  name: string,
  value: Json,
  isShape: boolean,
  without: readonly LeftOut[],
  isHeader: boolean,
): boolean {
  const isText = typeof value === 'string';
  switch (name) {
    case 'examples':
      return isShape && without.includes('examples in shapes');
    case '$comment':
      return isText && without.includes('notes in shapes');
    case 'title':
    case 'description': {
      const isOfHeader = isHeader && without.includes('descriptions of header fields');
      return isText && (isOfHeader || (isShape && without.includes('titles and descriptions in shapes')));
    }
    default:
      return false;
  }
}

/** What people read without the lines that note examples. */
function withoutExamples(said: string): string {
  return said
    .split('\n')
    .filter((line) => !/^(?:examples?|x-codeSamples): /.test(line))
    .join('\n')
    .trim();
}

function map(value: Json, each: (value: Json) => Json): Json {
  if (!isMap(value)) return value;
  const found: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) setMember(found, name, each(inner));
  return found;
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
