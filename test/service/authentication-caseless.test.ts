import { expect, it } from 'vitest';
import { ask, start } from './served.ts';

const accounts = (fields: string, by: string): string => `
tacet: 1
complete: true
name: accounts
resources:
  Account:
    identifier: name
    fields:
      name: { type: string, unique: caseless }
      email: { type: string, ${fields} }
      team: { type: string }
      password: { type: string, secret: hashed }
    required: [name, password]
endpoints:
  others: refuse
  POST /accounts: { does: create Account, request: { body: Account }, response: 201 }
  POST /sessions:
    does: { authenticate: Account, by: ${by} }
    request: { body: { fields: { name: { type: string }, email: { type: string }, team: { type: string }, password: { type: string } } } }
    response: { status: 200, body: "\${this.name}" }
authentication: (none)
errors: { codes: { wrong: { when: wrong credentials, status: 401 } } }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

const ada = { name: 'Ada', email: 'Ada@a.example', team: 'Blue', password: 'correct horse' };

it('an identifier that is `unique: caseless` is found caselessly (language §H.2)', async () => {
  const service = await start(accounts('unique: true', '[name, password]'));
  expect((await ask(service, 'POST /accounts', ada)).status).toBe(201);
  const found = await ask(service, 'POST /sessions', { name: 'aDA', password: ada.password });
  expect([found.status, found.body]).toEqual([200, 'Ada']);
  const wrong = await ask(service, 'POST /sessions', { name: 'aDA', password: 'x' });
  expect(wrong.status).toBe(401);
});

it('each field compares as its uniqueness compares', async () => {
  const tries = async (fields: string, given: object): Promise<number> => {
    const service = await start(accounts(fields, '[name, email, team, password]'));
    await ask(service, 'POST /accounts', ada);
    await ask(service, 'POST /accounts', { ...ada, name: 'Bo', email: 'bo@a.example' });
    return (await ask(service, 'POST /sessions', { ...ada, name: 'ADA', ...given })).status;
  };
  expect(await tries('unique: caseless', { email: 'ADA@A.example' })).toBe(200);
  expect(await tries('unique: true', { email: 'ADA@A.example' })).toBe(401);
  expect(await tries('unique: true', {})).toBe(200);
  expect(await tries('unique: caseless', { email: 'BO@A.example' })).toBe(401);
  expect(await tries('unique: true', { team: 'blue' })).toBe(401);
});
