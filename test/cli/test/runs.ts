import type { PlayedExample } from '../../../src/conformance/examples/examples.ts';
import type { Report } from '../../../src/conformance/report.ts';
import type { Result } from '../../../src/conformance/result.ts';
import { countsOf } from '../../../src/conformance/summary.ts';

/** What the results below cite. */
export const document = `# Notes <&>

\`\`\`yaml
tacet: 1
\`\`\`
## Endpoints
\`\`\`yaml
POST /notes:
  response: { status: 201, body: (open) what? }
\`\`\`
`;

const request = {
  method: 'POST',
  url: 'http://127.0.0.1:9/notes',
  headers: [['Content-Type', 'application/json']],
  body: '{"text":"<b>"}',
} as const;

const response = {
  status: 200,
  headers: [['Content-Type', 'text/html']],
  body: '<script>alert(1)</script>',
} as const;

const about = {
  check: 'answer.permitted',
  statement: { address: 'endpoints["POST /notes"].response.status', at: 'notes.md:9:23' },
} as const;

export const violation: Result = {
  ...about,
  says: 'POST /notes answers with 201',
  verdict: 'violates',
  assumed: false,
  expected: 'status 201',
  found: 'status 200',
  request,
  response,
  curl: "curl -sS 'http://127.0.0.1:9/notes'",
  sequence: [
    {
      request: { ...request, method: 'GET', body: null },
      response: { status: 200, headers: [], body: '[]' },
      failure: null,
    },
    { request, response, failure: null },
  ],
};

/** Examples: one answered as its author expects, one otherwise, one not played. */
const exchange = { request, response, failure: null };
const example = { address: 'endpoints["POST /notes"].examples', at: 'notes.md:10:3' };
export const played: readonly PlayedExample[] = [
  { ...example, name: 'add.first', outcome: 'as expected', differences: [], exchange },
  {
    ...example,
    name: 'add.second',
    outcome: 'otherwise',
    differences: [{ where: '/title', expected: '"<i>"', found: '"<b>"' }],
    exchange,
  },
  {
    ...example,
    name: 'add.third',
    outcome: 'not played',
    reason: 'what it asks for is open',
    points: ['endpoints["POST /notes"].does'],
    differences: [],
    exchange: null,
  },
];

/** A result of every verdict, and a violation of what is assumed. */
export const results: readonly Result[] = [
  {
    check: 'answer.permitted',
    statement: { address: 'resources.Note', at: 'notes.md:3:1' },
    says: 'it is so',
    verdict: 'conforms',
    assumed: false,
    expected: 'a',
    found: 'a',
    request,
    response,
    curl: 'curl',
  },
  violation,
  { ...violation, says: 'it is as assumed', assumed: true },
  {
    ...about,
    says: 'it comes about',
    verdict: 'not exercised',
    assumed: false,
    reason: 'no "reason" & <none>\u0000',
  },
  {
    ...about,
    says: 'it is known',
    verdict: 'not stated',
    assumed: false,
    points: ['endpoints["POST /notes"].response.body'],
  },
];

export function reportOf(of: readonly Result[] = results): Report {
  return {
    specification: { file: 'notes.md', name: 'Notes <&>' },
    url: 'http://127.0.0.1:9',
    seed: 1,
    began: '2026-11-21T12:00:00.000Z',
    requests: 2,
    tookMs: 1500,
    counts: countsOf(of),
    results: of,
    sequences: [],
    unnoticed: [],
    inventions: [
      {
        kind: 'header field',
        operation: 'POST /notes',
        name: 'X-Powered-By',
        exchange: { request, response, failure: null },
        times: 3,
      },
    ],
    examples: played,
    cutShort: null,
    inOrder: false,
  };
}
