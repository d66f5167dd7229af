import { get, type Mapping } from '../../source/node.ts';
import { type Place, type Places, raw } from '../openapi/place.ts';
import { saidOf } from './traits.ts';

/** Formats of schemas that are JSON Schema, or some words more (AsyncAPI 3.0, Multi Format Schema Object). */
function isJsonSchema(format: string): boolean {
  return /^application\/(schema|vnd\.aai\.asyncapi|vnd\.oai\.openapi)(\+json|\+yaml)?\s*(;|$)/i.test(format);
}

/** The members of a message, or of a schema of several formats, that are in another language than JSON Schema. */
export function foreignIn(map: Mapping): readonly string[] {
  const format = get(map, 'schemaFormat');
  return format?.kind === 'scalar' && !isJsonSchema(format.written) ? ['payload', 'schema'] : [];
}

/** The schema of what a message holds. */
export interface Payload {
  /** Undefined: nothing is said, or in another language. */
  readonly schema: Place | undefined;
  /** The language, if it is another than JSON Schema. */
  readonly foreign: string | undefined;
}

/** In AsyncAPI 2 the message says in which format its schema is; in AsyncAPI 3 the schema does, and holds another one. */
export function payloadOf(places: Places, message: Place, isTwo: boolean): Payload {
  const payload = saidOf(places, message, 'payload', isTwo);
  const holder = payload && !isTwo ? places.followed(payload) : undefined;
  const said = isTwo ? saidOf(places, message, 'schemaFormat', isTwo) : holder && raw(holder, 'schemaFormat');
  if (payload === undefined || said?.node.kind !== 'scalar') return { schema: payload, foreign: undefined };
  const format = said.node.written;
  if (!isJsonSchema(format)) return { schema: undefined, foreign: format };
  return { schema: holder ? raw(holder, 'schema') : payload, foreign: undefined };
}
