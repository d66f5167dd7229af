import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { verbs as verbNames } from '../../specification/vocabulary/change.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import { isRule, letIn } from './access/let-in.ts';
import { type Deviation, type Implementation, inOperation, type Kind, keyOf } from './deviation.ts';
import { fieldNamed, mayGive } from './gives.ts';
import { leftOut } from './left-out.ts';
import { mayMeet, takesBody, withoutOthers } from './meets.ts';
import { otherValue } from './other-value.ts';
import { refuses } from './refused-and-done.ts';

/** A statement that holds for many operations, and is got wrong in a single one. */
export const inOneOperation: Kind = (said, specification) => {
  const operations = operationsWith(said, specification);
  if (operations.length < 2) return [];
  const isFlag = said.kind === 'stated' && typeof said.value === 'boolean';
  const kinds = isRule(said) ? [letIn] : isFlag ? [otherValue] : [leftOut, otherValue];
  const [first] = kinds.flatMap((kind) => kind(said, specification));
  return first ? operations.map((operation) => only(first, operation, specification)) : [];
};

function only(deviation: Deviation, { name, address }: Operation, specification: Specification): Deviation {
  const implementation = (): Implementation =>
    inOperation(specification, address, deviation.implementation());
  return { ...deviation, says: `${deviation.says}, in ${name} alone`, operation: address, implementation };
}

/** What statements about a field are carried out by: a change of an item, or an answer that shows it. */
const carriedOutBy: Readonly<Record<string, readonly string[]>> = {
  default: ['create', 'replace'],
  create: ['create'],
  readable: ['create', 'read', 'list', 'update', 'replace', 'TRANSITION'],
  derived: ['create', 'read', 'list', 'update', 'replace', 'TRANSITION'],
  shown: ['create', 'read', 'list', 'update', 'replace', 'TRANSITION'],
  taken: ['create', 'update', 'replace'],
  update: ['update', 'replace', 'TRANSITION'],
  required: ['create', 'replace'],
};

/** What judges values that are given. */
const givenBy = ['create', 'update', 'replace', 'TRANSITION'];

/** The operations for which a statement outside the endpoints holds. */
function operationsWith(said: Said<unknown>, specification: Specification): readonly Operation[] {
  const { operations } = specification;
  const [part, name = ''] = said.address.split('.');
  const key = keyOf(said);
  const verbs = carriedOutBy[key] ?? (refuses(said) ? givenBy : []);
  if (part === 'resources')
    return operations.filter(
      (operation) =>
        operation.subject?.name === name &&
        verbs.includes(verbOf(operation)) &&
        (carriedOutBy[key] !== undefined || mayGive(operation, fieldNamed(said), specification)),
    );
  if (part === 'errors' && key === 'status') {
    const row = rowOf(said, specification);
    return row ? operations.filter((operation) => mayAnswer(row, operation, specification)) : operations;
  }
  return isRule(said) && /^authentication\.otherwise/.test(said.address)
    ? operations.filter((operation) => !isRuledApart(operation, specification))
    : [];
}

/**
 * Whether an operation may answer by a row. Without content, only the path and the query cannot be read: that is found before
 * anything of the operation is carried out, so that no operation has a status of its own for it.
 */
function mayAnswer(row: Row, operation: Operation, specification: Specification): boolean {
  const conditions = stated(row.when) ?? [];
  const isMalformed = conditions.every(({ names }) => names.every((name) => name === 'malformed'));
  if (conditions.length > 0 && isMalformed && !takesBody(operation)) return false;
  return mayMeet(row, withoutOthers(operation), specification);
}

/** The row of part 7 of which it is the status. */
function rowOf(said: Said<unknown>, { errors }: Specification): Row | undefined {
  const rows = [...(stated(stated(errors)?.codes)?.values() ?? [])].flatMap((each) => stated(each) ?? []);
  return rows.find(({ status }) => status === said);
}

/** Each transition is `TRANSITION`, as in the vocabulary. */
function verbOf({ does }: Operation): string {
  const { verb } = stated(does) ?? {};
  return verb === undefined || (verbNames as readonly string[]).includes(verb) ? (verb ?? '') : 'TRANSITION';
}

function isRuledApart({ name }: Operation, { authentication }: Specification): boolean {
  return stated(stated(stated(authentication)?.authorization)?.get(name)) !== undefined;
}
