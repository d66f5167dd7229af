import { compileTemplate, type Frame, type Item, type Run } from '../../expression/compile.ts';
import {
  compare,
  field as fieldOf,
  parameter,
  query,
  rowOf,
  type ValueKind,
} from '../../expression/query.ts';
import type { Json } from '../../source/node.ts';
import { credentialFields } from '../../specification/holders.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Checked, Failing } from '../refusal.ts';
import { renamingsOf, toldIn } from '../renaming.ts';
import { environmentOf, type Writers } from '../render.ts';
import { compileAdmit } from './admit.ts';
import { compileAsk, one } from './ask.ts';
import { type Candidate, compileCheck, compileFits, compileReferring } from './check.ts';
import { compileItem, keyOf, type Resources } from './item.ts';
import type { Brought, KeptResource, Members } from './kept.ts';
import { type Clear, compileMaker, type TakenIn } from './make.ts';
import { uniquely } from './makers.ts';
import { asSet, keepable } from './older.ts';
import { readsOf } from './reads.ts';
import { compileReferrers, referenceIndexes } from './referrers.ts';
import { compileRows } from './row.ts';
import { hashed } from './secrets.ts';
import { compileUniques, type KindOf } from './unique.ts';
import { compileWriter, type Showing } from './write.ts';

/** What a resource is compiled with. */
export interface Around {
  readonly specification: Specification;
  /** What is kept is as this says. */
  readonly newest: Specification;
  readonly resources: Resources;
  readonly writers: Writers;
  readonly kindOf: KindOf;
  readonly definitions: Readonly<Record<string, Json>>;
}

export function compileResource(resource: Resource, around: Around): KeptResource {
  const { name } = resource;
  const { specification, newest, resources, writers, kindOf } = around;
  const kept = newest.resourcesByName.get(name) ?? resource;
  const isOlder = kept !== resource;
  const environment = environmentOf(writers);
  const keyFields = (stated(kept.identifier) ?? []).map(({ text }) => text);
  const derived = new Map<string, Run>();
  for (const field of kept.fields.values()) {
    const template = stated(field.derived);
    if (template) derived.set(field.name, compileTemplate(template.template, environment));
  }
  const over = compileItem(kept, keyFields, derived, resources);
  const clear: Clear = new WeakMap();
  const { uniques, indexes, claim } = compileUniques(kept, keyFields, kindOf);
  const taken = compileTaken(kept, keyFields, { uniques, kindOf });
  const maker = compileMaker(newest, resource, keyFields, over, environment, taken, clear);
  const admit = compileAdmit(resource, environment);
  const check = compileCheck(specification, resource, resources, environment);
  const referring = compileReferring(resource, resources);
  const fits = compileFits(specification, resource);
  const checkKept = isOlder ? compileCheck(newest, kept, resources, environment) : null;
  /** What a client may bring, and what is to be said of the rest. */
  const admitted = (asked: Brought, before: Members | null, item: () => Item, frame: Frame) => {
    const brought = isOlder ? keepable(kept, resource, asked) : asked;
    if (admit === undefined) return { brought, checked: null };
    const at = item();
    const taken = (field: string): unknown => {
      const value = brought.given[field];
      return before === null || fits?.(field, value) !== false ? maker.taken(field, value, at, frame) : value;
    };
    return admit(brought, before, at, taken, frame);
  };
  const credentials = credentialFields(newest, name);
  /** What an older version brings has to be right as that says, and what is kept of it as the newest does. */
  const failuresOf = (candidate: Candidate): readonly Failing[] => {
    if (checkKept === null) return check(candidate);
    const { brought, after } = candidate;
    const then = check({ ...candidate, brought: { ...brought, set: {} } });
    const now = checkKept({ ...candidate, brought: asSet(kept, brought, after) });
    const isNew = ({ field }: Failing): boolean => then.every((one) => one.field !== field);
    return [...then, ...now.filter(isNew)];
  };
  const renaming = renamingsOf(specification)?.named(name);
  const told = (checked: Checked | null): Checked | null =>
    checked && renaming
      ? { ...checked, failures: checked.failures.map((one) => toldIn(renaming, one)) }
      : checked;
  const keyKinds = kindsNamed(kept, keyFields, kindOf);
  const secret = [...kept.fields.values()].flatMap((field) => (stated(field.secret) ? [field.name] : []));
  return {
    name,
    resource,
    keyFields,
    table: {
      name,
      keyFields,
      keyKinds,
      indexes: [...indexes, ...referenceIndexes(kept, newest.resourcesByName, kindOf)],
    },
    ...compileRows(keyFields, over, secret.length > 0 ? clear : null),
    create: (asked, frame) => {
      const { brought, checked } = admitted(asked, null, () => maker.create(asked, frame).item, frame);
      const made = maker.create(brought, frame).whole();
      if ('missing' in made) return made;
      const { members, item, isFresh } = made;
      const failures = failuresOf({ brought, before: null, after: members, item, frame });
      return { members, isFresh, checked: told(both(checked, failures)) };
    },
    change: (before, asked, frame) => {
      const standing = (): Item => maker.standing(before, frame);
      const { brought, checked } = admitted(asked, before, standing, frame);
      const fitting = fits ? { ...brought, given: fittingOf(brought.given, fits) } : brought;
      const { members, item, changed, fault } = maker.change(before, fitting, frame);
      const failures = failuresOf({ brought, before, after: members, item, frame });
      return { members, changed, fault, checked: told(both(checked, failures)) };
    },
    astray: (given, frame) => told({ failures: referring(given, frame), held: null })?.failures ?? [],
    uniques,
    uniquely: (frame, field, member) => uniquely(frame, (text) => taken(field, text, member, frame)),
    claim,
    referrers: compileReferrers(kept, newest.resourcesByName, resources, kindOf),
    seal: compileSeal(secret.filter((one) => !credentials.has(one))),
    hasSecrets: secret.length > 0,
    write: compileWriter(showingOf(resource, keyFields, around)),
  };
}

