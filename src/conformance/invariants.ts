import { equal } from '../expression/functions.ts';
import { pathsIn } from '../expression/template.ts';
import type { Operation } from '../specification/model/operation.ts';
import { withArticle } from '../specification/reading/article.ts';
import { stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { bodyOf } from './body.ts';
import { type Scenario, unreached } from './check.ts';
import { memberOf } from './foresee/outlook.ts';
import { movers, type Step } from './foresee/tree.ts';
import { membersOf } from './item.ts';
import { isKnown, toJson } from './partly.ts';
import { sides } from './sides.ts';
import { moveNamed } from './states/machines.ts';
import { operationsFor, type Trial } from './trial.ts';

/** The operations that make an item, or may change it. */
function writersOf(trial: Trial, resource: Resource): readonly Operation[] {
  const direct = ['create', 'update', 'replace'].flatMap((verb) => operationsFor(trial.of, resource, verb));
  return [...new Set([...direct, ...movers(trial.of, resource)])];
}

/** Both sides of what always holds of an item, by each operation that makes or changes what it reads (language §2). */
export function invariants(trial: Trial, resource: Resource): Scenario[] {
  return [...(stated(resource.invariants) ?? [])].flatMap(([sentence, said]) => {
    const guard = stated(said);
    if (guard === undefined) return [];
    const read = fieldsRead(guard);
    const cites = { address: said.address, at: said.at };
    const operations = writersOf(trial, resource).filter((operation) =>
      mayTouch(trial, operation, resource, read),
    );
    if (operations.length === 0)
      return [
        unreached(
          trial.of,
          [{ name: 'refused', says: `${sentence}, of ${withArticle(resource.name)}`, cites }],
          'no operation that can be exercised changes what it reads',
        ),
      ];
    return operations.flatMap((operation) =>
      sides(trial, operation, {
        guard,
        cites,
        reason: { name: 'invariant broken', subject: resource.name, failures: [] },
        label: `where "${sentence}"`,
        of: 'after',
        isAbout: (step) => touches(step, read),
      }),
    );
  });
}

/** Both sides of what holds of a field's value, by each operation that takes one (language §2.2, `holds`). */
export function holding(trial: Trial, resource: Resource): Scenario[] {
  return [...resource.fields.values()].flatMap((field) =>
    [...(stated(field.holds) ?? [])].flatMap(([sentence, said]) => {
      const guard = stated(said);
      if (guard === undefined) return [];
      const { name } = field;
      const failure = {
        field: name,
        keyword: 'holds',
        value: null,
        limit: null,
        about: `${resource.name}.${name}`,
      };
      return writersOf(trial, resource)
        .filter((operation) => mayTouch(trial, operation, resource, [name]))
        .flatMap((operation) =>
          sides(trial, operation, {
            guard,
            cites: { address: said.address, at: said.at },
            reason: { name: 'invalid', subject: `${resource.name}.${name}.holds`, failures: [failure] },
            label: `where "${sentence}" of ${name}`,
            of: 'after',
            isAbout: ({ body }) => membersOf(body)?.[name] !== undefined,
            member: name,
          }),
        );
    }),
  );
}

/** The fields of the item that an expression reads. */
function fieldsRead({ template }: PlacedTemplate): readonly string[] {
  const paths = pathsIn(template);
  return [
    ...new Set(paths.flatMap(([first, name]) => (first === 'this' && name !== undefined ? [name] : []))),
  ];
}

/** Whether an operation may write one of these fields: by its body, or by what its transitions set. */
function mayTouch(trial: Trial, operation: Operation, resource: Resource, names: readonly string[]): boolean {
  const change = stated(operation.does);
  if (change?.verb === 'create') return true;
  const body = bodyOf(trial.of, operation);
  if (body && [...body.fields.keys()].some((name) => names.includes(name))) return true;
  const move = moveNamed(trial.of, resource, change?.verb ?? '');
  const sets = [...(stated(move?.transition.set)?.keys() ?? [])];
  return move !== undefined && [move.of.field, ...sets].some((name) => names.includes(name));
}

/** Whether a request makes or changes one of these fields. */
function touches({ foreseen: { before, after } }: Step, names: readonly string[]): boolean {
  if (before === null || after === null) return after !== null;
  return names.some((name) => {
    const [a, b] = [memberOf(before, name), memberOf(after, name)];
    if (a === undefined || b === undefined || !isKnown(a) || !isKnown(b)) return a !== b;
    return !equal(toJson(a), toJson(b));
  });
}

/** Both sides of who may write a field, or when: otherwise it is as a member that nobody stated (language §2.2, `writable`). */
export function writing(trial: Trial, resource: Resource): Scenario[] {
  return [...resource.fields.values()].flatMap((field) => {
    const { name, writable } = field;
    const guard = stated(writable);
    if (typeof guard !== 'object') return [];
    const failure = {
      field: name,
      keyword: 'others',
      value: null,
      limit: null,
      about: `${resource.name}.${name}`,
    };
    return ['update', 'replace']
      .flatMap((verb) => operationsFor(trial.of, resource, verb))
      .filter((operation) => stated(bodyOf(trial.of, operation)?.others ?? undefined) === 'refuse')
      .flatMap((operation) =>
        sides(trial, operation, {
          guard,
          cites: { address: writable.address, at: writable.at },
          reason: { name: 'invalid', subject: `${resource.name}.others`, failures: [failure] },
          label: `with ${name}, which may be written`,
          of: 'before',
          isAbout: ({ body }) => membersOf(body)?.[name] !== undefined,
        }),
      );
  });
}
