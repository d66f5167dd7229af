import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { changed } from './changed.ts';
import { type Deviation, implementing, type Kind, nothing } from './deviation.ts';

/** What a field is, got wrong in ways that touch more than one statement. */
export const fields: Kind = (said, specification) => {
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

function fieldOf(said: Said<unknown>, { resourcesByName }: Specification): Field | undefined {
  const [, resource = '', name = ''] = /^resources\.([^.]+)\.fields\.([^.]+)\./.exec(said.address) ?? [];
  return resourcesByName.get(resource)?.fields.get(name);
}
