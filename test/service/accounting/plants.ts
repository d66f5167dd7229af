import { type Json, map } from '../document.ts';
import type { Seen } from './account.ts';

type Plant = (seen: Seen) => Seen | undefined;

const answering = (seen: Seen, answer: Partial<Seen['answer']>): Seen => ({
  ...seen,
  answer: { ...seen.answer, ...answer },
});

const saying = (seen: Seen, body: string): Seen =>
  answering(seen, {
    body,
    fields: seen.answer.fields.map(([name, value]) => [
      name,
      name === 'Content-Length' ? String(Buffer.byteLength(body)) : value,
    ]),
  });

const content = ({ answer }: Seen): Json | undefined =>
  answer.body === '' ? undefined : (JSON.parse(answer.body) as Json);

/** Ways to invent something, each of which the account objects to; undefined where there is nothing to alter. */
export const plants: Readonly<Record<string, Plant>> = {
  'a field more': (seen) =>
    answering(seen, { fields: [...seen.answer.fields, ['Cache-Control', 'no-store']] }),
  'another status': (seen) => answering(seen, { status: 418 }),
  'content where there is none': (seen) =>
    seen.answer.body === '' ? saying(seen, '{"message":"invented"}') : undefined,
  'a member more': (seen) => {
    const body = content(seen);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? saying(seen, JSON.stringify({ ...body, invented: true })) : undefined;
  },
  'a member of an item more': (seen) => {
    const body = map(content(seen));
    const [name, items] = Object.entries(body).find(([, one]) => Array.isArray(one)) ?? [];
    if (name === undefined || !Array.isArray(items) || typeof items[0] !== 'object') return undefined;
    const first = { ...map(items[0]), invented: true };
    return saying(seen, JSON.stringify({ ...body, [name]: [first, ...items.slice(1)] }));
  },
  'a default that is kept': (seen) => {
    const [name, items] = Object.entries(seen.after).find(([, one]) => one.length > 0) ?? [];
    if (name === undefined || items === undefined) return undefined;
    const altered = [...items.slice(0, -1), { ...items.at(-1), invented: 1 }];
    return { ...seen, after: { ...seen.after, [name]: altered } };
  },
  '501 that names nothing': (seen) => (seen.answer.status === 501 ? { ...seen, held: [] } : undefined),
};
