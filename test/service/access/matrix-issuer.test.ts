import type { JWTVerifyOptions } from 'jose';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { bench, reader } from '../running.ts';
import { columnsOf } from './askers.ts';
import { matrix, type Wrong } from './matrix.ts';
import { archive } from './stages/archive.ts';

/** What the service does not look at in a token: a fault that is planted in it. */
let unseen: 'its end' | 'whom it is for' | 'whose it is' | 'its signature' | 'its beginning' | null = null;

vi.mock('jose', async (original) => {
  const jose = await original<typeof import('jose')>();
  const jwtVerify = async (token: string, key: Uint8Array, options: JWTVerifyOptions): Promise<unknown> => {
    const { audience, issuer, currentDate, ...rest } = options;
    if (unseen === 'its signature') return { payload: jose.decodeJwt(token) };
    const { exp = 0, nbf } = jose.decodeJwt(token);
    const [early, late] = [new Date((exp - 1) * 1000), new Date((nbf ?? 0) * 1000)];
    return await jose.jwtVerify(token, key, {
      ...rest,
      currentDate:
        unseen === 'its end' ? early : unseen === 'its beginning' && nbf ? late : (currentDate as Date),
      ...(unseen !== 'whom it is for' && { audience: audience as string }),
      ...(unseen !== 'whose it is' && { issuer: issuer as string }),
    });
  };
  return { ...jose, jwtVerify };
});

const { serving, end } = bench();
afterAll(end);
afterEach(() => {
  unseen = null;
});

const patience = 240_000;

describe('whom each operation is for, where an issuer of tokens is one of six that tell it (language §5)', () => {
  it.each([
    ['people', ['enter', 'leave', 'admitFirm', 'signIn', 'signOut', 'seeSelf', 'news'], 8],
    ['documents', ['file', 'listDocuments', 'readDocument'], 5],
    ['the documents of others', ['revise', 'erase', 'share'], 6],
    ['papers', ['scan', 'audit'], 2],
  ])('is kept to in each cell: of %s', { timeout: patience }, async (_, operations, rows) => {
    const stage = await archive();
    const { columns, ...tried } = await matrix(serving, stage, undefined, operations);
    expect(tried).toEqual({ rows, askers: 122, wrong: [] });
    const { specification } = reader(stage.document);
    expect([...columnsOf(specification)].filter((one) => !columns.has(one))).toEqual([]);
  });

  it.each([
    ['its end', ['one that expired']],
    ['its beginning', ['one of later']],
    ['whom it is for', ['one for another audience', 'one for no audience']],
    ['whose it is', ['one of another issuer', 'one of no issuer']],
    ['its signature', ['one that another signed', 'one with other claims']],
  ] as const)(
    'is seen not to be, where of a token nobody looks at %s',
    { timeout: patience },
    async (what, due) => {
      unseen = what;
      const isEnough = (wrong: readonly Wrong[]): boolean =>
        due.every((one) => wrong.some(({ how }) => how === one));
      const { wrong } = await matrix(serving, await archive(), undefined, ['seeSelf'], isEnough);
      expect([...new Set(wrong.map(({ how }) => how))]).toEqual(expect.arrayContaining([...due]));
    },
  );

  it.each([
    ['session', 'life: PT8H', 'life: P30D', 'seeSelf', 'one that expired'],
    ['login', 'audience: [archive,', 'audience: [kitchen, archive,', 'seeSelf', 'one for another audience'],
    ['login', '[RS256, ES256]', '[RS256, RS512, ES256]', 'seeSelf', 'one signed by what is not listed'],
    ['login', 'schemes: [{ login: [write] }', 'schemes: [{ login: [] }', 'file', 'a good one'],
    ['session', 'schemes: [[session, stamp],', 'schemes: [session,', 'erase', 'a good one'],
    ['machine', 'prefix: Machine', 'prefix: [Machine, Unstated]', 'scan', 'one after another word'],
    ['machine', 'scan: { rule: scanner,', 'scan: { rule: anyone,', 'scan', 'none'],
    ['session', 'wrong: ignore', 'wrong: refuse', 'news', 'one that was ended'],
  ])(
    'is seen not to be, where of %s it is not "%s" that is kept to, but "%s"',
    { timeout: patience },
    async (_, from, to, operation, due) => {
      const stage = await archive();
      const other = stage.document.replace(from, to);
      expect(other).not.toBe(stage.document);
      const isEnough = (wrong: readonly Wrong[]): boolean => wrong.some(({ how }) => how === due);
      const { wrong } = await matrix(serving, stage, other, [operation], isEnough);
      expect(wrong.map(({ how }) => how)).toContain(due);
    },
  );

  it.each(['refuse', 'first'])(
    'is kept to where of several credentials it says: %s',
    { timeout: patience },
    async (word) => {
      const stage = await archive();
      const document = stage.document.replace('  authorization:', `  several: ${word}\n  authorization:`);
      const operations = ['seeSelf', 'share'];
      expect((await matrix(serving, { ...stage, document }, document, operations)).wrong).toEqual([]);
      const other = document.replace(`several: ${word}`, `several: ${word === 'first' ? 'refuse' : 'first'}`);
      const isOne = (wrong: readonly Wrong[]): boolean => wrong.length > 0;
      const { wrong } = await matrix(serving, { ...stage, document }, other, operations, isOne);
      expect(wrong.map(({ how }) => how).join()).toMatch(/^(two good ones|a good one and a wrong one)/);
    },
  );
});
