import { readFileSync } from 'node:fs';
import { exportSPKI, generateKeyPair, type JWTPayload } from 'jose';
import { issuer, token } from '../../issuers.ts';
import {
  type Ask,
  after,
  clock,
  inCookie,
  inHeader,
  inQuery,
  type Made,
  of,
  outsider,
  type Person,
  pair,
  type Stage,
  type Token,
  unused,
} from '../stage.ts';

const text = readFileSync(new URL('../../../documents/asking/archive.yaml', import.meta.url), 'utf8');
const floor = 'https://floor.example.com';
const shared = 'the key of the floor, of 32 bytes or more';
const credentials = { stamp: { office: 'open sesame' }, machine: { floor: shared } };
const hmac = (secret: string) => ({ privateKey: new TextEncoder().encode(secret) });

const office: Person = { ...outsider('stamp', 'office', credentials), credential: credentials.stamp.office };

type Key = Parameters<typeof token>[0];

/** Claims by the time that they are sent. */
const claimsOf = (
  iss: string,
  sub: string,
  more: (seconds: number) => JWTPayload = () => ({}),
): JWTPayload => {
  const seconds = clock.now() / 1000;
  return { iss, aud: 'archive', sub, exp: seconds + 600, scope: 'read write erase', ...more(seconds) };
};

/** What an issuer may make beside what is good: of whom it is, for whom, of what time, and signed by what. */
function tokensOf(
  by: Key,
  header: { readonly alg: string; readonly kid?: string },
  iss: string,
  sub: string,
) {
  const made =
    (more: (seconds: number) => JWTPayload, key = by, other: object = {}): Made =>
    () =>
      token(key, { ...header, ...other }, claimsOf(iss, sub, more));
  const asIs = () => ({});
  const parts = async (): Promise<readonly string[]> =>
    (await (made(asIs) as () => Promise<string>)()).split('.');
  const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokens: Readonly<Record<string, Token>> = {
    'one that expired less than a minute ago': { made: made((now) => ({ exp: now - 59 })), isGood: true },
    'one that expired': { made: made((now) => ({ exp: now - 61 })) },
    'one that never expires': { made: made(() => ({ exp: undefined as never })) },
    'one of later': { made: made((now) => ({ nbf: now + 61 })) },
    'one for this audience among others': {
      made: made(() => ({ aud: ['kitchen', 'archive'] })),
      isGood: true,
    },
    'one for another audience': { made: made(() => ({ aud: 'kitchen' })) },
    'one for no audience': { made: made(() => ({ aud: undefined as never })) },
    'one of another issuer': { made: made(() => ({ iss: `${iss}.example.org` })) },
    'one of no issuer': { made: made(() => ({ iss: undefined as never })) },
    'one with other claims': {
      made: async () => {
        const [head, , signature] = await parts();
        return `${head}.${coded(claimsOf(iss, sub, (now) => ({ exp: now + 601 })))}.${signature}`;
      },
    },
    'an unsigned one': {
      made: async () => `${coded({ ...header, alg: 'none' })}.${(await parts())[1]}.`,
    },
  };
  return { made, tokens };
}

const strangers = generateKeyPair('RS256');

