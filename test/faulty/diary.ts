import { randomUUID } from 'node:crypto';
import type { Running } from '../listening.ts';
import { type Answered, type Asked, type Endpoint, Refused, startService, type Values } from './floor.ts';

/**
 * The service of `test/documents/asking/diary.yaml`, written from the document alone. One fault can be planted in it
 * at a time.
 */

/** A fault against what the document states. */
export const faults = [
  'nobody is asked who writes',
  'nobody is asked who reads their own account',
  'nobody is asked who edits',
  'nobody is asked who removes',
  'a missing token is 403',
  'nobody edits though refused',
  'no challenge is sent',
  'another challenge is sent',
  'any token is taken',
  'a token that was changed is taken',
  'a token that was cut is taken',
  'any word before the token is taken',
  'a wrong token is 400',
  'a wrong token is passed over where none is needed',
  'a wrong token is left out of account on reading',
  'another reads what is not public',
  'what another may not read is 403',
  'what another may not read is told apart',
  'the owner may not read',
  'another edits',
  'another edits though refused',
  'another removes',
  'the owner may not remove',
  'what is not yours is 404',
  'everybody lists all',
  'nobody lists anything',
  'nobody else is let in to what is closed, but all are',
  'what is closed is 404',
  'a token is good after its end',
  'a token lives on after its time',
  'logging out ends every token',
  'any password is good',
  'any name is good',
  'an unknown name is 404',
  'logging in gives the name for a token',
  'a password is compared by its first eight letters',
  'what is gone is read by others',
] as const;

export type Fault = (typeof faults)[number];

interface Entry extends Values {
  id: string;
  text: string;
  public: boolean;
  owner: string;
}

const lifeMs = 3000;

