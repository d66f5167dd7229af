import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';
import { type Coded, rowsOf } from '../openapi/export/refusals.ts';
import { Items } from '../schemas/items.ts';
import { laidOut } from '../types/layout.ts';
import { namedTypes, naming, oneLine } from '../types/names.ts';
import { type Named, nameIn } from '../types/schema.ts';
import { type AnswersGiven, answersGiven, refusalType } from './answers.ts';
import { type RequestTaken, requestTaken } from './requests.ts';
import { alternativesOf, type SchemePlace, type Schemes, schemesOf } from './schemes.ts';
import { sending } from './sending.ts';

/** An operation as the client has it. */
interface Method {
  readonly operation: Operation;
  readonly request: RequestTaken;
  readonly answers: AnswersGiven;
}

/**
 * A client of a service in one file of TypeScript, by fetch alone: what the document states of requests, answers,
 * credentials and the newest version. What is open is `unknown`, and a comment has its address. The same
 * specification gives the same text.
 */
export function clientOf(of: Specification): string {
  const items = new Items(of);
  const named = naming(of);
  const rows = rowsOf(of);
  const methods = of.operations.map((operation) => methodOf(of, operation, items, named, rows));
  const schemes = schemesOf(of);
  return [
    `// ${oneLine(of.name)}: its client, made by \`tacet export --client ts\`. Make it anew instead of changing it.\n`,
    ...namedTypes(of, items, named),
    answerTypes,
    `/** What every refusal says. */\nexport type Refusal = ${laidOut(refusalType(of, items, named), 0)};\n`,
    credentialsType(schemes),
    optionsType,
    clientType(of, methods),
    createClient(of, methods, schemes.places),
    `const places: { readonly [scheme: string]: Place } = ${placesOf(schemes.places)};\n`,
    versionOf(of),
    sending,
  ].join('\n');
}

function methodOf(
  of: Specification,
  operation: Operation,
  items: Items,
  named: Named,
  rows: readonly Coded[],
): Method {
  return {
    operation,
    request: requestTaken(of, operation, items, named),
    answers: answersGiven(of, operation, items, named, rows),
  };
}

const answerTypes = `/** An answer that the document states. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  readonly headers: Headers;
  readonly body: Body;
}

/** An answer whose status the document does not state of the operation. */
export class UnstatedAnswer extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  constructor(status: number, headers: Headers, body: unknown) {
    super(\`no answer with status \${status} is stated of this operation\`);
    this.name = 'UnstatedAnswer';
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
`;

function credentialsType({ places, open }: Schemes): string {
  const members = places.map(
    ({ scheme, isBasic }) =>
      `  ${nameIn(scheme)}?: ${isBasic ? '{ name: string; password: string }' : 'string'};\n`,
  );
  const none = members.length === 0 ? '  [scheme: string]: never;\n' : '';
  const about = ['Credentials, by scheme. Of several, one request brings the first that its rule takes.'];
  return `${comment([...about, ...openLines(open)], '')}export interface Credentials {\n${members.join('')}${none}}\n`;
}

const optionsType = `export interface Options {
  /** Where the service is, without what its paths begin with. */
  readonly url: string;
  /** They are read for each request. */
  readonly credentials?: Credentials;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}
`;

function clientType(of: Specification, methods: readonly Method[]): string {
  const written = methods.map(({ operation, request, answers }) => {
    const about = comment([operation.key, ...openLines([...request.open, ...answers.open])], '  ');
    const given =
      request.type === null ? '' : `request${request.isOptional ? '?' : ''}: ${laidOut(request.type, 2)}`;
    return `${about}  ${nameIn(operation.name)}(${given}): Promise<\n    ${answersLaidOut(answers)}\n  >;\n`;
  });
  const codes = stated(of.errors)?.codes;
  const open =
    of.errors.kind === 'open' ? [of.errors.address] : codes?.kind === 'open' ? [codes.address] : [];
  const about =
    'The operations. Each rejects with {@link UnstatedAnswer}, if the status is not stated of the operation.';
  return `${comment([about, ...openLines(open)], '')}export interface Client {\n${written.join('')}}\n`;
}

