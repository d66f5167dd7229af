import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { listening, type Running } from '../listening.ts';
import { specificationOf } from './documents.ts';

const document = `
name: notes
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: (any) } }, text: { type: string, maxLength: 20 } }
    required: [text]
endpoints:
  protocol: RFC 9110
  others: refuse
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
states: (none)
authentication: (none)
events: (none)
errors:
  payload: (none)
  codes:
    malformed: { when: malformed, status: 400 }
    invalid: { when: invalid, status: 422 }
limits: (none)
versioning: (none)
`;

/** A service that answers what RFC 9110 has statuses for (404, 405, 415) with 400. */
function status(request: IncomingMessage, content: string): number {
  if (request.url !== '/notes' || request.method !== 'POST') return 400;
  if (request.headers['content-type'] !== 'application/json') return 400;
  let text: unknown;
  try {
    text = (JSON.parse(content) as { text?: unknown } | null)?.text;
  } catch {
    return 400;
  }
  return typeof text === 'string' && [...text].length <= 20 ? 201 : 422;
}

let running: Running;
let results: readonly Result[];

beforeAll(async () => {
  let made = 0;
  const server = createServer((request, response) => {
    let content = '';
    request.on('data', (chunk: Buffer) => {
      content += chunk.toString();
    });
    request.on('end', () => {
      const code = status(request, content);
      if (code !== 201) return response.writeHead(code).end();
      made += 1;
      const note = { id: String(made), text: (JSON.parse(content) as { text: string }).text };
      return response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(note));
    });
  });
  running = await listening(server);
  const report = await testService(specificationOf(document, 'notes.yaml'), { url: running.url, seed: 1 });
  results = report.results;
});
afterAll(() => running.close());

describe('a stated protocol is a statement (language §4.1, H.4)', () => {
  it.each([
    ['an unknown path', /a path that no endpoint has, is answered/, 404],
    ['an unlisted method', /\/notes, which no endpoint has, is answered with the status/, 405],
    ['an unsupported media type', /content of the media type text\/plain is answered/, 415],
  ])('%s', (_, says, expected) => {
    const found = results.filter((one) => one.check === 'refusal.status' && says.test(one.says));
    expect(found).toMatchObject([
      {
        verdict: 'violates',
        assumed: false,
        statement: { address: 'endpoints.protocol' },
        expected: `status ${expected}`,
      },
    ]);
  });

  it('is not marked as assumed anywhere', () => {
    expect(results.filter(({ assumed }) => assumed)).toEqual([]);
  });
});
