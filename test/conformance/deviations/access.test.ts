import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { implementing } from '../../../src/conformance/deviations/deviation.ts';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import type { Credential } from '../../../src/semantics/access/credential.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import { answerTo } from '../../../src/semantics/judge/permitted.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Json } from '../../../src/source/node.ts';
import { signed } from '../../semantics/tokens.ts';
import { specificationOf } from '../../service/served.ts';
import { asking } from './asking.ts';

const text = readFileSync('test/semantics/gate.yaml', 'utf8');
const gate = specificationOf(text.replace('\nlimits:', '\n  order: listed\nlimits:'));

interface Sent {
  readonly operation: string;
  readonly credentials?: readonly Credential[];
  readonly content?: Json;
  readonly path?: Readonly<Record<string, string>>;
}
type Body = Readonly<Record<string, string>>;

/** The statuses of the answers: of a right implementation, and of one that deviates. */
function statuses(
  name: string,
  next: (before: readonly Body[]) => Sent | null,
): readonly (readonly number[])[] {
  const deviation = deviationsOf(gate).find((each) => nameOf(each) === name);
  if (deviation === undefined) throw new TypeError(`no deviation: ${name}`);
  return [implementing(gate), deviation.implementation()].map((implementation) => {
    let world = new World(gate);
    const good = { iss: 'https://partner.example', aud: 'gate', sub: 'ada', exp: 4_000_000_000, scope: 'x' };
    const tokens = [good, { ...good, aud: 'x' }, { ...good, iss: 'x' }].map((claims) => signed(claims));
    world.operators = tokens.map((secret) => ({ scheme: 'partner', name: 'a', secret }));
    const bodies: Body[] = [
      { good: tokens[0] as string, aud: tokens[1] as string, iss: tokens[2] as string },
    ];
    const found: number[] = [];
    for (let sent = next(bodies); sent; sent = next(bodies)) {
      const { operation: key, credentials = [], content, path = {} } = sent;
      const operation = gate.operations.find((each) => each.name === key);
      if (operation === undefined) throw new TypeError(`no operation: ${key}`);
      const request = { operation, path, query: {}, headers: {}, credentials, content, url: '' };
      const steps = implementation(world, request);
      const answer = answerTo(steps.at(-1)?.prediction as never);
      if (answer === null) throw new TypeError('nothing is known of the answer');
      world = judge(steps, answer).world as World;
      bodies.push((answer.body ?? {}) as Body);
      found.push(answer.status);
    }
    return found;
  });
}

/** Requests one after the other, each made of the bodies of the answers before. */
const story =
  (...all: readonly ((bodies: readonly Body[]) => Sent)[]) =>
  (bodies: readonly Body[]): Sent | null =>
    all[bodies.length - 1]?.(bodies) ?? null;

const logIn = () => ({ operation: 'logIn', content: { name: 'ada', password: 'lovelace' } });
const by = (
  operation: string,
  scheme: string,
  value: string | undefined,
  more: Partial<Credential> = {},
): Sent => ({
  operation,
  credentials: [{ scheme, value: value ?? '', ...more }],
});

describe('deviations of credentials', () => {
  it('a session is good after it is revoked', () => {
    const name =
      'authentication.schemes.session.credentials.issued: a credential is still good after it is revoked';
    const found = statuses(
      name,
      story(
        logIn,
        ([, b]) => by('logOut', 'session', b?.['session']),
        ([, b]) => by('self', 'session', b?.['session']),
      ),
    );
    expect(found).toEqual([
      [201, 204, 401],
      [201, 204, 200],
    ]);
  });

  it('a token of one scheme is good for another', () => {
    const name = 'authentication.schemes.badge.credentials.issued: a credential of another scheme is good';
    const found = statuses(
      name,
      story(logIn, ([, b]) => by('any', 'badge', b?.['session'])),
    );
    expect(found).toEqual([
      [201, 401],
      [201, 200],
    ]);
  });

  it('a former password is good, with each request and to log in', () => {
    const ada: Credential = { scheme: 'basic', value: 'ada', password: 'lovelace' };
    const change = () => ({ operation: 'change', credentials: [ada], content: { password: 'another' } });
    const self = () => ({ operation: 'self', credentials: [ada] });
    const kept = 'authentication.schemes.basic.credentials.kept: a former value is still good';
    expect(statuses(kept, story(change, self))).toEqual([
      [200, 401],
      [200, 200],
    ]);
    const to = 'endpoints["POST /sessions"].does.by: a former password is still good';
    expect(statuses(to, story(change, logIn))).toEqual([
      [200, 422],
      [200, 201],
    ]);
  });

  it('nobody looks at a signature', () => {
    const changed = ([, b]: readonly Body[]) => by('self', 'pass', `${b?.['pass']}A`, { isMadeUp: true });
    const name = 'authentication.schemes.pass.credentials.algorithm: the signature is not checked';
    expect(statuses(name, story(logIn, changed))).toEqual([
      [201, 401],
      [201, 200],
    ]);
  });

  it.each([
    ['audience', 'aud', 'a token for another is good'],
    ['issuer', 'iss', 'a token of another issuer is good'],
  ])('of %s', (key, claim, says) => {
    const name = `authentication.schemes.partner.credentials.${key}: ${says}`;
    expect(
      statuses(
        name,
        story(([first]) => by('partner', 'partner', first?.[claim])),
      ),
    ).toEqual([[401], [200]]);
  });

  it('scopes are not checked, and one credential will do in place of two', () => {
    const scopes = 'authentication.authorization.reports.schemes: scopes are not checked';
    expect(
      statuses(
        scopes,
        story(([first]) => by('reports', 'partner', first?.['good'])),
      ),
    ).toEqual([[403], [200]]);
    const alone = 'authentication.authorization.both.schemes: one credential will do';
    const basic = () => by('both', 'basic', 'ada', { password: 'lovelace' });
    const missing = statuses(alone, story(basic)).map(([status]) => status);
    expect(missing[1]).toBe(200);
    expect(missing[0]).not.toBe(200);
  });
});

it('the life of a token that can be read by nobody begins again with each use', () => {
  const hourMs = 3_600_000;
  const life = 168;
  const name = 'authentication.schemes.session.credentials.life: each use makes it begin again';
  const names = deviationsOf(gate).map((each) => nameOf(each));
  expect(names.filter((each) => each.endsWith('each use makes it begin again'))).toEqual([name]);
  const deviation = deviationsOf(gate).find((each) => nameOf(each) === name) ?? null;
  const found = (each: typeof deviation, usedAt: readonly number[]): readonly number[] => {
    const ask = asking(gate, each);
    const content = { name: 'ada', password: 'lovelace' };
    const { session } = ask('POST /sessions', 0, { content }).body as Body;
    const credentials = [{ scheme: 'session', value: session ?? '' }];
    return usedAt.map((hours) => ask('GET /me', hours * hourMs, { credentials }).status);
  };
  expect(found(null, [life - 1, life + 1])).toEqual([200, 401]);
  expect(found(deviation, [life - 1, life + 1])).toEqual([200, 200]);
  expect(found(deviation, [life + 1, life + 2])).toEqual([401, 401]);
});
