import {
  compileTemplate,
  type Environment,
  type Frame,
  type Item,
  type Run,
} from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import { pathsIn } from '../../expression/template.ts';
import { worked } from '../../expression/values.ts';
import { ownMember } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Reference, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Failing } from '../message/refusal.ts';
import { definitions } from '../shape/schema.ts';
import { type Validate, Validators } from '../shape/validate.ts';
import { forEach } from '../store/reads.ts';
import { findBy, keyOf, type Resources } from './item.ts';
import type { Brought, KeptItem, Members } from './kept.ts';

/** A change, for what only a look at the item and at what is kept can tell. */
export interface Candidate {
  readonly brought: Brought;
  readonly before: Members | null;
  readonly after: Members;
  readonly item: Item;
  readonly frame: Frame;
}

type Fault = Omit<Failing, 'subjects'>;
/** The fields of its faults are counted from the field. */
type Judge = (candidate: Candidate) => readonly Fault[];

/**
 * What is wrong with the fields of an item that a change makes or touches: what its schema says of a value that
 * the service sets, `refers` and `holds` (language §2.2).
 *
 * @param isOlder whether it is what an older version says: that holds of what is given alone (language §9.3)
 */
export function compileCheck(
  specification: Specification,
  resource: Resource,
  resources: Resources,
  environment: Environment,
  isOlder = false,
): (candidate: Candidate) => readonly Failing[] {
  const judges = [...resource.fields.values()].flatMap((field) =>
    stated(field.derived)
      ? []
      : [
          { name: field.name, judge: shaped(field, validators(specification), isOlder) },
          ...(isOlder ? [] : began(field, specification)),
          ...referring(field, resources),
          ...holding(field, environment),
        ],
  );
  const required = isOlder ? [] : requiredIn(resource);
  return (candidate) => {
    const failures: Failing[] = [];
    for (const field of candidate.before === null ? required : [])
      if (!Object.hasOwn(candidate.after, field))
        failures.push({
          ...{ field, keyword: 'required', value: null, limit: null },
          subjects: [`${resource.name}.${field}.required`],
        });
    forEach(candidate.frame.reads, judges, ({ name, judge }) => {
      for (const one of judge(candidate)) {
        const field = one.field === '' ? name : `${name}.${one.field}`;
        failures.push({ ...one, field, subjects: [`${resource.name}.${field}.${one.keyword}`] });
      }
    });
    return failures;
  };
}

/**
 * Whether a value of a patch fits the field's shape, where it is taken in, hashed or set anew: of one that does not,
 * nothing else is worked out. Undefined where there is no such field.
 */
export function compileFits(
  specification: Specification,
  resource: Resource,
): ((name: string, value: unknown) => boolean) | undefined {
  if (![...resource.fields.values()].some(isOpaque)) return undefined;
  const validates = new Map<string, Validate>();
  return (name, value) => {
    const field = resource.fields.get(name);
    if (field === undefined || !isOpaque(field)) return true;
    const validate = validates.get(name) ?? validators(specification)().compile(schemaOf(field.shape));
    validates.set(name, validate);
    return validate(value) === null;
  };
}

/** Whether what is kept of a field is not what was given. */
function isOpaque({ taken, secret, update }: Field): boolean {
  return [taken, secret, update].some((said) => stated<unknown>(said) !== undefined);
}

const known = new WeakMap<Specification, () => Validators>();

function validators(specification: Specification): () => Validators {
  let made: Validators | undefined;
  const found =
    known.get(specification) ?? (() => (made ??= new Validators(definitions(specification, null))));
  known.set(specification, found);
  return found;
}

/**
 * What the service sets fits the field's own shape, whether `with`, `set`, a default or the initial state says it
 * (language §2.2, rule 9). What the client gave was held against it as it was read, unless the body has a shape of its own.
 * Of a patch, the result was: in that, a value that is taken in, hashed or set anew is no more what was given.
 */
