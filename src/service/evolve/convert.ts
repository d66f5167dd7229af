import { compileTemplate, type Run } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { json, setMember } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import type { KeptResource, Members } from '../resource/kept.ts';
import type { RowFault } from '../store/upgrade.ts';
import { digestOf, keptFields, shapeDigest } from './fields.ts';

/** How the value of a field was kept: under what name, and how it is taken in; null: as it is. */
interface Conversion {
  readonly field: string;
  readonly was: string;
  readonly taken: Run | null;
}

/** A field that there was none of when items were stored, and the value that they get. */
interface Addition {
  readonly field: string;
  readonly value: unknown;
}

interface Converted {
  readonly members: Members;
  /** What could not be brought over. */
  readonly faults: readonly RowFault[];
}

/**
 * Brings members over that were kept under another name or in another form: where the fields that were noted are
 * those of an older version, by what that version states of them (`was`, `taken`; language §9.3). Nothing else
 * says that two names are one field. A field that is new gets the value that a version without it takes for it.
 *
 * @param were the fields that the rows were kept by, with the digests of their shapes; null where that is unknown
 */
export function compileConversion(
  specification: Specification,
  { resource, keyFields }: KeptResource,
  were: ReadonlyMap<string, string> | null,
): (members: Members) => Converted {
  const conversions: Conversion[] = [];
  const additions: Addition[] = [];
  const barred = new Map<string, RowFault>();
  for (const field of keptFields(resource)) {
    if (were === null || were.get(field.name) === shapeDigest(field)) continue;
    const added = were.has(field.name) ? undefined : valueForAll(specification, field);
    if (added) additions.push({ field: field.name, value: added.value });
    const { version: then, names } = before(specification, field, were);
    const taken = then && ownTaken(then.field, field);
    // Nothing of a request is at hand, and the members of an identifier stay as they are.
    if (then && taken && (!readsValueAlone(taken) || keyFields.includes(field.name)))
      barred.set(then.name, { field: field.name, keyword: 'taken' });
    else if (then)
      conversions.push({
        field: field.name,
        was: then.name,
        taken: taken ? compileTemplate(taken.template, () => undefined) : null,
      });
    else if (!were.has(field.name))
      for (const name of names) barred.set(name, { field: field.name, keyword: 'was' });
  }
  return (members) => {
    const faults = [...barred].flatMap(([name, fault]) => (Object.hasOwn(members, name) ? [fault] : []));
    const converted: Members = { ...members };
    for (const { was } of conversions) delete converted[was];
    for (const { field, was, taken } of conversions) {
      if (!Object.hasOwn(members, was)) continue;
      const value = members[was];
      try {
        setMember(converted, field, taken ? taken(valueAlone(value)) : value);
      } catch {
        faults.push({ field, keyword: 'taken' });
      }
    }
    for (const { field, value } of additions)
      if (!Object.hasOwn(converted, field)) setMember(converted, field, value);
    return { members: converted, faults };
  };
}

/**
 * The field as the first version has it whose name and shape were noted; and the other names that it had, though
 * what was noted is not as those versions have it.
 */
function before(
  { older }: Specification,
  field: Field,
  were: ReadonlyMap<string, string>,
): {
  readonly version?: { readonly name: string; readonly field: Field };
  readonly names: readonly string[];
} {
  const names: string[] = [];
  for (const { specification, was } of older.values()) {
    const name = was.has(field.address) ? was.get(field.address) : field.name;
    const then = specification.resourcesByName.get(field.resource)?.fields.get(field.name);
    if (name === undefined || name === null || then === undefined || !were.has(name)) continue;
    if (were.get(name) === shapeDigest(then)) return { version: { name, field: then }, names };
    if (name !== field.name) names.push(name);
  }
  return { names };
}

/** What the first version without a field takes for it, if that is the same for all items (language §9.3, rule 18). */
function valueForAll({ older }: Specification, field: Field): { readonly value: unknown } | undefined {
  for (const { specification, was } of older.values()) {
    if (was.get(field.address) !== null) continue;
    const then = specification.resourcesByName.get(field.resource)?.fields.get(field.name);
    const [own, newest] = [then && stated(then.create), stated(field.create)];
    const isSame = own && newest && digestOf(json(own.node)) === digestOf(json(newest.node));
    const isRead = own && expressionsIn(own.template).some(({ syntax }) => pathsRead(syntax).length > 0);
    if (own === undefined || isSame || isRead) return undefined;
    try {
      return { value: compileTemplate(own.template, () => undefined)(valueAlone(null)) };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** How a version takes a value in, where it says so apart from the newest. */
function ownTaken(then: Field, now: Field): PlacedTemplate | undefined {
  const [own, newest] = [stated(then.taken), stated(now.taken)];
  const isSame = own && newest && digestOf(json(own.node)) === digestOf(json(newest.node));
  return isSame ? undefined : own;
}

function readsValueAlone({ template }: PlacedTemplate): boolean {
  return expressionsIn(template).every(({ syntax }) => pathsRead(syntax).every(([name]) => name === 'value'));
}

function valueAlone(value: unknown): Parameters<Run>[0] {
  const none = (): never => {
    throw new TypeError('nothing is made while items are brought over');
  };
  return { names: { value }, makers: { uuid: none, random: none } };
}
