import { createHmac, randomUUID } from 'node:crypto';
import type { Running } from '../listening.ts';
import { type Answered, type Asked, type Members, Refusal, readJson, serve } from './kit.ts';

/**
 * The service of `test/documents/asking/gate.yaml`, written from the document alone. One fault can be planted in it
 * at a time.
 */

/** A fault against what the document states. */
export const faults = [
  'a refresh token is taken for an access token',
  'an access token is taken for a refresh token',
  'a wrong access token is refused where none is needed',
  'a machine that nobody signed is taken',
  'the claims of a machine are not looked at for a signature',
  'of two credentials the first counts',
  'a password is compared by its first letters',
  'a guard by any name is taken',
  'a password of a guard is compared by its length',
] as const;

export type Fault = (typeof faults)[number];

/** What the operator gives: the guard's password, and the key of the tokens of machines. */
export const guard = { name: 'porter', password: 'open: sesame' };
const key = 'the key of the floor, of 32 bytes or more';

const coded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (part: string): Members => JSON.parse(Buffer.from(part, 'base64url').toString()) as Members;
const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** A token of a machine (RFC 7519). */
export function machineToken(): string {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = `${coded({ alg: 'HS256' })}.${coded({ iss: 'https://floor.example.com', aud: 'gate', sub: 'm3', exp })}`;
  return `${text}.${signatureOf(text)}`;
}

export async function startGate(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const people = new Map<string, string>();
  const tokens = { access: new Map<string, string>(), refresh: new Map<string, string>() };
  const refuse = (status: number, code: string, challenge?: string): Refusal =>
    new Refusal({ status, body: { code }, ...(challenge && { headers: { 'WWW-Authenticate': challenge } }) });
  const after = (word: string, field = ''): string | null => {
    const [found = '', text] = field.split(' ');
    return found.toLowerCase() === word && text !== undefined ? text : null;
  };

  const isMachine = (token: string): boolean => {
    try {
      const [head = '', claims = '', signature] = token.split('.');
      const { alg } = read(head);
      const { iss, aud, exp } = read(claims);
      const isSigned = signature === signatureOf(`${head}.${claims}`) && alg === 'HS256';
      const isSlack =
        has('the claims of a machine are not looked at for a signature') && signature?.length === 43;
      const isLeft = has('a machine that nobody signed is taken') && alg === 'none';
      const isDue = iss === 'https://floor.example.com' && aud === 'gate' && Number(exp) > Date.now() / 1000;
      return isDue && (isSigned || isSlack || isLeft);
    } catch {
      return false;
    }
  };
  const isGuard = (credential: string): boolean => {
    const [name, ...rest] = Buffer.from(credential, 'base64').toString().split(':');
    const password = rest.join(':');
    const isRight =
      password === guard.password ||
      (has('a password is compared by its first letters') && password.slice(0, 4) === 'open') ||
      (has('a password of a guard is compared by its length') && password.length === guard.password.length);
    return isRight && (name === guard.name || has('a guard by any name is taken'));
  };
  /** Who asks by a token of this service. */
  const holder = (kind: 'access' | 'refresh', token: string | null, challenge: string): string => {
    const other = kind === 'access' ? tokens.refresh : tokens.access;
    const isLax = has(
      kind === 'access'
        ? 'a refresh token is taken for an access token'
        : 'an access token is taken for a refresh token',
    );
    if (token === null) throw refuse(401, 'missing', challenge);
    const name = tokens[kind].get(token) ?? (isLax ? other.get(token) : undefined);
    if (name === undefined) throw refuse(401, 'wrong', challenge);
    return name;
  };
  const issue = (kind: 'access' | 'refresh', name: string): string => {
    const token = randomUUID();
    tokens[kind].set(token, name);
    return token;
  };
  const bodyOf = ({ media, content }: Asked): Members => {
    const given = readJson(content);
    if (media !== 'application/json') throw new Refusal({ status: 415 });
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refuse(400, 'malformed');
    const { name, password, ...others } = given as Members;
    if (Object.keys(others).length > 0 || typeof name !== 'string' || typeof password !== 'string')
      throw refuse(422, 'invalid');
    return { name, password };
  };
  /** Where none is needed, a guard's that is wrong is refused. */
  const passGuard = ({ headers }: Asked): void => {
    const credential = after('basic', headers.authorization);
    if (credential !== null && !isGuard(credential)) throw refuse(401, 'wrong', 'Basic');
  };

  const answers: Readonly<Record<string, (asked: Asked) => Answered>> = {
    'POST /people': (asked) => {
      passGuard(asked);
      const { name, password } = bodyOf(asked) as Record<string, string>;
      const fits = (text = '', least: number): boolean => [...text].length >= least && [...text].length <= 40;
      if (!fits(name, 1) || !fits(password, 8)) throw refuse(422, 'invalid');
      if (people.has(name as string)) throw refuse(409, 'taken');
      people.set(name as string, password as string);
      return { status: 201, body: { name } };
    },
    'POST /sessions': (asked) => {
      passGuard(asked);
      const { name, password } = bodyOf(asked) as Record<string, string>;
      if (people.get(name as string) !== password) throw refuse(401, 'no_such', 'Basic');
      return {
        status: 200,
        body: { access: issue('access', name as string), refresh: issue('refresh', name as string) },
      };
    },
    'GET /me': ({ headers }) => ({
      status: 200,
      body: { name: holder('access', after('bearer', headers.authorization), 'Bearer') },
    }),
    'POST /renewals': ({ headers }) => {
      const given = headers['x-refresh'];
      const name = holder('refresh', typeof given === 'string' ? given : null, 'Refresh');
      return { status: 200, body: { access: issue('access', name) } };
    },
    'GET /news': ({ headers }) => {
      const token = after('bearer', headers.authorization);
      const isWrong = token !== null && !tokens.access.has(token);
      if (isWrong && has('a wrong access token is refused where none is needed'))
        throw refuse(401, 'wrong', 'Bearer');
      return { status: 204 };
    },
    'GET /yard': ({ headers }) => {
      const machine = headers['x-machine'];
      const basic = after('basic', headers.authorization);
      const challenge = 'Machine, Basic';
      if (typeof machine !== 'string' && basic === null) throw refuse(401, 'missing', challenge);
      const isOne = typeof machine !== 'string' || basic === null;
      if (!isOne && !has('of two credentials the first counts')) throw refuse(401, 'wrong', challenge);
      const isGood = typeof machine === 'string' ? isMachine(machine) : isGuard(basic ?? '');
      if (!isGood) throw refuse(401, 'wrong', challenge);
      return { status: 204 };
    },
  };

  return await serve((asked) => {
    const method = asked.method === 'HEAD' ? 'GET' : asked.method;
    const answer = answers[`${method} ${asked.path}`];
    if (answer) return answer(asked);
    const allow = Object.keys(answers).flatMap((one) => {
      const [own = '', path] = one.split(' ');
      return path === asked.path ? [own, ...(own === 'GET' ? ['HEAD'] : [])] : [];
    });
    return allow.length > 0 ? { status: 405, headers: { Allow: allow.join(', ') } } : { status: 404 };
  });
}
