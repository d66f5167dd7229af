import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What one run of a tool found. */
export interface SarifRun {
  readonly version: string;
  /** A `reportingDescriptor` each (SARIF §3.49); results refer to them by `id`. */
  readonly rules: readonly { readonly id: string }[];
  /** A `result` each (SARIF §3.27). */
  readonly results: readonly { readonly ruleId: string }[];
  /** Why the tool did not come to its end; left out where it did. */
  readonly failure?: string;
}

/**
 * A log in SARIF 2.1.0, of one run:
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
 */
export function sarifLog({ version, rules, results, failure }: SarifRun): string {
  const places = new Map(rules.map(({ id }, index) => [id, index]));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'tacet', semanticVersion: version, rules } },
        columnKind: 'utf16CodeUnits',
        ...(failure !== undefined && { invocations: [unsuccessful(failure)] }),
        results: results.map(({ ruleId, ...result }) => ({
          ruleId,
          ruleIndex: places.get(ruleId),
          ...result,
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** An `invocation` (SARIF §3.20). */
function unsuccessful(text: string) {
  return {
    executionSuccessful: false,
    toolExecutionNotifications: [{ level: 'error', message: { text } }],
  };
}

/** A name of a file as a URI reference: relative as it was given, percent-encoded (RFC 3986 §4.2). */
export function uri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.toWellFormed().split(sep).map(encodeURIComponent).join('/');
}
