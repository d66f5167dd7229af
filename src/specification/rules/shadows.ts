import type { Operation } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import { mayBe } from '../vocabulary/agreement.ts';
import { schemaOf } from '../vocabulary/shape.ts';
import { mayMake } from './made.ts';

/** The paths of a specification, as a request is led through them (language §4.1). */
class Branch {
  readonly literals = new Map<string, Branch>();
  any: Branch | undefined;
  readonly ends: Operation[] = [];
}

interface Shadow {
  readonly by: Operation;
  /** The words that lead to it. */
  readonly words: readonly string[];
}

/** Warns of an endpoint that some values of its parameters do not reach, since another has them as its literals. */
export function checkShadows(of: Specification, reading: Reading): void {
  const root = new Branch();
  for (const operation of of.operations) {
    let branch = root;
    for (const segment of operation.path)
      branch = 'literal' in segment ? literal(branch, segment.literal) : any(branch);
    branch.ends.push(operation);
  }
  for (const operation of of.operations)
    for (const { by, words } of shadows(of, root, operation))
      reading.report(
        'shadowed-path',
        operation.at,
        { key: operation.key, other: by.key, value: words.join(', ') },
        { related: [by.at] },
      );
}

function literal(branch: Branch, text: string): Branch {
  const found = branch.literals.get(text) ?? new Branch();
  branch.literals.set(text, found);
  return found;
}

function any(branch: Branch): Branch {
  branch.any ??= new Branch();
  return branch.any;
}

/** The endpoints at which a request for this one ends up: one that has its method where there are several. */
function shadows(of: Specification, root: Branch, operation: Operation): Shadow[] {
  const found: Shadow[] = [];
  const walk = (branch: Branch | undefined, depth: number, words: readonly string[]): void => {
    if (branch === undefined) return;
    const segment = operation.path[depth];
    if (segment === undefined) {
      const [first] = branch.ends;
      const by = branch.ends.find((one) => one.method === operation.method) ?? first;
      if (by && words.length > 0) found.push({ by, words });
      return;
    }
    if ('literal' in segment) {
      walk(branch.literals.get(segment.literal), depth + 1, words);
      // Once a literal went before a parameter, the path has won, and its parameters take what comes.
      if (words.length > 0) walk(branch.any, depth + 1, words);
      return;
    }
    walk(branch.any, depth + 1, words);
    for (const [word, next] of branch.literals)
      if (mayHave(of, operation, segment.parameter, word)) walk(next, depth + 1, [...words, word]);
  };
  walk(root, 0, []);
  return found;
}

/** Whether the parameter of a path may have this value. */
function mayHave(of: Specification, operation: Operation, name: string, word: string): boolean {
  const parameter = stated(stated(operation.request?.path)?.get(name));
  if (parameter === undefined) return true;
  const { binding } = parameter;
  const field = binding && of.resourcesByName.get(binding.resource)?.fields.get(binding.field);
  const create = field && field.writable.kind === 'stated' && !field.writable.value && stated(field.create);
  if (create && !mayMake(create.template, word)) return false;
  const shape = field?.shape ?? parameter.shape;
  const named = shape.name === null ? undefined : stated(stated(of.resources)?.get(shape.name));
  return mayBe(schemaOf(named?.kind === 'shape' ? named.shape : shape), word);
}
