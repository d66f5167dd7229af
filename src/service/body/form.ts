import { isUtf8 } from 'node:buffer';
import { Bytes } from '../../expression/bytes.ts';
import { setMember } from '../../source/node.ts';
import type { JsonLimits, ParsedJson } from '../http/json.ts';
import { readPairs } from '../http/pairs.ts';
import type { Spelling } from '../shape/spelling.ts';
import { type FormPart, readFormParts } from './multipart.ts';

/** What a field is given: a text, or a part. */
type Given = string | FormPart;

/** What stands at one name of a form: texts, a list's, or members of its own. */
interface Branch {
  readonly texts: Given[];
  readonly listed: Given[];
  readonly members: Map<string, Branch>;
}

class Malformed extends Error {}

/**
 * Reads a form (`application/x-www-form-urlencoded`) as an object: values are of the types of the shape, a list is
 * given once for each of its elements, and with `nesting: brackets` names hold the way to a member, as
 * `a[b][]=c` (language §4.2). A name that is no such way, or is given twice and is no list, is malformed.
 */
export function readForm(bytes: Buffer, spelling: Spelling, nests: boolean, limits: JsonLimits): ParsedJson {
  const pairs = isUtf8(bytes) ? readPairs(bytes.toString('utf8')) : null;
  const given = pairs?.map(({ name, value }) => [name, value] as const);
  return given ? read(given, spelling, nests, limits) : { kind: 'malformed' };
}

/**
 * The same of `multipart/form-data`, of which each part is a field. Its content is bytes, if that is its shape; else a text
 * in UTF-8 or, where the shape states so by `contentEncoding`, any bytes, which are given in that coding (RFC 4648).
 * `parts` tells of the first part of each name.
 */
export function readMultipart(
  bytes: Buffer,
  contentType: string,
  spelling: Spelling,
  nests: boolean,
  limits: JsonLimits,
): ParsedJson & { readonly parts?: Readonly<Record<string, FormPart['about']>> } {
  const parts = readFormParts(bytes, contentType);
  if (parts === null) return { kind: 'malformed' };
  const fields = read(
    parts.map((part) => [part.name, part] as const),
    spelling,
    nests,
    limits,
  );
  const about: Record<string, FormPart['about']> = {};
  for (const part of parts) if (!Object.hasOwn(about, part.name)) setMember(about, part.name, part.about);
  return { ...fields, parts: about };
}

function read(
  fields: readonly (readonly [name: string, given: Given])[],
  spelling: Spelling,
  nests: boolean,
  limits: JsonLimits,
): ParsedJson {
  if (fields.length > limits.nodes) return { kind: 'too large', limit: 'jsonNodes' };
  const root = branch();
  try {
    for (const [name, given] of fields) {
      const way = nests ? wayOf(name) : [name];
      if (way.length > limits.depth) return { kind: 'too large', limit: 'jsonDepth' };
      place(root, way, given);
    }
    return { kind: 'value', value: members(root, spelling) as never };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed' };
    throw error;
  }
}

function branch(): Branch {
  return { texts: [], listed: [], members: new Map() };
}

/** `a[b][]` is a, b and, for the list's next element, an empty name at the end, where alone one may stand. */
function wayOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) throw new Malformed();
  const [, first = '', rest = ''] = match;
  const inner = rest === '' ? [] : rest.slice(1, -1).split('][');
  if (inner.slice(0, -1).includes('')) throw new Malformed();
  return [first, ...inner];
}

function place(root: Branch, way: readonly string[], given: Given): void {
  let here = root;
  const isElement = way.length > 1 && way.at(-1) === '';
  for (const name of isElement ? way.slice(0, -1) : way) {
    const next = here.members.get(name) ?? branch();
    here.members.set(name, next);
    here = next;
  }
  (isElement ? here.listed : here.texts).push(given);
}

function members(of: Branch, spelling: Spelling): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, inner] of of.members) setMember(found, name, value(inner, spelling.member(name)));
  return found;
}

function value(of: Branch, spelling: Spelling): unknown {
  const { texts, listed, members: inner } = of;
  const ways = [texts.length, listed.length, inner.size].filter((count) => count > 0);
  if (ways.length > 1) throw new Malformed();
  if (inner.size > 0) return members(of, spelling);
  const list = (all: readonly Given[]): unknown[] =>
    all.map((given, index) => single(given, spelling.item(index)));
  if (listed.length > 0) return list(listed);
  if (spelling.isList) return list(texts);
  if (texts.length > 1) throw new Malformed();
  return single(texts[0] as Given, spelling);
}

function single(given: Given, spelling: Spelling): unknown {
  if (typeof given === 'string') return spelling.value(given);
  const { content } = given;
  if (spelling.isBytes) return Bytes.of(content);
  if (!given.isUtf8) throw new Malformed();
  if (spelling.coding !== null) return content.toString(spelling.coding);
  const text = isUtf8(content) ? content.toString('utf8') : '\u0000';
  if (text.includes('\u0000')) throw new Malformed();
  return spelling.value(text);
}
