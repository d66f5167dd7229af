import { describe, expect, it } from 'vitest';
import {
  doors,
  type House,
  house,
  houseOf,
  type Person,
  passwordOf,
  userPass,
  type Way,
  ways,
} from './doors.ts';
import type { Answer } from './served.ts';

const hour = 3_600_000;

/** A credential of a way, with what is the matter with it; undefined: there is none such. */
type Kinds = Readonly<Record<string, (way: Way) => string | undefined>>;

const issued: readonly Way[] = ['cookie', 'bearer', 'pass'];

/** People whose credentials are good no more, each for a reason of its own, and one whose are. */
async function kindsOf({ enter, knock, pass, service }: House): Promise<{ good: Person; kinds: Kinds }> {
  const late = await enter('late');
  pass(hour);
  const [good, other, gone, ended] = [
    await enter('good'),
    await enter('other'),
    await enter('gone'),
    await enter('ended'),
  ];
  expect((await knock(`DELETE /people/${gone.id}`, {})).status).toBe(204);
  for (const way of issued) {
    const by = { [way]: ended.credentials[way] };
    expect((await knock(`DELETE /${way}`, by)).status).toBe(204);
    expect((await knock(`DELETE /${way}`, by)).status).toBe(401);
  }
  expect(service.faults).toEqual([]);
  const ofIssued = (person: Person) => (way: Way) =>
    issued.includes(way) ? person.credentials[way] : undefined;
  const kinds: Kinds = {
    'a wrong one': (way) => (way === 'basic' ? userPass('good', passwordOf('other')) : 'no-such-credential'),
    "somebody's whom nobody knows": (way) =>
      way === 'basic' ? userPass('nobody', passwordOf('good')) : undefined,
    'one that was tampered with': (way) => tampered(good.credentials[way], way),
    'one that was cut': (way) => good.credentials[way].slice(0, -2),
    'one that expired': ofIssued(late),
    'one that was revoked': ofIssued(ended),
    'one of somebody who went': (way) => gone.credentials[way],
    'one for another scheme': (way) =>
      issued.includes(way) ? good.credentials[issued.find((one) => one !== way) as Way] : other.id,
    'an empty one': () => '',
  };
  return { good, kinds };
}

function tampered(credential: string, way: Way): string {
  if (way === 'basic') return userPass('good', `${passwordOf('good')}.`);
  if (way === 'named') return userPass(tampered(Buffer.from(credential, 'base64').toString(), 'header'), '');
  const middle = Math.floor(credential.length / 2);
  return (
    credential.slice(0, middle) + (credential[middle] === 'A' ? 'B' : 'A') + credential.slice(middle + 1)
  );
}

const seen = ({ status, body }: Answer): readonly [number, unknown] => [
  status,
  (body as { code?: unknown; who?: unknown }).code ?? (body as { who?: unknown }).who,
];

