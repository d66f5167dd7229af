import type { Json, Members } from '../service/document.ts';
import type { Chance } from './chance.ts';
import { type FieldDraft, isItem, type Kind, type ResourceDraft } from './draft.ts';

/** What most fields are. */
export const kept = { isGiven: true, isShown: true, isStorable: true, isSure: true };

/** The resource of those who ask. */
export function draftAccount(chance: Chance): ResourceDraft {
  const field = (name: string, statement: Members, more: Partial<FieldDraft> = {}): FieldDraft => ({
    ...kept,
    name,
    kind: 'text',
    statement,
    ...more,
  });
  const secret: Members = chance.percent(50) ? { secret: 'hashed' } : { writeOnly: true };
  return {
    name: 'Account',
    identifier: 'id',
    fields: [
      field('id', { type: 'string', minLength: 1, maxLength: 40 }, { isUnique: true }),
      field(
        'email',
        { type: 'string', minLength: 1, unique: chance.pick<Json>([true, 'caseless']) },
        { isUnique: true },
      ),
      field('role', { type: 'string', enum: ['user', 'chief'] }, { values: ['user', 'chief'] }),
      field(
        'key',
        { type: 'string', minLength: 1, ...secret },
        { isShown: false, isStorable: false, isSure: false },
      ),
      field(
        'password',
        { type: 'string', minLength: 1, secret: 'hashed' },
        { isShown: false, isStorable: false, isSure: false },
      ),
    ],
    views: [],
  };
}

/** The resource that keeps the addresses of webhooks. */
export function draftHook(): ResourceDraft {
  const field = (name: string, statement: Members, kind: Kind = 'text'): FieldDraft => ({
    ...kept,
    name,
    kind,
    statement,
    isGiven: true,
  });
  return {
    name: 'Hook',
    identifier: 'id',
    fields: [
      { ...field('id', { type: 'string', set: { create: '${uuid()}' } }), isGiven: false, isUnique: true },
      field('url', { type: 'string', format: 'uri', maxLength: 200 }),
      field('kinds', { type: 'array', items: { type: 'string' } }, 'texts'),
      { ...field('secret', { type: 'string', set: { create: "${'whsec_' + random(32)}" } }), isGiven: false },
    ],
    views: [],
  };
}

/** An account that is there before the first request, with credentials that the requests know. */
export function accountItem(id: string, { fields }: ResourceDraft): Members {
  const given = fields.filter(({ isGiven, name, kind }) => isGiven && !isItem(kind) && name !== 'id');
  const value = (name: string): string => (name === 'role' ? 'user' : `${name}-${id}`);
  return { id, ...Object.fromEntries(given.map(({ name }) => [name, value(name)])) };
}
