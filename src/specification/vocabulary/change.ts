import { reserved } from '../../expression/reserved.ts';
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
} from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { step } from '../reading/address.ts';
import {
  anyOf,
  type DescribedKey,
  defined,
  type Form,
  markerForm,
  nameOf,
  own,
  point,
  type Schema,
  section,
  textOf,
} from '../reading/form.ts';
import {
  either,
  entry,
  type Formed,
  formed,
  kindOf,
  knownKeys,
  listOf,
  named,
  type Place,
  type Placed,
  placedText,
  type Reading,
  record,
  say,
  text,
  unknownKeys,
  type Values,
  value,
  within,
  word,
} from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  member,
  type PlacedTemplate,
  template,
} from '../reading/templates.ts';
import { sentKeys } from './endpoint/sent.ts';
import { shape } from './shape.ts';

const about = section('H.2', 'change.qualifiers');
const ofVerb = section('H.2', 'change.verbs');

/** The verbs of the language, and what each comes to; any other is the name of a transition (language §H.2). */
const verbRows = {
  create: ofVerb('Makes an item of this resource.', {
    written: 'create: R',
    outcome: '`created`, or by `present`',
  }),
  read: ofVerb('Shows the one item.', { written: 'read: R' }),
  list: ofVerb('Pages through the items.', { written: 'list: R' }),
  update: ofVerb('Sets the given members. If `media` says so, RFC 7396 or RFC 6902 applies.', {
    rules: '4',
    written: 'update: R',
    outcome: '`changed` or `unchanged`',
  }),
  replace: ofVerb('Like `update`, and members that are not given return to their default or go.', {
    written: 'replace: R',
    outcome: '`changed` or `unchanged`',
  }),
  delete: ofVerb('Deletes the item. `every R` deletes all items that `where` admits.', {
    written: 'delete: R',
    outcome: '`deleted`',
  }),
  authenticate: ofVerb('Finds the item whose fields match `by`.', { rules: '5', written: 'authenticate: R' }),
  revoke: ofVerb('Ends the credential of this scheme that the request came with (§5.2).', {
    written: 'revoke: SCHEME',
    outcome: '`deleted`',
  }),
  handled: section('I', 'change.verbs')("Does what the operator's function of this name does.", {
    written: 'handled: NAME',
    outcome: 'as the function says',
  }),
  run: ofVerb('Sends a request to this operation for each element of `for`.', {
    rules: '15 to 21',
    written: 'run: OPERATION',
  }),
};

export type Verb = keyof typeof verbRows;
export const verbs = Object.keys(verbRows) as readonly Verb[];

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
 * its name or by an expression. For `revoke` the name is that of a scheme, for `handled` that of a handler, for `run`
 * that of an operation.
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

/** Verbs whose subject is no item: a scheme, a handler, an operation. */
const aboutOthers = ['revoke', 'handled', 'run'];

/** Verbs that look for no item before they are carried out (language §H.2). */
export const findsNoItem: readonly string[] = ['create', 'list', 'authenticate', ...aboutOthers];

/** Whether what it names is a resource: not a scheme, a handler, an operation or an item at hand. */
export function isAboutResource(change: Change): change is ResourceChange {
  const { kind } = change.subject;
  return (kind === 'one' || kind === 'every') && !aboutOthers.includes(change.verb);
}

export const permission: Formed<Permission> = formed(text.form, (node, place, reading) => {
  const written = text(node, place, reading);
  if (written === undefined) return undefined;
  const match = /^(\S+)\s+(\S+)$/.exec(written.trim());
  if (match === null) return reading.report('bad-change', node.span, { found: written });
  return { verb: match[1] as string, resource: match[2] as string, at: node.span };
});

const names = listOf(placedText);

const order: Formed<readonly Placed[] | PlacedTemplate> = either(
  (node, place, reading) =>
    holdsExpression(node) || isHandled(node) ? expression(node, place, reading) : names(node, place, reading),
  names,
  expression,
);

const withForm: Form = {
  kind: 'own',
  says: 'a map, an expression, or a list',
  schema: (of) => ({
    anyOf: [
      { type: 'object' },
      { type: 'string' },
      { type: 'array', items: { anyOf: [{ type: 'object' }, { type: 'string' }] } },
      of(markerForm),
    ],
  }),
  marked: true,
};

const byForm: Form = anyOf(
  { kind: 'list', of: text.form, alone: false },
  { kind: 'map', of: { read: template, absence: 'value', literal: false } },
);

