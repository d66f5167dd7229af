import { setMember } from '../../source/node.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { isWritable } from '../parts/resources.ts';
import { mergePatch } from './merge-patch.ts';

type Members = Record<string, unknown>;

/** What a body is to what is kept: a merge patch (RFC 7396); null: the members that it gives. */
export type Patch = 'merge';

/** What a body asks of an item: members that are given values, and members that go. */
export interface Given {
  readonly set: Members;
  /** By name; the values say nothing. */
  readonly gone: Members;
}

/** What a body asks of the item that has these members. Who may write them is not looked at. */
export function givenBy(patch: Patch | null, body: unknown, before: Members): Given {
  const [set, gone]: [Members, Members] = [{}, {}];
  for (const [name, value] of Object.entries((body ?? {}) as Members))
    if (patch === null) setMember(set, name, value);
    else if (value === null) setMember(gone, name, value);
    else setMember(set, name, mergePatch(Object.hasOwn(before, name) ? before[name] : undefined, value));
  return { set, gone };
}

/**
 * The members that a client may set (language §H.2, `with`), but for `settled` ones, which are given elsewhere or
 * for good. `foreign`: whether members that are no fields are kept, as `others: keep` says.
 */
export function writableMembers(
  value: unknown,
  resource: Resource,
  settled: readonly string[],
  foreign: boolean,
): Members {
  const given: Members = {};
  for (const [name, member] of Object.entries((value ?? {}) as Members)) {
    const field = resource.fields.get(name);
    const brought = field === undefined ? foreign : isWritable(field);
    if (brought && !settled.includes(name)) setMember(given, name, member);
  }
  return given;
}
