import { isDeepStrictEqual } from 'node:util';
import { path } from '../../expression/expression.ts';
import { once } from '../../source/once.ts';
import { transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import { keywords } from '../../specification/vocabulary/keywords.ts';
import { statementsOf } from './changed.ts';

/**
 * A keyword of a shape, with the same keyword of all that the value flows into, or comes from, as it is: what one lets
 * through, the other would refuse. An implementation has one check for them all.
 */
export function keywordsAlong(said: Said<unknown>, specification: Specification): readonly Said<unknown>[] {
  const [, place, key] = /^(.*\.fields(?:\.\w+|\["[^"]*"\]))\.(\w+)$/.exec(said.address) ?? [];
  const group = place === undefined ? undefined : groupsOf(specification).get(place);
  if (group === undefined || said.kind !== 'stated' || !Object.hasOwn(keywords, key as string)) return [said];
  const addresses = new Set(group.map((each) => step(each, key as string)));
  const others = statementsOf(specification).filter(
    (each) =>
      addresses.has(each.address) && each.kind === 'stated' && isDeepStrictEqual(each.value, said.value),
  );
  return [said, ...others.filter((each) => each !== said)];
}

/** By the address of a field, or of a member of a body: all that hold the same value. */
const groupsOf = once((specification: Specification): ReadonlyMap<Address, readonly Address[]> => {
  const groups = new Map<Address, Set<Address>>();
  for (const [from, to] of flowsOf(specification)) {
    const joined = new Set([...(groups.get(from) ?? [from]), ...(groups.get(to) ?? [to])]);
    for (const each of joined) groups.set(each, joined);
  }
  return new Map([...groups].map(([place, group]) => [place, [...group]]));
});

/** From where to where changes carry a value as it is. */
function flowsOf({ operations, states }: Specification): readonly (readonly [Address, Address])[] {
  const found: (readonly [Address, Address])[] = [];
  for (const { address, subject, request, does, endpoint } of operations) {
    const body = stated(request?.body);
    const given = body?.of ? `resources.${body.of.name}.fields` : `${address}.request.body.fields`;
    for (const change of [stated(does), ...(stated(endpoint.also) ?? [])])
      if (change) found.push(...flowsIn(change, given, subject?.name));
  }
  for (const [name, said] of stated(states) ?? []) {
    const machine = stated(said);
    for (const { also } of machine ? transitionsIn(machine).values() : [])
      for (const change of stated(also) ?? []) found.push(...flowsIn(change, null, name.split('.')[0]));
  }
  return found;
}

function flowsIn(
  { subject, qualifiers }: Change,
  given: Address | null,
  own: string | undefined,
): readonly (readonly [Address, Address])[] {
  return (stated(qualifiers.with) ?? []).flatMap(({ template }) => {
    if (template.kind !== 'object' || subject.name === null) return [];
    return [...template.members].flatMap(([field, value]): (readonly [Address, Address])[] => {
      const chain = value.kind === 'expression' ? path(value.expression.syntax) : null;
      const to = step(`resources.${subject.name}.fields`, field);
      if (chain?.length === 3 && chain[0] === 'request' && chain[1] === 'body' && given !== null)
        return [[step(given, chain[2] as string), to]];
      if (chain?.length === 2 && chain[0] === 'this' && own !== undefined)
        return [[step(`resources.${own}.fields`, chain[1] as string), to]];
      return [];
    });
  });
}
