import { compileTemplate, type Frame, type Run } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { type Json, json, setMember } from '../../source/node.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { type Said, stated } from '../../specification/said.ts';
import { schemaOf } from '../../specification/shape.ts';
import type { Specification } from '../../specification/specification.ts';
import type { PlacedTemplate } from '../../specification/templates.ts';
import { worked } from '../content.ts';
import { definitions, type KeptResource, type OthersRule, withRule } from '../parts/resources.ts';
import type { KeptItem } from '../resource/kept.ts';
import type { Reads, Row } from '../store/store.ts';
import type { RowFault } from '../store/upgrade.ts';
import { Validators } from '../validate.ts';
import { keptFields } from './fields.ts';

/** What stands of a resource that a kept item may break, as plain data: one that differs is another rule. */
export function ruled(specification: Specification, resource: Resource): Json {
  return {
    required: requiredOf(resource),
    fields: keptFields(resource).map((field) => [
      field.name,
      schemaOf(field.shape),
      isKeptAsGiven(field),
      mayBeNull(field),
      stated(field.refers)?.resource ?? null,
      stated(field.refers)?.field ?? null,
      statesOf(specification, field) ?? null,
      textsOf(field.holds),
    ]),
    invariants: textsOf(resource.invariants),
    definitions: definitions(specification, keepOthers),
  } as unknown as Json;
}

/**
 * In how far an item is not as it is asked to be: `required`, the shapes of its fields, states, `refers`, `holds`
 * and `invariants`. What hangs on the time, or on who asks, was judged then; keywords about the whole object are
 * of what is given, and not of what is kept.
 */
export function compileJudgement(
  specification: Specification,
  kept: KeptResource,
): (row: Row, reads: Reads) => readonly RowFault[] {
  const { resource } = kept;
  const fields = keptFields(resource);
  const required = requiredOf(resource);
  const fits = shapesOf(specification, fields);
  const states = fields.flatMap((field) => {
    const names = statesOf(specification, field);
    return names ? [{ field: field.name, names }] : [];
  });
  const references = fields.flatMap((field) =>
    stated(field.refers) && stated(field.ifDeleted) !== 'keep' ? [field.name] : [],
  );
  const holds = fields.flatMap((field) =>
    rulesIn(field.holds).map((run) => ({ run, field: field.name, keyword: 'holds' })),
  );
  const invariants = rulesIn(resource.invariants);
  return (row, reads) => {
    const members = kept.members(row);
    const frameOf = (names: Readonly<Record<string, unknown>>): Frame => framed(names, reads);
    const item = kept.item(row, () => frameOf({}));
    const breaks = (run: Run, value?: unknown): boolean =>
      worked(() => run(frameOf({ this: item, value }))) === false;
    return [
      ...required
        .filter((name) => !Object.hasOwn(members, name))
        .map((field) => ({ field, keyword: 'required' })),
      ...fits(members),
      ...states
        .filter(({ field, names }) => !names.includes(members[field] as string))
        .map(({ field }) => ({ field, keyword: 'states' })),
      ...references
        .filter((field) => (item.member(field) as KeptItem | null)?.row === null)
        .map((field) => ({ field, keyword: 'refers' })),
      ...holds.filter(({ field, run }) => Object.hasOwn(members, field) && breaks(run, item.member(field))),
      ...invariants.filter((run) => breaks(run)).map(() => ({ field: resource.name, keyword: 'invariants' })),
    ];
  };
}

/** The shapes of all fields whose kept value is the one that was given. */
function shapesOf(
  specification: Specification,
  fields: readonly Field[],
): (members: Readonly<Record<string, unknown>>) => readonly RowFault[] {
  const checked = fields.filter(isKeptAsGiven);
  const nullable = checked.filter(mayBeNull).map((field) => field.name);
  const properties: Record<string, Json> = {};
  for (const field of checked) setMember(properties, field.name, withRule(schemaOf(field.shape), keepOthers));
  const validate = new Validators(definitions(specification, keepOthers)).compile({
    type: 'object',
    properties,
  });
  return (members) => {
    const cleared = nullable.filter((name) => members[name] === null);
    const found = validate(members)?.failures ?? [];
    return found.filter(({ field }) => !cleared.includes(field));
  };
}

/** Where it is open what becomes of members that nobody stated, there are none; and if there are, they stay. */
const keepOthers: OthersRule = { rule: 'keep', address: '' };

/** Whether the shape of a field is that of what is kept: not where it is taken in, or shown, as something else. */
function isKeptAsGiven({ taken, shown, secret }: Field): boolean {
  return [taken, shown, secret].every((said) => stated<unknown>(said) === undefined);
}

function mayBeNull(field: Field): boolean {
  return stated(field.ifDeleted) === 'clear';
}

function requiredOf(resource: Resource): string[] {
  const derived = (name: string): boolean => stated(resource.fields.get(name)?.derived) !== undefined;
  return (stated(resource.required) ?? []).map((use) => use.name).filter((name) => !derived(name));
}

/** The states that a field may hold; undefined where none are stated. */
function statesOf({ states }: Specification, field: Field): readonly string[] | undefined {
  const machine = stated(stated(states)?.get(`${field.resource}.${field.name}`));
  return stated(machine?.states)?.map((state) => state.text);
}

type Rules = Said<ReadonlyMap<string, Said<PlacedTemplate>>>;

function textsOf(rules: Rules): Json {
  return [...(stated(rules)?.values() ?? [])].flatMap((said) => {
    const template = stated(said);
    return template ? [json(template.node)] : [];
  });
}

/** The rules that are of the item alone, and what it refers to. */
function rulesIn(rules: Rules): Run[] {
  return [...(stated(rules)?.values() ?? [])].flatMap((said) => {
    const template = stated(said)?.template;
    const names =
      template &&
      expressionsIn(template)
        .flatMap(({ syntax }) => pathsRead(syntax))
        .map(([name]) => name);
    const isOfItem = names?.every((name) => name === 'this' || name === 'value');
    return template && isOfItem ? [compileTemplate(template, () => undefined)] : [];
  });
}

function framed(names: Readonly<Record<string, unknown>>, reads: Reads): Frame {
  const none = (): never => {
    throw new TypeError('nothing is made while items are looked at');
  };
  const frame = { names, makers: { uuid: none, random: none }, reads };
  return frame;
}
