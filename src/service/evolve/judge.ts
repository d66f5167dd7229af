import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { children, membersRead, pathsRead, type Syntax } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { worked } from '../../expression/values.ts';
import { type Json, json, setMember } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { KeptItem, KeptResource, Members, RowItem } from '../resource/kept.ts';
import { definitions, type OthersRule, withRule } from '../shape/schema.ts';
import { Validators } from '../shape/validate.ts';
import type { Reads, Row } from '../store/store.ts';
import type { Added, RowFault, Upgrade } from '../store/upgrade.ts';
import { digestOf, keptFields, shapeDigest } from './fields.ts';

/** One thing that is asked of each item. */
export interface Check {
  /** Tells it from anything else that could be asked. */
  readonly name: string;
  readonly compile: () => Judge;
  /** What is kept beside an item because of it. Default: nothing. */
  readonly adds?: (looked: Looked) => readonly Added[];
}

type Judge = (looked: Looked) => readonly RowFault[];

/** An item that is looked at. */
export interface Looked {
  readonly row: Row;
  readonly reads: Reads;
  readonly members: Members;
  readonly item: RowItem;
  readonly frame: (names: Readonly<Record<string, unknown>>) => Frame;
}

/**
 * What is asked of the items of a resource, one by one: `required`, the shapes of fields, states, `refers`, `holds`
 * and `invariants`. What hangs on the time, or on who asks, was judged then; keywords about the whole object are of
 * what is given, and not of what is kept.
 */
export function checksOf(
  specification: Specification,
  { resource }: KeptResource,
  environment: Environment,
): readonly Check[] {
  const isRow = (name: string): boolean => specification.resourcesByName.has(name);
  const rules = (said: Rules, field: string, keyword: string, value: (looked: Looked) => unknown): Check[] =>
    rulesIn(said, isRow).map((rule) =>
      check([keyword, field, json(rule.node), ...readBy(specification, rule)], () => {
        const run = compileTemplate(rule.template, environment);
        return (looked) => {
          const given = value(looked);
          return given !== undefined && breaks(run, looked, given) ? [{ field, keyword }] : [];
        };
      }),
    );
  return [
    ...requiredOf(resource).map((field) =>
      check(
        ['required', field],
        () =>
          ({ members }) =>
            Object.hasOwn(members, field) ? [] : [{ field, keyword: 'required' }],
      ),
    ),
    ...keptFields(resource).flatMap((field) => [
      ...shapeOf(specification, field),
      ...statesOf(specification, field),
      ...referenceOf(field),
      ...(stated(field.secret) ? [] : rules(field.holds, field.name, 'holds', keptValue(field.name))),
    ]),
    ...rules(resource.invariants, resource.name, 'invariants', () => null),
  ];
}

/** Looks at an item with all these checks. */
export function looking(kept: KeptResource, checks: readonly Check[]): Pick<Upgrade, 'faults' | 'adds'> {
  const judges = checks.map(({ compile }) => compile());
  const look = (row: Row, reads: Reads): Looked => {
    const frame = (names: Readonly<Record<string, unknown>>): Frame => ({
      names,
      makers: makesNothing,
      reads,
    });
    return { row, reads, members: kept.members(row), item: kept.item(row, () => frame({})), frame };
  };
  const adding = checks.flatMap(({ adds }) => adds ?? []);
  return {
    faults: (row, reads) => {
      const looked = look(row, reads);
      return judges.flatMap((judge) => judge(looked));
    },
    ...(adding.length > 0 && {
      adds: (row, reads) => {
        const looked = look(row, reads);
        return adding.flatMap((adds) => adds(looked));
      },
    }),
  };
}

export function check(asked: unknown, compile: () => Judge): Check {
  return { name: digestOf(asked), compile };
}

function requiredOf(resource: Resource): string[] {
  const isDerived = (name: string): boolean => stated(resource.fields.get(name)?.derived) !== undefined;
  return (stated(resource.required) ?? []).map((use) => use.name).filter((name) => !isDerived(name));
}

