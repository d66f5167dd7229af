import { describe, expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { listedFaults, parcelDesk } from '../../desks/faults/list.ts';
import type { Fault } from '../../desks/faults/mutation.ts';
import { operators } from '../../desks/faults/operators.ts';
import { deviationBy } from './operators.ts';

const deviations = Map.groupBy(deviationsOf(parcelDesk()), ({ said, address = said.address }) => address);

function says(address: string): readonly string[] {
  return (deviations.get(address) ?? []).map((deviation) => deviation.says);
}

/**
 * What the deviations of a faulty statement say. An element of a list, a keyword of a schema, a member of a body and the place
 * of a version have no address of their own: their deviations are those of what they stand in.
 */
function candidates({ address }: Fault): readonly string[] {
  const around = address.replace(/(?<=\.items)\.enum(\[\d+\])?$|\[\d+\]$|(?<=\.place)\.\w+$/, '');
  const [, body = '', member = ''] = /^(.*\.body)\.(\w+)$/.exec(address) ?? [];
  const ofMember = says(body).flatMap((text) =>
    text.startsWith(`${member}: `) || text.startsWith(`${member} is`)
      ? [text.replace(`${member}: `, '').replace(`${member} is`, 'it is')]
      : [],
  );
  return [...says(address), ...(around === address ? [] : says(around)), ...ofMember];
}

describe('the mutation operators of the desks', () => {
  it('are each a kind of deviation', () => {
    const names = [...new Set(operators.map(({ name }) => name))];
    expect(Object.keys(deviationBy).toSorted()).toEqual(names.toSorted());
  });

  it('have a deviation of the same statement, for each fault of the list', () => {
    const faults = listedFaults();
    const missing = faults.filter((fault) => {
      const by = deviationBy[fault.operator];
      const pattern = typeof by === 'function' ? by(fault) : by;
      return !candidates(fault).some((text) => pattern?.test(text));
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
    expect(faults.length).toBeGreaterThan(500);
  });
});
