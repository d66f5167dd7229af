import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';

/** Whether answers of an operation may have members that no statement names: some list of them is not closed (language §D.2). */
export const mayShowMore = once(
  ({ completeness, resourcesByName }: Specification, { address }: Operation): boolean => {
    const fields = [...resourcesByName.values()].map((resource) => `${resource.address}.fields`);
    const lists = ['resources', 'errors.codes', 'errors.payload', `${address}.response`, ...fields];
    return lists.some((list) => completeness.closed(list) === undefined);
  },
);
