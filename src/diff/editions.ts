import { get, type Node } from '../source/node.ts';
import { isDenied } from '../specification/model/denied.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, canonical, isUnder, step, steps } from '../specification/reading/address.ts';
import { stated } from '../specification/reading/said.ts';
import type { Renames } from './renamed.ts';
import type { Context } from './rule.ts';

/** A version that both documents serve, and what each states of it (language §9.3). */
export interface Edition {
  /** Its name in the newer document. */
  readonly name: string;
  readonly before: Specification;
  readonly after: Specification;
  /** Whether it was the newest, and a newer one has come. */
  readonly isSuperseded: boolean;
}

/**
 * Every version that both documents serve, the newest first; none older than one whose differences are open in either.
 * What a document without part 9 states is one version.
 */
export function editions(before: Specification, after: Specification): Edition[] {
  const [was, is] = [versionsOf(before), versionsOf(after)];
  const [newest] = is;
  const pairs =
    was.length > 0 ? was.map((name) => [name, name] as const) : [[null, defaultOf(after)] as const];
  const open = was.findIndex((name, index) => index > 0 && (isOpen(before, name) || isOpen(after, name)));
  return pairs.slice(0, open < 0 ? undefined : open).flatMap(([old, name], index) => {
    if (name === undefined || !is.includes(name)) return [];
    const [older, newer] = [old === null ? before : inVersion(before, old), inVersion(after, name)];
    return [
      {
        name,
        before: withNames(older, newer, unnamed(before, old)),
        after: withNames(newer, older, unnamed(after, name)),
        isSuperseded: index === 0 && name !== newest,
      },
    ];
  });
}

/** Whether nobody says what differs in a version that is there. */
function isOpen({ versioning }: Specification, name: string): boolean {
  const said = stated(versioning)?.versions;
  const version = said && stated(said)?.get(name);
  return version?.kind === 'open' || (version && stated(version)?.differs)?.kind === 'open';
}

/** What a document states of a version, with the names that its fields have there. */
function inVersion(newest: Specification, version: string): Specification {
  const older = newest.older.get(version);
  return older ? { ...older.specification, was: older.was } : newest;
}

/** Fields of a version that it states otherwise, and whose names there are open (language §9.3, `was`). */
function unnamed(of: Specification, version: string | null): Address[] {
  const older = version === null ? undefined : of.older.get(version);
  const versions = stated(stated(of.versioning)?.versions) ?? new Map<string, never>();
  const upTo = [...versions.keys()].indexOf(String(version)) + 1;
  return [...versions].slice(0, upTo).flatMap(([name, said]) => {
    const list = `versioning.versions${step('', name)}.differs`;
    const differs = [...(stated(stated(said)?.differs) ?? [])];
    return differs.flatMap(([written, { address, was }]) =>
      older?.was.has(address) || isDenied(of, was, step(list, written)) ? [] : [address],
    );
  });
}

/** What one side states, with the other's names of the fields whose names are open in it: to state one is a refinement. */
function withNames(of: Specification, other: Specification, open: readonly Address[]): Specification {
  if (open.length === 0) return of;
  const was = new Map(of.was);
  for (const address of open) {
    const name = other.was?.get(address);
    if (name !== undefined) was.set(address, name);
  }
  return { ...of, was };
}

function versionsOf({ versioning }: Specification): string[] {
  const said = stated(versioning)?.versions;
  return [...((said && stated(said)) ?? new Map<string, unknown>()).keys()];
}

/** The version of a request that names none. */
function defaultOf({ versioning }: Specification): string | undefined {
  const said = stated(versioning)?.default;
  const name = said && stated(said);
  return typeof name === 'string' ? name : name?.text;
}

/** Fields of the same name to the clients of a version, by their addresses before: what they are called now. */
export function renamesIn({ before, after }: Omit<Edition, 'name' | 'isSuperseded'>): Renames {
  const names = (of: Specification): [string, string][] =>
    fieldsOf(of).flatMap((address): [string, string][] => {
      const name = of.was?.has(address) ? of.was.get(address) : String(steps(address)?.at(-1));
      return typeof name === 'string' ? [[siblingOf(address, name), address]] : [];
    });
  const now = new Map(names(after));
  return new Map(
    names(before).flatMap(([shown, address]): [string, string][] => {
      const renamed = now.get(shown) ?? shown;
      return renamed === address ? [] : [[address, String(steps(renamed)?.at(-1))]];
    }),
  );
}

/** The addresses of all fields that have names, in resources and in shapes. */
function fieldsOf({ tree, was }: Specification): string[] {
  const resources = get(tree, 'resources');
  const all = resources?.kind === 'map' ? [...resources.entries] : [];
  const named = all.flatMap(([name, { value }]) => {
    const fields = get(value, 'fields');
    const list = `${step('resources', name)}.fields`;
    return fields?.kind === 'map' ? [...fields.entries.keys()].map((field) => step(list, field)) : [];
  });
  return [...new Set([...named, ...(was?.keys() ?? [])])];
}

function siblingOf(address: string, name: string): string {
  const [part, ...path] = (steps(address) ?? []).slice(0, -1);
  return step(path.reduce<string>(step, String(part)), name);
}

/** Part 9 says there what differs at an address, or above it. */
export interface Differing {
  /** Where it says so. */
  readonly address: Address;
  readonly statement: Node;
}

/** What a version says of an address; undefined where it says nothing there. */
export function differsAt(address: Address, version: string, { after }: Context): Differing | undefined {
  const differs = get(get(get(get(after, 'versioning'), 'versions'), version), 'differs');
  const all = differs?.kind === 'map' ? [...differs.entries] : [];
  const found = all.find(([key]) => isUnder(address, canonical(key) ?? key));
  const list = `versioning.versions${step('', version)}.differs`;
  return found && { address: step(list, found[0]), statement: found[1].value };
}
