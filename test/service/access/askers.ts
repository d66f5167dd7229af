import type { Specification } from '../../../src/specification/model/specification.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import type { Scheme } from '../../../src/specification/vocabulary/scheme.ts';
import type { Credential } from './oracle.ts';
import type { Carried, Made, Person, Stage } from './stage.ts';

/** A credential as it is sent. */
export interface Sent extends Credential {
  readonly made: Made;
}

/** Who asks, with what. */
export interface Asker {
  readonly person: Person;
  /** The column of the matrix. */
  readonly how: string;
  readonly sent: readonly Sent[];
  /** The word that it is sent after, in place of the stated one. */
  readonly word?: string;
}

/** What is done to a good credential, so that it is good no more. */
const faults: Readonly<Record<string, (credential: string) => string>> = {
  "one of nobody's": (text) => inPair(text, unknown, unknown),
  'one tampered with at its beginning': (text) => inPair(text, (inner) => changed(inner, 0)),
  'one tampered with': (text) => inPair(text, (inner) => changed(inner, Math.floor(inner.length / 2))),
  'one tampered with at its end': (text) => inPair(text, (inner) => changed(inner, inner.length - 1)),
  'one that was cut': (text) => inPair(text, (inner) => inner.slice(0, -1)),
  'one with more behind it': (text) => inPair(text, (inner) => `${inner}A`),
  'an empty one': () => '',
};

function changed(text: string, at: number): string {
  return text.slice(0, at) + (/a/i.test(text[at] ?? '') ? 'B' : 'A') + text.slice(at + 1);
}

/** Of the same form, and nobody has it. */
function unknown(text: string): string {
  return text.replace(/[a-z]/g, 'x').replace(/[A-Z]/g, 'Z').replace(/\d/g, '0');
}

/** A name and a password are changed in the password, or else in the name. */
function inPair(text: string, change: (text: string) => string, ofName = (name: string) => name): string {
  const [, name = '', password = ''] = /^([^:]+):(.*)$/.exec(Buffer.from(text, 'base64').toString()) ?? [];
  if (name === '') return change(text);
  const pair = password === '' ? `${change(name)}:` : `${ofName(name)}:${change(password)}`;
  return Buffer.from(pair).toString('base64');
}

const good = ({ scheme, credential, actor, scopes }: Person): Sent => ({
  scheme,
  made: credential,
  actor,
  ...(scopes && { scopes }),
});

/** Everybody with a good credential, and for each scheme all that may be sent in the place of one. */
export function askersOf(people: readonly Person[], stage: Stage): Asker[] {
  const holders = people.filter(({ over }) => !over);
  const first = holders.filter((one, at) => holders.findIndex(({ scheme }) => scheme === one.scheme) === at);
  const [somebody] = people;
  return [
    ...people.map((person) => ({
      person,
      how: person.over ?? 'a good one',
      sent: [person.over ? wrong(person, person.credential) : good(person)],
    })),
    ...first.flatMap((person) => faulty(person, stage)),
    ...first.flatMap((person) => others(person, first)),
    ...pairs(first, stage),
    ...first.flatMap((person) => afterAnotherWord(person, stage)),
    ...(somebody ? [{ person: somebody, how: 'none', sent: [] }] : []),
  ];
}

const wrong = ({ scheme }: Person, made: Made): Sent => ({ scheme, made, actor: null });

/** One that was changed, or one that was never good: of a token, as whoever signs them makes it. */
function faulty(person: Person, { tokens = {} }: Stage): Asker[] {
  const { scheme, credential } = person;
  const of = Object.entries(tokens[scheme] ?? {}).map(([how, { made, isGood }]) => ({
    person,
    how,
    sent: [isGood ? { ...good(person), made } : wrong(person, made)],
  }));
  const changes = Object.entries(faults).map(([how, change]) => ({
    person,
    how,
    sent: [wrong(person, async () => change(await textOf(credential)))],
  }));
  // The last letter of what is signed may hold bits that are no part of the signature (RFC 4648 §3.5).
  return [...of, ...changes.filter(({ how }) => of.length === 0 || how !== 'one tampered with at its end')];
}

