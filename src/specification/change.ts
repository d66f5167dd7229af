import type { Node } from '../source/node.ts';
import type { Span } from '../source/text.ts';
import { step } from './address.ts';
import { nearest } from './nearest.ts';
import {
  entry,
  type Key,
  kindOf,
  knownKeys,
  listOf,

  placedText,
  type Read,
  say,
  text,
  unknownKeys,
  unread,
  value,
  word,
} from './reading.ts';
import type { Said } from './said.ts';
import { expression, type PlacedTemplate } from './templates.ts';

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
  readonly where: Said<PlacedTemplate>;
  /** The qualifiers that this version reads no further, by name. */
  readonly qualifiers: ReadonlyMap<string, Said<unknown>>;
}

/** What a change is about: the one item that the parameters single out, every item, or another one by name. */
export interface Subject {
  readonly kind: 'one' | 'every' | 'named';
  readonly name: string;
  readonly at: Span;
}

const qualifiers: { readonly [name: string]: Key<unknown> } = {
  with: entry(unread),
  present: entry(word('keep', 'match', 'update', 'replace')),
  absent: entry(word('ignore')),
  order: entry(listOf(placedText)),
  when: entry(expression),
  for: entry(expression),
  as: entry(text),
  by: entry(unread),
  gives: entry(unread),
  may: entry(unread),
};

/** Reads `VERB R`, `VERB every R` (language §E.2), or a map with one verb and its qualifiers. */
export const change: Read<Change> = (node, place, reading) => {
  if (node.kind === 'scalar') {
    const match = /^(\S+)\s+(every\s+)?(\S+)$/.exec(node.written.trim());
    if (match === null) return reading.report('bad-change', node.span, { found: node.written });
    const [, verb, every, name] = match as unknown as [string, string, string | undefined, string];
    const address = step(place.address, verb);
    reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
    const silent: Said<never> = {
      kind: 'open',
      question: null,
      address: step(place.address, 'where'),
      at: place.at,
    };
    return {
      verb,
      at: node.span,
      subject: { kind: every ? 'every' : 'one', name, at: node.span },
      where: silent,
      qualifiers: new Map(),
    };
  }
  if (node.kind === 'list')
    return reading.report('wrong-kind', node.span, { wanted: 'one change', found: kindOf(node) });
  const known = [...Object.keys(qualifiers), 'where'];
  const words = [...node.entries.keys()].filter((key) => !known.includes(key));
  const [verb] = words;
  if (verb === undefined) return reading.report('bad-change', node.span, { found: 'no verb' });
  unknownKeys(node, [...known, verb], place, reading);
  const written = node.entries.get(verb)?.value as Node;
  const said = say(written, value(subject), { address: step(place.address, verb), at: place.at }, reading);
  if (said.kind !== 'stated') return reading.report('bad-change', written.span, { found: verb });
  const more = knownKeys(node, { where: entry(expression), ...qualifiers }, place, reading);
  return {
    verb,
    at: node.entries.get(verb)?.key ?? node.span,
    subject: said.value,
    where: more.where as Said<PlacedTemplate>,
    qualifiers: new Map(Object.keys(qualifiers).map((name) => [name, more[name as keyof typeof more]])),
  };
};

const subject: Read<Subject> = (node, _place, reading) => {
  if (node.kind !== 'scalar' || node.value === null)
    return reading.report('wrong-kind', node.span, { wanted: 'the name of a resource', found: kindOf(node) });
  const every = /^every\s+(\S+)$/.exec(node.written.trim());
  if (every) return { kind: 'every', name: every[1] as string, at: node.span };
  const one = /^[A-Z][A-Za-z0-9]*$/.test(node.written);
  return { kind: one ? 'one' : 'named', name: node.written, at: node.span };
};

/** The verb that a mistyped one most likely is. */
export function nearestVerb(word: string, transitions: readonly string[]): string | undefined {
  return nearest(word, [...verbs, ...transitions]);
}

