import type { Report } from '../../conformance/report.ts';
import type { Result } from '../../conformance/result.ts';
import { type Cause, causesOf } from '../../conformance/verdicts/causes.ts';
import { sarifLog, uri } from '../formats/sarif-log.ts';
import { placeOf } from './place.ts';

/**
 * A log in SARIF 2.1.0 with a result for each cause of violations, the first with the highest rank, and for each example
 * that is answered otherwise, at its place.
 */
export function sarif(report: Report, version: string, examples: readonly Result[] = []): string {
  const otherwise = examples.filter(({ verdict }) => verdict === 'not stated');
  const causes = causesOf(report.results, report.sequences);
  const rules = [
    ...new Set([...causes.map(({ results: [first] }) => first), ...otherwise].map(({ check }) => check)),
  ];
  return sarifLog({
    version,
    rules: rules.sort().map((id) => ({ id })),
    results: [...causes.map(ofCause), ...otherwise.map(resultOf)],
    ...(report.cutShort !== null && { failure: report.cutShort }),
  });
}

/** A cause is told of by its first violation. `rank` goes from 100 to 0 (SARIF 2.1.0 §3.27). */
function ofCause({ results: [first], exchanges, operations }: Cause, index: number, all: readonly Cause[]) {
  const { properties, ...result } = resultOf(first);
  return {
    ...result,
    rank: Math.round(100 * (1 - index / all.length)),
    occurrenceCount: exchanges,
    properties: { ...properties, operations },
  };
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
    properties: { ...(curl !== undefined && { curl }) },
  };
}