/** The credentials of the two next schemes, in the place of this one. */
function others(person: Person, first: readonly Person[]): Asker[] {
  const at = first.indexOf(person);
  return [...first.slice(at + 1), ...first.slice(0, at)].slice(0, 2).map(({ credential }) => ({
    person,
    how: 'one of another scheme',
    sent: [wrong(person, credential)],
  }));
}

/** Credentials of two schemes at once: of each and the next that stands elsewhere, and of those that belong together. */
function pairs(first: readonly Person[], { carry, together = [] }: Stage): Asker[] {
  const fieldsOf = ({ scheme }: Person): readonly string[] => Object.keys(carry[scheme]?.('').fields ?? {});
  const isApart = (one: Person, other: Person): boolean =>
    one !== other && fieldsOf(one).every((name) => !fieldsOf(other).includes(name));
  const next = first.flatMap((one, index) => {
    const other = [...first.slice(index + 1), ...first.slice(0, index)].find((two) => isApart(one, two));
    return other ? [[one, other] as const] : [];
  });
  const named = together.flatMap(([a, b]) => {
    const [one, other] = [a, b].map((name) => first.find(({ scheme }) => scheme === name));
    return one && other ? [[one, other] as const] : [];
  });
  const both = new Map(
    [...next, ...named].map((pair) => [
      pair
        .map(({ scheme }) => scheme)
        .sort()
        .join(),
      pair,
    ]),
  );
  const spoilt = (person: Person): Sent =>
    wrong(person, async () => inPair(await textOf(person.credential), (text) => changed(text, 0)));
  return [...both.values()].flatMap(([one, other]) => [
    { person: one, how: 'two good ones', sent: [good(one), good(other)] },
    { person: one, how: 'a good one and a wrong one', sent: [good(one), spoilt(other)] },
    { person: one, how: 'a good one and a wrong one', sent: [spoilt(one), good(other)] },
  ]);
}

function afterAnotherWord(person: Person, { carry }: Stage): Asker[] {
  const field = carry[person.scheme]?.('').fields?.['Authorization'];
  return field ? [{ person, how: 'one after another word', sent: [good(person)], word: 'Unstated' }] : [];
}

export async function textOf(made: Made): Promise<string> {
  return typeof made === 'string' ? made : await made();
}

/** The header fields and the query that carry what is sent. */
export async function carriedFor({ sent, word }: Asker, { carry }: Stage): Promise<Carried> {
  const all: Carried[] = [];
  for (const { scheme, made } of sent) all.push(carry[scheme]?.(await textOf(made)) ?? {});
  const fields = Object.assign({}, ...all.map((one) => one.fields)) as Record<string, string>;
  const query = all.flatMap((one) => one.query ?? []).join('&');
  const { Authorization: carried } = fields;
  return {
    fields: word && carried ? { ...fields, Authorization: carried.replace(/^\S+/, word) } : fields,
    ...(query !== '' && { query }),
  };
}

/** The columns that the schemes of a document allow, of which each is to be tried. */
export function columnsOf(of: Specification): ReadonlySet<string> {
  const said = stated(stated(of.authentication)?.schemes) ?? [];
  const schemes = [...said].flatMap(([, one]) => stated(one) ?? []);
  const found = new Set(['none', 'a good one', ...Object.keys(faults)]);
  if (of.operations.some(({ does }) => stated(does)?.verb === 'revoke')) found.add('one that was ended');
  for (const scheme of schemes) for (const how of ofScheme(scheme)) found.add(how);
  if (schemes.every(({ credentials }) => stated(credentials)?.kind === 'foreign'))
    found.delete('one tampered with at its end');
  return found;
}

function ofScheme({ type, credentials: said }: Scheme): readonly string[] {
  const credentials = stated(said);
  const words = stated(type) === 'apiKey' ? [] : ['one after another word'];
  if (credentials?.kind === 'issued' && stated(credentials.life) !== undefined)
    return [...words, 'one that expired'];
  if (credentials?.kind !== 'foreign') return words;
  const algorithms = stated(credentials.algorithms) ?? [];
  const isPublic = algorithms.some((one) => !one.startsWith('HS'));
  return [
    ...[
      ...words,
      'one that expired',
      'one for another audience',
      'one of another issuer',
      'one with other claims',
    ],
    ...['an unsigned one', 'one that another signed', ...(isPublic ? ['one signed with a public key'] : [])],
  ];
}
