import { compileTemplate, type Frame, type Item, type Run } from '../../expression/compile.ts';
import { callsMade } from '../../expression/expression.ts';
import { functions } from '../../expression/functions.ts';
import {
  compare,
  field as fieldOf,
  literal,
  parameter,
  query,
  rowOf,
  type ValueKind,
} from '../../expression/query.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { uniquely } from '../content/made.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import type { Checked, Failing } from '../message/refusal.ts';
import { renamingsOf, toldIn } from '../shape/renaming.ts';
import { before, forEach, readsOf } from '../store/reads.ts';
import type { Reads, Row } from '../store/store.ts';
import { compileAdmit } from './admit.ts';
import { compileAsk } from './ask.ts';
import { compileKeepingBytes } from './bytes.ts';
import { type Candidate, compileCheck, compileFits } from './check.ts';
import type { TakenIn } from './field-rules.ts';
import { compileItem, keyOf, type Resources } from './item.ts';
import type { Brought, KeptResource, Members } from './kept.ts';
import { type Clear, compileMaker } from './make.ts';
import { asSet, keepable } from './older.ts';
import { compileReferrers, referenceIndexes } from './referrers.ts';
import { compileRows } from './row.ts';
import { compileUniques, type KindOf, uniquesMet } from './unique.ts';
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
  const check = compileCheck(specification, resource, resources, environment, isOlder);
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
      const { members, item, isFresh, isGiven } = made;
      const reads = frame.reads as Reads | undefined;
      // What no other item may have is looked for next.
      const failures = before(
        reads,
        () => failuresOf({ brought, before: null, after: members, item, frame }),
        () => {
          if (reads)
            forEach(reads, isFresh ? uniques.slice(1) : uniques, (one) => void one.taken(reads, members));
        },
      );
      return { members, isFresh, isGiven, checked: told(both(checked, failures)) };
    },
    meets: (reads, asked, frame) => {
      const { brought } = admitted(asked, null, () => maker.create(asked, frame).item, frame);
      const { item } = maker.create(brought, frame);
      // No item has yet what is made up for a new one.
      const isGiven = (field: string): boolean =>
        [brought.given, brought.set ?? {}].some((members) => Object.hasOwn(members, field));
      const isTold = (field: string): boolean => isGiven(field) || !isMadeUp(kept.fields.get(field));
      const met = uniquesMet({ keyFields, uniques }, keyFields.every(isGiven));
      const member = (field: string) => [field, keyOf(item.member(field))] as const;
      for (const { fields, find } of met.filter((one) => one.fields.every(isTold))) {
        const row = find(reads, Object.fromEntries(fields.map(member)));
        if (row !== null) return row;
      }
      return null;
    },
    change: (before, asked, frame, isAnyway) => {
      const standing = (): Item => maker.standing(before, frame);
      const { brought, checked } = admitted(asked, before, standing, frame);
      const fitting = fits ? { ...brought, given: fittingOf(brought.given, fits) } : brought;
      const { members, item, changed, fault } = maker.change(before, fitting, frame, isAnyway);
      const failures = failuresOf({ brought, before, after: members, item, frame });
      return { members, changed, fault, checked: told(both(checked, failures)) };
    },
    uniques,
    uniquely: (frame, field, own) => uniquely(frame, (text) => taken(field, text, own, frame)),
    claim,
    referrers: compileReferrers(kept, newest.resourcesByName, resources, kindOf),
    bytes: compileKeepingBytes(kept),
    hasSecrets: secret.length > 0,
    write: compileWriter(showingOf(resource, keyFields, around)),
  };
}

/** Whether the service makes a value up for a new item. */
function isMadeUp(field: Field | undefined): boolean {
  if (field?.create.kind === 'any') return true;
  const create = field && stated(field.create);
  const calls = create ? expressionsIn(create.template).flatMap(({ syntax }) => callsMade(syntax)) : [];
  return calls.some((name) => functions.get(name)?.maker === true);
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

/** Whether another item has a text already, as uniqueness compares; where none is stated, as it is. */
function compileTaken(
  resource: Resource,
  keyFields: readonly string[],
  { uniques, kindOf }: Pick<KeptResource, 'uniques'> & Pick<Around, 'kindOf'>,
): TakenIn {
  const plain = (field: Field) => {
    const kept = rowOf({ name: resource.name, keyFields });
    const kind = kindOf(field);
    const where = compare('matches', fieldOf(kept, field.name, kind), parameter(0, kind));
    return compileAsk(query(kept, { where, limit: literal(2) }));
  };
  const compiled = new Map([...resource.fields.values()].map((field) => [field.name, plain(field)]));
  return (field, text, { member, key }, frame) => {
    const reads = readsOf(frame);
    const isOther = (row: Row | null): boolean =>
      row !== null && !row.key.every((part, index) => part === key?.[index]);
    const alike = uniques.filter(({ fields }) => fields.includes(field));
    if (alike.length === 0) return compiled.get(field)?.(reads, [text]).some(isOther) ?? false;
    return alike.some(({ fields, taken }) => {
      const others = fields.map((one) => [one, keyOf(member(one))] as const);
      return isOther(taken(reads, { ...Object.fromEntries(others), [field]: text }));
    });
  };
}
