import type { Result } from '../../conformance/check.ts';
import type { Report } from '../../conformance/report.ts';
import { sarifLog, uri } from '../formats/sarif-log.ts';
import { placeOf } from './place.ts';

/** A log in SARIF 2.1.0 with a result for each violation, and for each example that is answered otherwise, at its place. */
export function sarif(report: Report, version: string, examples: readonly Result[] = []): string {
  const otherwise = examples.filter(({ verdict }) => verdict === 'not stated');
  const violations = [...report.results.filter(({ verdict }) => verdict === 'violates'), ...otherwise];
  const rules = [...new Set(violations.map(({ check }) => check))].sort();
  return sarifLog({
    version,
    rules: rules.map((id) => ({ id })),
    results: violations.map(resultOf),
    ...(report.cutShort !== null && { failure: report.cutShort }),
  });
}

function resultOf({
  check,
  says,
  statement,
  verdict,
  assumed,
  expected,
  found,
  request,
  response,
  curl,
}: Result) {
  const { file, line, column } = placeOf(statement.at);
  return {
    ruleId: check,
    // What rests on an assumption fails nothing (language §A.6), nor does what differs from an example (§4.6).
    level: assumed || verdict !== 'violates' ? 'note' : 'error',
    message: { text: `${says}: expected ${expected}, found ${found}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uri(file) },
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ fullyQualifiedName: statement.address }],
      },
    ],
    ...(request && {
      webRequest: {
        method: request.method,
        target: request.url,
        headers: Object.fromEntries(request.headers),
        ...(request.body !== null && { body: { text: request.body } }),
      },
    }),
    ...(response && {
      webResponse: {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: { text: response.body },
      },
    }),
    ...(curl !== undefined && { properties: { curl } }),
  };
}
