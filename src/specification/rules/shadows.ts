import { type Operation, type PathOf, pathsOf } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import { mayBe } from '../vocabulary/agreement.ts';
import { segmentText } from '../vocabulary/paths.ts';
import { schemaOf } from '../vocabulary/shape.ts';
import { mayMake } from './made.ts';

interface End extends PathOf {
  readonly operation: Operation;
}

/** The paths of a specification, as a request is led through them (language §4.1). */
class Branch {
  readonly literals = new Map<string, Branch>();
  /** Parameters with literal text around them, by the segment without their names. */
  readonly around = new Map<string, Branch>();
  any: Branch | undefined;
  readonly ends: End[] = [];
}

/** What stands for the value of a parameter with text around it: `…` in `….json`. */
const placeholder = '…';

interface Shadow {
  readonly by: End;
  /** The words that lead to it. */
  readonly words: readonly string[];
}

/** Warns of an endpoint that some values of its parameters do not reach, since another has them as its literals. */
export function checkShadows(of: Specification, reading: Reading): void {
  const root = new Branch();
  const ends = of.operations.flatMap((operation) =>
    pathsOf(operation).map((one): End => ({ ...one, operation })),
  );
  for (const end of ends) {
    let branch = root;
    for (const segment of end.path)
      branch =
        'literal' in segment
          ? within(branch.literals, segment.literal)
          : segment.around
            ? within(
                branch.around,
                segmentText(segment, () => placeholder),
              )
            : any(branch);
    branch.ends.push(end);
  }
  for (const end of ends)
    for (const { by, words } of shadows(of, root, end))
      reading.report(
        'shadowed-path',
        end.at,
        { key: end.key, other: by.key, value: words.join(', ') },
        { related: [by.at] },
      );
}

function within(branches: Map<string, Branch>, text: string): Branch {
  const found = branches.get(text) ?? new Branch();
  branches.set(text, found);
  return found;
}

function any(branch: Branch): Branch {
  branch.any ??= new Branch();
  return branch.any;
}

/** The endpoints at which a request for this one ends up: one that has its method where there are several. */
function shadows(of: Specification, root: Branch, { operation, path }: End): Shadow[] {
  const found: Shadow[] = [];
  const walk = (branch: Branch | undefined, depth: number, words: readonly string[]): void => {
    if (branch === undefined) return;
    const segment = path[depth];
    if (segment === undefined) {
      const [first] = branch.ends;
      const by = branch.ends.find((one) => one.operation.method === operation.method) ?? first;
      if (by && words.length > 0) found.push({ by, words });
      return;
    }
    if ('literal' in segment) {
      walk(branch.literals.get(segment.literal), depth + 1, words);
      // Once a literal went before a parameter, the path has won, and its parameters take what comes.
      if (words.length > 0) walk(branch.any, depth + 1, words);
      return;
    }
    const { around = { before: '', after: '' } } = segment;
    const own = segmentText(segment, () => placeholder);
    walk(segment.around ? branch.around.get(own) : branch.any, depth + 1, words);
    // A parameter with more text around it goes before one with less, as a literal does.
    const longer = [...branch.around].filter(([word]) => word.length > own.length);
    for (const [word, next] of [...branch.literals, ...longer]) {
      const value = word.slice(around.before.length, word.length - around.after.length);
      const isOne = value !== '' && `${around.before}${value}${around.after}` === word;
      if (isOne && mayHave(of, operation, segment.parameter, value)) walk(next, depth + 1, [...words, word]);
    }
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
