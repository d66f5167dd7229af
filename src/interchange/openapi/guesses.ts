import { type Json, ownMember } from '../../source/node.ts';
import type { Address } from '../../specification/reading/address.ts';
import { step } from '../../specification/reading/address.ts';
import type { Confidence, Guess } from '../recognise/guess.ts';
import { ofErrors } from './error-guesses.ts';
import { type Described, type Parameter, securityOf } from './operations.ts';
import { schemesIn } from './other-parts.ts';
import { type Place, textIn } from './place.ts';
import { givenIn, type Kept, type Meant } from './recognised.ts';
import { doesIn, fieldOf, type Scope, scopesOf } from './scopes.ts';
import { propertiesOf, type Shaping } from './shape.ts';
import { standInsOf } from './stand-ins.ts';

/** Parameters that say which page of a list is shown, by what they are called. */
const pages: Readonly<Record<string, string>> = {
  ...{ limit: 'size', size: 'size', per_page: 'size', perpage: 'size', page_size: 'size', pagesize: 'size' },
  ...{ offset: 'offset', skip: 'offset', page: 'number', page_number: 'number', pagenumber: 'number' },
};

/** What the operations do, who makes identifiers, and what parameters mean, as far as paths and shapes show it. */
export function guessesOf(
  operations: readonly Described[],
  kept: readonly Kept[],
  meant: ReadonlyMap<Described, Meant>,
  shaping: Shaping,
): readonly Guess[] {
  const scopes = new Map(kept.map((each) => [each, scopesOf(each, kept, shaping)]));
  const found = [
    ...kept.flatMap((each) => [
      ...ofResource(each, meant, shaping),
      ...ofScopes(each, scopes.get(each) ?? []),
    ]),
    ...(operations.length > 0 ? [further] : []),
    ...[...meant].flatMap(([operation, what]) =>
      ofOperation(operation, what, scopes.get(what.kept) ?? [], shaping),
    ),
    ...standInsOf(operations, meant, shaping.places),
    ...schemesIn(shaping).map(credentialsOf),
    ...ofUnsecured(operations, shaping),
    ...ofErrors(operations, shaping),
  ];
  return meant.size > 0 ? [...found, ...completing(operations, found, shaping)] : found;
}

/** Whether it is guessed of each parameter of a GET what it does: an answer may hang on any other. */
function isExplained({ key, method, parameters }: Described, guessed: ReadonlySet<Address>): boolean {
  const query = `${step('endpoints', key)}.request.query`;
  return parameters
    .filter((each) => method === 'GET' && each.in === 'query')
    .every(({ name }) => guessed.has(step(query, name)));
}

