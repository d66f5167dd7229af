import { reserved } from '../../expression/reserved.ts';
import {
  drop,
  get,
  type Json,
  type Mapping,
  mapping,
  type Node,
  put,
  type Scalar,
  scalar,
} from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { step } from '../reading/address.ts';
import { checkFieldName } from '../reading/field-name.ts';
import { type Form, fieldNames, own, point, section, typeNameForm } from '../reading/form.ts';
import { isJson, withMedia } from '../reading/media.ts';
import {
  absent,
  asMap,
  boolean,
  either,
  entry,
  type Formed,
  formed,
  type Keys,
  knownKeys,
  listOf,
  literal,
  type Place,
  type Placed,
  placedText,
  type Reading,
  record,
  say,
  text,
  type Values,
  value,
  word,
} from '../reading/reading.ts';
import { isMarker, type Said, stated } from '../reading/said.ts';
import { expression, holdsExpression, literalJson, member, textTemplate } from '../reading/templates.ts';
import { nameOf } from './answer.ts';
import { checkAlone, contentKey } from './endpoint/content.ts';
import { keywordsForm, type Others, objectKeys, othersWord, readShape, type Shape, shape } from './shape.ts';

/** A parameter in a path, a query or a header field (language §4.2). */
export interface Parameter {
  readonly name: string;
  readonly address: string;
  readonly at: Span;
  /** `R.field` or `R.field as name`: the item whose field this is. */
  readonly binding: FieldNamed | null;
  /** The same beside a shape, in which case the shape holds of it, too (language §4.2, rule 5). */
  readonly is: Said<FieldNamed>;
  readonly shape: Shape;
  readonly default: Said<Json>;
  readonly required: Said<boolean>;
  /** What it does to a list, how a given value is taken in, and how it is written (language §4.2). */
  readonly roles: Roles;
}

/** A field of a resource, and the name that its item has in expressions. */
export interface FieldNamed {
  readonly resource: string;
  readonly field: string;
  readonly as: string | null;
}

/** A request's body: the writable members of a resource (language §E.4), or a shape of its own. */
export interface Body {
  readonly address: string;
  readonly at: Span;
  /** The name, where the body is one. */
  readonly of: { readonly name: string; readonly at: Span } | null;
  /** Of the members of what `of` names, these alone, or all but these. */
  readonly shows: Said<readonly Placed[]>;
  readonly omits: Said<readonly Placed[]>;
  /** The shape, or the further keywords beside `of`. */
  readonly shape: Shape;
}

const ofBody = section('E.4', 'endpoints.request.body');

const someOf = {
  shows: entry(listOf(placedText), ofBody('Of the members of `of`, these alone.')),
  omits: entry(listOf(placedText), ofBody('Of the members of `of`, all but these.')),
};

export interface Request {
  readonly address: string;
  readonly path: Said<ReadonlyMap<string, Said<Parameter>>>;
  readonly query: Said<ReadonlyMap<string, Said<Parameter>>>;
  readonly headers: Said<ReadonlyMap<string, Said<Parameter>>>;
  readonly body: Said<Body>;
  /** Whether there has to be content. */
  readonly required: Said<boolean>;
  readonly under: Said<string>;
  readonly media: Said<readonly string[]>;
  readonly nesting: Said<'brackets'>;
  readonly others: Said<OthersOf>;
  /** The body by media type. `body`, `under`, `media` and `nesting` are then those of the first that is JSON, or else of the first. */
  readonly content: Said<readonly RequestContent[]>;
}

/** The body of a request by its media type. */
export type RequestContent = Pick<Request, 'body' | 'under' | 'media' | 'nesting'>;

/** What becomes of members and query parameters that nobody stated. */
export interface OthersOf {
  readonly body: Said<Others>;
  readonly query: Said<Others>;
}

const about = section('4.2', 'endpoints.request');
const ofParameter = section('4.2', 'endpoints.parameter');
const ofList = section('4.5', 'endpoints.parameter.list');

