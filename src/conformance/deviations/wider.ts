import { pathsIn } from '../../expression/template.ts';
import { hasItem } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
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
  if (keyOf(said) === 'operations' && /^(errors|limits)\./.test(address)) {
    const row = rowOf(said, specification);
    const isReadIn = (operation: Operation): boolean =>
      row === undefined || mayBeRead(row, operation, specification);
    return withOperations(said, 'it is also for', specification, isReadIn);
  }
  if (keyOf(said) === 'by' && address.startsWith('events.'))
    return withOperations(said, 'it also comes of', specification);
  return /^resources\.[^.]+\.required$/.test(address) ? withMembers(said, specification) : [];
};

type Names = Said<unknown> & { readonly kind: 'stated' };

/** Operations about the same resources as those that are listed. */
function withOperations(
  said: Names,
  says: string,
  specification: Specification,
  isMeant: (operation: Operation) => boolean = () => true,
): Deviation[] {
  const names = said.value as readonly { readonly text: string }[];
  const isListed = (name: string): boolean => names.some(({ text }) => text === name);
  const { operations } = specification;
  const subjects = new Set(
    operations.flatMap(({ name, subject }) => (isListed(name) && subject ? [subject.name] : [])),
  );
  return operations
    .filter(({ name, subject }) => !isListed(name) && subject !== null && subjects.has(subject.name))
    .filter(isMeant)
    .map(({ name }) =>
      restating(said, specification, `${says} ${name}`, {
        ...said,
        value: [...names, { ...names[0], text: name }],
      }),
    );
}

/** The row of part 7 that is only for these operations. */
function rowOf(said: Said<unknown>, { errors }: Specification): Row | undefined {
  const rows = [...(stated(stated(errors)?.codes)?.values() ?? [])].flatMap((each) => stated(each) ?? []);
  return rows.find(({ operations }) => operations === said);
}

/** Whether an operation has the items that an expression of a row reads: else it says nothing there. */
function mayBeRead({ when }: Row, operation: Operation, { operations }: Specification): boolean {
  const all = new Set(['this', ...operations.flatMap(namesOf)]);
  const own = [...(hasThis(operation) ? ['this'] : []), ...namesOf(operation)];
  return (stated(when) ?? []).some(({ expression }) => {
    const roots = expression ? pathsIn(expression.template).map(([root = '']) => root) : [];
    return roots.every((root) => !all.has(root) || own.includes(root));
  });
}

/** The names of the items that the parameters of an operation single out. */
function namesOf({ bindings, request }: Operation): readonly string[] {
  const query = [...(stated(request?.query ?? undefined)?.values() ?? [])].flatMap(
    (said) => stated(said) ?? [],
  );
  const bound = [...bindings.values()].map((binding) => (binding.kind === 'other' ? binding.as : null));
  return [...bound, ...query.map(({ binding }) => binding?.as ?? null)].filter((name) => name !== null);
}

/** Whether there may be an item before the change. */
function hasThis(operation: Operation): boolean {
  const change = stated(operation.does);
  if (change?.verb === 'list') return false;
  return hasItem(operation) !== false || change?.qualifiers.present.kind === 'stated';
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
