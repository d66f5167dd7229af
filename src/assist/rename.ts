import { eventKinds, nameOf, typeNames } from '../specification/reading/form.ts';
import type { NameKind } from '../specification/reading/name-use.ts';
import type { Edit } from './answered.ts';
import { nameHere, placesOf } from './definition.ts';
import type { Named } from './names.ts';
import { byPlace, type Place, samePlace } from './place.ts';

/** What another name takes, or why it is not to be had. */
export type Renaming =
  | { readonly named: Named; readonly edits: readonly Edit[] }
  | { readonly refused: string };

/** The place of the name at an offset that may be renamed, or why it may not. */
export function renameable(
  names: readonly Named[],
  file: string,
  offset: number,
): { readonly at: Place; readonly named: Named } | { readonly refused: string } {
  const here = nameHere(names, file, offset);
  if (here === null) return { refused: 'no name of yours stands here' };
  const { kind, name, word, declared } = here.named;
  if (declared === null) return { refused: `${word} is declared nowhere` };
  if (kind === 'operation' && name.includes(' '))
    return { refused: `${name} is a method and a path; give the operation a name, with \`operation\`` };
  return here;
}

/**
 * The edits that give the name at an offset another name, wherever it stands. Whether the document is right with it,
 * its reader says (`read`).
 */
export function rename(names: readonly Named[], file: string, offset: number, to: string): Renaming {
  const here = renameable(names, file, offset);
  if ('refused' in here) return here;
  const { named } = here;
  const { pattern, says } = formOf(named);
  if (!pattern.test(to)) return { refused: `${to} is no name here: ${says}` };
  const all = boundWith(named, names);
  const twin = all.some((one) => {
    const owner = one.name.slice(0, one.name.length - one.word.length);
    return names.some(
      ({ kind, name, declared }) =>
        kind === named.kind &&
        (declared !== null || kind === 'parameter') &&
        name !== one.name &&
        isSame(kind, name, `${owner}${to}`),
    );
  });
  if (twin && to !== named.word)
    return { refused: `there is ${withArticle(kindNamed[named.kind])} ${to} already` };
  return {
    named,
    edits: placesOfAll(all).map(({ file: of, start, end }) => ({ file: of, start, end, text: to })),
  };
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Header fields are the same in any case. */
function isSame(kind: NameKind, a: string, b: string): boolean {
  return kind === 'parameter' && / headers\.[^ ]*$/.test(a) ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** Names that one place means, such as fields of several resources that one expression is about: they stay the same. */
function boundWith(named: Named, names: readonly Named[]): readonly Named[] {
  const key = ({ file, start, end }: Place): string => `${file} ${start} ${end}`;
  const alike = names.filter(
    ({ kind, word, declared }) => kind === named.kind && word === named.word && declared,
  );
  const found = new Set([named]);
  const places = new Set(placesOf(named).map(key));
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const one of alike)
      if (!found.has(one) && placesOf(one).some((place) => places.has(key(place)))) {
        found.add(one);
        for (const place of placesOf(one)) places.add(key(place));
      }
  }
  return [...found];
}

function placesOfAll(all: readonly Named[]): readonly Place[] {
  const places = all.flatMap(placesOf).sort(byPlace);
  return places.filter((one, index) => index === 0 || !samePlace(one, places[index - 1] as Place));
}

/** What a kind of name is called. */
export const kindNamed: Readonly<Record<NameKind, string>> = {
  entry: 'resource, shape or view',
  field: 'field',
  state: 'state',
  transition: 'transition',
  operation: 'operation',
  actor: 'actor',
  scheme: 'scheme',
  event: 'kind of event',
  code: 'code',
  rate: 'rate',
  quota: 'quota',
  version: 'version',
  let: 'let',
  parameter: 'parameter',
  invariant: 'invariant',
  rule: 'rule',
};

const plain = { pattern: nameOf('').pattern, says: nameOf('').message };

const identifier = { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, says: 'a letter or _, then letters, digits or _' };

/** Without what YAML, JSON or an address would take for the end of it. */
const sentence = {
  pattern: /^(?!(?:true|false|null)$)\p{L}(?:[\p{L}\p{N} _.()%+*/<>=-]*[\p{L}\p{N}.)%])?$/iu,
  says: 'a letter, then letters, digits, spaces and _ . ( ) % + * / < > = -',
};

/** Only such as may stand everywhere that the name stands, expressions among them, without quotation marks. */
function formOf({ kind, name, isDotted }: Named): { readonly pattern: RegExp; readonly says: string } {
  switch (kind) {
    case 'entry':
      return { pattern: typeNames.pattern, says: typeNames.message };
    case 'field':
    case 'transition':
      return identifier;
    case 'parameter':
      if (isDotted) return identifier;
      return / headers\.[^ ]*$/.test(name)
        ? { pattern: /^[A-Za-z][\w-]*$/, says: 'a letter, then letters, digits, _ or -' }
        : { pattern: /^[A-Za-z_][\w.-]*$/, says: 'a letter or _, then letters, digits, _, . or -' };
    case 'invariant':
    case 'rule':
      return sentence;
    case 'let':
      return { pattern: /^[a-z][A-Za-z0-9_]*$/, says: 'a small letter, then letters, digits or _' };
    case 'event':
      return { pattern: eventKinds.pattern, says: eventKinds.message };
    case 'version':
      return { pattern: /^[\w.-]+$/, says: 'letters, digits, _, . or -' };
    default:
      return plain;
  }
}
