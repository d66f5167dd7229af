import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import type { Address } from '../../../specification/reading/address.ts';
import { fixedMedia, isJson } from '../../../specification/reading/media.ts';
import { stated } from '../../../specification/reading/said.ts';
import { type Answer, answerByMedia } from '../../../specification/vocabulary/answer.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../../shape/definitions.ts';
import type { Definitions } from '../../shape/shape.ts';
import { Shaped } from '../../value/value.ts';
import { keySchema } from './parameters.ts';

/** What content looks like, whatever its values are. */
export interface Promised {
  readonly shape: Shaped;
  readonly media: string;
  /** The statement. */
  readonly by: Address;
}

/**
 * By status, what the content of each success looks like that has it (language §H.3, `shape`). It holds also while nobody
 * knows what an operation does: no refusal has such a status.
 */
export const promisedBy = once(
  ({ response }: Operation, specification: Specification): ReadonlyMap<number, Promised> | null => {
    const all = (stated(response) ?? []).flatMap((answer) =>
      (stated(answer.status) ?? []).map((status) => [status, answer] as const),
    );
    const found = [...Map.groupBy(all, ([status]) => status)].flatMap(([status, those]) => {
      const promised = those.length === 1 ? promisedIn(those[0]?.[1] as Answer, specification) : null;
      return promised && status < 400 ? [[status, promised] as const] : [];
    });
    return found.length > 0 ? new Map(found) : null;
  },
);

/** Null: nothing is stated, or of one of several media types alone. */
function promisedIn(answer: Answer, specification: Specification): Promised | null {
  const [only, ...others] = answerByMedia(answer);
  const shape = only && others.length === 0 ? stated(only.shape) : undefined;
  const media = only && stated(fixedMedia(only.media));
  if (!only || !shape || media === undefined || !isJson(media) || stated(only.under) !== undefined)
    return null;
  return { shape: new Shaped(schemaOf(shape), shownIn(specification)), media, by: only.shape.address };
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
