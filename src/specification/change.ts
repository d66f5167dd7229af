import { reserved } from '../expression/reserved.ts';
import {
  type Entry,
  get,
  type List,
  type Mapping,
  mapping,
  type Node,
  put,
  type Scalar,
  scalar,
} from '../source/node.ts';
import type { Span } from '../source/text.ts';
import { step } from './address.ts';
import {
  entry,
  kindOf,
  knownKeys,
  listOf,
  named,
  type Place,
  type Placed,
  placedText,
  type Read,
  type Reading,
  say,
  text,
  unknownKeys,
  type Values,
  value,
  within,
  word,
} from './reading.ts';
import { stated } from './said.ts';
import { shape } from './shape.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  member,
  type PlacedTemplate,
  template,
} from './templates.ts';

/** The verbs of the language; any other is the name of a transition (language §H.2). */
export const verbs = [
  'create',
  'read',
  'list',
  'update',
  'replace',
  'delete',
  'authenticate',
  'revoke',
  'handled',
] as const;

/** What happens to what is kept (language §H.2). */
export interface Change {
  /** One of `verbs`, or the name of a transition. */
  readonly verb: string;
  readonly at: Span;
  readonly subject: Subject;
  readonly qualifiers: Qualifiers;
}

/**
 * What a change is about: the one item of a resource that the parameters single out, every item, or another one by
 * its name or by an expression. For `revoke` the name is that of a scheme, for `handled` that of a handler.
 */
export type Subject =
  | { readonly kind: 'one' | 'every' | 'named'; readonly name: string; readonly at: Span }
  | { readonly kind: 'expression'; readonly name: null; readonly item: PlacedTemplate; readonly at: Span };

/** One change that a handler may make: `cancel Parcel` (language §I). */
export interface Permission {
  readonly verb: string;
  readonly resource: string;
  readonly at: Span;
}

/** A change of the one item, or of every item, of a resource. */
export type ResourceChange = Change & {
  readonly subject: Extract<Subject, { kind: 'one' | 'every' | 'named' }>;
};

/** Whether what it names is a resource: not a scheme, a handler or an item at hand. */
export function isAboutResource(change: Change): change is ResourceChange {
  const { kind } = change.subject;
  return (kind === 'one' || kind === 'every') && change.verb !== 'revoke' && change.verb !== 'handled';
}

export const permission: Read<Permission> = (node, place, reading) => {
  const written = text(node, place, reading);
  if (written === undefined) return undefined;
  const match = /^(\S+)\s+(\S+)$/.exec(written.trim());
  if (match === null) return reading.report('bad-change', node.span, { found: written });
  return { verb: match[1] as string, resource: match[2] as string, at: node.span };
};

const order: Read<readonly Placed[] | PlacedTemplate> = (node, place, reading) =>
  holdsExpression(node) || isHandled(node)
    ? expression(node, place, reading)
    : listOf(placedText)(node, place, reading);

const qualifiers = {
  with: entry(listOf(template)),
  where: entry(expression),
  present: entry(word('keep', 'match', 'update', 'replace')),
  absent: entry(word('ignore')),
  order: entry(order),
  when: entry(expression),
  for: entry(expression),
  as: entry(binding),
  by: entry(named(value(expression))),
  gives: entry(shape),
  may: entry(listOf(permission)),
};

/** What narrows a change and says more of it (language §H.2, second table; §I). */
export type Qualifiers = Values<typeof qualifiers>;
export type Qualifier = keyof Qualifiers;

function binding(node: Node, place: Place, reading: Reading): Placed | undefined {
  const name = placedText(node, place, reading);
  if (name === undefined || (/^[A-Za-z][A-Za-z0-9_]*$/.test(name.text) && !reserved.includes(name.text)))
    return name;
  const hint = reserved.includes(name.text) ? 'it stands for something else in every expression' : null;
  return reading.report('bad-name', name.at, { name: name.text }, { hint });
}

export const qualifierNames = Object.keys(qualifiers);
const words = [...qualifierNames, 'description'];

/** Verbs whose change takes what the request brings, where `with` does not say otherwise (language §E.7). */
const takesBody = ['create', 'update', 'replace'];

