import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Example } from '../../specification/vocabulary/endpoint/examples.ts';
import type { Persona } from '../access/persona.ts';
import { type Carried, carry, nothing, together } from '../access/presenting.ts';
import { schemesOf } from '../access/schemes.ts';
import { asCarried, type GivenCredentials, outsider } from '../access/wallet.ts';
import { Unreached } from '../check.ts';
import type { Header, Request } from '../http.ts';
import { membersOf } from '../item.ts';
import { calledIn } from '../names.ts';
import { type Item, isKnown, item, toJson } from '../partly.ts';
import { type Names, workOut } from '../solve.ts';
import { form, formOf, isJson, jsonPatch, mediaOf, parameterText } from '../spell.ts';
import type { Attempt, Trial } from '../trial.ts';

/** The service that an example is sent to. */
type Service = Pick<Trial, 'of' | 'url'>;

/** The request of an example, and what the tester knows of it. */
export interface ToPlay {
  readonly request: Request;
  readonly attempt: Attempt;
}

/**
 * The request that an example sends (language §4.6).
 *
 * @param names the answers to earlier examples, by their names
 * @param given the operator's credentials
 * @throws Unreached where it cannot be sent, with the reason or the open points
 */
export function requestOf(
  trial: Service,
  operation: Operation,
  example: Example,
  names: Names,
  given: GivenCredentials,
): ToPlay {
  const holding = openHolds(trial.of, operation);
  if (holding.length > 0) throw new Unreached('what it asks for is open', holding);
  const { path, query, headers, body } = stated(example.request) ?? {};
  const { as, carried } = sender(trial, example.by, names, given);
  const segments = new Map(valuesOf(path, 'path', names));
  const sent = body && stated(body);
  const fields: Header[] = valuesOf(headers, 'headers', names).map(([name, value]) => [name, String(value)]);
  const typed = fields.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const media = typed ?? mediaOf(operation);
  const content = sent && valueAt(sent.template, 'body', names);
  const parameters = valuesOf(query, 'query', names);
  const asked = [...queryOf(operation, parameters), ...carried.query];
  return {
    request: {
      method: operation.method,
      url: `${trial.url}${pathOf(trial, operation, segments)}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
      headers: [
        ...(content === undefined || typed !== undefined ? [] : [['Content-Type', media] as const]),
        ...fields,
        ...carried.headers,
      ],
      body: content === undefined ? null : written(operation, media, content),
      ...(namesVersion(trial, fields, parameters) && { version: null }),
    },
    attempt: { as, ...itemsIn(trial, operation, segments), ...givenBy(operation, media, content) },
  };
}

/** Who sends it: the credentials of `by`, or nobody's. */
function sender(
  { of }: Service,
  by: Example['by'],
  names: Names,
  given: GivenCredentials,
): { readonly as: Persona | null; readonly carried: Carried } {
  const all = [...(stated(by) ?? [])].flatMap(([name, said]) => {
    const template = stated(said)?.template;
    const scheme = schemesOf(of).get(name);
    if (scheme === undefined) throw new Unreached(`the scheme ${name} is open`, ['authentication.schemes']);
    if (template === undefined) return [];
    const value = String(valueAt(template, `by.${name}`, names));
    const secret = template.kind === 'literal' ? given[name]?.[value] : value;
    if (secret === undefined)
      throw new Unreached(`it needs the credential ${value} of ${name} (--credentials), which is not given`);
    const credential = template.kind === 'literal' ? asCarried(scheme, value, secret) : secret;
    const carried = carry(scheme, credential);
    if (carried === null) throw new Unreached(`where a credential of ${name} stands is open`);
    return [{ name, credential, carried }];
  });
  if (all.length === 0) return { as: null, carried: nothing };
  const as = outsider(all.map(({ name, credential }) => [name, credential]));
  return { as, carried: together(all.map((one) => one.carried)) };
}

type Templates = ReadonlyMap<string, Said<PlacedTemplate>>;

function valuesOf(
  said: Said<Templates> | undefined,
  where: string,
  names: Names,
): readonly (readonly [string, Json])[] {
  return [...((said && stated(said)) ?? [])].flatMap(([name, one]) => {
    const template = stated(one)?.template;
    return template ? [[name, valueAt(template, `${where}.${name}`, names)] as const] : [];
  });
}

/** Throws `Unreached` where the value cannot be worked out: an earlier answer lacks what it reads. */
function valueAt(template: Template, where: string, names: Names): Json {
  const value = workOut(template, names);
  const json = isKnown(value) ? toJson(value) : undefined;
  const isMissing = where !== 'body' && template.kind !== 'literal' && (json === null || json === undefined);
  if (json !== undefined && !isMissing) return json;
  const read = expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax));
  throw new Unreached(
    `${where} reads ${read.map((one) => one.join('.')).join(', ')}, which the answer lacks`,
  );
}

function pathOf({ of }: Service, operation: Operation, given: ReadonlyMap<string, Json>): string {
  const segments = operation.path.map((segment) =>
    'literal' in segment ? segment.literal : encodeURIComponent(String(given.get(segment.parameter) ?? '')),
  );
  return `${stated(stated(of.endpoints)?.base) ?? ''}/${segments.join('/')}`;
}

/** A text is sent as it stands; another value as its parameter writes it (language §4.2). */
function queryOf(operation: Operation, given: readonly (readonly [string, Json])[]): readonly string[] {
  return given.flatMap(([name, value]) => {
    const parameter = queryParameters(operation).find((one) => one.name === name);
    const isApart = Array.isArray(value) && stated(parameter?.roles.explode) !== false;
    return (isApart ? (value as Json[]) : [value]).map((one) => {
      const text = parameter && typeof one !== 'string' ? parameterText(parameter, one) : String(one);
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    });
  });
}

/** The content as it is sent, with the member of `under` in it. */
function written({ request }: Operation, media: string, content: Json): string {
  const type = media.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('multipart/')) throw new Unreached('the tester writes no content in parts');
  if (type === form) return formOf(content, (request && stated(request.nesting)) === 'brackets');
  return isJson(type) || typeof content !== 'string' ? JSON.stringify(content) : content;
}

/** Whether a request names its version itself (language §9.1). */
function namesVersion(
  { of }: Service,
  fields: readonly Header[],
  parameters: readonly (readonly [string, Json])[],
): boolean {
  const place = stated(stated(of.versioning)?.place);
  if (place === undefined) return false;
  const is = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  if (place.kind === 'query') return parameters.some(([name]) => name === place.name);
  if (place.kind === 'header') return fields.some(([name]) => is(name, place.name));
  return (
    place.kind === 'media' &&
    fields.some(([name, value]) => is(name, 'Accept') && value.includes(`${place.name}=`))
  );
}

/** The items that the path singles out, of which no more is known. */
function itemsIn(
  { of }: Service,
  { bindings, subject }: Operation,
  given: ReadonlyMap<string, Json>,
): Pick<Attempt, 'item' | 'others'> {
  const others = new Map<string, Item>();
  const own: [string, Json][] = [];
  for (const [name, binding] of bindings) {
    const value = given.get(name);
    if (value === undefined || binding.kind === 'text') continue;
    const resource = binding.kind === 'subject' ? subject : of.resourcesByName.get(binding.resource);
    const type = stated(resource?.fields.get(binding.field)?.shape.keywords.get('type'));
    const key = type === 'integer' || type === 'number' ? Number(value) : String(value);
    if (binding.kind === 'subject') own.push([binding.field, key]);
    else if (resource) others.set(calledIn(binding), item(resource, [[binding.field, key]], []));
  }
  return { ...(subject && own.length > 0 && { item: item(subject, own, []) }), others };
}

/** The members that it gives; content of which expressions read no members is `raw`. */
function givenBy(
  { request }: Operation,
  media: string,
  content: Json | undefined,
): Pick<Attempt, 'body' | 'raw'> {
  if (content === undefined) return {};
  const under = request && stated(request.under);
  const body = under == null ? content : membersOf(content)?.[under];
  return media === jsonPatch || membersOf(body) === undefined ? { raw: '' } : { body: body as Json };
}
