import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/semantics/judge/judge.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { World } from '../../../src/semantics/world/world.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { ask, specificationOf, start } from '../served.ts';

const document = (scheme: string): string => `
name: Notes
complete: true
resources:
  Account: { identifier: name, fields: { name: { type: string } }, items: [{ name: ann }, { name: bob }] }
  Note:
    identifier: id
    fields: { id: { type: integer, set: { create: "\${sequence()}" } }, by: { refers: Account, ifDeleted: delete, set: { create: "\${actor}" } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, response: { status: 201, body: Note } }
authentication:
  schemes: { any: { ${scheme}, credentials: (any), actor: Account.name, challenge: any } }
  authorization: { add: known }
errors: { codes: { nobody: { when: not authenticated, status: 401 } } }
`;
const key = 'type: apiKey, in: header, name: X-Key';
const basic = 'type: http, scheme: basic';
const user = (text: string): string => `Authorization: Basic ${Buffer.from(text).toString('base64')}`;

describe('a scheme of which any credential is good (language §5.2)', () => {
  it('knows its client by the credential, or by the user name', async () => {
    const [keyed, named] = [await start(document(key)), await start(document(basic))];
    const added = async (to: typeof keyed, fields: readonly string[]) => {
      const { status, body } = await ask(to, 'POST /notes', undefined, fields);
      return [status, (body as { readonly by?: string }).by];
    };
    expect(await added(keyed, ['X-Key: ann'])).toEqual([201, 'ann']);
    expect(await added(keyed, ['X-Key: bob'])).toEqual([201, 'bob']);
    expect(await added(named, [user('bob:whatever')])).toEqual([201, 'bob']);
    // No account has this name (language §5.3).
    expect(await added(keyed, ['X-Key: nobody'])).toEqual([401, undefined]);
    expect(await added(keyed, [])).toEqual([401, undefined]);
    expect(await added(named, ['Authorization: Basic !'])).toEqual([401, undefined]);
  });

  it('is predicted so', () => {
    const specification = specificationOf(document(key));
    const sent = (value: string | null): Request => ({
      operation: specification.operations[0] as Operation,
      ...{ path: {}, query: {}, headers: {}, content: undefined, url: 'http://a' },
      credentials: value === null ? [] : [{ scheme: 'any', value }],
    });
    const differences = (value: string | null, status: number, body?: object) => {
      const headers = status === 401 ? { 'www-authenticate': 'any' } : {};
      const answer = { status, headers, body: body as never };
      return judge(step(new World(specification), sent(value)), answer).differences.map(({ at }) => at);
    };
    expect(differences('ann', 201, { id: 1, by: 'ann' })).toEqual([]);
    expect(differences('ann', 201, { id: 1, by: 'bob' })).toEqual(['body.by']);
    expect(differences('ann', 401)).toContain('status');
    expect(differences(null, 401)).toEqual([]);
    expect(differences(null, 201, { id: 1, by: 'ann' })).toContain('status');
  });
});
