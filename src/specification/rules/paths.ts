import { fold } from '../../expression/fold.ts';
import type { Span } from '../../source/text.ts';
import { isMatching, type Operation, pathsMatched } from '../model/operation.ts';
import type { Specification } from '../model/specification.ts';
import { type Reading, unknownName } from '../reading/reading.ts';
import { stated } from '../reading/said.ts';
import type { FurtherPath, Segment } from '../vocabulary/paths.ts';

/** Paths that meet, and what the further paths of an operation must have (language §4.1). */
export function checkPaths(of: Specification, reading: Reading): void {
  for (const operation of of.operations) {
    const words = stated(operation.endpoint.matching) ?? [];
    if (words.includes('exact') && words.length > 1) {
      const problem = 'paths are compared exactly, or otherwise';
      reading.report('contradiction', operation.endpoint.matching.at, { problem });
    }
    for (const further of stated(operation.endpoint.paths) ?? []) checkFurther(operation, further, reading);
  }
  checkMeeting(of, reading);
}

/** A further path has no parameter of its own, and each that binds an item or a field. */
function checkFurther({ path, bindings }: Operation, further: FurtherPath, reading: Reading): void {
  const [known, there] = [parametersOf(path), parametersOf(further.path)];
  for (const name of there)
    if (!known.includes(name))
      unknownName(name, further.at, 'a parameter of the path of this operation', known, reading);
  for (const [name, { kind }] of bindings)
    if (kind !== 'text' && !there.includes(name))
      reading.report('contradiction', further.at, {
        problem: `${further.text} lacks {${name}}, which tells what the operation is about`,
      });
}

function parametersOf(path: readonly Segment[]): string[] {
  return path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
}

interface Found {
  readonly among: string | null;
  readonly isCaseless: boolean;
  readonly exact: string;
  readonly at: Span;
}

/** Paths of one method that no request can tell apart. */
function checkMeeting({ operations }: Specification, reading: Reading): void {
  const found = new Map<string, Found[]>();
  for (const operation of operations) {
    const isCaseless = isMatching(operation, 'caseless');
    const { among } = operation.endpoint;
    for (const { path, key, at } of pathsMatched(operation)) {
      const folded = `${operation.method} ${formOf(path, fold)}`;
      const known = found.get(folded) ?? [];
      const exact = formOf(path, (text) => text);
      const twin = known.find(
        (one) =>
          (among === null || one.among !== among) && (one.isCaseless || isCaseless || one.exact === exact),
      );
      if (twin) reading.report('path-twice', at, { key }, { related: [twin.at] });
      found.set(folded, [...known, { among, isCaseless, exact, at }]);
    }
  }
}

function formOf(path: readonly Segment[], literal: (text: string) => unknown): string {
  return path
    .map((one) => {
      if ('literal' in one) return `=${literal(one.literal)}`;
      return one.around ? JSON.stringify([one.around.before, one.around.after]) : '*';
    })
    .join('/');
}
