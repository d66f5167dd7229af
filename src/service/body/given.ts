import { equal } from '../../expression/functions.ts';
import { setMember } from '../../source/node.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Asked, Members, Patch } from '../message/patch.ts';
import type { Checked, Failing, Held } from '../message/refusal.ts';
import { isWritable } from '../shape/schema.ts';
import type { Strip } from '../shape/validate.ts';
import { applyJsonPatch, type Operation } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';

/** What a body asks of an item. Who may write which of its members is not looked at. */
export function givenBy(patch: Patch | null, body: unknown, before: Members): Asked {
  return patch ? patch(before) : { set: { ...(body as Members | null) }, gone: {} };
}

/** What is wrong with what is asked; null where nothing is. */
export function wrongOf(found: Asked): Checked | null {
  if ('held' in found) return { failures: [], held: found };
  return 'keyword' in found ? { failures: [found], held: null } : null;
}

/** RFC 7396: null takes a member out, an object is merged with what is there, anything else replaces it. */
export function byMergePatch(body: unknown): Patch {
  return (before) => {
    const [set, gone]: [Members, Members] = [{}, {}];
    for (const [name, value] of Object.entries((body ?? {}) as Members))
      if (value === null) setMember(gone, name, value);
      else setMember(set, name, mergePatch(Object.hasOwn(before, name) ? before[name] : undefined, value));
    return { set, gone };
  };
}

/** RFC 6902. An operation that cannot be applied is a failure at its path, its own name the keyword (language §H.4). */
export function byJsonPatch(
  operations: readonly Operation[],
  options: {
    readonly isBarred: (operation: Operation, document: unknown) => Held | boolean;
    /** How many values the members may come to. */
    readonly most: number;
    /** By what name rows list a failure. */
    readonly named: string;
    readonly strip: Strip | undefined;
  },
): Patch {
  return (before) => {
    const patched = applyJsonPatch(operations, before, options.isBarred, options.most);
    if ('held' in patched) return patched;
    const after = 'document' in patched ? patched.document : null;
    if ('failed' in patched || typeof after !== 'object' || after === null || Array.isArray(after))
      return failing('failed' in patched ? patched.failed : (operations.at(-1) as Operation), options.named);
    options.strip?.(after, before, patched.origins);
    const [set, gone]: [Members, Members] = [{}, {}];
    for (const [name, value] of Object.entries(after as Members))
      if (!Object.hasOwn(before, name) || !equal(before[name], value)) setMember(set, name, value);
    for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) setMember(gone, name, null);
    return { set, gone };
  };
}

function failing({ op, path, value }: Operation, named: string): Failing {
  const field = path.join('.');
  const subject = `${named}.${field === '' ? '$' : field}.${op}`;
  return { field, keyword: op, value: value ?? null, limit: null, subjects: [subject] };
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
