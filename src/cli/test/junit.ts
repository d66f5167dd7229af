import type { Report } from '../../conformance/report.ts';
import type { Result } from '../../conformance/result.ts';
import { byPart } from '../../conformance/summary.ts';
import { causesOf } from '../../conformance/verdicts/causes.ts';
import { plain } from '../../source/diagnostic.ts';
import { escaped } from '../html/escaping.ts';
import { placeOf } from './place.ts';
import { causeLine } from './summary/causes.ts';

/**
 * JUnit XML as CI systems read it (https://github.com/testmoapp/junitxml): a suite a part, a case a check. A check that
 * was not exercised, or hangs on open points, or violates an assumption alone, is skipped, with the reason. The properties
 * tell of the causes of violations, a line each.
 *
 * @param examples a case each; one that is answered otherwise is skipped
 */
export function junit(report: Report, examples: readonly Result[] = []): string {
  const { specification, url, seed, began, requests, tookMs, cutShort } = report;
  const results = [...report.results, ...examples];
  const name = specification.name || specification.file;
  const suites = [...byPart(results)].map(([part, group]) => suite(part, group, began));
  const all = tally(results);
  const more = cutShort === null ? all : { ...all, tests: all.tests + 1, errors: 1 };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites${attributes({ name, ...more, time: tookMs / 1000, timestamp: began })}>\n`,
    `  <properties>\n${property('url', url)}${property('seed', seed)}${property('requests', requests)}${causes(report)}  </properties>\n`,
    ...suites,
    cutShort === null ? '' : notAll(cutShort, began),
    '</testsuites>\n',
  ].join('');
}

function causes({ results, sequences }: Report): string {
  return causesOf(results, sequences)
    .map((cause, index) => property(`cause ${index + 1}`, causeLine(cause, plain)))
    .join('');
}

function property(name: string, value: string | number): string {
  return `    <property${attributes({ name, value })}/>\n`;
}

function suite(part: string, results: readonly Result[], timestamp: string): string {
  return `  <testsuite${attributes({ name: part, ...tally(results), time: 0, timestamp })}>\n${results.map(testcase).join('')}  </testsuite>\n`;
}

/** What stands for all that was not tested. */
function notAll(message: string, timestamp: string): string {
  const name = 'all is tested';
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 };
  return `  <testsuite${attributes({ name, ...counts, time: 0, timestamp })}>\n    <testcase${attributes({ name, classname: name, time: 0 })}>\n      <error${attributes({ message })}/>\n    </testcase>\n  </testsuite>\n`;
}

function tally(results: readonly Result[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const states = results.map(stateOf);
  const of = (state: string): number => states.filter((one) => one === state).length;
  return { tests: results.length, failures: of('failure'), errors: 0, skipped: of('skipped') };
}

function stateOf({ verdict, assumed }: Result): 'passed' | 'failure' | 'skipped' {
  if (verdict === 'conforms') return 'passed';
  return verdict === 'violates' && !assumed ? 'failure' : 'skipped';
}

function testcase(result: Result): string {
  const { says, check, statement, verdict, assumed } = result;
  const { file, line } = placeOf(statement.at);
  const name = `${says}${assumed ? ' (assumed)' : ''}`;
  const head = `    <testcase${attributes({ name, classname: statement.address, file, line, time: 0 })}`;
  const state = stateOf(result);
  if (state === 'passed') return `${head}/>\n`;
  const { expected = '', found = '', reason, points = [] } = result;
  if (state === 'failure') {
    const message = `expected ${expected}, found ${found}`;
    return `${head}>\n      <failure${attributes({ message, type: check })}>${escaped(details(result), 'xml')}</failure>\n    </testcase>\n`;
  }
  const why = reason ?? points.join(', ');
  const message =
    verdict === 'violates'
      ? `violates what is assumed: expected ${expected}, found ${found}`
      : `${verdict}: ${why}`;
  return `${head}>\n      <skipped${attributes({ message })}/>\n    </testcase>\n`;
}

function details({ says, statement, expected, found, response, curl }: Result): string {
  const answer = response ? `${response.status} ${response.body}` : 'none';
  return [
    says,
    `statement ${statement.address} ${statement.at}`,
    `expected  ${expected}`,
    `found     ${found}`,
    `answer    ${answer}`,
    `again     ${curl}`,
  ].join('\n');
}

function attributes(of: Readonly<Record<string, string | number>>): string {
  return Object.entries(of)
    .map(
      ([name, value]) =>
        ` ${name}="${escaped(String(value), 'xml').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`,
    )
    .join('');
}
