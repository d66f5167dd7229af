import { get, type Json, type Node } from '../../../source/node.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import {
  type AnswerFields,
  fieldShapes,
  fieldValues,
} from '../../../specification/vocabulary/answer-field.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { annotated } from './annotated.ts';
import { defined, type JsonObject, unlessEmpty, written } from './schema.ts';

/**
 * The header fields of an answer that are stated, or asked for. A field without a shape is a text.
 *
 * @param node the fields as they are written
 */
export function headerObjects(headers: Said<AnswerFields>, node: Node | undefined): JsonObject | undefined {
  const shapes = new Map(fieldShapes(headers));
  const sent = [...(fieldValues(headers) ?? [])].filter(
    ([name, { kind }]) => kind !== 'none' || shapes.has(name),
  );
  const objects = sent.map(([name, said]): [string, Json] => {
    const field = shapes.get(name);
    if (!field) return [name, defined({ description: descriptionAsked(said), schema: { type: 'string' } })];
    const { description, ...schema } = annotated(
      written(schemaOf(field.shape)),
      get(node, name),
    ) as JsonObject;
    const required = stated(field.required) === true ? true : undefined;
    return [name, defined({ description, required, schema })];
  });
  return unlessEmpty(Object.fromEntries(objects));
}

/** What a question is about that asks for the value of a field. */
function descriptionAsked(said: Said<unknown>): string | undefined {
  const question = said.kind === 'open' ? said.question : null;
  return /^which value: (.+)\?$/.exec(question ?? '')?.[1];
}
