import { type GivenCredentials, secretsIn } from '../../conformance/access/given.ts';
import type { PlayedExample } from '../../conformance/examples/examples.ts';
import type { Exchange, Header, Request, Response } from '../../conformance/http.ts';
import type { Result } from '../../conformance/result.ts';
import { contentWith } from '../../conformance/sequences/hiding.ts';
import type { Reporter, RunEvent } from '../../conformance/stream.ts';
import type { Specification } from '../../specification/model/specification.ts';

type Rewrite = (text: string) => string;

/** A reporter that is told names in the place of the secrets that were given: reports are kept, and shown to others. */
export function hiding(of: Specification, given: GivenCredentials, reporter: Reporter): Reporter {
  const pairs = secretsIn(of, given).flatMap(([name, secret]) =>
    spellings(secret).map((one) => [one, name] as const),
  );
  if (pairs.length === 0) return reporter;
  const hide: Rewrite = (text) => pairs.reduce((so, [secret, name]) => so.replaceAll(secret, name), text);
  return (event) => reporter(hidden(event, hide));
}

/** A secret as it may be written: as it is, in JSON, in an address, and in a shell's quotation marks. */
function spellings(secret: string): string[] {
  const all = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll("'", "'\\''"),
  ];
  return [...new Set(all)].filter((one) => one !== '');
}

function hidden(event: RunEvent, hide: Rewrite): RunEvent {
  switch (event.kind) {
    case 'exchange':
      return { ...event, exchange: ofExchange(event.exchange, hide) };
    case 'result':
      return { ...event, result: ofResult(event.result, hide) };
    case 'sequence':
      return { ...event, exchanges: event.exchanges.map((one) => ofExchange(one, hide)) };
    case 'invention':
      return { ...event, invention: withExchange(event.invention, hide) };
    case 'example':
      return { ...event, example: ofExample(event.example, hide) };
    case 'run ends':
      return {
        ...event,
        inventions: event.inventions.map((one) => withExchange(one, hide)),
        examples: event.examples.map((one) => ofExample(one, hide)),
      };
    default:
      return event;
  }
}

function withExchange<T extends { readonly exchange: Exchange }>(of: T, hide: Rewrite): T {
  return { ...of, exchange: ofExchange(of.exchange, hide) };
}

function ofExample(example: PlayedExample, hide: Rewrite): PlayedExample {
  const { differences, exchange } = example;
  return {
    ...example,
    differences: differences.map((one) => ({ ...one, expected: hide(one.expected), found: hide(one.found) })),
    exchange: exchange && ofExchange(exchange, hide),
  };
}

function ofResult(result: Result, hide: Rewrite): Result {
  const { expected, found, request, response, curl, sequence } = result;
  return {
    ...result,
    ...(expected !== undefined && { expected: hide(expected) }),
    ...(found !== undefined && { found: hide(found) }),
    ...(request && { request: ofRequest(request, hide) }),
    ...(response && { response: ofResponse(response, hide) }),
    ...(curl !== undefined && { curl: hide(curl) }),
    ...(sequence && { sequence: sequence.map((one) => ofExchange(one, hide)) }),
  };
}

function ofExchange({ request, response, failure }: Exchange, hide: Rewrite): Exchange {
  return { request: ofRequest(request, hide), response: response && ofResponse(response, hide), failure };
}

function ofRequest(request: Request, hide: Rewrite): Request {
  const { base64: _, ...others } = request;
  const { url, headers } = request;
  return { ...others, url: hide(url), headers: fields(headers, hide), ...contentWith(request, hide) };
}

function ofResponse({ status, headers, body }: Response, hide: Rewrite): Response {
  return { status, headers: fields(headers, hide), body: hide(body) };
}

function fields(headers: readonly Header[], hide: Rewrite): readonly Header[] {
  return headers.map(([name, value]) => [name, hide(value)] as const);
}
