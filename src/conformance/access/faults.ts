import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Trial } from '../trial.ts';
import { troupe } from './personas.ts';
import { schemesOf } from './schemes.ts';

/** Makes of a credential one that is not good. */
export type Fault = (credential: string, trial: Trial) => string;

type Named = readonly [what: string, fault: Fault];

const ofAny: readonly Named[] = [
  ['a credential that nobody has', (credential, { random }) => inPair(credential, () => random.letters(24))],
  ['a credential that was changed', (credential) => inPair(credential, changed)],
  ['a credential that was cut', (credential) => inPair(credential, cut)],
];

/** Of a name and a password. */
const ofPair: Named = [
  'a name that nobody has',
  (credential, { random }) => {
    const { password = '' } = pairIn(credential) ?? {};
    return coded(random.letters(24), password);
  },
];

/** Of a token that is signed (RFC 7519): those that are found by nothing but its signature. */
const ofToken: readonly Named[] = [
  [
    'a token whose claims were changed',
    (token) => {
      const { head, claims, signature } = partsOf(token);
      const { exp, ...others } = read(claims);
      return [head, written({ ...others, exp: typeof exp === 'number' ? exp + 1 : 1 }), signature].join('.');
    },
  ],
  [
    'a token that nobody signed',
    (token) => {
      const { head, claims } = partsOf(token);
      return [written({ ...read(head), alg: 'none' }), claims, ''].join('.');
    },
  ],
];

/** What makes a credential of a scheme no good, as its statements tell (language §5.2). @param credential a good one */
export function faultsOf(trial: Trial, scheme: string, credential: string): readonly Named[] {
  const all = schemesOf(trial.of);
  const kindOf = (name: string): string | undefined => stated(all.get(name)?.credentials)?.kind;
  const credentials = stated(all.get(scheme)?.credentials);
  const isJwt = credentials?.kind === 'issued' && stated(credentials.issued) === 'jwt';
  const isToken = (kindOf(scheme) === 'foreign' || isJwt) && isReadable(credential);
  const isPair = pairIn(credential)?.password;
  // What is issued for one scheme is refused for any other.
  const others = [...all.keys()].flatMap((name): Named[] => {
    const holder = troupe(trial).find(({ credentials }) => credentials.has(name));
    if (name === scheme || [name, scheme].some((one) => kindOf(one) !== 'issued') || !holder) return [];
    return [[`a credential of ${name}`, () => holder.credentials.get(name) ?? '']];
  });
  return [...ofAny, ...(isPair ? [ofPair] : []), ...(isToken ? ofToken : []), ...others];
}

/** One character of it another, whatever the case of letters stands for. */
function changed(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (/a/i.test(text[middle] ?? '') ? 'B' : 'A') + text.slice(middle + 1);
}

/** Without its last character; what pads it to a length (RFC 4648 §3.2) says nothing. */
function cut(text: string): string {
  return text.replace(/.=*$/s, '');
}

/** What is name and password is changed in the password. */
function inPair(credential: string, change: (text: string) => string): string {
  const pair = pairIn(credential);
  if (pair === null) return change(credential);
  const { name, password } = pair;
  return password === '' ? coded(change(name), '') : coded(name, change(password));
}

/** Name and password (RFC 7617 §2); null where a credential is none. */
function pairIn(credential: string): { readonly name: string; readonly password: string } | null {
  const text = Buffer.from(credential, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon === -1 || Buffer.from(text).toString('base64') !== credential) return null;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function coded(name: string, password: string): string {
  return Buffer.from(`${name}:${password}`).toString('base64');
}

function partsOf(token: string): {
  readonly head: string;
  readonly claims: string;
  readonly signature: string;
} {
  const [head = '', claims = '', signature = ''] = token.split('.');
  return { head, claims, signature };
}

function isReadable(token: string): boolean {
  const { head, claims } = partsOf(token);
  try {
    return [read(head), read(claims)].every((one) => typeof one === 'object' && one !== null);
  } catch {
    return false;
  }
}

function read(part: string): Readonly<Record<string, Json>> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, Json>;
}

function written(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