const qualifiers = {
  with: entry(
    formed(withForm, listOf(template)),
    about('What is set: a map, an expression, or a list of these.', {
      rules: '6 to 10',
      goesWith: '`create`, `update`, `replace`, transitions',
      open: '`create`, `update`, `replace`: what the client may write (E.7)',
    }),
  ),
  where: entry(
    expression,
    about('Which items: a storable expression (G.5). In it, `this` is the item that is judged.', {
      rules: '11 to 13',
      goesWith: '`read`, `list`, `update`, `replace`, `delete`, transitions',
      open: 'the parameters alone single out the item',
    }),
  ),
  present: entry(
    word('keep', 'match', 'update', 'replace'),
    about(
      'What happens if the item with this identifier exists; without one, the item with these `unique` fields.',
      {
        goesWith: '`create`',
        open: 'condition `not unique`',
      },
    ),
  ),
  same: entry(
    word('unchanged', 'changed'),
    about('What it is to leave every value as it was: `unchanged` or `changed`.', {
      goesWith: '`update`, `replace`; `create` with `present: update` or `replace`',
      open: 'choice (F.1)',
    }),
  ),
  absent: entry(
    word('ignore'),
    about('`ignore`: if there is no such item, the outcome is `unchanged`.', {
      goesWith: 'the verbs of `where`, but not `list`',
      open: 'condition `unknown`',
    }),
  ),
  order: entry(
    order,
    about('Field names, `-` before descending ones, or an expression for such a text.', {
      goesWith: '`list`',
      open: 'choice (F.1)',
    }),
  ),
  when: entry(
    expression,
    about('The change is made only if this is true.', { goesWith: 'any verb, in `also`', open: 'always' }),
  ),
  for: entry(
    expression,
    about('The change is made once for each element of a list. The element is `value`.', {
      goesWith: 'any verb, in `also`; `run`',
      open: 'once; with `run`: 501',
    }),
  ),
  request: entry(
    record(sentKeys),
    about('What each request of a `run` gives: `path`, `query`, `headers`, `body`.', {
      rules: '16',
      goesWith: '`run`',
      open: '501',
    }),
  ),
  as: entry(
    formed(
      point('name', textOf('a name', nameOf('').pattern, nameOf('').message, { title: 'name' })),
      binding,
    ),
    about('A name for the item, in the expressions after it.', {
      rules: '14',
      goesWith: 'the verbs of `absent`, `create`, `authenticate`',
      open: 'no name',
    }),
  ),
  by: entry(
    formed(byForm, named(value(expression))),
    about('The fields that must match (E.14), or a map from field to value.', {
      goesWith: '`authenticate`',
      open: 'no item is found',
    }),
  ),
  gives: entry(
    shape,
    section('I', 'change.qualifiers')('The shape of what the function returns (I).', {
      goesWith: '`handled`',
      open: 'anything',
    }),
  ),
  may: entry(
    listOf(permission),
    section('I', 'change.qualifiers')('The changes that the function may ask for (I).', {
      goesWith: '`handled`',
      open: 'none',
    }),
  ),
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
const subject = value(formed(own('an item', {}, true), subjectOf));

/** Verbs whose change takes what the request brings, where `with` does not say otherwise (language §E.7). */
const takesBody = ['create', 'update', 'replace'];

/** Reads `VERB R`, `VERB every R` (language §E.2), or a map with one verb and its qualifiers. */
const changeText: Form = own('`VERB R`', {
  type: 'string',
  defaultSnippets: [
    { label: 'create R', description: 'Makes an item', body: 'create ${1:Resource}' },
    { label: 'read R', description: 'Shows one item', body: 'read ${1:Resource}' },
    { label: 'list R', description: 'Pages through all items', body: 'list ${1:Resource}' },
    { label: 'update R', description: 'Sets the members given', body: 'update ${1:Resource}' },
    {
      label: 'replace R',
      description: 'Sets the members given; the others return to their defaults or go',
      body: 'replace ${1:Resource}',
    },
    { label: 'delete R', description: 'Removes an item', body: 'delete ${1:Resource}' },
  ],
  pattern: '^\\s*\\S+\\s+(?:every\\s+)?\\S+\\s*$',
  patternErrorMessage: 'A change is VERB R, or VERB every R (language §H.2).',
});

const verbKeys = Object.fromEntries(
  verbs.map((verb): [Verb, DescribedKey] => [
    verb,
    { read: text, absence: 'value', literal: false, about: verbRows[verb] },
  ]),
);

const requiresOf = (keys: readonly string[]): Schema[] => keys.map((key) => ({ required: [key] }));
const anything: Form = own('an item', {}, true);

const changeMap: Form = defined('changeMap', {
  kind: 'record',
  title: 'change',
  keys: { ...verbKeys, ...qualifiers },
  open: () => [
    {
      name: 'TRANSITION',
      pattern: nameOf('').pattern,
      key: {
        read: { form: anything },
        absence: 'value',
        literal: false,
        about: ofVerb('Moves the item (§3.2).', { written: 'TRANSITION: R', outcome: '`changed`' }),
      },
    },
  ],
  more: {
    not: { propertyNames: { enum: [...qualifierNames, 'description'] } },
    if: { anyOf: requiresOf(verbs) },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      propertyNames: { enum: [...verbs, ...qualifierNames, 'description'] },
      oneOf: requiresOf(verbs),
    },
  },
});

const changeForm: Form = defined('change', {
  kind: 'own',
  says: 'a change',
  within: () => [changeMap],
  schema: (of) => ({
    title: 'change',
    $comment:
      'One verb and what it is about, as text or as a map with qualifiers; (none) changes nothing (language §H.2).',
    anyOf: [of(changeText), of(changeMap), of(markerForm)],
  }),
  marked: true,
});

export const change: Formed<Change> = formed(changeForm, (node, place, reading) => {
  if (node.kind === 'list')
    return reading.report('wrong-kind', node.span, { wanted: 'one change', found: kindOf(node) });
  const map = node.kind === 'map' ? node : spelledOut(node);
  if (map === undefined) return reading.report('bad-change', node.span, { found: (node as Scalar).written });
  const verb = verbOf(map);
  if (verb === undefined) return reading.report('bad-change', map.span, { found: 'no verb' });
  unknownKeys(map, [...words, verb], place, reading);
  const { key, value: written } = map.entries.get(verb) as Entry;
  const said = say(written, subject, { address: step(place.address, verb), at: place.at }, reading);
  if (said.kind === 'open') return undefined;
  if (said.kind !== 'stated') return reading.report('bad-change', written.span, { found: verb });
  const more = knownKeys(completed(map, verb), qualifiers, place, reading);
  reading.restOf(place.address, place.at);
  return { verb, at: key, subject: said.value, qualifiers: more };
});

/** The changes that follow another, in order (language §H.2: `also`). */
export const changes: Formed<readonly Change[]> = listOf(change);

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

function subjectOf(node: Node, place: Place, reading: Reading): Subject | undefined {
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
}
