import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';
import type { Status } from '../../src/report/status.ts';
import { parts } from '../../src/specification/reading/address.ts';
import type { Sent } from './accountant.ts';
import { bench, isReadable, reader } from './running.ts';

const { serving, file, end } = bench();
afterAll(end);

/** A document that covers all nine parts and states nothing in any of them. */
const founding = `# Service specification

Each part below records that it is open, so that nobody needs to make anything up.

## What the service does

Purpose, actors and scope: not shown.

## Resources and their fields

Resources, identifiers, field names, types, formats and allowed values: not shown.

## States and transitions

States and transitions: not shown.

## Endpoints

Methods, path shapes, request and response payload shapes: not shown.

## Authentication

Scheme, credentials and header names: not shown.

## Events

Kinds of event, their payloads and the operations that emit them: not shown.

## Errors

Error codes, status codes, payload shape and the conditions that cause them: not shown.

## Limits

Rate limits, size limits, time-outs and defaults: not shown.

## Versioning

Scheme and its place in requests: not shown.
`;

/** Runs the command line, and gives its exit code and what it printed. */
async function run(...argv: readonly string[]): Promise<{ code: number; out: string; error: string }> {
  const printed = { out: '', error: '' };
  const terminal: Terminal = {
    out: (text) => {
      printed.out += text;
    },
    error: (text) => {
      printed.error += text;
    },
    environment: {},
    colours: false,
    ended: new AbortController().signal,
  };
  return { code: await main(argv, terminal), ...printed };
}

describe('a document in which all nine parts are open', () => {
  it('has no fault', () => {
    expect(reader(founding).diagnostics).toEqual([]);
    expect(isReadable(reader(founding))).toBe(true);
  });

  it('is reported as nine open parts, in which no point is stated', async () => {
    const document = `${file()}.md`;
    writeFileSync(document, founding);
    const { code, out, error } = await run('status', document, '--json');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const status = JSON.parse(out) as Status;
    expect(status.parts.map(({ part, state }) => ({ part, state }))).toEqual(
      parts.map((part) => ({ part, state: 'open' })),
    );
    const points = status.parts.flatMap((part) => part.points);
    expect(points.length).toBeGreaterThan(parts.length);
    expect(points.filter((point) => point.state !== 'open' || point.holds.length > 0)).toEqual([]);

    const schema = JSON.parse(
      readFileSync(new URL('../../schemas/status.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ strict: true }).compile(schema);
    expect(validate(status), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ parts: status.parts.slice(1) })).toBe(false);
  });

  const asked = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'].flatMap((method) =>
    ['/', '/todos', '/a/b?c=d', '//', '/index.html'].map((target): Sent => {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{"title":"a"}' : null;
      const cors = { Origin: 'http://elsewhere.test', 'Access-Control-Request-Method': 'GET' };
      return { method, target, body, fields: { 'Content-Type': 'application/json', Accept: '*/*', ...cors } };
    }),
  );

  it(`is served as nothing: ${asked.length} requests are answered by the floor, and nothing is kept`, () =>
    serving(founding, async ({ call, rows, held }) => {
      const before = await rows();
      for (const sent of asked) {
        const { status, fields, body } = await call(sent);
        // RFC 9110 §15.5.5, §6.6.1, §8.6.
        expect({ sent, status, body }).toEqual({ sent, status: 404, body: '' });
        expect(fields.map(([name]) => name).sort()).toEqual(['Content-Length', 'Date']);
        expect(fields).toContainEqual(['Content-Length', '0']);
        expect(fields.find(([name]) => name === 'Date')?.[1]).toMatch(
          /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/,
        );
      }
      expect(held()).toEqual([]);
      expect(await rows()).toEqual(before);
      // What the store says of itself, and nothing of a resource.
      expect(before.map(([name]) => name)).toEqual(['tacet', 'tacet_latest', 'indexes']);
      expect(before[0]?.[1]).toEqual([]);
    }));

  it('is served as nothing to a client whose path cannot be decoded', () =>
    serving(founding, async ({ call }) => {
      const { status, fields, body } = await call({ method: 'GET', target: '/%zz', fields: {}, body: null });
      expect({ status, body }).toEqual({ status: 400, body: '' });
      expect(fields.map(([name]) => name).sort()).toEqual(['Content-Length', 'Date']);
    }));
});
