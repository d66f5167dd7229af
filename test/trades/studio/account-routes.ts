import { randomBytes, randomUUID } from 'node:crypto';
import { mergePatch, type Operation } from './gate.ts';
import {
  email,
  ensure,
  Failures,
  form,
  longest,
  patched,
  type Rules,
  shortest,
  string,
  stringOrNull,
  uri,
} from './request.ts';
import type { Account } from './store.ts';

const shown = ({ id, email, name, phone, role }: Account): object => ({ id, email, name, phone, role });

const profile: Rules = {
  name: [string, shortest(1), longest(60)],
  phone: [stringOrNull, form(/^\+[0-9]{6,15}$/)],
};

/** A name without white space at its ends. */
function trimmed(name: string): string {
  const text = name.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
  const failures = new Failures();
  failures.judge('name', text, [shortest(1)]);
  failures.end();
  return text;
}

interface Given {
  readonly email: string;
  readonly name: string;
  readonly phone?: string | null;
  readonly password: string;
}

const register: Operation = {
  ...{ method: 'POST', path: '/accounts', rule: 'anyone' },
  body: {
    rules: {
      ...profile,
      email: [string, email, longest(120)],
      password: [string, shortest(10), longest(100)],
    },
    required: ['email', 'name', 'password'],
  },
  run: ({ store, body }) => {
    const { email, name, phone = null, password } = body as unknown as Given;
    const given = { email, name: trimmed(name), phone, password };
    ensure(store.accountOf(email) === undefined, 'email-taken');
    return { status: 201, body: shown(store.register(given)) };
  },
};

const logIn: Operation = {
  ...{ method: 'POST', path: '/sessions', rule: 'anyone' },
  body: { rules: { email: [string], password: [string] }, required: ['email', 'password'] },
  run: ({ store, body }) => {
    const token = store.logIn(String(body['email']), String(body['password']));
    ensure(token !== null, 'wrong-log-in');
    return { status: 201, body: { token } };
  },
};

const logOut: Operation = {
  ...{ method: 'DELETE', path: '/sessions', rule: 'known' },
  run: ({ store, token }) => {
    store.logOut(token);
    return { status: 204 };
  },
};

const readMe: Operation = {
  ...{ method: 'GET', path: '/me', rule: 'known' },
  run: ({ actor }) => ({ status: 200, body: shown(actor) }),
};

const changeMe: Operation = {
  ...{ method: 'PATCH', path: '/me', rule: 'known' },
  body: { rules: profile, required: ['name'], media: mergePatch },
  run: ({ store, actor, body }) => {
    const { name, phone } = patched(body) as { readonly name?: string; readonly phone?: string };
    if (name !== undefined) actor.name = trimmed(name);
    const isGiven = store.broken('phone-null') ? phone !== undefined : 'phone' in body;
    if (isGiven) actor.phone = phone;
    return { status: 200, body: shown(actor) };
  },
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const addHook: Operation = {
  ...{ method: 'POST', path: '/hooks', rule: 'band' },
  body: { rules: { url: [string, uri, form(/^https?:\/\//), longest(500)] }, required: ['url'] },
  run: ({ store, actor, body }) => {
    const secret = `whsec_${[...randomBytes(32)].map((byte) => letters[byte % letters.length]).join('')}`;
    const hook = { id: randomUUID(), owner: actor, url: String(body['url']), secret };
    store.hooks.push(hook);
    return { status: 201, body: { id: hook.id, url: hook.url, secret } };
  },
};

export const accountOperations: readonly Operation[] = [register, logIn, logOut, readMe, changeMe, addHook];