/** Who signs in at an issuer on this machine, who is a machine, and who came before. */
export async function archive(): Promise<Stage> {
  const at = await issuer();
  const [rsa, ec] = [await at.key('rsa'), await at.key('ec', 'ES256')];
  const unlisted = await at.key('unlisted', 'RS512');
  const stranger = await strangers;
  const header = { alg: 'RS256', kid: 'rsa' };
  const ofAda = tokensOf(rsa, header, at.url, 'ada');
  const publicKey = await exportSPKI(rsa.publicKey);
  const ofFloor = tokensOf(hmac(shared), { alg: 'HS256' }, floor, 'scanner 3');
  const same = () => ({});

  const signedIn = (name: string, scopes: readonly string[]): Person => ({
    name,
    actor: { is: name },
    scheme: 'login',
    credential: () =>
      token(
        ec,
        { alg: 'ES256', kid: 'ec' },
        claimsOf(at.url, name, () => ({ scope: scopes.join(' ') })),
      ),
    scopes,
  });
  const opened = async (ask: Ask, by: Person): Promise<string> =>
    (await ask('POST /sessions', by)).at('session');
  const session = ({ name, actor }: Person, credential: Made): Person => ({
    name,
    actor,
    scheme: 'session',
    credential,
  });
  const enter = async (ask: Ask, login: string): Promise<Person> => {
    await ask('POST /people', office, { login });
    return signedIn(login, ['read', 'write', 'erase']);
  };
  let shown: Awaited<ReturnType<typeof document>> | null = null;
  const document = async (owner: Person, ask: Ask) => {
    const id = (await ask('POST /documents', signedIn(owner.name, ['write']), { title: 'Deed' })).at('id');
    return { id, owner: owner.actor['is'], public: false };
  };
  // What nobody takes away serves again.
  const kept = new Map<string, ReturnType<typeof document>>();
  const one = (owner: Person, ask: Ask): ReturnType<typeof document> => {
    const found = kept.get(owner.name) ?? document(owner, ask);
    kept.set(owner.name, found);
    return found;
  };

  return {
    document: text.replaceAll('https://login.example.com', at.url),
    options: { credentials },
    carry: {
      login: after('Bearer'),
      session: inCookie('archive_session'),
      link: inQuery('key'),
      firm: after('Basic'),
      stamp: inHeader('X-Stamp'),
      machine: after('Machine'),
    },
    together: [
      ['session', 'stamp'],
      ['login', 'stamp'],
    ],
    tokens: {
      login: {
        ...ofAda.tokens,
        'one that another signed': { made: ofAda.made(same, stranger) },
        'one signed with a public key': { made: ofAda.made(same, hmac(publicKey), { alg: 'HS256' }) },
        'one signed by what is not listed': {
          made: ofAda.made(same, unlisted, { alg: 'RS512', kid: 'unlisted' }),
        },
        'one of a key that nobody knows': { made: ofAda.made(same, rsa, { kid: 'x' }) },
        'one of somebody whom nobody knows': { made: ofAda.made(() => ({ sub: 'nobody' })) },
      },
      machine: {
        ...ofFloor.tokens,
        'one that another signed': { made: ofFloor.made(same, hmac(`${shared}.`)) },
        'one signed by what is not listed': {
          made: ofFloor.made(same, hmac(shared.repeat(2)), { alg: 'HS512' }),
        },
      },
    },
    people: async (ask, pass) => {
      const [ada, bob, eve] = [await enter(ask, 'ada'), await enter(ask, 'bob'), await enter(ask, 'eve')];
      const late = await opened(ask, ada);
      pass(8 * 3_600_000);
      const [ended, left] = [await opened(ask, ada), await opened(ask, eve)];
      await ask('DELETE /sessions', session(ada, ended));
      await ask('DELETE /people/eve', office);
      const firm = { name: 'Ink', password: 'correct horse' };
      await ask('POST /firms', office, firm);
      shown = await document(ada, ask);
      const key = (await ask(`POST /documents/${shown.id}/links`, ada)).at('key');
      return [
        ada,
        bob,
        signedIn('ada', ['read']),
        signedIn('ada', ['read', 'write']),
        session(ada, () => opened(ask, ada)),
        { ...session(ada, late), over: 'one that expired' },
        { ...session(ada, ended), over: 'one that was ended' },
        { ...session(eve, left), over: 'one of somebody who left' },
        { ...eve, over: 'one of somebody who left' },
        { name: 'a link', actor: { document: shown.id }, scheme: 'link', credential: key },
        {
          name: 'a firm',
          actor: { is: firm.name, name: firm.name },
          scheme: 'firm',
          credential: pair(firm.name, firm.password),
        },
        office,
        { name: 'scanner', actor: { kind: 'scanner' }, scheme: 'machine', credential: ofFloor.made(same) },
      ];
    },
    owners: ({ scopes, over }) => !over && scopes?.length === 3,
    about: {
      enter: () => ({ body: { login: unused('new') } }),
      leave: async (_, __, ask) => {
        const login = unused('gone');
        await ask('POST /people', office, { login });
        return { target: `/people/${login}` };
      },
      admitFirm: () => ({ body: { name: unused('Firm '), password: 'correct horse' } }),
      signIn: () => ({}),
      signOut: () => ({}),
      seeSelf: () => ({}),
      file: () => ({ body: { title: 'Deed' } }),
      listDocuments: async (owner, _, ask) => ({ shows: { ...(await one(owner, ask)) } }),
      // What a link is to is Ada's.
      readDocument: async (owner, asker, ask) =>
        shown && asker.scheme === 'link' && owner.name === 'ada'
          ? of('documents', shown)
          : of('documents', await one(owner, ask)),
      revise: async (owner, _, ask) => ({
        ...of('documents', await one(owner, ask)),
        body: { title: 'Will' },
      }),
      erase: async (owner, _, ask) => of('documents', await document(owner, ask)),
      share: async (owner, _, ask) => {
        const { id, ...rest } = await one(owner, ask);
        return { target: `/documents/${id}/links`, id, names: { document: { is: id, ...rest } } };
      },
      scan: () => ({ body: { title: 'Bill' } }),
      audit: () => ({}),
      news: () => ({}),
    },
  };
}
