import { curl, type Exchange, type Request } from '../../conformance/http.ts';
import type { Report } from '../../conformance/report.ts';
import type { Result } from '../../conformance/result.ts';
import { outcomeOf } from '../../conformance/summary.ts';
import { type Cause, causesOf } from '../../conformance/verdicts/causes.ts';
import { sentence } from '../../conformance/verdicts/sentence.ts';
import { statementCounts } from '../../conformance/verdicts/statements.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { commandsFor, type Run } from './shell/again.ts';

/** How much the summary holds at the most; what is left out is counted. */
const most = { causes: 100, unnoticed: 200, inventions: 100, evidenceBytes: 60_000 } as const;

/** Longer bodies and texts are cut, in characters. */
const longest = { body: 2000, text: 300 } as const;

/** A run in summary: the form of `schemas/test.schema.json`. An element of a list is on a line of its own. */
export function json(report: Report, of: Specification): string {
  const { results, sequences, examples, inventions, unnoticed } = report;
  const causes = causesOf(results, sequences);
  const shown = causes.slice(0, most.causes);
  const violations = shown.map((cause, index) => ({ cause: index + 1, ...violationOf(cause.results[0]) }));
  const evidence = evidenceOf(shown, { report, of, credentials: {} });
  const summary = {
    specification: report.specification,
    url: report.url,
    seed: report.seed,
    began: report.began,
    requests: report.requests,
    tookMs: report.tookMs,
    outcome: outcomeOf(report),
    sentence: sentence(report),
    counts: report.counts,
    causes: shown.map(causeOf),
    violations: violations.map((violation, index) => ({ ...violation, ...evidence[index] })),
    unnoticed: unnoticed.slice(0, most.unnoticed),
    statements: statementCounts(results),
    inventions: inventions
      .slice(0, most.inventions)
      .map(({ exchange, ...invention }) => ({ ...invention, curl: cut(curl(exchange.request), 'body') })),
    examples: examples.map(({ exchange: _, ...example }) => example),
    leftOut: {
      causes: causes.length - shown.length,
      sequences: shown.length - evidence.length,
      unnoticed: Math.max(0, unnoticed.length - most.unnoticed),
      inventions: Math.max(0, inventions.length - most.inventions),
    },
    cutShort: report.cutShort,
    inOrder: report.inOrder,
  };
  return laidOut(summary);
}

function causeOf({ statement, place, operations, exchanges, assumed, results }: Cause, index: number) {
  const [{ check, expected = '', found = '' }] = results;
  return {
    cause: index + 1,
    statement,
    ...(place !== undefined && { place }),
    operations,
    check,
    expected: cut(expected, 'text'),
    found: cut(found, 'text'),
    violations: results.length,
    exchanges,
    assumed,
  };
}

function violationOf({ says, statement, operation, expected = '', found = '' }: Result) {
  return {
    says: cut(says, 'text'),
    statement,
    ...(operation !== undefined && { operation }),
    expected: cut(expected, 'text'),
    found: cut(found, 'text'),
  };
}

/** The requests that lead to the first violation of each cause, as far as there is room. */
function evidenceOf(causes: readonly Cause[], run: Run) {
  const all: { readonly commands?: string; readonly sequence: readonly Exchange[] }[] = [];
  let bytes = 0;
  for (const {
    results: [first],
  } of causes) {
    const { sequence = [], request, response = null } = first;
    const alone = request ? [{ request, response, failure: null }] : [];
    const exchanges = (sequence.length > 0 ? sequence : alone).map(shortened);
    const commands = commandsFor(first, run);
    const evidence = { ...(commands !== undefined && { commands }), sequence: exchanges };
    bytes += JSON.stringify(evidence).length;
    if (bytes > most.evidenceBytes) break;
    all.push(evidence);
  }
  return all;
}

function shortened({ request, response, failure }: Exchange): Exchange {
  return {
    request: { ...withoutBytes(request), body: request.body && cut(request.body, 'body') },
    response: response && { ...withoutBytes(response), body: cut(response.body, 'body') },
    failure,
  };
}

/** Without bytes that are too many. */
function withoutBytes<T extends Pick<Request, 'base64'>>(content: T): T | Omit<T, 'base64'> {
  const { base64 = '', ...others } = content;
  return base64.length > longest.body ? others : content;
}

function cut(text: string, kind: keyof typeof longest): string {
  const rest = text.length - longest[kind];
  return rest <= 0 ? text : `${text.slice(0, longest[kind])}… (${rest} characters more)`;
}

/** JSON that tools read line by line, too. */
function laidOut(summary: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(summary).map(([name, value]) => {
    const lines = Array.isArray(value) ? value.map((each) => `    ${JSON.stringify(each)}`) : [];
    const written = lines.length > 0 ? `[\n${lines.join(',\n')}\n  ]` : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${written}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}
