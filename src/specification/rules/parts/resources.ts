import type { Span } from '../../../source/text.ts';
import { isDenied } from '../../model/denied.ts';
import { isShared } from '../../model/shared.ts';
import type { Specification } from '../../model/specification.ts';
import { type Reading, unknownName } from '../../reading/reading.ts';
import { type Said, stated } from '../../reading/said.ts';
import type { PlacedTemplate } from '../../reading/templates.ts';
import type { Field, Resource, View } from '../../vocabulary/parts/resources.ts';
import { checkBegun } from '../begun.ts';
import { checkCircles } from '../circles.ts';
import { checkItems } from '../items.ts';
import { checkEntry, checkField, nameAt } from '../names.ts';
import type { Situation, Standing } from '../scope.ts';
import type { Typing, Validate } from '../typing.ts';

type Of = Specification;

/** What part 2 says of itself (language §2). */
export const validate: Validate = (of, typing, reading) => {
  for (const said of stated(of.resources)?.values() ?? []) {
    const entry = stated(said);
    if (entry?.kind === 'shape') uses(of, entry.shape.uses, reading);
    if (entry?.kind === 'view') checkView(of, entry, typing, reading);
    if (entry?.kind === 'resource') checkResource(of, entry, typing, reading);
  }
  checkCircles(of, reading);
};

function uses(
  of: Of,
  found: readonly { readonly name: string; readonly at: Span }[],
  reading: Reading,
): void {
  for (const { name, at } of found) checkEntry(of, name, at, 'a shape', reading);
}

function checkResource(of: Of, resource: Resource, typing: Typing, reading: Reading): void {
  const { name } = resource;
  const named = [
    ...(stated(resource.identifier) ?? []),
    ...(stated(resource.unique) ?? []).flatMap((one) => one.fields),
  ];
  for (const { text, at } of named) {
    checkField(of, name, text, at, reading);
    const field = resource.fields.get(text);
    if (field?.derived.kind !== 'stated') continue;
    const problem = `${text} is derived, and no item is known by a value that is not kept`;
    reading.report('contradiction', at, { problem }, { related: [nameAt(of, field.derived)] });
  }
  for (const use of stated(resource.required) ?? []) checkField(of, name, use.name, use.at, reading);
  for (const said of stated(resource.invariants)?.values() ?? []) {
    const rule = stated(said);
    if (rule === undefined) continue;
    typing.truth(rule, { situation: 'item', subject: resource, bound: [] });
    typing.storable(rule);
  }
  for (const [verb, said] of Object.entries(stated(resource.guards) ?? {})) {
    const situation = verb === 'update' ? 'guard of update' : 'item';
    const guard = stated(said);
    if (guard) typing.truth(guard, { situation, subject: resource, bound: [] });
  }
  for (const field of resource.fields.values()) checkFieldOf(of, field, resource, typing, reading);
  checkItems(of, resource, typing, reading);
  checkBegun(of, resource, reading);
}

function checkFieldOf(of: Of, field: Field, subject: Resource, typing: Typing, reading: Reading): void {
  uses(of, field.shape.uses, reading);
  const own = typing.fieldType(field);
  // An older version may give it another type than the one in which it is kept (language §9.3).
  const kept = typing.keptType(subject, field);
  const template = (said: Said<PlacedTemplate>, situation: Situation, wanted?: typeof own): void =>
    typing.template(said, { situation, subject, bound: [] }, wanted);
  const keeper = typing.keeper(subject, field);
  for (const [said, situation] of [
    [field.create, 'set'],
    [field.update, 'set on update'],
  ] as const)
    if (said.kind === 'stated') typing.kept(said.value, { situation, subject, bound: [] }, keeper, kept);
  typing.sent(field.derived, { situation: 'derived', subject, bound: [] }, own);
  template(field.taken, 'taken', kept);
  // What is given is of the type that is kept once it is taken in (language §G.6).
  const more = [['value', kept]] as const;
  typing.sent(field.shown, { situation: 'shown', subject, bound: [], more });
  for (const flag of [field.readable, field.writable]) {
    const rule = stated(flag);
    if (typeof rule === 'object') typing.truth(rule, { situation: 'item', subject, bound: [] });
  }
  for (const said of stated(field.holds)?.values() ?? []) {
    const rule = stated(said);
    if (rule) typing.truth(rule, { situation: 'holds', subject, bound: [], more });
  }
  checkReference(of, field, reading);
  checkOrigin(of, field, reading);
}

