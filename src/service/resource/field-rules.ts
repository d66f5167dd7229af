import {
  compileTemplate,
  type Environment,
  type Frame,
  type Item,
  type Run,
} from '../../expression/compile.ts';
import { callsMade } from '../../expression/expression.ts';
import { functionCalled } from '../../expression/functions.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { mayBeUuid, picksNumber } from '../../specification/rules/choice.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { compileMade, counting, uniquely } from '../content/made.ts';
import type { Key } from '../store/rows.ts';
import type { AtHand } from './kept.ts';

/** Works a value out for an item at hand; `key`: null of a new one. */
type Making = (self: Item, frame: Frame, key: Key | null) => unknown;

/** How a field gets its value, as far as that is stated. */
export interface FieldRule {
  readonly field: Field;
  readonly isSecret: boolean;
  readonly taken: Run | undefined;
  /** What the service sets on creation: the state in which a machine begins is one such value (language §3.1). */
  readonly create: Making | undefined;
  readonly update: Making | undefined;
  readonly fallback: Json | undefined;
}

/** Whether another item than the one at hand has this text in a field. */
export type TakenIn = (field: string, text: string, own: AtHand, frame: Frame) => boolean;

/** The rules of the fields that items hold, by their names. */
export function fieldRulesOf(
  specification: Specification,
  resource: Resource,
  environment: Environment,
  isTaken: TakenIn,
): ReadonlyMap<string, FieldRule> {
  const rules = new Map<string, FieldRule>();
  for (const field of resource.fields.values()) {
    if (stated(field.derived)) continue;
    const making = (said: Said<PlacedTemplate> | undefined): Making | undefined =>
      compileMaking(said, field, environment, isTaken);
    const machine = stated(stated(specification.states)?.get(`${resource.name}.${field.name}`));
    const taken = stated(field.taken);
    rules.set(field.name, {
      field,
      isSecret: stated(field.secret) === 'hashed',
      taken: taken && compileTemplate(taken.template, environment),
      create: making(field.create) ?? making(machine?.initial) ?? pick(field),
      update: making(field.update),
      fallback: stated(field.default),
    });
  }
  return rules;
}

function compileMaking(
  said: Said<PlacedTemplate> | undefined,
  field: Field,
  environment: Environment,
  isTaken: TakenIn,
): Making | undefined {
  const placed = said && stated(said);
  if (said === undefined || placed === undefined) return undefined;
  const work = compileMade(placed.template, said.address, environment);
  if (!expressionsIn(placed.template).some(({ syntax }) => callsMade(syntax).includes('unique')))
    return (self, frame) => work(at(frame, self));
  return (self, frame, key) => {
    const own: AtHand = { member: (name) => self.member(name), key };
    return work(uniquely(at(frame, self), (text) => isTaken(field.name, text, own, frame)));
  };
}

/** Whether the service makes the value of a field so that no other item can have it. */
export function makesUuid(field: Field | undefined): boolean {
  const template = field && stated(field.create)?.template;
  if (template?.kind !== 'expression') return field !== undefined && picksUuid(field);
  const { syntax } = template.expression;
  return functionCalled(syntax) === 'uuid';
}

/** A value that the service picks where any will do: a new UUID, or the next number (language §F.1). */
function pick(field: Field): Making | undefined {
  if (picksUuid(field)) return (_self, { makers }) => makers.uuid(4);
  if (!picksNumber(field)) return undefined;
  return (_self, frame) => counting(frame, field.create.address).makers.sequence?.([]);
}

function picksUuid(field: Field): boolean {
  return field.create.kind === 'any' && mayBeUuid(field);
}

/** A frame in which `this` is an item. */
export function at(frame: Frame, self: Item): Frame {
  return { ...frame, names: { ...frame.names, this: self } };
}
