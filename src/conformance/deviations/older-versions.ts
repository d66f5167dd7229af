import { once } from '../../source/once.ts';
import type { Older, Specification } from '../../specification/model/specification.ts';
import { type Address, step as inList, isUnder } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Difference } from '../../specification/vocabulary/differences.ts';
import { changed, statementsOf } from './changed.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  type Kind,
  nothing,
  restating,
} from './deviation.ts';
import { leftOut } from './left-out.ts';
import { otherValue } from './other-value.ts';

/** An older version that differs in another way, or not at all, and another version by default (language §9.1, §9.3). */
export const olderVersions: Kind = (said, specification) => {
  if (said.address === 'versioning.default' && said.kind === 'stated')
    return otherDefaults(said, specification);
  const [, version = ''] =
    /^versioning\.versions(?:\.|\[")([^"[]+?)(?:"\])?\.differs$/.exec(said.address) ?? [];
  const older = specification.older.get(version);
  if (older === undefined || said.kind !== 'stated') return [];
  const differences = [...(said.value as ReadonlyMap<string, Difference>)];
  return differences.flatMap(([key, difference]) =>
    ofDifference(difference, inList(said.address, key), version, older, said, specification),
  );
};

function otherDefaults(
  said: Said<unknown> & { readonly kind: 'stated' },
  specification: Specification,
): Deviation[] {
  const { text } = said.value as { readonly text: string };
  const names = [...(stated(stated(specification.versioning)?.versions)?.keys() ?? [])];
  return names
    .filter((name) => name !== text)
    .map((name) =>
      restating(said, specification, `it is ${name}`, {
        ...said,
        value: { ...(said.value as object), text: name },
      }),
    );
}

function ofDifference(
  difference: Difference,
  place: Address,
  version: string,
  older: Older,
  said: Said<unknown>,
  specification: Specification,
): Deviation[] {
  const { address, was } = difference;
  const own = statementsOf(older.specification).filter((each) => isUnder(each.address, address));
  const inVersion =
    (other: Older): (() => Implementation) =>
    () =>
      implementing({ ...specification, older: new Map(specification.older).set(version, other) });
  const here = (says: string, about: Said<unknown>, other: () => Older, at: Address): Deviation => ({
    said: about,
    address: at,
    says,
    operation: null,
    implementation: () => inVersion(other())(),
  });
  const within = own.flatMap((each) =>
    [leftOut, otherValue].flatMap((kind) =>
      kind(each, older.specification).map((deviation) => ({
        ...deviation,
        address: place + each.address.slice(address.length),
        implementation: inVersion({ ...older, specification: restated(deviation, older.specification) }),
      })),
    ),
  );
  const names = (name: string): Older => ({ ...older, was: new Map(older.was).set(address, name) });
  const field = address.slice(address.lastIndexOf('.') + 1);
  const name = stated(was);
  return [
    here(
      'the version does not differ there',
      own[0] ?? said,
      () => newer(address, older, specification),
      place,
    ),
    ...within,
    ...(name === undefined
      ? []
      : [
          here('it is called as in the newest version', own[0] ?? said, () => names(field), `${place}.was`),
          here(`it is called ${name}s`, own[0] ?? said, () => names(`${name}s`), `${place}.was`),
        ]),
  ];
}

/** The specification of a version, as a deviation changes it. */
function restated(deviation: Deviation, specification: Specification): Specification {
  const other = deviation.other;
  return other === undefined ? specification : changed(specification, new Map([[deviation.said, other]]));
}

/** The older version, with what the newest says at an address. */
function newer(address: Address, { specification, was }: Older, newest: Specification): Older {
  const theirs = statementsAt(newest);
  const others = new Map<Said<unknown>, Said<unknown>>();
  for (const said of statementsOf(specification))
    if (isUnder(said.address, address)) others.set(said, theirs.get(said.address) ?? nothing(said));
  const operations = newest.operations.filter(
    (operation) =>
      isUnder(operation.address, address) &&
      !specification.operations.some((each) => each.address === operation.address),
  );
  const again = changed(specification, others);
  return {
    specification: { ...again, operations: [...again.operations, ...operations] },
    was: new Map([...was].filter(([each]) => each !== address)),
  };
}

const statementsAt = once(
  (specification: Specification): ReadonlyMap<Address, Said<unknown>> =>
    new Map(statementsOf(specification).map((said) => [said.address, said])),
);