/** A reference is the key of one item: an identifier, or a field that is unique (language §2, `refers`). */
function checkReference(of: Of, { address, refers, ifDeleted }: Field, reading: Reading): void {
  const to = stated(refers);
  if (to === undefined) {
    if (ifDeleted.kind === 'stated' && isDenied(of, refers, address))
      reading.report('idle', nameAt(of, ifDeleted), {
        key: 'ifDeleted',
        where: 'a field that refers to nothing',
      });
    return;
  }
  checkEntry(of, to.resource, to.at, 'a resource', reading);
  if (to.field === null) return;
  checkField(of, to.resource, to.field, to.at, reading);
  const target = of.resourcesByName.get(to.resource);
  if (target && isShared(of, target, to.field))
    reading.report('bad-reference', to.at, { found: `${to.resource}.${to.field}` });
}

/** A value that is worked out when it is shown is neither set nor given (language §2, `derived`). */
function checkOrigin(of: Of, field: Field, reading: Reading): void {
  if (field.derived.kind !== 'stated') return;
  const isUnique = field.unique.kind === 'stated' && field.unique.value !== false;
  const others: readonly (readonly [string, Said<unknown>])[] = [
    ['default', field.default],
    ['set', field.create],
    ['set', field.update],
    ['taken', field.taken],
    ['secret', field.secret],
    ...(isUnique ? [['unique', field.unique] as const] : []),
  ];
  const clash = others.find(([, said]) => said.kind === 'stated');
  const isWritten = field.writable.kind === 'stated' && field.writable.value !== false;
  const other = clash?.[1] ?? (isWritten ? field.writable : undefined);
  if (other === undefined) return;
  const problem = `${field.name} is derived, and ${clash?.[0] ?? 'writable'} speaks of a value that is given or kept`;
  reading.report('contradiction', nameAt(of, other), { problem }, { related: [nameAt(of, field.derived)] });
}

/** A view shows readable fields of one resource, and derived ones of its own (language §2). */
function checkView(of: Of, view: View, typing: Typing, reading: Reading): void {
  const name = stated(view.of);
  if (name === undefined) return;
  const entry = stated(stated(of.resources)?.get(name.text));
  if (entry && entry.kind !== 'resource')
    unknownName(name.text, name.at, 'a resource that is kept', [...of.resourcesByName.keys()], reading);
  else checkEntry(of, name.text, name.at, 'a resource', reading);
  const resource = of.resourcesByName.get(name.text) ?? null;
  for (const { text, at } of [...(stated(view.shows) ?? []), ...(stated(view.omits) ?? [])]) {
    if (view.fields.has(text)) {
      reading.use('field', `${view.name}.${text}`, at);
      continue;
    }
    checkField(of, name.text, text, at, reading);
    const field = resource?.fields.get(text);
    if (field && stated(field.readable) === false && stated(view.shows))
      reading.report(
        'contradiction',
        at,
        { problem: `${text} is not readable, and this view shows it` },
        { related: [field.at] },
      );
  }
  for (const field of view.fields.values()) {
    if (isDenied(of, field.derived, field.address))
      reading.report(
        'contradiction',
        nameAt(of, field),
        { problem: `${field.name} is a field of a view alone, so it has to be derived` },
        { hint: 'give it derived, or make it a field of the resource' },
      );
    uses(of, field.shape.uses, reading);
    const standing: Standing = { situation: 'derived of a view', subject: resource, bound: [] };
    typing.sent(field.derived, standing, typing.fieldType(field));
  }
}