function shaped(field: Field, validators: () => Validators, isOlder: boolean): Judge {
  const { name } = field;
  const isSecret = stated(field.secret) !== undefined;
  const isTaken = !isOlder && stated(field.taken) !== undefined;
  const mayBeNull = stated(field.ifDeleted) === 'clear';
  let validate: Validate | undefined;
  const fits = (value: unknown): readonly Fault[] => {
    if (value === undefined || (value === null && mayBeNull)) return [];
    validate ??= validators().compile(schemaOf(field.shape));
    return validate(value)?.failures ?? [];
  };
  /** What is kept; of a secret, what it was made of. */
  const made = ({ after, item }: Candidate): unknown => {
    if (isSecret) return (item as KeptItem).clear?.[name];
    return Object.hasOwn(after, name) ? after[name] : undefined;
  };
  const isChanged = ({ before, after }: Candidate): boolean =>
    before === null || !equal(ownMember(before, name), ownMember(after, name));
  return (candidate) => {
    const { brought, before, after } = candidate;
    const { given, set = {} } = brought;
    if (Object.hasOwn(set, name)) return fits(isSecret ? keyOf(set[name]) : after[name]);
    if (Object.hasOwn(given, name) && brought.isShapedApart !== true) {
      const wrong = isOpaque(field) && before !== null ? fits(given[name]) : [];
      // What it is taken as is stored, and fits, too.
      if (wrong.length === 0 && isTaken) return fits(made(candidate));
      if (wrong.length > 0 || before === null || stated(field.update) === undefined) return wrong;
    }
    return !isOlder && isChanged(candidate) ? fits(made(candidate)) : [];
  };
}

/** What an item has from its creation on, whoever gives it (language §H.1, `required`). */
function requiredIn({ fields, required }: Resource): string[] {
  const names = (stated(required) ?? []).map(({ name }) => name);
  return names.filter((name) => stated(fields.get(name)?.derived) === undefined);
}

/** A machine begins in one of its states, also where an expression says in which (language §3.1, `initial`). */
function began({ name, resource }: Field, { states }: Specification): Named[] {
  const names = stated(stated(stated(states)?.get(`${resource}.${name}`))?.states)?.map(({ text }) => text);
  if (names === undefined) return [];
  const judge: Judge = ({ before, after }) =>
    before !== null || names.includes(ownMember(after, name) as string)
      ? []
      : [{ field: '', keyword: 'enum', value: ownMember(after, name), limit: null }];
  return [{ name, judge }];
}

interface Named {
  readonly name: string;
  readonly judge: Judge;
}

/** A key that is nobody's. */
function referring({ name, refers }: Field, resources: Resources): Named[] {
  const to = stated(refers);
  if (to === undefined) return [];
  const wrong = leading(to, resources);
  const judge: Judge = ({ brought, before, after, frame }) => {
    return isTouched(name, brought, before, after) ? wrong(ownMember(after, name), frame) : [];
  };
  return [{ name, judge }];
}

/** What is wrong with a key that is nobody's. */
function leading(to: Reference, resources: Resources): (key: unknown, frame: Frame) => readonly Fault[] {
  return (key, frame) => {
    if (key === undefined || key === null) return [];
    const target = resources(to.resource);
    const by = to.field === null ? (target?.keyFields ?? []) : [to.field];
    const isThere = target !== undefined && findBy(target, by, key, frame) !== null;
    return isThere ? [] : [{ field: '', keyword: 'refers', value: key, limit: null }];
  };
}

/** Sentences that do not hold of the value; of one that is not there nothing is said. */
function holding({ name, holds, secret }: Field, environment: Environment): Named[] {
  return [...(stated(holds)?.values() ?? [])].flatMap((said) => {
    const sentence = stated(said);
    if (sentence === undefined) return [];
    const isSecret = stated(secret) !== undefined;
    const run: Run = compileTemplate(sentence.template, environment);
    const paths = pathsIn(sentence.template);
    const isWhole = paths.some((path) => path[0] === 'this' && path.length === 1);
    const members = paths.flatMap(([root, member]) => (root === 'this' && member ? [member] : []));
    const judge: Judge = ({ brought, before, after, item, frame }) => {
      if (!Object.hasOwn(after, name)) return [];
      const isConcerned =
        isTouched(name, brought, before, after) ||
        isWhole ||
        members.some((one) => isTouched(one, brought, before, after));
      if (!isConcerned) return [];
      const value = isSecret ? clearOf(brought, name) : item.member(name);
      const holds = worked(() => run({ ...frame, names: { ...frame.names, this: item, value } }) === true);
      // What cannot be worked out refuses nothing (language §H.4).
      return holds === false ? [{ field: '', keyword: 'holds', value, limit: null }] : [];
    };
    return [{ name, judge }];
  });
}

/** A secret as it was given; what is kept of it does not give it back. */
function clearOf({ given, set = {} }: Brought, name: string): unknown {
  return ownMember(Object.hasOwn(set, name) ? set : given, name);
}

/** Whether a change brings a value for a field, or makes it another one. */
function isTouched(name: string, { given, set }: Brought, before: Members | null, after: Members): boolean {
  if (before === null || Object.hasOwn(given, name) || Object.hasOwn(set ?? {}, name)) return true;
  return !equal(ownMember(before, name), ownMember(after, name));
}
