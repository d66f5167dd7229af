import type { Result } from '../../conformance/check.ts';
import type { Report } from '../../conformance/report.ts';
import { workflowCommand } from '../formats/workflow-command.ts';
import { placeOf } from './place.ts';
import { sentence } from './sentence.ts';

/**
 * An annotation of GitHub Actions for each violation, at the statement that is violated, one for each example that is
 * answered otherwise, and one that sums up.
 */
export function github(report: Report, examples: readonly Result[] = []): string {
  const violations = report.results.filter(({ verdict }) => verdict === 'violates');
  const otherwise = examples.filter(({ verdict }) => verdict === 'not stated');
  const title = `tacet: ${report.specification.name || report.specification.file}`;
  return [
    ...[...violations, ...otherwise].map(annotation),
    workflowCommand({
      level: report.cutShort === null ? 'notice' : 'error',
      properties: { title },
      message: sentence(report),
    }),
  ].join('');
}

function annotation({ says, statement, verdict, assumed, expected, found, curl }: Result): string {
  const { file, line, column } = placeOf(statement.at);
  return workflowCommand({
    // What rests on an assumption fails nothing (language §A.6), nor does what differs from an example (§4.6).
    level: assumed || verdict !== 'violates' ? 'warning' : 'error',
    properties: { file, line, col: column, title: `tacet: ${statement.address}` },
    message: [`${says}${assumed ? ' (assumed)' : ''}`, `expected ${expected}`, `found ${found}`, curl].join(
      '\n',
    ),
  });
}
