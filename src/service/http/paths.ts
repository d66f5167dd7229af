import { fold } from '../../expression/fold.ts';
import { isMatching, type Operation, pathsMatched } from '../../specification/model/operation.ts';
import type { Segment } from '../../specification/vocabulary/paths.ts';

/** A path of an operation, with `base` before it. */
interface Form {
  readonly operation: Operation;
  readonly path: readonly Segment[];
}

/** A path that the service answers at, with its operations. */
interface Served {
  readonly path: readonly Segment[];
  readonly isCaseless: boolean;
  readonly forms: readonly Form[];
}

/**
 * The paths of a service. An operation that matches in any case is at its own path, and at each exact path that differs
 * from it in case alone: so `Allow` and the methods of a path are complete, however the path is written.
 */
export function pathsServed(base: readonly Segment[], operations: readonly Operation[]): Served[] {
  const forms = operations.flatMap((operation) =>
    pathsMatched(operation).map(({ path }): Form => ({ operation, path: [...base, ...path] })),
  );
  const isCaseless = ({ operation }: Form): boolean => isMatching(operation, 'caseless');
  if (!forms.some(isCaseless))
    return forms.map((form) => ({ path: form.path, isCaseless: false, forms: [form] }));
  return [...Map.groupBy(forms, (form) => written(form, fold)).values()].flatMap((alike) => {
    const caseless = alike.filter(isCaseless);
    const [first] = caseless;
    const exact = Map.groupBy(
      alike.filter((form) => !isCaseless(form)),
      (form) => written(form, (text) => text),
    );
    return [
      ...(first ? [{ path: first.path, isCaseless: true, forms: caseless }] : []),
      ...[...exact.values()].map((same) => ({
        path: (same[0] as Form).path,
        isCaseless: false,
        forms: [...same, ...caseless],
      })),
    ];
  });
}

function written({ path }: Form, literal: (text: string) => unknown): string {
  return path
    .map((one) => {
      if ('literal' in one) return `=${literal(one.literal)}`;
      return one.around ? JSON.stringify([one.around.before, one.around.after]) : '*';
    })
    .join('/');
}
