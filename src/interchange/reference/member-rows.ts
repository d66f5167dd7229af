import type { Json } from '../../source/node.ts';
import { get, json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, find, isUnder, steps } from '../../specification/reading/address.ts';
import { isAsked, isSaid, stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { type Line, line, openLine, standingOf, written } from '../wording/line.ts';
import { boundsOf, isKeywords, type TypePiece, typeText } from './type-text.ts';

/** A member of an object, a parameter or a header field, as a row of a table. */
export interface MemberRow {
  /** Members within others by their path: `address.town`, `lines[].price`. */
  readonly name: string;
  readonly type: readonly TypePiece[];
  readonly isRequired: boolean;
  /** What else is said of it: bounds, defaults, what sets it, what is open. */
  readonly facts: readonly Line[];
  /** What the document says to people. */
  readonly description: string | null;
}

/** How deep members of members are listed. */
const deepest = 4;

/**
 * The members of an object schema, and of lists of objects, at any depth; none for anything else.
 *
 * @param factsOf what is known beside its schema of a member at the top, by its name
 */
export function rowsOf(
  schema: Json | undefined,
  factsOf: (name: string) => Pick<MemberRow, 'facts' | 'description'> | undefined = () => undefined,
  within = '',
  depth = 0,
): readonly MemberRow[] {
  if (!isKeywords(schema) || depth > deepest) return [];
  if (isKeywords(schema['items'])) return rowsOf(schema['items'], () => undefined, `${within}[]`, depth);
  if (!isKeywords(schema['properties'])) return [];
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : []);
  return Object.entries(schema['properties']).flatMap(([member, inner]) => {
    const name = within === '' ? member : `${within}.${member}`;
    const own = within === '' ? factsOf(member) : undefined;
    const bounds = boundsOf(inner).map((text) => line(text));
    const row: MemberRow = {
      name,
      type: typeText(inner),
      isRequired: required.has(member),
      facts: [...bounds, ...(own?.facts ?? [])],
      description: own?.description ?? descriptionIn(inner),
    };
    return [row, ...rowsOf(inner, () => undefined, name, depth + 1)];
  });
}

function descriptionIn(schema: Json | undefined): string | null {
  const text = isKeywords(schema) ? schema['description'] : undefined;
  return typeof text === 'string' ? text : null;
}

/** What a `description` at an address says (language §E.18). */
export function descriptionAt({ tree }: Specification, address: Address): string | null {
  const path = steps(address);
  const node = path && get(find(tree, path), 'description');
  const text = node && json(node);
  return typeof text === 'string' ? text : null;
}

/** What is said of a field beside its shape (language §2.2), and what is open of it. */
export function factsOfField(of: Specification, field: Field): Pick<MemberRow, 'facts' | 'description'> {
  const { create, update, derived, unique, writable, readable, secret, refers, holds } = field;
  const fallback = field.default;
  const value = stated(fallback);
  const key = stated(unique);
  const target = stated(refers);
  const access = stated(readable);
  const writes = stated(writable);
  const facts: readonly (Line | false)[] = [
    value !== undefined && line(`default ${JSON.stringify(value)}`, standingOf(fallback)),
    isSaid(create) && line('set by the service on creation', standingOf(create)),
    isSaid(update) && line('set by the service at each change', standingOf(update)),
    isSaid(derived) && line('computed when it is shown', standingOf(derived)),
    key !== undefined && key !== false && line(uniqueness[String(key)] ?? 'unique', standingOf(unique)),
    writes === 'once' && line('given on creation only', standingOf(writable)),
    writes === 'same' && line('a later value must be the same', standingOf(writable)),
    typeof writes === 'object' && line(`may be given if ${written(writes)}`, standingOf(writable)),
    typeof access === 'object' && line(`shown if ${written(access)}`, standingOf(readable)),
    isSaid(secret) && line('stored so that it cannot be recovered', standingOf(secret)),
    target !== undefined && line(`the key of an item of ${target.resource}`, standingOf(refers)),
    ...[...(stated(holds) ?? [])].map(([sentence, said]) => line(sentence, standingOf(said))),
    ...[create, derived, unique, writable, readable, refers].map(
      (said) => isAsked(said) && openLine(said, said.address.slice(said.address.lastIndexOf('.') + 1)),
    ),
    ...openShape(of, field),
  ];
  return {
    facts: facts.filter((fact) => fact !== false),
    description: descriptionAt(of, field.address),
  };
}

const uniqueness: Readonly<Record<string, string>> = {
  caseless: 'unique, in upper and lower case alike',
  ever: 'unique, also among former values',
};

/** What is open of the shape of a field, and whether the shape is assumed. */
function openShape({ points }: Specification, { address, shape }: Field): readonly Line[] {
  const open = [address, `${address}.type`].flatMap((at) => {
    const point = points.get(at);
    return point?.state === 'open' ? [point] : [];
  });
  const type = open.find(({ question }) => question !== null) ?? open[0];
  if (type) return [line(type.question === null ? 'type' : `type: ${type.question}`, 'open')];
  const asked = [...shape.keywords]
    .filter(([, said]) => isAsked(said))
    .map(([keyword, said]) => openLine(said, keyword));
  const isAssumed = [...points.values()].some(
    (point) => point.state === 'assumed' && isUnder(point.address, address),
  );
  return [...asked, ...(isAssumed ? [line('in part', 'assumed')] : [])];
}
