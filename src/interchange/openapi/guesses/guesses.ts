import type { Json } from '../../../source/node.ts';
import type { Address } from '../../../specification/reading/address.ts';
import { step } from '../../../specification/reading/address.ts';
import type { Guess } from '../../recognise/guess.ts';
import { created } from '../answers.ts';
import { type Described, securityOf, usualSecurityOf } from '../operations.ts';
import { namesSaid, schemesIn } from '../other-parts.ts';
import type { Places } from '../place.ts';
import { propertiesOf, type Shaping } from '../shape.ts';
import { type Action, ofAction } from './actions.ts';
import { ofAnswers } from './answer.ts';
import { ofConditions } from './conditional.ts';
import { ofErrors } from './error.ts';
import { ofPath, type PathsMeant } from './in-path.ts';
import { lacksKey, ofMakers } from './maker.ts';
import type { Meant } from './meant.ts';
import { orderOf } from './order.ts';
import { mayBeLeftOut, ofQuery } from './query.ts';
import type { Kept } from './recognised.ts';
import { ofRepeats } from './repeats.ts';
import { doesIn, fieldOf, type Scope } from './scopes.ts';
import { bodiesOf, Examples, literal, standInsOf } from './stand-ins.ts';
import { ofUnique } from './unique.ts';

/** What guesses go on from. */
interface Context {
  readonly scopes: ReadonlyMap<Kept, readonly Scope[]>;
  readonly paths: PathsMeant;
  readonly actions: ReadonlyMap<Described, Action>;
  /** The names of operations, by their keys. */
  readonly named: ReadonlyMap<string, string>;
  /** The parameters of paths of which the document states the shape, by the keys of operations. */
  readonly shaped: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What the operations do, who makes identifiers, and what parameters mean, as far as paths and shapes show it. */
export function guessesOf(
  operations: readonly Described[],
  kept: readonly Kept[],
  meant: ReadonlyMap<Described, Meant>,
  context: Context,
  shaping: Shaping,
): readonly Guess[] {
  const { scopes, paths } = context;
  const examples = new Examples(shaping.places);
  const inPath = (operation: Described): readonly Guess[] =>
    ofPath(
      paths.get(operation) ?? new Map(),
      context.shaped.get(operation.key) ?? new Set(),
      step('endpoints', operation.key),
    );
  const known = [
    ...kept
      .filter(({ isFurther }) => !isFurther)
      .flatMap((each) => [
        ofResource(each, scopes.get(each) ?? []),
        ...ofMakers(each, meant, examples, shaping),
        ...ofOnly(each, operations, examples, shaping),
      ]),
    ...ofScopes(scopes),
    ...(operations.length > 0 ? [further] : []),
    ...[...meant]
      .filter(([operation, what]) => !lacksKey(operation, what, shaping))
      .flatMap(([operation, what]) =>
        ofOperation(operation, what, scopes.get(what.kept) ?? [], inPath(operation), shaping),
      ),
    ...operations.filter((each) => !meant.has(each)).flatMap(inPath),
    ...[...context.actions].flatMap(([operation, action]) =>
      ofAction(operation, action, scopes.get(action.kept) ?? [], shaping),
    ),
    ...ofUnique(meant, shaping.places),
    ...ofConditions(meant, shaping.places),
    ...ofRepeats(operations),
    ...standInsOf(operations, meant, examples),
    ...schemesIn(shaping).map(credentialsOf),
    ...ofChallenges(operations, shaping),
    ...ofUnsecured(operations, shaping),
    ...ofErrors(operations, meant, context.named, shaping),
  ];
  const found = [...known, ...bodiesOf(operations, known, examples)];
  return meant.size > 0 ? [...found, ...completing(operations, meant, found, shaping)] : found;
}

/**
 * Whether it is guessed of each parameter of a GET what it does, or that is asked of one that may be left out: an answer may
 * hang on any other.
 */
function isExplained(
  { key, method, parameters }: Described,
  meant: Meant | undefined,
  guessed: ReadonlySet<Address>,
  places: Places,
): boolean {
  const query = `${step('endpoints', key)}.request.query`;
  return parameters
    .filter((each) => method === 'GET' && each.in === 'query')
    .every(
      (each) => guessed.has(step(query, each.name)) || (meant?.verb === 'list' && mayBeLeftOut(each, places)),
    );
}

/** That a description lists all there is: no description can say so. */
function completing(
  operations: readonly Described[],
  meant: ReadonlyMap<Described, Meant>,
  guesses: readonly Guess[],
  shaping: Shaping,
): readonly Guess[] {
  const guessed = new Set(guesses.map(({ at }) => at.replace(/\.[^.]*$/, '')));
  const { places } = shaping;
  const explained = operations.filter((each) => isExplained(each, meant.get(each), guessed, places));
  const endpoints =
    explained.length === operations.length
      ? ['endpoints']
      : explained.map(({ key }) => step('endpoints', key));
  const statuses = operations.flatMap(({ failures }) => failures.map(({ status }) => status));
  const hasWebhooks =
    places.described.some(([, root]) => places.member(root, 'webhooks') !== undefined) ||
    operations.some(({ place }) => places.member(place, 'callbacks') !== undefined);
  const none = (at: string, why: string): Guess => ({ at, value: '(none)', why, confidence: 'high' });
  const hasSchemes = schemesIn(shaping).length > 0;
  const known = [
    ...(hasSchemes ? ['authentication'] : []),
    ...(statuses.some((status) => /^4|^default$/.test(status)) ? ['errors'] : []),
  ];
  return [
    none('states', 'no description of this kind has states'),
    ...(hasSchemes ? [] : [none('authentication', 'the description has no security schemes')]),
    ...(hasWebhooks ? [] : [none('events', 'the description has no webhooks, and no callbacks')]),
    ...(statuses.includes('429') ? [] : [none('limits', 'no answer has status 429')]),
    none('versioning', 'the description is of one version'),
    {
      at: 'complete',
      value: ['resources', ...endpoints, ...known],
      why: 'a description lists the members, operations and refusals that there are, as a rule',
      confidence: 'high',
    },
  ];
}

/** Who holds credentials is no part of a description. */
function credentialsOf(scheme: string): Guess {
  return {
    at: `${step('authentication.schemes', scheme)}.credentials`,
    value: 'operator',
    why: 'nobody says who has credentials, so whoever runs the service gives them',
    confidence: 'likely',
  };
}

/** A 401 has to have a challenge (RFC 9110 §15.5.2). The least is the name of the scheme (§11.6.1): what else it says, nobody knows. */
function ofChallenges(operations: readonly Described[], shaping: Shaping): readonly Guess[] {
  const isSent = operations.some(({ failures }) => failures.some(({ status }) => status === '401'));
  if (!isSent) return [];
  return [...namesSaid(shaping)].map(([scheme, value]) => ({
    at: `${step('authentication.schemes', scheme)}.challenge`,
    value,
    why: 'an answer with 401 has to have a challenge (RFC 9110 §15.5.2), and this is the least of one',
    confidence: 'stand-in',
  }));
}

/** Where no `security` is stated, no credential is asked for (OpenAPI 3.1 §4.8.10), whatever schemes there are. */
function ofUnsecured(operations: readonly Described[], shaping: Shaping): readonly Guess[] {
  const isSaid = usualSecurityOf(shaping.places.root) !== undefined;
  const those = operations.filter(({ place }) => !isSaid && securityOf(place) === undefined);
  if (those.length === 0 || schemesIn(shaping).length === 0) return [];
  return [
    {
      at: 'authentication.otherwise',
      value: 'anyone',
      why: 'the description has schemes, and asks for none of them',
      confidence: 'likely',
    },
  ];
}

/** A shape of OpenAPI admits more than it names, unless it says otherwise. */
const further: Guess = {
  at: 'endpoints.others',
  value: 'ignore',
  why: 'OpenAPI lets a request hold more than it names, and nobody says that it is kept',
  confidence: 'likely',
};

function ofResource({ name, key, collection, isSure, isSingle }: Kept, scopes: readonly Scope[]): Guess {
  const { parameter, itemPath, path } = collection;
  const at = `${step('resources', name)}.identifier`;
  if (isSingle) {
    const [field, ...others] = scopes.map((scope) => scope.field);
    const value = others.length > 0 ? [field as string, ...others] : (field as string);
    return { at, value, why: `no path leads to one of several at ${path}`, confidence: 'stand-in' };
  }
  const why =
    parameter === null
      ? `the items of ${path} have a member ${key}`
      : `{${parameter}} of ${itemPath} singles one out, and ${key} is what it has`;
  const confidence = isSure ? 'high' : 'likely';
  return { at, value: key, why, confidence };
}

/** The only item at a path without parameters: the example of its author. */
function ofOnly(
  { name, schema, key, collection, isSingle }: Kept,
  operations: readonly Described[],
  examples: Examples,
  { places }: Shaping,
): readonly Guess[] {
  if (!isSingle || collection.isBelow) return [];
  const read = operations.find((each) => each.key === `GET ${collection.path}`);
  const example = read && examples.ofAnswer(read);
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return [];
  const members = propertiesOf(schema, places);
  const known = Object.entries(example).filter(([member]) => members.has(member));
  if (known.length === 0) return [];
  const value = [{ ...(literal(Object.fromEntries(known)) as Record<string, Json>), [key]: 'it' }];
  const why = `the author gave it as the example of ${read?.key}`;
  return [{ at: `${step('resources', name)}.items`, value, why, confidence: 'stand-in' }];
}

/** The fields by which items belong to others, where the description has none; each once. */
function ofScopes(scopes: ReadonlyMap<Kept, readonly Scope[]>): readonly Guess[] {
  const found = new Map<Address, Guess>();
  for (const [{ name, collection }, those] of scopes)
    for (const scope of those.filter(({ isOwn }) => !isOwn)) {
      const at = step(`${step('resources', name)}.fields`, scope.field);
      const why =
        scope.parameter === null
          ? `${collection.path} has one alone`
          : `${collection.path} has those of one {${scope.parameter}}`;
      if (!found.has(at)) found.set(at, { at, value: fieldOf(scope), why, confidence: 'likely' });
    }
  return [...found.values()];
}

function ofOperation(
  operation: Described,
  meant: Meant,
  scopes: readonly Scope[],
  inPath: readonly Guess[],
  shaping: Shaping,
): readonly Guess[] {
  const at = step('endpoints', operation.key);
  const { verb, kept } = meant;
  const { name, schema, collection } = kept;
  const isOfItem = operation.path === collection.itemPath;
  const where = kept.isSingle
    ? 'the path of the only one'
    : isOfItem
      ? 'the path of one item'
      : collection.itemPath === null
        ? 'the path of all items'
        : `the path of all items, and ${collection.itemPath} that of one`;
  const order = verb === 'list' ? orderOf(operation, meant, shaping) : null;
  const value = doesIn(meant, scopes);
  const does: Guess = {
    at: `${at}.does`,
    value: order && typeof value === 'string' ? { [verb]: name } : value,
    why: `${operation.key} has ${where} of ${name}`,
    confidence: isLikely(operation, meant) || scopes.length > 0 ? 'likely' : 'high',
  };
  const all = [
    does,
    ...(order ? [order] : []),
    ...inPath,
    ...(verb === 'list' ? ofQuery(operation, schema, shaping.places, at) : []),
    ...ofAnswers(operation, meant, shaping),
  ];
  // What nobody would bet on answers, and nothing is judged by it.
  return meant.isVague ? all.map((each) => ({ ...each, confidence: 'stand-in' })) : all;
}

function isLikely({ method, successes }: Described, { verb, kept, isUpsert, under, takes }: Meant): boolean {
  if (takes !== undefined && takes.spelled.length > 0) return true;
  switch (verb) {
    case 'replace':
      return true;
    case 'update':
      return method === 'POST';
    case 'create':
      return isUpsert === true || !successes.some(({ status }) => status === created);
    case 'delete':
      // What answers with the item may keep it in another state.
      return under !== undefined;
    default:
      return kept.isFurther;
  }
}
