import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { access } from './access/access.ts';
import { letIn } from './access/let-in.ts';
import { bytes } from './bytes.ts';
import { statementsOf } from './changed.ts';
import type { Deviation, Kind } from './deviation.ts';
import { effects } from './effects.ts';
import { events } from './events.ts';
import { fields } from './fields.ts';
import { ignored } from './ignored.ts';
import { inOneOperation } from './in-one-operation.ts';
import { leftOut } from './left-out.ts';
import { lists } from './lists/lists.ts';
import { paging } from './lists/paging.ts';
import { moves } from './moves.ts';
import { notRefused } from './not-refused.ts';
import { olderVersions } from './older-versions.ts';
import { otherShape } from './other-shape.ts';
import { otherValue } from './other-value.ts';
import { ranges } from './ranges.ts';
import { rates } from './rates.ts';
import { refusedAndDone } from './refused-and-done.ts';
import { stored } from './stored.ts';
import { wider } from './wider.ts';

const kinds: readonly Kind[] = [
  leftOut,
  otherValue,
  fields,
  letIn,
  access,
  moves,
  notRefused,
  olderVersions,
  lists,
  paging,
  stored,
  wider,
  effects,
  events,
  ignored,
  otherShape,
  bytes,
  ranges,
  rates,
  refusedAndDone,
  inOneOperation,
];

/** Every statement of a document as it might be got wrong. Two of one statement differ in what they say. */
export const deviationsOf = once((specification: Specification): readonly Deviation[] => {
  const found = statementsOf(specification)
    .filter(({ address }) => !saysNothing.test(address))
    .flatMap((said) => kinds.flatMap((kind) => kind(said, specification)));
  const distinct = new Map(found.map((deviation) => [nameOf(deviation), deviation]));
  return [...distinct.values()];
});

/** A deviation as one line: the statement, and how it is got wrong. */
export function nameOf({ said, says, address = said.address }: Deviation): string {
  return `${address}: ${says}`;
}

/** What is there for people, and says nothing of a request (language §1, §H.1). A field may have such a name. */
const saysNothing = new RegExp(
  [
    String.raw`^service$|^service\.(?!actors\.)|^endpoints\["[^"]*"\]\.examples\b`,
    String.raw`|^(?!versioning\b).*(?<!\.(fields|query|path|headers|messages|extra|set|claims))`,
    String.raw`\.(title|description|examples|deprecated|\$comment)$`,
  ].join(''),
);

/** The operation that a deviation is about, as `METHOD /path`; undefined: it is about several. */
export function operationOf(
  { said: { address }, operation }: Deviation,
  { operations }: Specification,
): string | undefined {
  return operations.find((each) => address.startsWith(`${each.address}.`) || each.address === operation)?.key;
}