function answersLaidOut({ type }: AnswersGiven): string {
  return type
    .split(/ \| (?=Answer<)/)
    .map((each) => `| ${laidOut(each, 4)}`)
    .join('\n    ');
}

/** A comment for people who read the file or hover over a name. */
function comment(lines: readonly string[], indent: string): string {
  const [first, ...others] = lines.map((line) => oneLine(line).replaceAll('*/', '*\\/'));
  if (others.length === 0) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${[first, ...others].map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function openLines(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses)].map((address) => `Open: ${address}`);
}

function createClient(of: Specification, methods: readonly Method[], places: readonly SchemePlace[]): string {
  const calls = methods.map((method) => {
    const call = JSON.stringify(callOf(of, method, places));
    return `    ${nameIn(method.operation.name)}: (given?: Given) => send(options, ${call}, given),\n`;
  });
  return `/** A client of the service at \`url\`. */\nexport function createClient(options: Options): Client {\n  return {\n${calls.join('')}  };\n}\n`;
}

/** What the client knows of an operation when it runs; the rest are types. */
function callOf(
  of: Specification,
  { operation, request, answers }: Method,
  places: readonly SchemePlace[],
): object {
  const path = operation.path.map((segment) => `/${segmentText(segment, (name) => `{${name}}`)}`).join('');
  const alternatives = alternativesOf(of, operation)?.filter((all) =>
    all.every((scheme) => places.some((place) => place.scheme === scheme)),
  );
  return {
    method: operation.method,
    path,
    media: request.media ?? undefined,
    styles: stylesOf(operation),
    schemes: alternatives,
    statuses: answers.statuses ?? undefined,
  };
}

/** The parameters that are not written in the usual way, by their place (language §4.2; OpenAPI 3.2 §4.12.3). */
function stylesOf({ request }: Operation): object | undefined {
  const places = (['path', 'query', 'headers'] as const).flatMap((place) => {
    const usual = place === 'query' ? 'form' : 'simple';
    const said = request?.[place];
    const found = [...((said && stated(said)) ?? [])].flatMap(([name, each]) => {
      const roles = stated(each)?.roles;
      const style = (roles && stated(roles.style)) ?? usual;
      const explode = (roles && stated(roles.explode)) ?? style === 'form';
      return style === usual && explode === (usual === 'form') ? [] : [[name, { style, explode }] as const];
    });
    return found.length === 0 ? [] : [[place, Object.fromEntries(found)] as const];
  });
  return places.length === 0 ? undefined : Object.fromEntries(places);
}

function placesOf(places: readonly SchemePlace[]): string {
  const found = places.map(({ scheme, place, name, word }) => {
    const written = JSON.stringify({ place, name, word: word ?? undefined });
    return `  ${nameIn(scheme)}: ${written},\n`;
  });
  return found.length === 0 ? '{}' : `{\n${found.join('')}}`;
}

/** Where each request names its version, the newest (language §9.1); what every path begins with is part of it. */
function versionOf(of: Specification): string {
  const versioning = stated(of.versioning);
  const [name] = stated(versioning?.versions)?.keys() ?? [];
  const place = name === undefined ? undefined : stated(versioning?.place);
  const base = stated(stated(of.endpoints)?.base) ?? '';
  const open = [
    ...(of.versioning.kind === 'open' ? [of.versioning.address] : []),
    ...(versioning?.place.kind === 'open' && name !== undefined ? [versioning.place.address] : []),
  ];
  const headers: Record<string, string> = {};
  const query: string[] = [];
  let path = base;
  if (place?.kind === 'header') headers[place.name] = name as string;
  if (place?.kind === 'media') headers['Accept'] = `*/*;${place.name}="${name}"`;
  if (place?.kind === 'query')
    query.push(`${encodeURIComponent(place.name)}=${encodeURIComponent(name as string)}`);
  if (place?.kind === 'path') path = `${place.name}${encodeURIComponent(name as string)}${base}`;
  const about = comment(
    ['What every request brings: its version, and the beginning of its path.', ...openLines(open)],
    '',
  );
  return `${about}const version: { path: string; query: readonly string[]; headers: { readonly [name: string]: string } } = ${JSON.stringify({ path, query, headers })};\n`;
}
