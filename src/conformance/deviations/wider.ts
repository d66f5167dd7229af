import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Version } from '../../specification/vocabulary/parts/versioning.ts';
import { type Deviation, type Kind, keyOf, restating } from './deviation.ts';

/**
 * What is sent or named beyond what is stated: operations of a row, of a rate or of an event, members that are required, fields
 * of a version that says it sends none.
 */
export const wider: Kind = (said, specification) => {
  if (said.kind !== 'stated') return [];
  const { address } = said;
  if (/^versioning\.versions(\.[^.[]+|\["[^"]*"\])$/.test(address)) return withFields(said, specification);
  if (!Array.isArray(said.value)) return [];
  if (keyOf(said) === 'operations' && /^(errors|limits)\./.test(address))
    return withOperations(said, 'it is also for', specification);
  if (keyOf(said) === 'by' && address.startsWith('events.'))
    return withOperations(said, 'it also comes of', specification);
  return /^resources\.[^.]+\.required$/.test(address) ? withMembers(said, specification) : [];
};

type Names = Said<unknown> & { readonly kind: 'stated' };

/** Operations about the same resources as those that are listed. */
function withOperations(said: Names, says: string, specification: Specification): Deviation[] {
  const names = said.value as readonly { readonly text: string }[];
  const isListed = (name: string): boolean => names.some(({ text }) => text === name);
  const { operations } = specification;
  const subjects = new Set(
    operations.flatMap(({ name, subject }) => (isListed(name) && subject ? [subject.name] : [])),
  );
  return operations
    .filter(({ name, subject }) => !isListed(name) && subject !== null && subjects.has(subject.name))
    .map(({ name }) =>
      restating(said, specification, `${says} ${name}`, {
        ...said,
        value: [...names, { ...names[0], text: name }],
      }),
    );
}

/** Members that a client may leave out. */
function withMembers(said: Names, specification: Specification): Deviation[] {
  const [, resource = ''] = said.address.split('.');
  const required = said.value as readonly { readonly name: string }[];
  const fields = [...(specification.resourcesByName.get(resource)?.fields.values() ?? [])];
  return fields
    .filter(({ name, writable }) => stated(writable) === true && required.every((each) => each.name !== name))
    .map(({ name }) =>
      restating(said, specification, `${name} is required, too`, {
        ...said,
        value: [...required, { ...required[0], name }],
      }),
    );
}

/** The header fields that say when a version ends are sent, though it states `headers: (none)` (language §9.2). */
function withFields(said: Names, specification: Specification): Deviation[] {
  const { headers } = said.value as Version;
  if (headers.kind !== 'none') return [];
  const { address, at } = headers;
  const open = { kind: 'open', question: null, address, at } as const;
  return [{ ...restating(headers, specification, 'the fields are sent all the same', open), isUnread: true }];
}