function fittingOf(given: Members, fits: (name: string, value: unknown) => boolean): Members {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => fits(name, value)));
}

/** Of what kind the values of fields are; a field that is named alone is of any. */
function kindsNamed({ fields }: Resource, names: readonly string[], kindOf: KindOf): ValueKind[] {
  return names.map((name) => {
    const field = fields.get(name);
    return field ? kindOf(field) : 'unknown';
  });
}

/** Seals what stands among members under the names of secrets. */
function compileSeal(secrets: readonly string[]): KeptResource['seal'] {
  return (given) => {
    if (typeof given !== 'object' || given === null || secrets.length === 0) return null;
    const found = secrets.flatMap((name) => {
      const value = Object.hasOwn(given, name) ? (given as Members)[name] : undefined;
      return value === null || value === undefined ? [] : [value];
    });
    if (found.length === 0) return null;
    return Promise.all(found.map(async (value) => [value, await hashed(value)] as const)).then((sealed) => {
      const forms = new Map<unknown, string>(sealed);
      return (secret) => forms.get(secret);
    });
  };
}

/** All that is shown of a resource; a view shows some of it. */
export function showingOf(resource: Resource, keyFields: readonly string[], around: Around): Showing {
  const { specification, definitions, writers } = around;
  const shows = (): boolean => true;
  const renamings = renamingsOf(specification);
  return {
    ...{ resource, keyFields, isWhole: true, shows, listed: null, left: [], further: [] },
    ...{ definitions, writers, renamings },
  };
}

function both(checked: Checked | null, failures: readonly Failing[]): Checked | null {
  if (checked === null && failures.length === 0) return null;
  return { failures: [...(checked?.failures ?? []), ...failures], held: checked?.held ?? null };
}

/** Whether an item has a text already, as uniqueness compares; where none is stated, as it is. */
function compileTaken(
  resource: Resource,
  keyFields: readonly string[],
  { uniques, kindOf }: Pick<KeptResource, 'uniques'> & Pick<Around, 'kindOf'>,
): TakenIn {
  const plain = (field: Field) => {
    const kept = rowOf({ name: resource.name, keyFields });
    const kind = kindOf(field);
    const where = compare('matches', fieldOf(kept, field.name, kind), parameter(0, kind));
    return compileAsk(query(kept, { where, limit: one }));
  };
  const compiled = new Map([...resource.fields.values()].map((field) => [field.name, plain(field)]));
  return (field, text, member, frame) => {
    const reads = readsOf(frame);
    const own = uniques.filter(({ fields }) => fields.includes(field));
    if (own.length === 0) return (compiled.get(field)?.(reads, [text]).length ?? 0) > 0;
    return own.some(({ fields, taken }) => {
      const others = fields.map((one) => [one, keyOf(member(one))] as const);
      return taken(reads, { ...Object.fromEntries(others), [field]: text }) !== null;
    });
  };
}