/** Reads `VERB R`, `VERB every R` (language §E.2), or a map with one verb and its qualifiers. */
export const change: Read<Change> = (node, place, reading) => {
  if (node.kind === 'list')
    return reading.report('wrong-kind', node.span, { wanted: 'one change', found: kindOf(node) });
  const map = node.kind === 'map' ? node : spelledOut(node);
  if (map === undefined) return reading.report('bad-change', node.span, { found: (node as Scalar).written });
  const verb = verbOf(map);
  if (verb === undefined) return reading.report('bad-change', map.span, { found: 'no verb' });
  unknownKeys(map, [...words, verb], place, reading);
  const { key, value: written } = map.entries.get(verb) as Entry;
  const said = say(written, value(subject), { address: step(place.address, verb), at: place.at }, reading);
  if (said.kind === 'open') return undefined;
  if (said.kind !== 'stated') return reading.report('bad-change', written.span, { found: verb });
  const more = knownKeys(completed(map, verb), qualifiers, place, reading);
  reading.restOf(place.address, place.at);
  return { verb, at: key, subject: said.value, qualifiers: more };
};

/** The changes that follow another, in order (language §H.2: `also`). */
export const changes: Read<readonly Change[]> = listOf(change);

/** `create Todo` is `{ create: Todo }` (language §E.2); undefined where it is neither. */
function spelledOut(node: Scalar): Mapping | undefined {
  const match = /^(\s*)(\S+)(\s+)(\S(?:.*\S)?)\s*$/s.exec(node.written);
  if (match === null || !/^(every\s+)?\S+$/.test(match[4] as string)) return undefined;
  const [, before, verb, between, about] = match as unknown as [string, string, string, string, string];
  const start = before.length + verb.length + between.length;
  const at = within(node, start, start + about.length);
  const subject: Scalar = { ...node, value: about, written: about, from: null, span: at };
  return mapping(
    [[verb, { key: within(node, before.length, before.length + verb.length), value: subject }]],
    node.span,
    node.assumed,
  );
}

function verbOf(map: Mapping): string | undefined {
  return [...map.entries.keys()].find((key) => !words.includes(key));
}

/** The verb and the name of what a change is about, as they are written; undefined where it is none. */
export function writtenChange(
  node: Node | undefined,
): { readonly verb: string; readonly subject: string } | undefined {
  const map = node?.kind === 'scalar' ? spelledOut(node) : node;
  const verb = map?.kind === 'map' ? verbOf(map) : undefined;
  const about = verb === undefined ? undefined : get(map, verb);
  if (verb === undefined || about?.kind !== 'scalar') return undefined;
  return { verb, subject: about.written.trim().replace(/^every\s+/, '') };
}

/** What the client may give is set (language §E.7); `by` names members of the body (§E.14). */
function completed(map: Mapping, verb: string): Mapping {
  const { key, value: about } = map.entries.get(verb) as Entry;
  const by = get(map, 'by');
  if (verb === 'authenticate' && by?.kind === 'list') return put(map, 'by', byNames(by));
  if (!takesBody.includes(verb) || map.entries.has('with')) return map;
  return put(map, 'with', scalar(wholeBody, key, about.assumed), key);
}

function byNames(by: List): Mapping {
  const members = by.items.map((item) => {
    const name = item.kind === 'scalar' ? item.written : kindOf(item);
    return [
      name,
      { key: item.span, value: scalar(`\${request.body${member(name)}}`, item.span, item.assumed) },
    ] as const;
  });
  return mapping(members, by.span, by.assumed);
}

const wholeBody = '${request.body}';

/** Whether `with` brings what the client may give, and nothing else. */
export function bringsBody({ qualifiers }: Change): boolean {
  const [only, second] = stated(qualifiers.with) ?? [];
  const node = only?.node;
  return second === undefined && node?.kind === 'scalar' && /^\$\{\s*request\.body\s*\}$/.test(node.written);
}

const subject: Read<Subject> = (node, place, reading) => {
  if (holdsExpression(node)) {
    const item = expression(node, place, reading);
    return item && { kind: 'expression', name: null, item, at: node.span };
  }
  if (node.kind !== 'scalar' || node.value === null)
    return reading.report('wrong-kind', node.span, { wanted: 'the name of a resource', found: kindOf(node) });
  const every = /^every\s+(\S+)$/.exec(node.written.trim());
  if (every) return { kind: 'every', name: every[1] as string, at: node.span };
  const one = /^[A-Z][A-Za-z0-9]*$/.test(node.written);
  return { kind: one ? 'one' : 'named', name: node.written, at: node.span };
};
