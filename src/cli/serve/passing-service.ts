import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printable } from '../../report/text.ts';
import { isBasic, placeOf } from '../../semantics/access/credential.ts';
import type { Reader } from '../../specification/read.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { count, type Given, type Terminal, text } from '../command.ts';

/** What nobody says about a service, and is made up for this run, and told. */
export interface PassingService {
  readonly given: Given;
  readonly terminal: Terminal;
  /** Lines about what was made up. */
  readonly lines: readonly string[];
  /** Removes what was stored. */
  readonly close: () => void;
}

/**
 * Serves an OpenAPI description without further options: items are kept as long as the service runs, since guesses may
 * change, and each scheme has a credential. Of a document, a scheme has one if only an assumption says that the operator
 * gives them.
 */
export function passingService(
  given: Given,
  { specification, isImported = false, assumptions = [] }: Reader,
  terminal: Terminal,
): PassingService {
  const isKept = !isImported || text(given, 'data') !== undefined || text(given, 'store') !== undefined;
  const folder = isKept ? null : mkdtempSync(join(tmpdir(), 'tacet-'));
  const isGiven =
    text(given, 'credentials') !== undefined || terminal.environment['TACET_CREDENTIALS'] !== undefined;
  const schemes = isGiven ? [] : schemesOfOperator(specification, isImported);
  const secrets = schemes.map((scheme) => [scheme, { caller: randomBytes(12).toString('hex') }] as const);
  const environment = {
    ...terminal.environment,
    ...(secrets.length > 0 && { TACET_CREDENTIALS: JSON.stringify(Object.fromEntries(secrets)) }),
  };
  const base = isImported ? stated(stated(specification.endpoints)?.base) : undefined;
  // Nothing but a guess says of a description that an operation does nothing.
  const isGuessed = assumptions.length > 0;
  const examples = isGuessed ? specification.operations.filter(({ does }) => does.kind === 'none').length : 0;
  const lines = [
    ...(base ? [`  paths    begin with ${printable(base)}`] : []),
    ...(isGuessed
      ? ['  guessed  what operations do, since no OpenAPI description says it (docs/openapi.md)']
      : []),
    ...(examples > 0
      ? [`  example  ${count(examples, 'answer')} from the description, whatever is kept`]
      : []),
    ...secrets.map(([name, { caller }]) => {
      const scheme = stated(stated(stated(specification.authentication)?.schemes)?.get(name));
      return `  secret   ${printable(name)}: curl ${printable(scheme ? sentAs(scheme, caller) : caller)}`;
    }),
    ...(folder === null ? [] : ['  kept     until the service ends; --data FILE keeps it']),
  ];
  return {
    given:
      folder === null ? given : { ...given, values: { ...given.values, data: join(folder, 'data.sqlite') } },
    terminal: { ...terminal, environment },
    lines: lines.map((line) => `${line}\n`),
    close: () => folder !== null && rmSync(folder, { recursive: true, force: true }),
  };
}

/** How curl sends a credential: `-H 'x-key: 5d0e'`. */
function sentAs(scheme: Scheme, secret: string): string {
  if (isBasic(scheme)) return `-u caller:${secret}`;
  const { where, words } = placeOf(scheme) ?? { where: '', words: [] };
  const [place, name = ''] = where.split(' ');
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  if (place === 'header') return `-H ${quoted(`${name}: ${[...words.slice(0, 1), secret].join(' ')}`)}`;
  if (place === 'cookie') return `-b ${quoted(`${name}=${secret}`)}`;
  return place === 'query' ? `with ?${encodeURIComponent(name)}=${secret}` : secret;
}

/** The schemes of which the operator gives the credentials, and for which one is made up. */
function schemesOfOperator(
  { authentication }: Reader['specification'],
  isImported: boolean,
): readonly string[] {
  return [...(stated(stated(authentication)?.schemes) ?? [])].flatMap(([name, said]) => {
    const credentials = stated(said)?.credentials;
    if (credentials?.kind !== 'stated' || credentials.value.kind !== 'operator') return [];
    return isImported || credentials.assumed ? [name] : [];
  });
}
