import { excludedExamples } from '../conformance/examples/predicted.ts';
import { statementNear } from '../conformance/verdicts/verdicts.ts';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { at } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';

/** A warning for each example that the statements of its document exclude (language §4.6). */
export function differingExamples(of: Specification): Diagnostic[] {
  return [...excludedExamples(of)].flatMap(({ operation, at: span, differences }) => {
    const [first] = differences;
    if (first === undefined) return [];
    const { address, at: place } = statementNear(of, first.by, operation.does);
    const found = first.found === undefined ? 'nothing' : JSON.stringify(first.found);
    const parameters = { where: first.at, expected: first.expected, found, by: `${address}, ${at(place)}` };
    return [diagnose('example-differs', span, parameters)];
  });
}
