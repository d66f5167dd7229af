import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Answer, answerByMedia, bodiless, mediaAmong } from '../../specification/vocabulary/answer.ts';
import { type Parameter, type Request, requestByMedia } from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { type Items, isNamed } from './items.ts';
import { named, type Schema, schemaOfMembers } from './schema.ts';
import { schemaOfValue } from './values.ts';

/** Content of one media type. */
export interface Content {
  /** Null: nobody says. */
  readonly media: string | null;
  readonly schema: Schema;
  /** The one member that holds it; null: it stands alone. */
  readonly under: string | null;
}

/** An answer with the content of one media type. */
export interface Answered {
  readonly statuses: readonly number[];
  readonly answer: Answer;
  /** Null: it has none. */
  readonly content: Content | null;
}

/** A parameter of a path has the schema that is stated of it, and that of the field that it is bound to; any other is text. */
export function schemaOfPath(
  of: Specification,
  { bindings, subject }: Operation,
  name: string,
  items: Items,
): Schema {
  const binding = bindings.get(name);
  const own = binding?.parameter ? schemaOf(binding.parameter.shape) : undefined;
  if (binding === undefined || binding.kind === 'text') return own ?? { type: 'string' };
  const resource = binding.kind === 'subject' ? subject?.name : binding.resource;
  const field = fieldOf(of, resource ?? '', binding.field, items);
  return own && typeof field === 'object' ? { ...field, ...own } : (own ?? field);
}

export function schemaOfParameter(of: Specification, { binding, shape }: Parameter, items: Items): Schema {
  return binding ? fieldOf(of, binding.resource, binding.field, items) : schemaOf(shape);
}

function fieldOf(of: Specification, resource: string, name: string, items: Items): Schema {
  const field = of.resourcesByName.get(resource)?.fields.get(name);
  return field ? items.field(field) : true;
}

/** What an operation takes: the members of a resource that a client may give (language §E.4), or the shape that is stated. */
export function bodiesTaken(of: Specification, operation: Operation, items: Items): readonly Content[] {
  const requests = operation.request ? requestByMedia(operation.request) : [];
  return requests.flatMap((request) => {
    const schema = schemaOfBody(of, operation, request, items);
    if (schema === null) return [];
    const media = stated(request.media) ?? [null];
    return media.map((each) => ({ media: each, schema, under: stated(request.under) ?? null }));
  });
}

function schemaOfBody(
  of: Specification,
  operation: Operation,
  request: Request,
  items: Items,
): Schema | null {
  const body = stated(request.body);
  if (!body) return null;
  const resource = body.of && of.resourcesByName.get(body.of.name);
  if (!resource) return body.of ? named(body.of.name) : schemaOf(body.shape);
  const media = stated(request.media) ?? [];
  if (media.some((each) => each.toLowerCase() === 'application/json-patch+json')) return true;
  const verb = stated(operation.does)?.verb;
  const bound = [...operation.bindings.values()].flatMap((each) =>
    each.kind === 'subject' ? [each.field] : [],
  );
  const [shows, omits] = [stated(body.shows), stated(body.omits)];
  const isWhole = verb === 'create' || verb === 'replace' || verb === 'authenticate';
  return items.written(resource, {
    has: (name) =>
      (shows ? isNamed(shows, name) : !isNamed(omits, name)) && !(verb === 'create' && bound.includes(name)),
    isRequired: (name) => isWhole && isNamed(stated(resource.required), name) && !bound.includes(name),
    isMergePatch: media.some((each) => each.toLowerCase() === 'application/merge-patch+json'),
  });
}

/** Each answer that is stated, by media type. */
export function answersOf({ response }: Operation, items: Items): readonly Answered[] {
  return (stated(response) ?? []).flatMap(answerByMedia).flatMap((answer) => {
    const statuses = stated(answer.status) ?? [];
    const isBare = statuses.length > 0 && statuses.every((status) => bodiless.includes(status));
    if (isBare) return [{ statuses, answer, content: null }];
    return (mediaAmong(answer.media) ?? [null]).map((media) => ({
      ...{ statuses, answer },
      content: contentOf(answer, media, items),
    }));
  });
}

/** Content as it is sent: within its one member, if it has one. */
export function asSent({ schema, under }: Content): Schema {
  return under === null ? schema : schemaOfMembers([{ name: under, schema, isOptional: false }], false);
}

function contentOf(answer: Answer, media: string | null, items: Items): Content | null {
  const [body, shape] = [stated(answer.body), stated(answer.shape)];
  const under = stated(answer.under) ?? null;
  if (body === undefined) return shape === undefined ? null : { media, schema: schemaOf(shape), under };
  const isJson = /^application\/([^;]+\+)?json/i.test(media ?? 'application/json');
  const schema = isJson ? schemaOfValue(body.template, items.values).schema : { type: 'string' };
  return { media, schema, under };
}
