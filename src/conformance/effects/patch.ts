import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Body, bodyOf } from '../body.ts';
import { type Check, ifReached, type Scenario, type Statement, scenario, Unreached } from '../check.ts';
import { asKept, doesJustThat, succeeded } from '../guards.ts';
import { isReadable, membersOf } from '../item.ts';
import { someItem } from '../items.ts';
import type { Item } from '../partly.ts';
import { perform, readBack } from '../perform.ts';
import type { Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { jsonPatch, mediaOf, pointer } from '../spell.ts';
import { succeeds } from '../success.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';

interface Patched extends Done {
  readonly back: Json | undefined;
}

/** A JSON Patch (RFC 6902): its operations in their order, all of them or none. */
export function patches(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const body = bodyOf(trial.of, operation);
  if (body === null || mediaOf(operation) !== jsonPatch) return [];
  const media = operation.request?.media;
  const cites: Statement = media ? { address: media.address, at: media.at } : operation;
  const plain = [...body.fields.values()].filter(
    (field) =>
      isReadable(field) &&
      field.taken.kind === 'open' &&
      field.shown.kind === 'open' &&
      !stated(field.refers),
  );
  const required = (stated(resource.required) ?? []).map((use) => use.name);
  const optional = plain.find(({ name }) => !required.includes(name));
  const [first] = plain;
  return [
    ...(optional ? [without(trial, operation, resource, optional, cites)] : []),
    ...(first ? tested(trial, operation, resource, body, first, cites) : []),
  ];
}

/** `remove`: the member is not there any more. */
function without(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  field: Field,
  cites: Statement,
): Scenario {
  const says = `${operation.key} with the operation remove at ${pointer(field.name)}`;
  const observe = async (): Promise<Patched> => {
    const item = await someItem(trial, resource);
    if (!item.known.has(field.name)) throw new Unreached(`no ${resource.name} has ${field.name}`);
    const done = await perform(trial, operation, {
      item,
      body: [{ op: 'remove', path: pointer(field.name) }],
    });
    const back = done.shown === undefined ? await ifReached(() => readBack(trial, item)) : done;
    return { ...done, back: back?.shown };
  };
  const gone: Check<Patched> = {
    name: 'patch.remove',
    says: `${says} removes it`,
    cites,
    guard: ({ exchange, back }) =>
      all(
        succeeded(exchange, operation),
        back === undefined ? unseen(`nothing shows the ${resource.name}`) : yes,
        doesJustThat(trial.of, operation),
        steady(trial.of, resource),
        asKept(trial.of, resource),
      ),
    claim: ({ back }) => {
      const members = membersOf(back) ?? {};
      return {
        truth: known(!Object.hasOwn(members, field.name)),
        expected: `no member ${field.name}`,
        found: shownAs(members[field.name]),
      };
    },
  };
  return scenario(trial.of, restsOf(operation), observe, [succeeds(trial, operation, says, [], cites), gone]);
}

/** `test`: what it wants goes before what follows, and where it does not hold nothing is done. */
function tested(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  body: Body,
  field: Field,
  cites: Statement,
): Scenario[] {
  const { name } = field;
  const path = pointer(name);
  const heldBy = (item: Item): Json => {
    const value = item.known.get(name);
    if (value === undefined) throw new Unreached(`nothing shows the ${name} of a ${resource.name}`);
    return value;
  };
  const says = `${operation.key} with the operation test at ${path}, which holds,`;
  const reason: Reason = {
    name: 'invalid',
    subject: `${body.name}.${name}.test`,
    failures: [{ field: name, keyword: 'test', value: null, limit: null, about: `${body.name}.${name}` }],
  };
  const observe = async (): Promise<Done> => {
    const item = await someItem(trial, resource);
    return await perform(trial, operation, { item, body: [{ op: 'test', path, value: heldBy(item) }] });
  };
  return [
    scenario(trial.of, restsOf(operation), observe, [succeeds(trial, operation, says, [], cites)]),
    refusing(trial, {
      says: `${operation.key} with the operation test at ${path}, which does not hold, after another`,
      operation,
      cites,
      reasons: [reason],
      must: doesJustThat(trial.of, operation),
      item: () => someItem(trial, resource),
      send: (item) =>
        perform(trial, operation, {
          item: item as Item,
          body: [
            {
              op: 'replace',
              path,
              value: trial.tools.valid(schemaIn(body, name), 'least') ?? heldBy(item as Item),
            },
            { op: 'test', path, value: ['no such value'] },
          ],
        }),
    }),
  ];
}

function schemaIn({ schema }: Body, name: string) {
  return (
    (schema['properties'] as { readonly [name: string]: { readonly [keyword: string]: Json } })[name] ?? {}
  );
}