/** The shape of a field is that of what is kept, but where it is taken in, or shown, as something else. */
function shapeOf(specification: Specification, field: Field): Check[] {
  const isOther = [field.taken, field.shown, field.secret].some(
    (said) => stated<unknown>(said) !== undefined,
  );
  if (isOther) return [];
  const mayBeNull = stated(field.ifDeleted) === 'clear';
  const schema = withRule(schemaOf(field.shape), keepOthers);
  const named = field.shape.uses.length > 0 ? definitions(specification, keepOthers) : noShapes;
  return [
    check(['shape', field.name, mayBeNull, schema, digestOnce(named)], () => {
      const properties: Record<string, Json> = {};
      setMember(properties, field.name, schema);
      const validate = new Validators(named).compile({ type: 'object', properties });
      return ({ members }) =>
        mayBeNull && members[field.name] === null ? [] : (validate(members)?.failures ?? []);
    }),
  ];
}

const noShapes: Record<string, Json> = {};

/** Named shapes are many, and the same for all fields. */
const digestOnce = once((named: object) => digestOf(named));

/** Where it is open what becomes of members that nobody stated, there are none; and if there are, they stay. */
const keepOthers: OthersRule = { rule: 'keep', address: '' };

function statesOf({ states }: Specification, field: Field): Check[] {
  const machine = stated(stated(states)?.get(`${field.resource}.${field.name}`));
  const names = stated(machine?.states)?.map((state) => state.text);
  if (names === undefined) return [];
  return [
    check(
      ['states', field.name, names],
      () =>
        ({ members }) =>
          names.includes(members[field.name] as string) ? [] : [{ field: field.name, keyword: 'states' }],
    ),
  ];
}

/** A key that is kept when its item is gone is no fault. */
function referenceOf({ name, refers, ifDeleted }: Field): Check[] {
  const to = stated(refers);
  if (to === undefined || stated(ifDeleted) === 'keep') return [];
  return [
    check(
      ['refers', name, to.resource, to.field],
      () =>
        ({ item }) =>
          (item.member(name) as KeptItem | null)?.row === null ? [{ field: name, keyword: 'refers' }] : [],
    ),
  ];
}

type Rules = Said<ReadonlyMap<string, Said<PlacedTemplate>>>;

/** The rules that are of what is kept alone. */
function rulesIn(rules: Rules, isRow: (name: string) => boolean): PlacedTemplate[] {
  return [...(stated(rules)?.values() ?? [])].flatMap((said) => {
    const rule = stated(said);
    if (rule === undefined) return [];
    const names = expressionsIn(rule.template).flatMap(({ syntax }) =>
      pathsRead(syntax).map(([name]) => name),
    );
    const isKept = names.every((name) => name === 'this' || name === 'value' || isRow(name as string));
    return isKept ? [rule] : [];
  });
}

/**
 * What a rule hangs on besides its own text: of each field of a name that it reads, of whatever resource, what it is
 * derived from, what it refers to, and its shape, by which kept values are brought over.
 */
function readBy({ resourcesByName }: Specification, rule: PlacedTemplate): readonly unknown[] {
  const found = new Map<string, unknown>();
  const visit = (template: PlacedTemplate['template']): void => {
    const names = new Set(expressionsIn(template).flatMap(({ syntax }) => namesIn(syntax)));
    for (const resource of resourcesByName.values())
      for (const field of resource.fields.values()) {
        const at = `${resource.name}.${field.name}`;
        if (!names.has(field.name) || found.has(at)) continue;
        const derived = stated(field.derived);
        const refers = stated(field.refers);
        const to = refers ? [refers.resource, refers.field] : null;
        found.set(at, [at, to, derived ? json(derived.node) : shapeDigest(field)]);
        if (derived) visit(derived.template);
      }
  };
  visit(rule.template);
  return [...found.values()];
}

/** Every name of a member in an expression, and every text, by which a member may be named too. */
function namesIn(syntax: Syntax): string[] {
  const text = syntax.op === 'value' && typeof syntax.args === 'string' ? [syntax.args] : [];
  const members = membersRead(syntax).map(({ member }) => member);
  return [...text, ...members, ...children(syntax).flatMap(namesIn)];
}

/** What cannot be worked out refuses nothing (language §H.4). */
function breaks(run: Run, { item, frame }: Looked, value: unknown): boolean {
  return worked(() => run(frame({ this: item, value })) === true) === false;
}

/** The value of a field as an expression reads it; undefined where the item has none. */
function keptValue(field: string): (looked: Looked) => unknown {
  return ({ members, item }) => (Object.hasOwn(members, field) ? item.member(field) : undefined);
}

const nothing = (): never => {
  throw new TypeError('nothing is made while items are looked at');
};
const makesNothing: Frame['makers'] = { uuid: nothing, random: nothing };
