import { isUtf8 } from 'node:buffer';
import { setMember } from '../../source/node.ts';
import type { JsonLimits, ParsedJson } from '../http/json.ts';
import { readPairs } from '../http/pairs.ts';
import type { Spelling } from '../spelling.ts';

/** What stands at one name of a form: texts, a list's, or members of its own. */
interface Branch {
  readonly texts: string[];
  readonly listed: string[];
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
  if (pairs === null) return { kind: 'malformed' };
  if (pairs.length > limits.nodes) return { kind: 'too large' };
  const root = branch();
  try {
    for (const { name, value } of pairs) {
      const way = nests ? wayOf(name) : [name];
      if (way.length > limits.depth) return { kind: 'too large' };
      place(root, way, value);
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

function place(root: Branch, way: readonly string[], text: string): void {
  let here = root;
  const isElement = way.length > 1 && way.at(-1) === '';
  for (const name of isElement ? way.slice(0, -1) : way) {
    const next = here.members.get(name) ?? branch();
    here.members.set(name, next);
    here = next;
  }
  (isElement ? here.listed : here.texts).push(text);
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
  const list = (all: readonly string[]): unknown[] =>
    all.map((text, index) => spelling.item(index).value(text));
  if (listed.length > 0) return list(listed);
  if (spelling.isList) return list(texts);
  if (texts.length > 1) throw new Malformed();
  return spelling.value(texts[0] as string);
}
