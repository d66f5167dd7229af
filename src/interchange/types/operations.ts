import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { fixedMedia } from '../../specification/reading/media.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { answerByMedia, bodiless } from '../../specification/vocabulary/answer.ts';
import { type Parameter, type Request, requestByMedia } from '../../specification/vocabulary/request.ts';
import type { Items } from './items.ts';
import { type Member, typeOfLiteral, typeOfMembers, typeOfShape, union } from './schema.ts';
import { typeOfValue } from './values.ts';

type Parameters = Said<ReadonlyMap<string, Said<Parameter>>> | undefined;

/** What an operation is asked, as its expressions read it, and what it answers, as it is sent (language §4.2, §H.3). */
export function typeOfOperation(of: Specification, operation: Operation, items: Items): string {
  const member = (name: string, type: string): Member => ({ name, type, isOptional: false });
  const request = typeOfMembers(
    [
      member('path', typeOfPath(of, operation, items)),
      member('query', parameters(of, operation.request?.query, items)),
      member('headers', parameters(of, operation.request?.headers, items)),
      member('body', typeOfBody(of, operation, items)),
    ],
    false,
  );
  return typeOfMembers(
    [member('request', request), member('response', typeOfResponse(operation, items))],
    false,
  );
}

function typeOfPath(of: Specification, operation: Operation, items: Items): string {
  const members = operation.path.flatMap((segment) => {
    if (!('parameter' in segment)) return [];
    const type = typeOfBound(of, operation, segment.parameter, items);
    return [{ name: segment.parameter, type, isOptional: false }];
  });
  return typeOfMembers(members, false);
}

/** A parameter of a path has the type of the field that it is bound to; any other that is not described is text. */
function typeOfBound(
  of: Specification,
  { bindings, subject }: Operation,
  name: string,
  items: Items,
): string {
  const binding = bindings.get(name);
  switch (binding?.kind) {
    case 'subject':
      return fieldOf(of, subject?.name ?? '', binding.field, items);
    case 'other':
      return fieldOf(of, binding.resource, binding.field, items);
    default:
      return binding?.parameter ? typeOfParameter(of, binding.parameter, items) : 'string';
  }
}

function parameters(of: Specification, said: Parameters, items: Items): string {
  const members = [...((said && stated(said)) ?? [])].map(([name, one]) => {
    const parameter = stated(one);
    const isGiven =
      parameter !== undefined &&
      (stated(parameter.required) === true || stated(parameter.default) !== undefined);
    return {
      name,
      type: parameter ? typeOfParameter(of, parameter, items) : 'unknown',
      isOptional: !isGiven,
    };
  });
  return typeOfMembers(members, false);
}

function typeOfParameter(of: Specification, { binding, shape }: Parameter, items: Items): string {
  return binding ? fieldOf(of, binding.resource, binding.field, items) : typeOfShape(shape, items.named);
}

function fieldOf(of: Specification, resource: string, name: string, items: Items): string {
  const field = of.resourcesByName.get(resource)?.fields.get(name);
  return field ? items.field(field) : 'unknown';
}

/** The members of a resource that a client may give (language §E.4), or the shape that is stated. */
function typeOfBody(of: Specification, operation: Operation, items: Items): string {
  const { request } = operation;
  const requests = request ? requestByMedia(request) : [];
  return requests.length === 0
    ? 'null'
    : union(requests.map((one) => typeOfOneBody(of, operation, one, items)));
}

function typeOfOneBody(of: Specification, operation: Operation, request: Request, items: Items): string {
  const { does } = operation;
  const body = stated(request.body);
  if (!body) return 'null';
  const resource = body.of && of.resourcesByName.get(body.of.name);
  if (!resource) return body.of ? items.named(body.of.name) : typeOfShape(body.shape, items.named);
  const media = stated(request.media) ?? [];
  if (media.some((one) => one.toLowerCase() === 'application/json-patch+json')) return 'unknown';
  const verb = stated(does)?.verb;
  const bound = [...operation.bindings.values()].flatMap((one) =>
    one.kind === 'subject' ? [one.field] : [],
  );
  const [shows, omits] = [stated(body.shows), stated(body.omits)];
  const takes = (name: string): boolean =>
    shows ? shows.some((one) => one.text === name) : !omits?.some((one) => one.text === name);
  const required = (stated(resource.required) ?? []).map((use) => use.name);
  const isWhole = verb === 'create' || verb === 'replace' || verb === 'authenticate';
  return items.written(resource, {
    has: (name) => takes(name) && !(verb === 'create' && bound.includes(name)),
    isRequired: (name) => isWhole && required.includes(name) && !bound.includes(name),
    isMergePatch: media.some((one) => one.toLowerCase() === 'application/merge-patch+json'),
  });
}

/** Each answer that is stated, with its statuses and its content. */
function typeOfResponse({ response }: Operation, items: Items): string {
  const answers = (stated(response) ?? []).flatMap(answerByMedia).map((answer) => {
    const content = stated(answer.body);
    const statuses = stated(answer.status) ?? [];
    const under = stated(answer.under);
    const isJson = /^application\/([^;]+\+)?json/i.test(
      stated(fixedMedia(answer.media)) ?? 'application/json',
    );
    const body =
      content === undefined ? 'null' : isJson ? typeOfValue(content.template, items.values).type : 'string';
    const wrapped =
      under !== undefined && content
        ? typeOfMembers([{ name: under, type: body, isOptional: false }], false)
        : body;
    const isBare = statuses.length > 0 && statuses.every((status) => bodiless.includes(status));
    return typeOfMembers(
      [
        { name: 'status', type: union(statuses.map(typeOfLiteral)) || 'number', isOptional: false },
        { name: 'body', type: isBare ? 'null' : wrapped, isOptional: false },
      ],
      false,
    );
  });
  return answers.length === 0 ? 'unknown' : union(answers);
}