describe('the matrix of doors and credentials (language §5)', () => {
  it('lets in whoever has one that the rule admits, and nobody else', async () => {
    const place = await houseOf(house());
    const { good, kinds } = await kindsOf(place);
    const cells: string[] = [];
    const wrong: unknown[] = [];
    for (const [door, lists] of Object.entries(doors))
      for (const way of ways) {
        const admitted = lists ?? ways.map((one) => [one]);
        const whole = admitted.filter((all) => all.every((one) => one === way));
        const cell = async (what: string, credential: string, ifWhole: readonly [number, unknown]) => {
          cells.push(`${door} ${way} ${what}`);
          const expected = whole.length > 0 ? ifWhole : [401, 'missing'];
          const found = seen(await place.knock(`GET /${door}`, { [way]: credential }));
          if (JSON.stringify(found) !== JSON.stringify(expected))
            wrong.push({ door, way, what, expected, found });
        };
        // A query in which nobody stated a parameter is refused, and this one part 5 states.
        await cell('a good one', good.credentials[way], [200, 'good']);
        for (const [what, make] of Object.entries(kinds)) {
          const credential = make(way);
          if (credential !== undefined) await cell(what, credential, [401, 'wrong']);
        }
      }
    expect(wrong).toEqual([]);
    expect(cells.length).toBeGreaterThan(500);
    for (const door of Object.keys(doors))
      expect(seen(await place.knock(`GET /${door}`, {}))).toEqual([401, 'missing']);
    expect(place.service.faults).toEqual([]);
  });

  it('wants all of those that are wanted together', async () => {
    const place = await houseOf(house());
    const { good, kinds } = await kindsOf(place);
    const { header, basic, query, cookie, bearer } = good.credentials;
    const knock = async (line: string, by: Parameters<House['knock']>[1]) =>
      seen(await place.knock(line, by));
    expect(await knock('GET /both', { header, basic })).toEqual([200, 'good']);
    expect(await knock('GET /mixed', { query, cookie })).toEqual([200, 'good']);
    expect(await knock('GET /mixed', { query, bearer })).toEqual([200, 'good']);
    for (const make of Object.values(kinds)) {
      const [key, user] = [make('header'), make('basic')];
      if (key !== undefined) expect(await knock('GET /both', { header: key, basic })).toEqual([401, 'wrong']);
      if (user !== undefined)
        expect(await knock('GET /both', { header, basic: user })).toEqual([401, 'wrong']);
    }
  });

  it('tells whoever it sends away what the schemes are that the rule admits, and nothing to others', async () => {
    const { knock } = await houseOf(house());
    const challenges = async (line: string): Promise<string[]> => {
      const { fields } = await knock(line, {});
      return fields.flatMap((one) => (one.startsWith('WWW-Authenticate: ') ? [one.slice(18)] : []));
    };
    expect(await challenges('GET /basic')).toEqual(['Basic realm="house"']);
    expect(await challenges('GET /either')).toEqual(['Cookie', 'Key', 'Pass']);
    expect((await challenges('GET /every')).length).toBe(ways.length);
    expect(await challenges('GET /open')).toEqual([]);
    expect(await challenges('GET /nowhere')).toEqual([]);
  });

  it('takes any of several words before a credential, in any letter case, and no other', async () => {
    const { enter, service } = await houseOf(house());
    const { credentials } = await enter('ada');
    const { ask } = await import('./served.ts');
    const by = async (field: string) => (await ask(service, 'GET /pass', undefined, [field])).status;
    for (const word of ['Pass', 'pass', 'ENTRY', 'Entry  '])
      expect(await by(`Authorization: ${word} ${credentials.pass}`)).toBe(200);
    for (const word of ['Bearer', 'Passport', 'Pass,', ''])
      expect(await by(`Authorization: ${word} ${credentials.pass}`)).toBe(401);
    expect(await by(`Authorization: Pass${credentials.pass}`)).toBe(401);
    expect(await by(`Authorization: Pass ${credentials.pass} ${credentials.pass}`)).toBe(401);
    expect(await by(`X-Forwarded-User: ada`)).toBe(401);
  });
});

describe('a door that stands open', () => {
  it('knows who comes by a good credential, and refuses or passes over a wrong one as is stated', async () => {
    for (const wrong of ['refuse', 'ignore']) {
      const place = await houseOf(house({ wrong }));
      const { good, kinds } = await kindsOf(place);
      expect(seen(await place.knock('GET /open', {}))).toEqual([200, 'nobody']);
      for (const way of ways) {
        expect(seen(await place.knock('GET /open', { [way]: good.credentials[way] }))).toEqual([200, 'good']);
        for (const make of Object.values(kinds)) {
          const credential = make(way);
          if (credential === undefined) continue;
          const found = seen(await place.knock('GET /open', { [way]: credential }));
          expect(found).toEqual(wrong === 'refuse' ? [401, 'wrong'] : [200, 'nobody']);
        }
      }
      // Where one is needed, a wrong one is refused whatever is stated for where none is.
      expect(seen(await place.knock('GET /bearer', { bearer: 'x' }))).toEqual([401, 'wrong']);
    }
  });
});

describe('credentials of more than one scheme', () => {
  it('are refused where that is stated, but those that are wanted together', async () => {
    const place = await houseOf(house({ several: 'refuse' }));
    const { header, basic, cookie, pass, query } = (await place.enter('ada')).credentials;
    const knock = async (line: string, by: Parameters<House['knock']>[1]) =>
      seen(await place.knock(line, by));
    expect(await knock('GET /either', { header, cookie })).toEqual([401, 'wrong']);
    expect(await knock('GET /either', { header, pass })).toEqual([401, 'wrong']);
    expect(await knock('GET /either', { header })).toEqual([200, 'ada']);
    expect(await knock('GET /both', { header, basic })).toEqual([200, 'ada']);
    expect(await knock('GET /open', { header, query })).toEqual([401, 'wrong']);
  });

  it('are judged by the first in the order of the schemes where that is stated', async () => {
    const place = await houseOf(house({ several: 'first' }));
    const [ada, bob] = [(await place.enter('ada')).credentials, (await place.enter('bob')).credentials];
    const knock = async (by: Parameters<House['knock']>[1]) => seen(await place.knock('GET /either', by));
    expect(await knock({ header: ada.header, pass: bob.pass })).toEqual([200, 'ada']);
    expect(await knock({ header: 'x', pass: bob.pass })).toEqual([401, 'wrong']);
    expect(await knock({ cookie: ada.cookie, pass: 'x' })).toEqual([200, 'ada']);
  });
});
