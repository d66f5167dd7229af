import { pathsRead } from '../expression/expression.ts';
import { expressionsIn } from '../expression/template.ts';
import type { Json } from '../source/node.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { textByChance } from './smaller.ts';
import type { Trial } from './trial.ts';

/** Text that means something to one or another layer of an implementation, and nothing in a text: as many as go into one. */
export const fragments: readonly string[] = [
  `it's "quoted" \\ and /slashed/`,
  `'; DROP TABLE x; --`,
  '${7*7} {{7*7}} <%= 7*7 %> $(id) %s %41 %00',
  '<script>alert(1)</script> &amp; &lt;',
  'e\u0301 \u00e9 \u212b', // combining and composed: no normal form is stated
  '𝄞 👩‍👩‍👧 \u202eabc\u202c \u05d0\u200f',
  'line\nfeed\ttab\r\nend',
  '../../etc/passwd',
];

/** Texts that look like something else, each by itself. */
export const disguised: readonly string[] = [
  '  blanks around\n',
  'null',
  'true',
  '0',
  '1e3',
  '__proto__',
  'constructor',
  '',
];

/** How many texts by chance are tried. */
const byChance = 1;

/** The texts to try of a field: what is hostile as few texts as its shape admits, what is disguised, and some by chance. */
export function textsFor({ tools, random }: Trial, resource: Resource, field: Field): readonly string[] {
  const schema = schemaOf(field.shape);
  const admits = (text: string): boolean => tools.failures(schema, text).length === 0;
  const own = tools.resolve(schema);
  const chance = Array.from({ length: byChance }, () => textByChance(own, random));
  const alone = disguised.filter((text) => text !== '' || !isReadBy(resource, field.name));
  return [...packed(admits), ...[...alone, ...chance].filter(admits)];
}

/** What is hostile, in as few texts as may be. */
export function packed(admits: (text: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (const one of fragments.filter(admits)) {
    const last = found.pop();
    if (last === undefined) found.push(one);
    else found.push(...(admits(last + one) ? [last + one] : [last, one]));
  }
  return found;
}

/** Whether the service makes another field of one: of no text it may make nothing that can be asked for. */
function isReadBy(resource: Resource, name: string): boolean {
  return [...resource.fields.values()].some(({ create }) =>
    (create.kind === 'stated' ? expressionsIn(create.value.template) : [])
      .flatMap(({ syntax }) => pathsRead(syntax))
      .some(([first, read]) => first === 'this' && read === name),
  );
}

export type Texts = { readonly [field: string]: Json };

/** The first texts of all fields, then the second ones, and so on: as few requests as one field needs. */
export function inTurn(all: readonly (readonly [string, readonly string[]])[]): readonly Texts[] {
  const most = Math.max(0, ...all.map(([, texts]) => texts.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(
      all.flatMap(([name, texts]) => texts.slice(index, index + 1).map((text) => [name, text])),
    ),
  );
}
