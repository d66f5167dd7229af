import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import type { Address } from '../../../specification/reading/address.ts';
import { isJson } from '../../../specification/reading/media.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import { type Answer, answerByMedia, mediaAmong } from '../../../specification/vocabulary/answer.ts';
import { type AnswerFields, fieldShapes } from '../../../specification/vocabulary/answer-field.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../../shape/definitions.ts';
import type { Definitions } from '../../shape/shape.ts';
import { Shaped } from '../../value/value.ts';
import { keySchema } from './parameters.ts';

/** What an answer looks like, whatever its values are. */
export interface Promised {
  /** Null: nothing is said of the content. */
  readonly content: PromisedContent | null;
  readonly fields: readonly PromisedField[];
}

export interface PromisedContent {
  /** The media types of which one is sent, or ranges of them. What is JSON fits the shape that is stated of its type. */
  readonly types: readonly { readonly media: string; readonly shape: Shaped | null }[];
  /** The statement. */
  readonly by: Address;
}

/** What a header field looks like. */
export interface PromisedField {
  /** In lower case. */
  readonly name: string;
  readonly shape: Shaped;
  readonly isRequired: boolean;
  /** The statement. */
  readonly by: Address;
}

/**
 * By status, what each success looks like that has it (language §H.3): its content, and its header fields. It holds also
 * while nobody knows what an operation does: no refusal has such a status.
 */
export const promisedBy = once(
  ({ response }: Operation, specification: Specification): ReadonlyMap<number, Promised> | null => {
    const all = (stated(response) ?? []).flatMap((answer) =>
      (stated(answer.status) ?? []).map((status) => [status, answer] as const),
    );
    const found = [...Map.groupBy(all, ([status]) => status)].flatMap(([status, those]) => {
      const [[, only] = [], ...others] = those;
      if (only === undefined || others.length > 0 || status >= 400) return [];
      const content = contentIn(only, specification);
      const fields = promisedFields(only.headers, specification);
      return content || fields.length > 0 ? [[status, { content, fields }] as const] : [];
    });
    return found.length > 0 ? new Map(found) : null;
  },
);

/** Null: no shape of JSON is stated, or not of which media types the content is. */
function contentIn(answer: Answer, specification: Specification): PromisedContent | null {
  const entries = answerByMedia(answer);
  const types = entries.flatMap(({ media, shape, under }) => {
    const said = stated(under) === undefined ? stated(shape) : undefined;
    const looks = said ? new Shaped(schemaOf(said), shownIn(specification)) : null;
    return (mediaAmong(media) ?? []).map((each) => ({ media: each, shape: isJson(each) ? looks : null }));
  });
  const isWhole = entries.every(({ media }) => mediaAmong(media) !== undefined);
  if (!isWhole || types.every(({ shape }) => shape === null)) return null;
  const [only, ...others] = entries;
  const by = only && others.length === 0 ? stated(only.shape)?.address : undefined;
  return { types, by: by ?? answer.content.address };
}

/** What header fields look like of which a shape is stated (language §H.3, rule 22). */
export function promisedFields(
  headers: Said<AnswerFields>,
  specification: Specification,
): readonly PromisedField[] {
  return fieldShapes(headers).map(([name, { shape, required }]) => ({
    name: name.toLowerCase(),
    shape: new Shaped(schemaOf(shape), definitionsOf(specification)),
    isRequired: stated(required) === true,
    by: shape.address,
  }));
}

/** The schemas of what names stand for in an answer: that of a resource for its readable fields (language §H.3, rule 14). */
const shownIn = once((specification: Specification): Definitions => {
  const resources = [...specification.resourcesByName.values()].map((resource) => {
    const shown = [...resource.fields.values()].filter(({ readable }) => stated(readable) !== false);
    // What else a field is shown as is another value.
    const plain = shown.filter(({ shown }) => stated(shown) === undefined);
    const always = shown.filter(({ readable }) => stated(readable) === undefined).map(({ name }) => name);
    const required = (stated(resource.required) ?? []).map((use) => use.name);
    return [
      resource.name,
      {
        type: 'object',
        properties: Object.fromEntries(
          plain.map(({ name }) => [name, keySchema(specification, resource.name, name)]),
        ),
        required: required.filter((name) => always.includes(name)),
      },
    ];
  });
  return { ...definitionsOf(specification), ...Object.fromEntries(resources) };
});
