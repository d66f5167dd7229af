import type { Json } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import type { Specification } from '../model/specification.ts';
import { isAmong, mediaKind } from '../reading/media.ts';
import type { Reading } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import { answerByMedia } from '../vocabulary/answer.ts';
import type { Field, Resource } from '../vocabulary/parts/resources.ts';
import { type Request, requestByMedia } from '../vocabulary/request.ts';
import { isBinary, type Shape, schemaOf } from '../vocabulary/shape.ts';
import { nameAt } from './names.ts';

type Of = Specification;

/** Bytes are a field of a resource, a whole body, or a part of a body in parts (language §H.1). */
export function checkBytes(of: Of, reading: Reading): void {
  for (const [name, said] of stated(of.resources) ?? []) {
    const entry = stated(said);
    if (entry?.kind === 'shape' && hasBytes(schemaOf(entry.shape)))
      report(reading, entry.shape.at, `${name} is a shape of values, and may be used as JSON anywhere`);
    if (entry?.kind === 'resource') checkResource(of, entry, reading);
    if (entry?.kind === 'view')
      for (const { text, at } of stated(entry.shows) ?? []) {
        const field = of.resourcesByName.get(stated(entry.of)?.text ?? '')?.fields.get(text);
        if (field && isBinary(field.shape)) report(reading, at, `${text} is bytes, which no view shows`);
      }
  }
  for (const { request, response } of of.operations) {
    if (request) checkParameters(request, reading);
    for (const one of request ? requestByMedia(request) : []) checkBody(one, reading);
    for (const { shape } of (stated(response) ?? []).flatMap(answerByMedia))
      checkWithin(stated(shape), reading);
  }
}

function report(reading: Reading, at: Span, problem: string): void {
  reading.report('bytes-in-json', at, { problem });
}

function checkResource(of: Of, resource: Resource, reading: Reading): void {
  const keys = [
    ...(stated(resource.identifier) ?? []),
    ...(stated(resource.unique) ?? []).flatMap((one) => one.fields),
  ];
  for (const { text, at } of keys) {
    const field = resource.fields.get(text);
    if (field && isBinary(field.shape))
      report(reading, at, `${text} is bytes, and no item is known by bytes`);
  }
  for (const field of resource.fields.values())
    if (isBinary(field.shape)) checkField(of, field, reading);
    else checkWithin(field.shape, reading);
}

/** Keywords that say what bytes are. */
const ofBytes = ['type', 'format', 'minLength', 'maxLength'];

function checkField(of: Of, field: Field, reading: Reading): void {
  const { name, shape } = field;
  const keys: readonly (readonly [string, Said<unknown>])[] = [
    ...[...shape.keywords].filter(([keyword]) => !ofBytes.includes(keyword)),
    ['default', field.default],
    ['derived', field.derived],
    ['taken', field.taken],
    ['shown', field.shown],
    ['secret', field.secret],
    ['unique', field.unique],
    ['refers', field.refers],
    ...(stated(field.readable) === false ? [] : [['readable', field.readable] as const]),
  ];
  const other = keys.find(([, said]) => said.kind === 'stated' && said.value !== false);
  if (other) report(reading, nameAt(of, other[1]), `${name} is bytes, and ${other[0]} is about JSON`);
  checkType(shape, reading);
}

/** `type: string`, perhaps beside null. */
function checkType(shape: Shape, reading: Reading): void {
  const types = [stated(shape.keywords.get('type')) ?? []].flat().filter((type) => type !== 'null');
  if (types.length !== 1 || types[0] !== 'string') report(reading, shape.at, 'bytes are `type: string`');
}

/** A shape of JSON: it is not bytes as a whole, and holds none. */
function checkWithin(shape: Shape | undefined, reading: Reading): void {
  if (shape && !isBinary(shape) && hasBytes(schemaOf(shape)))
    report(reading, shape.at, 'a member of this shape is bytes');
}

function checkParameters(request: Request, reading: Reading): void {
  for (const place of ['path', 'query', 'headers'] as const)
    for (const said of stated(request[place])?.values() ?? []) {
      const parameter = stated(said);
      if (parameter && hasBytes(schemaOf(parameter.shape)))
        report(reading, parameter.at, 'a parameter is a text');
    }
}

function checkBody(request: Request, reading: Reading): void {
  const body = stated(request.body);
  if (body === undefined || body.of !== null) return;
  const { shape } = body;
  const types = request.media.kind === 'any' ? ['*/*'] : (stated(request.media) ?? []);
  if (isBinary(shape)) {
    checkType(shape, reading);
    if (types.length === 0) report(reading, body.at, 'a body that is bytes states its own `media`');
    if (request.under.kind === 'stated')
      report(reading, request.under.at, 'a body that is bytes stands under no name');
  } else if (hasBytes(schemaOf(shape))) {
    const inForm = types.some((type) => isAmong('multipart/form-data', new Set([type])));
    if (types.some((type) => mediaKind(type) === 'parts')) {
      if (hasBytes(withoutContent(schemaOf(shape))))
        report(reading, body.at, 'of a part, bytes are the member body');
    } else if (!inForm) report(reading, body.at, 'only a body in parts has members that are bytes');
    else if (!Object.values(membersOf(schemaOf(shape))).every(mayBePart))
      report(reading, body.at, 'bytes are a part of their own, or a list of parts');
  }
}

function membersOf(schema: Json): Readonly<Record<string, Json>> {
  return (schema as { properties?: Readonly<Record<string, Json>> }).properties ?? {};
}

/** Whether a member is a part, or a list of parts, or holds no bytes. */
function mayBePart(schema: Json): boolean {
  if (!hasBytes(schema)) return true;
  const { format, items } = schema as { readonly format?: Json; readonly items?: Json };
  return format === 'binary' || (items as { readonly format?: Json } | undefined)?.format === 'binary';
}

/** A list of parts, without the content of each (language §4.2). */
function withoutContent(schema: Json): Json {
  const { items, ...list } = schema as { readonly [keyword: string]: Json };
  const { body, ...others } = membersOf(items ?? {});
  const isBytes = (body as { readonly format?: Json } | undefined)?.format === 'binary';
  return isBytes ? { ...list, items: { ...(items as object), properties: others } } : schema;
}

/** Keywords whose values are no schemas. */
const literals = ['enum', 'const', 'default', 'examples', 'others', 'required'];

/** Whether a schema is of bytes, or of something that holds bytes. */
export function hasBytes(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hasBytes);
  if (typeof schema !== 'object' || schema === null) return false;
  const { format } = schema as { readonly format?: Json };
  return (
    format === 'binary' ||
    Object.entries(schema).some(([key, one]) => !literals.includes(key) && hasBytes(one))
  );
}
