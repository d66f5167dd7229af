import type { Specification } from '../../specification/model/specification.ts';
import { type GivenCredentials, secretsIn } from '../access/given.ts';
import type { Request, Response } from '../http.ts';
import type { Sequence, Step } from './sequence.ts';

type Rewrite = (text: string) => string;

/** What stands for the address of the implementation where a sequence is written. */
const address = '{service.url}';

/** Puts names in the place of secrets that were given, and of the address under test. */
export function hidingFrom(of: Specification, given: GivenCredentials, url: string): Rewrite {
  const pairs = [...secretsIn(of, given), [address, url] as const];
  return (text) =>
    pairs.reduce((so, [name, secret]) => (secret === '' ? so : so.replaceAll(secret, name)), text);
}

/** The reverse: the secrets and the address in the place of their names. */
export function showingFrom(of: Specification, given: GivenCredentials, url: string): Rewrite {
  const pairs = [...secretsIn(of, given), [address, url] as const];
  return (text) => pairs.reduce((so, [name, secret]) => so.replaceAll(name, secret), text);
}

/** A sequence with every text in it rewritten. */
export function rewritten(sequence: Sequence, rewrite: Rewrite): Sequence {
  const steps = sequence.steps.map(({ request, answer, ...more }): Step => {
    const { method, path, headers } = request;
    const own = {
      method,
      path: rewrite(path),
      headers: fields(headers, rewrite),
      ...contentWith(request, rewrite),
    };
    return { request: own, answer: answer && inAnswer(answer, rewrite), ...more };
  });
  const values = sequence.values.map((one) => ({ ...one, was: rewrite(one.was) }));
  return { ...sequence, steps, values };
}

function inAnswer({ status, headers, body }: Response, rewrite: Rewrite): Response {
  return { status, headers: fields(headers, rewrite), body: rewrite(body) };
}

/** The content of a request, rewritten. Bytes in which nothing is rewritten are kept. */
export function contentWith(
  { body, base64 }: Pick<Request, 'body' | 'base64'>,
  rewrite: Rewrite,
): Pick<Request, 'body' | 'base64'> {
  const text = body && rewrite(body);
  return { body: text, ...(base64 !== undefined && text === body && { base64 }) };
}

function fields(headers: Response['headers'], rewrite: Rewrite): Response['headers'] {
  return headers.map(([name, value]) => [name, rewrite(value)] as const);
}
