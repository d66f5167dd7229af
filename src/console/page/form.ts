import type { Json } from '../../source/node.ts';
import type { Example } from '../examples.ts';
import type { Input, OperationDetail } from '../operations.ts';
import type { Brought } from '../resend.ts';

/** A member of a body, as a form asks for it. */
export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  /** `json`: what is typed is JSON, such as a list. */
  readonly kind: 'text' | 'number' | 'choice' | 'json';
  /** What may be chosen, as JSON; a word alone, for a text. */
  readonly choices: readonly string[];
  /** What it takes, in a few words. */
  readonly says: string;
}

/** What was typed into a form: texts by name; what is empty is left out. */
export interface Filled {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, string>>;
  /** The body as it was typed; null: it is made of the members. */
  readonly text: string | null;
}

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const nothing: Filled = { path: {}, query: {}, header: {}, members: {}, text: null };

/** The members that a form asks for; null: the body is no object with members that are known. */
export function membersOf(body: OperationDetail['body']): readonly Member[] | null {
  const schema = body?.schema;
  const properties = isMap(schema) ? schema['properties'] : undefined;
  if (!isMap(schema) || !isMap(properties) || Object.keys(properties).length === 0) return null;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties).map(([name, inner]) => memberOf(name, inner, required.has(name)));
}

function memberOf(name: string, schema: Json, isRequired: boolean): Member {
  const of = isMap(schema) ? schema : {};
  const types = [of['type'] ?? []].flat().filter((one) => one !== 'null');
  const values = Array.isArray(of['enum']) ? of['enum'] : types.join() === 'boolean' ? [true, false] : null;
  const says = [of['format'] ?? types.join(' or '), ...bounds(of)].filter((one) => one !== '').join(', ');
  if (values !== null) return { name, isRequired, kind: 'choice', choices: values.map(asText), says: '' };
  const kind = { string: 'text', integer: 'number', number: 'number' }[types.join()] ?? 'json';
  return { name, isRequired, kind: kind as Member['kind'], choices: [], says: says || 'any JSON' };
}

function bounds(schema: Readonly<Record<string, Json>>): readonly string[] {
  const told = {
    minimum: 'from',
    maximum: 'to',
    minLength: 'at least',
    maxLength: 'at most',
    pattern: 'like',
  };
  return Object.entries(told).flatMap(([keyword, word]) => {
    const value = schema[keyword];
    return value === undefined ? [] : [`${word} ${value}`];
  });
}

/** A text as it is; all else as JSON. */
function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The request that a form makes. */
export function sentBy({ entry, body }: OperationDetail, filled: Filled): Sent {
  const target = entry.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(filled.path[name] ?? ''),
  );
  const query = new URLSearchParams(given(filled.query)).toString();
  const content = body === null ? '' : contentOf(body, filled);
  return {
    method: entry.method,
    target: query === '' ? target : `${target}?${query}`,
    headers: {
      ...Object.fromEntries(given(filled.header)),
      ...(content !== '' && { 'Content-Type': body?.media ?? 'application/json' }),
    },
    body: content,
  };
}

function contentOf(body: NonNullable<OperationDetail['body']>, { members, text }: Filled): string {
  if (text !== null) return text;
  const known = membersOf(body) ?? [];
  const values = known.flatMap((member) => {
    const typed = members[member.name] ?? '';
    return typed === '' ? [] : [[member.name, valueIn(member, typed, body.schema)] as const];
  });
  if (body.media === 'application/x-www-form-urlencoded')
    return new URLSearchParams(
      values.map(([name, value]): [string, string] => [name, asText(value)]),
    ).toString();
  return JSON.stringify(Object.fromEntries(values), null, 2);
}

/** A text stays one; all else is read as JSON where it is JSON, so that a wrong value can be sent too. */
function valueIn({ name, kind, choices }: Member, typed: string, schema: Json): Json {
  if (kind === 'text') return typed;
  const properties = isMap(schema) ? schema['properties'] : undefined;
  const of = isMap(properties) ? properties[name] : undefined;
  const values = isMap(of) && Array.isArray(of['enum']) ? of['enum'] : null;
  if (values !== null && choices.includes(typed)) return values[choices.indexOf(typed)] ?? null;
  return parsed(typed);
}

function given(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).filter(([, value]) => value !== '');
}

/** The form as an example fills it. */
export function filledBy({ path, query, header, body }: Example): Filled {
  const texts = (values: Example['path']): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));
  return { path: texts(path), query: texts(query), header: texts(header), members: {}, text: body };
}

/** The form as a request fills it that was sent before; what the form does not ask for is left out. */
export function filledAgain(detail: OperationDetail, { target, headers, body }: Brought): Filled {
  const [path = '', search = ''] = target.split('?');
  const names = [...detail.entry.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const pattern = detail.entry.path
    .split(/\{[^}]+\}/)
    .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  const found = new RegExp(`${pattern}$`).exec(path)?.slice(1) ?? [];
  const query = new URLSearchParams(search);
  const of = (place: Input['place'], given: (name: string) => string | null | undefined) =>
    Object.fromEntries(inputsAt(detail, place).map(({ name }) => [name, given(name) ?? '']));
  return {
    path: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index] ?? '')])),
    query: of('query', (name) => query.get(name)),
    header: of('header', (name) => headers[name.toLowerCase()]),
    members: {},
    text: body,
  };
}

/**
 * What a form sent, as an example of the document (language §4.6).
 *
 * @param by who sent it: a name that the operator gives, by its scheme
 */
export function exampleOf(
  detail: OperationDetail,
  filled: Filled,
  by: Readonly<Record<string, string>>,
  status: number,
): Json {
  const { body } = sentBy(detail, filled);
  const parts = {
    path: Object.fromEntries(given(filled.path)),
    query: Object.fromEntries(given(filled.query)),
    headers: Object.fromEntries(given(filled.header)),
    ...(body !== '' && { body: parsed(body) }),
  };
  const request = Object.fromEntries(
    Object.entries(parts).filter(
      ([name, value]) => name === 'body' || Object.keys(value as object).length > 0,
    ),
  );
  return {
    ...(Object.keys(by).length > 0 && { by }),
    ...(Object.keys(request).length > 0 && { request }),
    response: { status },
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The inputs of one place. */
export function inputsAt({ inputs }: OperationDetail, place: Input['place']): readonly Input[] {
  return inputs.filter((one) => one.place === place);
}

function isMap(value: Json | undefined): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
