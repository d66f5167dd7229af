import type { Report } from '../../conformance/report.ts';
import type { Result } from '../../conformance/result.ts';
import { causesOf } from '../../conformance/verdicts/causes.ts';
import { sentence } from '../../conformance/verdicts/sentence.ts';
import { workflowCommand } from '../formats/workflow-command.ts';
import { placeOf } from './place.ts';
import { extentOf } from './summary/causes.ts';

/**
 * An annotation of GitHub Actions for each cause of violations, at its statement, one for each example that is answered
 * otherwise, and one that sums up. GitHub shows the first ten.
 */
export function github(report: Report, examples: readonly Result[] = []): string {
  const causes = causesOf(report.results, report.sequences);
  const otherwise = examples.filter(({ verdict }) => verdict === 'not stated');
  const title = `tacet: ${report.specification.name || report.specification.file}`;
  return [
    ...causes.map((cause) => annotation(cause.results[0], extentOf(cause))),
    ...otherwise.map((example) => annotation(example, [])),
    workflowCommand({
      level: report.cutShort === null ? 'notice' : 'error',
      properties: { title },
      message: sentence(report),
    }),
  ].join('');
}

function annotation(
  { says, statement, verdict, assumed, expected, found, curl }: Result,
  extent: readonly string[],
): string {
  const { file, line, column } = placeOf(statement.at);
  return workflowCommand({
    // What rests on an assumption fails nothing (language §A.6), nor does what differs from an example (§4.6).
    level: assumed || verdict !== 'violates' ? 'warning' : 'error',
    properties: { file, line, col: column, title: `tacet: ${statement.address}` },
    message: [
      `${says}${assumed ? ' (assumed)' : ''}`,
      `expected ${expected}`,
      `found ${found}`,
      ...extent,
      curl,
    ].join('\n'),
  });
}
