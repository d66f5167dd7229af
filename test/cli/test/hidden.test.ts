import { describe, expect, it } from 'vitest';
import { hiding } from '../../../src/cli/test/hidden.ts';
import type { RunEvent } from '../../../src/conformance/stream.ts';
import { read } from '../../../src/specification/read.ts';
import { reportOf, violation } from './runs.ts';

const { specification } = read(
  'doors.yaml',
  'authentication: { schemes: { door: { type: http, scheme: basic, credentials: operator } } }',
);
const secret = `it's "so" & so`;
const carried = Buffer.from(`porter:${secret}`).toString('base64');

function told(event: RunEvent): string {
  let text = '';
  const reporter = (heard: RunEvent): void => {
    text = JSON.stringify(heard);
  };
  hiding(specification, { door: { porter: secret } }, reporter)(event);
  return text;
}

describe('a report', () => {
  const exchange = {
    request: {
      method: 'GET',
      url: `http://127.0.0.1:9/?a=${encodeURIComponent(secret)}`,
      headers: [['Authorization', `Basic ${carried}`]],
      body: JSON.stringify({ secret }),
    },
    response: { status: 200, headers: [['X-Echo', secret]], body: secret },
    failure: null,
  } as const;
  const { counts, inventions: before, examples: played } = reportOf();
  const inventions = before.map((one) => ({ ...one, exchange }));
  const differences = [{ where: 'body', expected: secret, found: secret }];
  const examples = played.map((one) => ({ ...one, differences, exchange }));
  const events: readonly RunEvent[] = [
    { kind: 'exchange', part: 1, exchange, sentMs: 0, tookMs: 0 },
    {
      kind: 'result',
      part: 1,
      result: {
        ...violation,
        ...exchange,
        expected: secret,
        found: secret,
        curl: `curl -H 'X: ${secret.replaceAll("'", "'\\''")}'`,
        sequence: [exchange],
      },
    },
    ...inventions.map((invention): RunEvent => ({ kind: 'invention', part: 1, invention })),
    ...examples.map((example): RunEvent => ({ kind: 'example', part: 1, example })),
    {
      kind: 'run ends',
      requests: 1,
      tookMs: 0,
      counts,
      unnoticed: [],
      repeated: [],
      inventions,
      examples,
      cutShort: null,
      inOrder: false,
    },
  ];

  it.each(events.map((event) => [event.kind, event] as const))(
    'holds names in the place of secrets that were given: %s',
    (_, event) => {
      const text = told(event);
      expect(text).toContain('{credentials.door.porter}');
      expect(text).toContain('Basic {encoded credentials.door.porter}');
      expect(text).not.toMatch(/so. & so|it's|it'\\|%22so/);
      expect(text).not.toContain(carried);
      expect(JSON.parse(text)).toMatchObject({ kind: event.kind });
    },
  );

  it('is as it is where none were given', () => {
    const reporter = (): void => undefined;
    expect(hiding(specification, {}, reporter)).toBe(reporter);
  });
});