export async function startDiary(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const people = new Map<string, string>();
  const entries = new Map<string, Entry>();
  const gone = new Map<string, Entry>();
  const tokens = new Map<string, { readonly name: string; readonly until: number }>();
  const refuse = (status: number, code: string, headers: Record<string, string> = {}): Refused =>
    new Refused({ status, body: { code }, headers });
  const challenge = (): Record<string, string> =>
    has('no challenge is sent')
      ? {}
      : { 'WWW-Authenticate': has('another challenge is sent') ? 'Bearer' : 'Pass' };
  const missing = (): Refused => refuse(has('a missing token is 403') ? 403 : 401, 'missing', challenge());
  const wrong = (): Refused => refuse(has('a wrong token is 400') ? 400 : 401, 'wrong', challenge());
  const invalid = (): Refused => refuse(422, 'invalid');

  const holderOf = (token: string): string | undefined => {
    const found = [...tokens].find(
      ([one]) =>
        one === token ||
        (has('any token is taken') && token !== '') ||
        (has('a token that was changed is taken') &&
          one.length === token.length &&
          one.slice(0, 4) === token.slice(0, 4)) ||
        (has('a token that was cut is taken') && token.length > 9 && one.startsWith(token)),
    )?.[1];
    if (found === undefined) return undefined;
    return Date.now() < found.until || has('a token lives on after its time') ? found.name : undefined;
  };
  /** Who asks; null: nobody. */
  const whoIs = ({ authorization = '' }: Asked): string | null => {
    const [word = '', token = ''] = authorization.split(' ');
    if (word.toLowerCase() !== 'pass' && !(has('any word before the token is taken') && word !== ''))
      return null;
    const name = holderOf(token);
    if (name === undefined) throw wrong();
    return name;
  };
  const known = (asked: Asked, unasked: Fault | null = null): string => {
    const name = whoIs(asked);
    if (name !== null) return name;
    if (unasked && has(unasked)) return [...people.keys()][0] ?? 'somebody';
    throw missing();
  };
  const texts = (
    given: Values,
    fits: Record<string, (value: unknown) => boolean>,
    required: readonly string[],
  ) => {
    const isWrong = Object.entries(given).some(([name, value]) => fits[name]?.(value) !== true);
    if (isWrong || required.some((name) => given[name] === undefined)) throw invalid();
  };
  const isText = (least: number, most: number) => (value: unknown) =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most;
  const ofEntry = { text: isText(1, 80), public: (value: unknown) => typeof value === 'boolean' };
  const entryOf = ({ path: [id = ''] }: Asked): Entry => {
    const found = entries.get(id);
    if (found === undefined) throw refuse(404, 'unknown');
    return found;
  };
  const own = (entry: Entry, name: string, isLetIn: boolean): void => {
    if (entry.owner !== name && !isLetIn)
      throw refuse(has('what is not yours is 404') ? 404 : 403, 'not_yours');
  };

  const endpoints: readonly Endpoint[] = [
    {
      method: 'POST',
      path: '/people',
      takesBody: true,
      answer: (asked) => {
        whoIs(asked);
        const { given } = asked;
        texts(given, { name: isText(1, 40), password: isText(8, 40) }, ['name', 'password']);
        const { name, password } = given as Record<string, string>;
        if (people.has(name as string)) throw refuse(409, 'taken');
        people.set(name as string, password as string);
        return { status: 201, body: { name } };
      },
    },
    {
      method: 'POST',
      path: '/sessions',
      takesBody: true,
      answer: (asked) => {
        whoIs(asked);
        const isAny = (value: unknown) => typeof value === 'string';
        texts(asked.given, { name: isAny, password: isAny }, ['name', 'password']);
        const { name = '', password = '' } = asked.given as Record<string, string>;
        const kept = people.get(name);
        if (kept === undefined && has('an unknown name is 404')) throw refuse(404, 'unknown');
        const isTheirs = has('a password is compared by its first eight letters')
          ? kept !== undefined && kept.slice(0, 8) === password.slice(0, 8)
          : kept === password;
        const isRight =
          isTheirs ||
          (has('any password is good') && kept !== undefined) ||
          (has('any name is good') && [...people.values()].includes(password));
        if (!isRight) throw refuse(401, 'no_such', challenge());
        const token = has('logging in gives the name for a token') ? name : randomUUID();
        if (token !== name) tokens.set(token, { name, until: Date.now() + lifeMs });
        return { status: 200, body: { token } };
      },
    },
    {
      method: 'DELETE',
      path: '/sessions',
      answer: (asked) => {
        known(asked);
        if (has('logging out ends every token')) tokens.clear();
        if (!has('a token is good after its end')) tokens.delete(asked.authorization?.split(' ')[1] ?? '');
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: '/me',
      answer: (asked) => ({
        status: 200,
        body: { name: known(asked, 'nobody is asked who reads their own account') },
      }),
    },
    {
      method: 'POST',
      path: '/entries',
      takesBody: true,
      answer: (asked) => {
        const owner = known(asked, 'nobody is asked who writes');
        texts(asked.given, ofEntry, ['text']);
        return { status: 201, body: write(asked.given, owner) };
      },
    },
    {
      method: 'GET',
      path: '/entries',
      answer: (asked): Answered => {
        const name = whoIs(asked);
        const isIn = ({ owner }: Entry): boolean =>
          has('everybody lists all') || (owner === name && !has('nobody lists anything'));
        return { status: 200, body: [...entries.values()].filter(isIn) };
      },
    },
    {
      method: 'GET',
      path: '/entries/{id}',
      answer: (asked) => {
        const isLenient = has('a wrong token is left out of account on reading');
        const name = isLenient ? (holderOf(asked.authorization?.split(' ')[1] ?? '') ?? null) : whoIs(asked);
        const entry = entries.get(asked.path[0] ?? '');
        const before = gone.get(asked.path[0] ?? '');
        if (has('what is gone is read by others') && before && before.owner !== whoIs(asked))
          return { status: 200, body: before };
        const isOwn = entry?.owner === name && !has('the owner may not read');
        const isLetIn =
          entry !== undefined && (entry.public || isOwn || has('another reads what is not public'));
        if (isLetIn && (name !== null || entry.public)) return { status: 200, body: entry };
        if (name === null) throw missing();
        if (entry && has('what another may not read is 403')) throw refuse(403, 'unknown');
        throw refuse(404, entry && has('what another may not read is told apart') ? 'hidden' : 'unknown');
      },
    },
    {
      method: 'PATCH',
      path: '/entries/{id}',
      takesBody: true,
      answer: (asked) => {
        if (has('nobody edits though refused') && asked.authorization === undefined)
          Object.assign(entryOf(asked), asked.given);
        const name = known(asked, 'nobody is asked who edits');
        const entry = entryOf(asked);
        if (entry.owner !== name && has('another edits though refused')) Object.assign(entry, asked.given);
        own(entry, name, has('another edits') || has('nobody is asked who edits'));
        texts(asked.given, ofEntry, []);
        Object.assign(entry, asked.given);
        return { status: 200, body: entry };
      },
    },
    {
      method: 'DELETE',
      path: '/entries/{id}',
      answer: (asked) => {
        const name = known(asked, 'nobody is asked who removes');
        const entry = entryOf(asked);
        own(entry, name, has('another removes') || has('nobody is asked who removes'));
        if (has('the owner may not remove')) throw refuse(403, 'not_yours');
        entries.delete(entry.id);
        gone.set(entry.id, entry);
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: '/open',
      answer: (asked) => {
        if (!has('a wrong token is passed over where none is needed')) return look(whoIs(asked));
        return look(holderOf(asked.authorization?.split(' ')[1] ?? '') ?? null);
      },
    },
    {
      method: 'GET',
      path: '/closed',
      answer: (asked) => {
        known(asked);
        if (has('nobody else is let in to what is closed, but all are')) return { status: 204 };
        throw refuse(has('what is closed is 404') ? 404 : 403, 'closed');
      },
    },
  ];

  function look(name: string | null): Answered {
    return { status: 200, body: { known: name !== null } };
  }

  function write(given: Values, owner: string): Entry {
    const entry = { public: false, ...given, id: randomUUID(), owner } as Entry;
    entries.set(entry.id, entry);
    return entry;
  }

  return await startService(endpoints, () => ({ status: 400, body: { code: 'malformed' } }));
}
