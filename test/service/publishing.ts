import { readFileSync } from 'node:fs';
import type { Running } from './running.ts';

/** The publishing site of `examples/`. */
export function publishing(): string {
  return readFileSync(new URL('../../examples/publishing.md', import.meta.url), 'utf8');
}

export interface Got {
  readonly status: number;
  readonly body: unknown;
  /** The fields of the answer that tell of authentication. */
  readonly challenge: readonly string[];
}

/** Sends a request, with a body in JSON and the value of Authorization, and gives what came back. */
export async function ask(
  { call }: Pick<Running, 'call'>,
  line: string,
  { body, as }: { readonly body?: unknown; readonly as?: string } = {},
): Promise<Got> {
  const [method = '', target = ''] = line.split(' ');
  const answer = await call({
    method,
    target,
    fields: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(as !== undefined && { Authorization: as }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return {
    status: answer.status,
    body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown),
    challenge: answer.fields.flatMap(([name, value]) =>
      name.toLowerCase() === 'www-authenticate' ? [value] : [],
    ),
  };
}

/** The token of an answer that shows an account to itself. */
export function tokenOf({ body }: Got): string {
  return (body as { readonly account: { readonly token: string } }).account.token;
}

export const password = 'correct horse';

/** Makes an account, and gives what its requests carry. */
export async function register(running: Pick<Running, 'call'>, name: string): Promise<string> {
  const account = { email: `${name}@example.org`, name, password: `${password} ${name}` };
  return `Token ${tokenOf(await ask(running, 'POST /accounts', { body: { account } }))}`;
}
