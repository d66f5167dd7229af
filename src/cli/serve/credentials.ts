import { readFileSync } from 'node:fs';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Given, type Terminal, text, UsageError } from '../command.ts';

/** By scheme, secrets by the names of who has them. */
type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What the options about credentials are for, as the help shows it. */
export const credentialsHelp = `  --credentials FILE
                    the credentials that are the operator's to give (JSON): by scheme, secrets
                    by the names of who has them; or the same text in TACET_CREDENTIALS
`;

/** The credentials that the operator gives, in a file or in the environment. Throws {@link UsageError} where they are none. */
export function credentialsOf(given: Given, { environment }: Pick<Terminal, 'environment'>): Credentials {
  const file = text(given, 'credentials');
  const written = environment['TACET_CREDENTIALS'];
  if (file !== undefined) return parsed(contentOf(file), file);
  return written === undefined ? {} : parsed(written, 'TACET_CREDENTIALS');
}

/**
 * The credentials with which an implementation is tested: each of a scheme that part 5 states. Else every request would be
 * refused, and nothing would be tested.
 *
 * @throws UsageError where one is of no scheme
 */
export function testCredentialsOf(
  given: Given,
  terminal: Pick<Terminal, 'environment'>,
  { authentication }: Specification,
): Credentials {
  const credentials = credentialsOf(given, terminal);
  const said = stated(authentication)?.schemes;
  const names = [...((said && stated(said)) ?? new Map()).keys()];
  const unknown = Object.keys(credentials).find((name) => !names.includes(name));
  if (unknown !== undefined && said?.kind === 'stated')
    throw new UsageError(
      `the credentials name ${unknown}, which is no scheme of part 5: it states ${names.join(', ') || 'none'}`,
    );
  return credentials;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Nothing of what was found is told: it is secret. */
function parsed(content: string, where: string): Credentials {
  let found: unknown;
  try {
    found = JSON.parse(content);
  } catch {
    throw new UsageError(`${where} is no JSON`);
  }
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isRight =
    isMap(found) && Object.values(found).every((one) => isMap(one) && Object.values(one).every(isText));
  if (!isRight) throw new UsageError(`${where} is to be {"SCHEME": {"NAME": "SECRET"}}`);
  return found as Credentials;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