const parameterKeys = {
  default: literal(
    literalJson,
    ofParameter('The value if the parameter is not given: a literal, never a marker.', {
      must: 'use it',
      see: 'leave the parameter out',
      open: 'the parameter is null',
    }),
  ),
  required: entry(
    boolean,
    ofParameter('Whether the parameter must be given.', {
      must: 'refuse without it',
      see: 'leave it out',
      open: 'optional',
    }),
  ),
  // An expression, or the name of a field, which is spelled out before it is read (language §E.11).
  filter: entry(
    formed(textTemplate.form, expression.bind(null)),
    ofList(
      'If the parameter is given, the list shows only items that satisfy this: a field (E.11), or an expression.',
      {
        must: 'leave out other items',
        see: 'items on both sides',
        open: '501 if given',
      },
    ),
  ),
  sort: entry(
    listOf(placedText),
    ofList('The fields by which the client may sort.', {
      rules: '1 to 3',
      must: 'sort so; refuse others: `invalid query.NAME.sort`',
      see: 'each field, both ways',
      open: '501 if given',
    }),
  ),
  page: entry(
    word('size', 'offset', 'start', 'number', 'cursor', 'after', 'before'),
    ofList('What the parameter says about the page of a list.', {
      must: 'show that page',
      see: 'every page, and past the last',
      open: '501 if given',
    }),
  ),
  taken: entry(
    textTemplate,
    ofParameter('How a given value is converted. The expression reads it as `value`.', {
      must: 'use the result',
      see: 'its effect',
      open: 'used unchanged',
    }),
  ),
  style: entry(
    word('simple', 'form', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'),
    ofParameter('How a list or an object is coded, as in OpenAPI 3.2; `json`: as one JSON text.', {
      must: 'refuse another coding: `malformed`',
      see: 'values of several elements',
      open: "OpenAPI's default",
    }),
  ),
  explode: entry(
    boolean,
    ofParameter('Whether each element or member is a parameter of its own, as in OpenAPI 3.2.', {
      must: 'read it so',
      see: 'values of several elements',
      open: "OpenAPI's default",
    }),
  ),
};

export type Roles = Omit<Values<typeof parameterKeys>, 'default' | 'required'>;

/** What says whose field a parameter of a path is, beside its shape. */
const pathKeys = {
  is: entry(
    formed(own('fieldNamed', { type: 'string', pattern: '^[A-Z][A-Za-z0-9]*\\..+$' }), fieldNamed),
    ofParameter('In a path, beside a shape: the field whose item it names.', {
      rules: '5',
      must: 'find the item by what fits',
      see: 'values that fit, and that do not',
      open: 'it names no item',
    }),
  ),
};

const parameterForm = (name: string, map: () => Form): Form =>
  point(name, () => ({
    kind: 'own',
    says: '`R.field`, or a parameter',
    within: () => [map(), keywordsForm],
    schema: (of) => ({
      title: 'parameter',
      anyOf: [
        {
          type: 'string',
          pattern: '^[A-Z][A-Za-z0-9]*\\..+$',
          patternErrorMessage:
            'A parameter is R.field, R.field as name, or a map of keywords (language §4.2).',
        },
        of(map()),
      ],
    }),
  }));

const quietly = { quiet: true } as const;
const { fields, others: othersKey } = objectKeys;

const parameterMap = (keys: Keys): Form => ({
  kind: 'record',
  keys: {
    ...keys,
    fields: { ...fields, about: { ...fields.about, ...quietly } },
    others: { ...othersKey, about: { ...othersKey.about, ...quietly } },
  },
  also: () => [keywordsForm],
  more: { dependentRequired: { others: ['fields'] } },
});

const plainMap = parameterMap(parameterKeys);
const pathMap = parameterMap({ ...parameterKeys, ...pathKeys });
const forms = {
  path: parameterForm('pathParameter', () => pathMap),
  query: parameterForm('parameter', () => plainMap),
  headers: parameterForm('parameter', () => plainMap),
};

function parameter(name: string, place: 'path' | 'query' | 'headers'): Formed<Parameter> {
  const keysThere = place === 'path' ? { ...parameterKeys, ...pathKeys } : parameterKeys;
  return formed(forms[place], (node, where, reading) => {
    const { address } = where;
    const isName = nameOf(node) !== undefined;
    if (node.kind === 'scalar' && !isName) return bound(name, node, where, reading);
    const written = isName ? node : asMap(node, reading);
    const map = written?.kind === 'map' ? spelledOut(written, name, place, where.at) : written;
    const shape = map && readShape(map, where, reading, Object.keys(keysThere));
    if (shape === undefined) return undefined;
    if (isName) reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
    reading.restOf(address, where.at);
    const keys = map?.kind === 'map' ? map : mapping([], node.span);
    const roles = parts(knownKeys(keys, parameterKeys, where, reading));
    const { is } = knownKeys(place === 'path' ? keys : silentMap(node), pathKeys, where, reading);
    return { name, address, at: node.span, binding: stated(is) ?? null, is, shape, ...roles };
  });
}

/** A parameter that is a field of a resource: `R.field`, or `R.field as name`. */
function bound(name: string, node: Scalar, where: Place, reading: Reading): Parameter | undefined {
  const { address } = where;
  const binding = fieldNamed(node, where, reading);
  if (binding === undefined) return undefined;
  const silent = silentMap(node);
  const shape = readShape(silent, where, reading, []) as Shape;
  reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
  const { is } = knownKeys(silent, pathKeys, where, reading);
  const roles = parts(knownKeys(silent, parameterKeys, where, reading));
  return { name, address, at: node.span, binding, is, shape, ...roles };
}

function silentMap({ span }: Node): Mapping {
  return mapping([], span);
}

/** `R.field`, or `R.field as name`. */
function fieldNamed(node: Node, _where: Place, reading: Reading): FieldNamed | undefined {
  const found = node.kind === 'scalar' ? node.written : 'something else';
  const match = /^([A-Z][A-Za-z0-9]*)\.(.+?)(?:\s+as\s+([A-Za-z][A-Za-z0-9_-]*))?$/.exec(found);
  if (match === null) return reading.report('bad-parameter', node.span, { found });
  const [, resource, field, as] = match as unknown as [string, string, string, string | undefined];
  if (as !== undefined && reserved.includes(as)) {
    const hint = 'it stands for something else in every expression';
    reading.report('bad-name', node.span, { name: as }, { hint });
  }
  return { resource, field, as: as ?? null };
}

/** What a page may be counted by (language §4.2). */
export const counts: readonly string[] = ['size', 'offset', 'start', 'number'];

/** A parameter without a type is text, and an integer where it counts (language §E.13); `filter: f` compares the field f with it (§E.11). */
function spelledOut(written: Mapping, name: string, place: string, key: Span): Mapping {
  // With `is`, the type is that of the field.
  const map = ['type', 'is'].some((key) => written.entries.has(key))
    ? written
    : put(written, 'type', scalar(typeUnstated(written), key, written.assumed), key);
  const filter = get(map, 'filter');
  if (filter?.kind !== 'scalar' || filter.value === null || isMarker(filter) || holdsExpression(filter))
    return map;
  const compared = `\${this${member(filter.written)} == request.${place}${member(name)}}`;
  return put(map, 'filter', scalar(compared, filter.span, filter.assumed));
}

/** The type of a parameter that states none (language §E.13). */
export function typeUnstated(map: Mapping): 'integer' | 'string' {
  const page = get(map, 'page');
  return page?.kind === 'scalar' && counts.includes(page.written) ? 'integer' : 'string';
}

function parts(found: Values<typeof parameterKeys>): Pick<Parameter, 'default' | 'required' | 'roles'> {
  const { default: fallback, required, ...roles } = found;
  return { default: fallback, required, roles };
}

function parametersForm(kind: 'path' | 'query' | 'headers'): Form {
  const of = { read: { form: forms[kind] }, absence: 'value', literal: false } as const;
  return { kind: 'map', of, ...(kind === 'headers' && { names: fieldNames }) };
}

const parameters = (kind: 'path' | 'query' | 'headers'): Formed<ReadonlyMap<string, Said<Parameter>>> =>
  formed(parametersForm(kind), (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    const found = new Map<string, Said<Parameter>>();
    for (const [name, written] of map.entries) {
      if (kind === 'headers') checkFieldName(name, written.key, false, reading);
      const where = { address: step(place.address, name), at: written.key };
      found.set(name, say(written.value, value(parameter(name, kind)), where, reading));
    }
    reading.restOf(place.address, place.at);
    return found;
  });

const bodyForm: Form = point('requestBody', () => ({
  kind: 'any of',
  forms: [
    {
      kind: 'record',
      title: 'body',
      keys: {
        of: literal(
          formed(typeNameForm, text.bind(null)),
          ofBody('The resource whose writable members the body has. Further keywords narrow it.'),
        ),
        ...someOf,
        ...objectKeys,
      },
      also: () => [keywordsForm],
      more: { dependentRequired: { others: ['fields'], shows: ['of'], omits: ['of'] } },
    },
    typeNameForm,
  ],
}));

const body: Formed<Body> = formed(bodyForm, (node, place, reading) => {
  const { address } = place;
  const of = nameOf(node) === undefined ? get(node, 'of') : node;
  const nothing = mapping([], node.span);
  if (of === undefined) {
    const own = shape(node, place, reading);
    return (
      own && { address, at: node.span, of: null, ...knownKeys(nothing, someOf, place, reading), shape: own }
    );
  }
  const name = text(of, place, reading);
  if (name === undefined) return undefined;
  const map = node.kind === 'map' ? node : nothing;
  const [shows, omits] = [map.entries.get('shows'), map.entries.get('omits')];
  if (shows && omits) {
    const problem = 'a body either has these members or is without some';
    reading.report('contradiction', omits.key, { problem }, { related: [shows.key] });
  }
  const further = ['of', ...Object.keys(someOf)].reduce(drop, map);
  const some = knownKeys(map, someOf, place, reading);
  const own = readShape(further, place, reading, []);
  reading.point(address, node.assumed ? 'assumed' : 'stated', node.span);
  return own && { address, at: node.span, of: { name, at: of.span }, ...some, shape: own };
});

const ofOthers = section('4.2', 'endpoints.request.others');

const othersRecord = record({
  body: entry(othersWord, ofOthers('What happens to members of the body that nobody stated.')),
  query: entry(othersWord, ofOthers('What happens to query parameters that nobody stated.')),
});

const others: Formed<OthersOf> = either(
  (node, place, reading) => {
    if (node.kind === 'map') return othersRecord(node, place, reading);
    const rule = othersWord(node, place, reading);
    if (rule === undefined) return undefined;
    const said = {
      kind: 'stated',
      value: rule,
      address: place.address,
      at: node.span,
      assumed: node.assumed === true,
    } as const;
    return { body: said, query: said };
  },
  othersWord,
  othersRecord,
);

const taken = { must: 'accept them', see: 'with and without each' };

const ofContent = {
  body: entry(
    body,
    about('The body: a shape, or a name, for what a client may write of it (E.4).', {
      must: 'refuse what does not fit: `invalid`',
      see: 'each bound at, in and past it',
      open: 'no body is read',
    }),
  ),
  under: entry(
    text,
    section('H.3', 'endpoints.request')('The one member of the content that holds the body.', {
      must: 'take it out of there',
      see: 'without the member',
      open: 'the body stands alone',
    }),
  ),
  nesting: entry(
    word('brackets'),
    about('`brackets`: form fields spell nesting as `a[b][]=c`.', {
      rules: '12',
      must: 'read them so',
      see: 'nested fields',
      open: 'form fields do not nest',
    }),
  ),
};

export const keys = {
  path: entry(
    parameters('path'),
    about('Parameters of the path. One that identifies the subject need not be stated (E.3).', {
      ...taken,
      open: 'text',
    }),
  ),
  query: entry(parameters('query'), about('Query parameters, by name.', { ...taken, open: 'none is read' })),
  headers: entry(
    parameters('headers'),
    about('Header fields of the request, by name.', { ...taken, open: 'none is read' }),
  ),
  ...ofContent,
  required: entry(
    boolean,
    about('Whether a request must have content.', {
      rules: '18',
      must: 'take one without it, if `false`',
      see: 'with and without',
      open: 'it must, if a body is stated',
    }),
  ),
  media: entry(
    listOf(text),
    about('The media type of the body, or several.', {
      rules: '8 to 11 and 15',
      must: 'refuse others: `unsupported media`',
      see: 'each, and another',
      open: 'E.4, E.6',
    }),
  ),
  content: contentKey(
    { ...ofContent, body: absent(ofContent.body, 'value') },
    { media: ({ written }) => [written] as readonly string[], ranges: true, spelledOut: (map) => map },
    about('The body by media type or range, instead of `media` and `body`.', {
      rules: '13 and 14',
      must: 'read the body by the entry that fits its type best',
      see: 'each type, and another',
      open: '`media` and `body` say it',
    }),
  ),
  others: entry(
    others,
    about('What happens to members and query parameters that nobody stated: `refuse`, `ignore` or `keep`.', {
      rules: '16 and 17',
      must: 'do so',
      see: 'send one',
      open: 'a request that has any: 501',
    }),
  ),
};

const silentOthers = { ...keys, others: absent(keys.others, 'value') };

/** What a request may bring (language §4.2). */
export const request: Formed<Request> = formed(
  point('request', record(keys).form),
  (node, place, reading) => {
    const map = asMap(node.kind === 'map' ? withMedia(node) : node, reading);
    if (map === undefined) return undefined;
    checkAlone(map, ofContent, reading);
    const takes = ['body', 'content', 'query'].some((key) => map.entries.has(key));
    const found = record(takes ? silentOthers : keys)(map, place, reading);
    const [first, ...others] = (found && stated(found.content)) ?? [];
    const shown = [first, ...others].find((one) => one && stated(one.media)?.some(isJson)) ?? first;
    return found && { ...found, ...shown, address: place.address };
  },
);

/** Whether a request without content is one with an empty object (language §4.2, rule 18). */
export function mayLackContent(request: Request | null): boolean {
  return request !== null && stated(request.required) === false;
}

/** A request as it is by each media type of `content`; without `content`, itself. */
export function requestByMedia(request: Request): readonly Request[] {
  return stated(request.content)?.map((content) => ({ ...request, ...content })) ?? [request];
}