/** That a description lists all there is: no description can say so. */
function completing(
  operations: readonly Described[],
  guesses: readonly Guess[],
  shaping: Shaping,
): readonly Guess[] {
  const guessed = new Set(guesses.map(({ at }) => at.replace(/\.[^.]*$/, '')));
  const explained = operations.filter((each) => isExplained(each, guessed));
  const endpoints =
    explained.length === operations.length
      ? ['endpoints']
      : explained.map(({ key }) => step('endpoints', key));
  const { places } = shaping;
  const statuses = operations.flatMap(({ failures }) => failures.map(({ status }) => status));
  const hasWebhooks = places.described.some(([, root]) => places.member(root, 'webhooks') !== undefined);
  const none = (at: string, why: string): Guess => ({ at, value: '(none)', why, confidence: 'high' });
  const hasSchemes = schemesIn(shaping).length > 0;
  const known = [
    ...(hasSchemes ? ['authentication'] : []),
    ...(statuses.some((status) => /^4|^default$/.test(status)) ? ['errors'] : []),
  ];
  return [
    none('states', 'no description of this kind has states'),
    ...(hasSchemes ? [] : [none('authentication', 'the description has no security schemes')]),
    ...(hasWebhooks ? [] : [none('events', 'the description has no webhooks')]),
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

/** Where no `security` is stated, no credential is asked for (OpenAPI 3.1 §4.8.10), whatever schemes there are. */
function ofUnsecured(operations: readonly Described[], shaping: Shaping): readonly Guess[] {
  const isSaid = securityOf(shaping.places.root) !== undefined;
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

function ofResource(kept: Kept, meant: ReadonlyMap<Described, Meant>, shaping: Shaping): readonly Guess[] {
  const { name, key, collection, isSure, schema } = kept;
  const resource = step('resources', name);
  const making = [...meant].find(
    ([, what]) => what.kept === kept && what.verb === 'create' && !what.isUpsert,
  )?.[0];
  const given = making && givenIn(making.body, key, shaping);
  const member = propertiesOf(schema, shaping.places).get(key) as Place;
  const made = makerOf(shaping.places.followed(member));
  return [
    {
      at: `${resource}.identifier`,
      value: key,
      why: `{${collection.parameter}} of ${collection.itemPath} singles one out, and ${key} is what it has`,
      confidence: isSure ? 'high' : 'likely',
    },
    ...(making && given !== 'required'
      ? [
          {
            at: `${step(`${resource}.fields`, key)}.set.create`,
            value: made.value,
            why: `${making.key} need not bring ${key}, so the service makes it`,
            confidence: made.confidence,
          },
        ]
      : []),
  ];
}

function makerOf(schema: Place): { readonly value: string; readonly confidence: Confidence } {
  if (textIn(schema, 'format') === 'uuid') return { value: '${uuid()}', confidence: 'high' };
  const isNumber = ['integer', 'number'].includes(textIn(schema, 'type') ?? '');
  return { value: isNumber ? '${sequence()}' : '${uuid()}', confidence: 'likely' };
}

/** The fields by which items belong to others, where the description has none. */
function ofScopes({ name, collection }: Kept, scopes: readonly Scope[]): readonly Guess[] {
  return scopes
    .filter(({ isOwn }) => !isOwn)
    .map((scope) => ({
      at: step(`${step('resources', name)}.fields`, scope.field),
      value: fieldOf(scope),
      why: `${collection.path} has those of one {${scope.parameter}}`,
      confidence: 'likely',
    }));
}

function ofOperation(
  operation: Described,
  meant: Meant,
  scopes: readonly Scope[],
  shaping: Shaping,
): readonly Guess[] {
  const at = step('endpoints', operation.key);
  const { verb, kept } = meant;
  const { name, collection } = kept;
  const isOfItem = operation.path === collection.itemPath;
  const where = isOfItem
    ? 'the path of one item'
    : `the path of all items, and ${collection.itemPath} that of one`;
  const isLikely =
    verb === 'replace' ||
    (verb === 'update' && operation.method === 'POST') ||
    (verb === 'create' && (meant.isUpsert || operation.successes[0]?.status !== '201'));
  return [
    {
      at: `${at}.does`,
      value: doesIn(meant, scopes),
      why: `${operation.key} has ${where} of ${name}`,
      confidence: isLikely || scopes.length > 0 ? 'likely' : 'high',
    },
    ...ofPath(operation, kept, at),
    ...ofParents(scopes, at),
    ...(verb === 'list' ? ofQuery(operation, kept, shaping, at) : []),
    ...ofAnswer(operation, meant, shaping, at),
  ];
}

/** Which member the parameter of the path is, if it has another name. */
function ofPath({ path }: Described, { name, key, collection }: Kept, at: Address): readonly Guess[] {
  const { parameter, itemPath } = collection;
  if (path !== itemPath || parameter === null || parameter === key) return [];
  return [
    {
      at: step(`${at}.request.path`, parameter),
      value: `${name}.${key}`,
      why: `${parameter} is not the name of a member, and ${key} is`,
      confidence: 'likely',
    },
  ];
}

/** Which item a parameter before the collection singles out. */
function ofParents(scopes: readonly Scope[], at: Address): readonly Guess[] {
  return scopes.flatMap(({ parameter, parent, as }): Guess[] => {
    if (parent === null) return [];
    const value = `${parent.name}.${parent.key} as ${as}`;
    const why = `${parent.collection.itemPath} is the path of one ${parent.name}`;
    return [{ at: step(`${at}.request.path`, parameter), value, why, confidence: 'likely' }];
  });
}

/** What parameters of a list do: one called like a member filters by it, and some names say which page is shown. */
function ofQuery(
  { parameters }: Described,
  { schema }: Kept,
  { places }: Shaping,
  at: Address,
): readonly Guess[] {
  const members = propertiesOf(schema, places);
  return parameters.flatMap((parameter): Guess[] => {
    if (parameter.in !== 'query' || parameter.schema === undefined) return [];
    const place = `${step(`${at}.request.query`, parameter.name)}`;
    const page = ownMember(pages, parameter.name.toLowerCase());
    if (page !== null && isWhole(parameter, places))
      return [
        {
          at: `${place}.page`,
          value: page,
          why: `parameters called ${parameter.name} say which page is shown`,
          confidence: 'likely',
        },
      ];
    const among = amongOf(parameter.name, parameter.schema, members, places);
    if (among !== undefined)
      return [
        {
          at: `${place}.filter`,
          value: `\${this.${among} in request.query.${parameter.name}}`,
          why: `the parameter has several of what the member ${among} has one of`,
          confidence: 'likely',
        },
      ];
    const member = members.get(parameter.name);
    const isAlike =
      member !== undefined &&
      textIn(places.followed(member), 'type') === textIn(places.followed(parameter.schema), 'type');
    return isAlike
      ? [
          {
            at: `${place}.filter`,
            value: parameter.name,
            why: `the parameter is called like the member ${parameter.name}, and has its type`,
            confidence: 'likely',
          },
        ]
      : [];
  });
}

/** The member of which a parameter gives several values: `tag` of `tags`, or a member of its own name. Undefined: none. */
function amongOf(
  name: string,
  schema: Place,
  members: ReadonlyMap<string, Place>,
  places: Shaping['places'],
): string | undefined {
  const list = places.followed(schema);
  const items = places.member(list, 'items');
  if (textIn(list, 'type') !== 'array' || items === undefined || !/^[A-Za-z]\w*$/.test(name))
    return undefined;
  const type = textIn(places.followed(items), 'type');
  return [name, name.replace(/s$/, '')].find((each) => {
    const member = members.get(each);
    return member !== undefined && textIn(places.followed(member), 'type') === type;
  });
}

function isWhole({ schema }: Parameter, places: Shaping['places']): boolean {
  return schema !== undefined && textIn(places.followed(schema), 'type') === 'integer';
}

/** What the answer shows: the item, or the page of a list and what it counts. */
function ofAnswer(
  { successes, key }: Described,
  { verb, kept, elements }: Meant,
  { places }: Shaping,
  at: Address,
): readonly Guess[] {
  const [answer] = successes;
  const schema = answer?.content?.schema;
  if (schema === undefined || answer?.status === '204') return [];
  const why = `the answer to ${key} has the shape of ${verb === 'list' ? `a list of ${kept.name}` : kept.name}`;
  const items = `\${${kept.name}(page.items)}`;
  if (verb !== 'list')
    return verb === 'delete'
      ? []
      : [{ at: `${at}.response.body`, value: kept.name, why, confidence: 'high' }];
  if (elements === null || elements === undefined)
    return [{ at: `${at}.response.body`, value: items, why, confidence: 'high' }];
  const counted: readonly string[] = ['total', 'count', 'total_count', 'totalcount', 'totalcounts'];
  const members = [...propertiesOf(places.followed(schema), places)].flatMap(
    ([name, each]): [string, Json][] => {
      if (name === elements) return [[name, items]];
      const isNumber = textIn(places.followed(each), 'type') === 'integer';
      return isNumber && counted.includes(name.toLowerCase()) ? [[name, '${page.total}']] : [];
    },
  );
  return [{ at: `${at}.response.body`, value: Object.fromEntries(members), why, confidence: 'likely' }];
}
