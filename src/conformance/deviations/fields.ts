import { Made } from '../../semantics/value/value.ts';
import { Ways } from '../../semantics/world/ways.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { changed } from './changed.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  type Kind,
  nothing,
  wrapping,
} from './deviation.ts';
import { withId } from './events.ts';

/** What a field is, got wrong in ways that touch more than one statement. */
export const fields: Kind = (said, specification) => {
  const [, own = ''] = /^resources\.([^.]+)\.identifier$/.exec(said.address) ?? [];
  if (own !== '') return reused(own, said, specification);
  const field = fieldOf(said, specification);
  if (field === undefined) return [];
  const deviation = (
    says: string,
    others: readonly (readonly [Said<unknown>, Said<unknown>])[],
  ): Deviation => ({
    said,
    says,
    operation: null,
    implementation: () => implementing(changed(specification, new Map(others))),
  });
  if (said === field.derived && said.kind === 'stated')
    return [
      deviation('it is worked out once, when the item is made', [
        [said, nothing(said)],
        [field.create, { ...said, address: field.create.address }],
      ]),
    ];
  const resource = specification.resourcesByName.get(field.resource);
  if (said !== field.unique || !resource || stated(field.unique) === false) return [];
  const groups = [...resource.fields.values()].filter(({ refers }) => stated(refers) !== undefined);
  const together = stated(resource.unique) ?? [];
  const { at } = said;
  return groups.map(({ name }) =>
    deviation(`it is unique only among items with the same ${name}`, [
      [said, nothing(said)],
      [
        resource.unique,
        {
          kind: 'stated',
          value: [
            ...together,
            {
              fields: [
                { text: name, at },
                { text: field.name, at },
              ],
              caseless: false,
            },
          ],
          address: resource.unique.address,
          at,
          assumed: false,
        },
      ],
    ]),
  );
};

/** A new item has the identifier of one that was deleted (language §2.1, `identifier`). */
function reused(name: string, said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const [field, ...others] = stated(specification.resourcesByName.get(name)?.identifier) ?? [];
  const isDeleted = specification.operations.some(
    ({ subject, does }) => subject?.name === name && stated(does)?.verb === 'delete',
  );
  if (field === undefined || others.length > 0 || !isDeleted) return [];
  const wrong =
    (right: Implementation): Implementation =>
    (world, request) =>
      right(world, request).map((step) => {
        const handles = new Set(world.items(name).map(({ handle }) => handle));
        const made = step.world?.items(name).find(({ handle }) => !handles.has(handle));
        const [from, to] = [made, world.former(name).at(-1)].map((stored) => stored?.members.get(field.text));
        if (!step.world || !made || !(from instanceof Made) || !(to instanceof Made)) return step;
        const after = step.world.fork(new Ways());
        after.change({ ...made, members: new Map(made.members).set(field.text, to) });
        const { body, headers } = step.prediction;
        const sent = typeof body === 'symbol' ? body : withId(body, from, to);
        const fields = withId(headers, from, to) as typeof headers;
        return { ...step, world: after, prediction: { ...step.prediction, body: sent, headers: fields } };
      });
  return [
    { ...wrapping(said, specification, 'that of a deleted item is used again', wrong), isUnread: true },
  ];
}

function fieldOf(said: Said<unknown>, { resourcesByName }: Specification): Field | undefined {
  const [, resource = '', name = ''] = /^resources\.([^.]+)\.fields\.([^.]+)\./.exec(said.address) ?? [];
  return resourcesByName.get(resource)?.fields.get(name);
}
