import { ruleOf } from '../../specification/model/authorization.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';

/** What goes with a 401 (language §5.1, `challenge`). */
export interface Challenge {
  /** Field names and values, flat. */
  readonly fields: readonly string[];
  /** Whether a challenge is stated, so that the floor's status is 401 (language §H.4). */
  readonly isStated: boolean;
}

/** The challenges of the schemes by which an operation may be asked for; null: of all of them. */
export function challengesOf(specification: Specification, operation: Operation | null): Challenge {
  const part = stated(specification.authentication);
  const wanted = part && operation && stated(stated(ruleOf(part, operation))?.schemes)?.flat();
  const schemes = [...((part && stated(part.schemes)) ?? [])].flatMap(([name, said]) => {
    const scheme = stated(said);
    const isAdmitted = !wanted || wanted.some(({ text }) => text === name);
    return scheme && isAdmitted ? [{ name, scheme }] : [];
  });
  return {
    fields: schemes.flatMap(({ name, scheme }) => {
      const text = textOf(name, scheme);
      return text === undefined ? [] : ['WWW-Authenticate', text];
    }),
    isStated: schemes.some(({ scheme }) => stated(scheme.challenge) !== undefined),
  };
}

/** The registered names of schemes (RFC 9110 §16.4.1), as they are written there. */
const registered: Readonly<Record<string, string>> = { basic: 'Basic', bearer: 'Bearer', digest: 'Digest' };

/** The text that is stated; while it is open, the scheme's name alone. Undefined: stated to be none. */
function textOf(name: string, { challenge, prefix, scheme, type }: Scheme): string | undefined {
  if (challenge.kind === 'stated') return challenge.value;
  if (challenge.kind === 'none') return undefined;
  const [word] = stated(prefix) ?? [];
  if (word !== undefined) return word;
  if (['oauth2', 'openIdConnect'].includes(stated(type) ?? '')) return 'Bearer';
  const own = stated(scheme);
  return own === undefined ? name : (registered[own.toLowerCase()] ?? own);
}
