import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { told } from '../../../src/cli/serve/faults.ts';
import { heldUpLog } from '../../../src/cli/serve/held-up.ts';
import { TooManySteps } from '../../../src/expression/steps.ts';
import type { Template } from '../../../src/expression/template.ts';
import { CannotWorkOut } from '../../../src/expression/values.ts';
import { bare, Unsent } from '../../../src/service/message/reply.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { FateUnknown, NotKept, type Transaction } from '../../../src/service/store/store.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { holds } from '../../../src/specification/openness/holds.ts';
import { stated } from '../../../src/specification/reading/said.ts';
import type { Answer } from '../../../src/specification/vocabulary/answer.ts';
import { document, specification } from '../../specification/documents.ts';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();

/** What `tacet serve` shows of a document, without what differs from run to run. */
async function shown(content: string): Promise<readonly string[]> {
  const at = file('notes.md', content);
  const data = join(folder, 'notes.sqlite');
  const { code, out, error } = await tacet(['serve', at, '--port', '0', '--data', data]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return out
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(folder, 'FOLDER')
    .trimEnd()
    .split('\n');
}

const resources = 'Note: { identifier: id, fields: { id: { set: { create: "${uuid()}" } } } }';
const reads = 'GET /notes/{id}: { operation: readNote, does: read Note, response: 204 }';
const asks = 'DELETE /notes/{id}: { operation: removeNote, does: delete Note, response: (open) 200 or 204? }';
const notRun =
  'PUT /notes/{id}: { operation: putNote, does: { read: Note, where: { handled: f } }, response: 204 }';

describe('a file that cannot be served as the document states', () => {
  const narrow = 'Note: { identifier: id, fields: { id: { type: integer, maximum: 9 } } }';

  it('is refused with what is in the way, and what to do about it', async () => {
    const data = join(folder, 'kept.sqlite');
    const store = openSqlite(data, [{ name: 'Note', keyFields: ['id'] }]);
    const plan = {
      decide: (tx: Transaction) => {
        for (const id of [9, 10]) tx.insert('Note', { key: [id], text: '{}' });
        return { keep: true, reply: bare(201) };
      },
      conflict: () => bare(400),
      fault: () => bare(500),
    };
    store.commit([plan], () => 0);
    const serving = [
      'serve',
      file('narrow.md', document({ resources: narrow })),
      '--port',
      '0',
      '--data',
      data,
    ];
    expect(await tacet(serving)).toMatchObject({
      code: 2,
      error: expect.stringMatching(
        /kept\.sqlite is in use by a service that runs; end that one, or name another/,
      ),
    });
    store.close();
    const { code, out, error } = await tacet(serving);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(
      'kept.sqlite keeps an item that the specification does not admit; nothing was changed:\n  Note 10: id (maximum)\n',
    );
    expect(error).toContain('change them through the specification that they were kept under');
  });
});

describe('a fault while it runs', () => {
  it.each([
    [
      new NotKept('nothing was kept', { cause: new Error('the disk is full') }),
      'store: nothing was kept: the disk is full',
    ],
    [
      new NotKept('another document has laid the tables out'),
      'store: another document has laid the tables out',
    ],
    [new FateUnknown('the connection was lost'), 'store: the connection was lost'],
  ])('of the store is told by what it is, and why where that is known: %s', (fault, expected) => {
    expect(told(fault)).toBe(expected);
  });
});

describe('what is shown when a service runs', () => {
  it('which operations run, which wait for answers, and which this version does not run', async () => {
    expect(await shown(document({ resources, endpoints: [reads, asks, notRun].join('\n') }))).toEqual([
      'Service',
      '',
      '  address  http://HOST',
      '  data     FOLDER/notes.sqlite (SQLite)',
      '  stated   none of the nine parts',
      '  partly   resources, endpoints',
      expect.stringMatching(
        /^ {2}open {5}service, states, .*, versioning; \d+ points in all, 1 question \(tacet status --asked\)$/,
      ),
      '  runs     1 of 3 operations: readNote',
      '  waits    1 for answers: removeNote',
      '  not run  1 by this version: putNote',
      '  lacks    the functions f (--handlers FILE)',
      '           these are answered 501; tacet status FOLDER/notes.md says why',
    ]);
  });

  it('no request to try where none would be carried out', async () => {
    const found = await shown(document({ resources, endpoints: asks }));
    expect(found.slice(7)).toEqual([
      '  runs     0 of 1 operation',
      '  waits    1 for answers: removeNote',
      '           these are answered 501; tacet status FOLDER/notes.md says why',
    ]);
    expect((await shown('# Nothing\n')).at(-1)).toBe('  runs     0 of 0 operations');
  });

  it('some names of very many', async () => {
    const many = Array.from({ length: 9 }, (_, index) => `GET /${index}: { does: (none) }`);
    expect(await shown(document({ endpoints: many.join('\n') }))).toContain(
      '  waits    9 for answers: GET /0, GET /1, GET /2, GET /3, GET /4, GET /5 and 3 more',
    );
  });
});

describe('the log of requests that are answered 501', () => {
  const found = specification(
    document({
      resources,
      endpoints: [
        asks,
        'PUT /notes/{id}: { does: { read: Note, where: { handled: f } }, response: { body: Note } }',
      ].join('\n'),
    }),
  );
  const [removes, puts] = found.operations.map((operation) => ({
    operation,
    points: holds(found, operation),
  }));
  const logged = (...requests: (typeof removes)[]): string => {
    let text = '';
    const log = heldUpLog(found, (line) => {
      text += line;
    });
    for (const request of requests) if (request) log(request);
    return text;
  };
  const first = [
    '501 DELETE /notes/{id} (removeNote)',
    '  open     endpoints["DELETE /notes/{id}"].response.status  x.md:12:75',
    '           asks: 200 or 204?',
    '',
  ].join('\n');

  it('names what is open with its question, then what is not run, an address a line', () => {
    expect(logged(removes)).toBe(first);
    expect(logged(puts)).toBe(
      [
        '501 PUT /notes/{id}',
        '  open     endpoints["PUT /notes/{id}"].response.status  x.md:13:75',
        '  not run  endpoints["PUT /notes/{id}"].does.where       x.md:13:47',
        '',
      ].join('\n'),
    );
  });

  it('is one line while an operation waits for the same as before', () => {
    const other = logged(puts);
    const again = '501 DELETE /notes/{id} (removeNote): as above\n';
    expect(logged(removes, removes, puts, removes)).toBe(`${first}${again}${other}${again}`);
  });

  it('ends after three such lines, since a test may send thousands of requests', () => {
    const again = '501 DELETE /notes/{id} (removeNote): as above';
    const six = Array.from({ length: 6 }, () => removes);
    expect(logged(...six)).toBe(`${first}${again}\n${again}\n${again}; further ones are not shown\n`);
  });

  it('is whole again where another request of it waits for something else', () => {
    const less = puts && { ...puts, points: puts.points.slice(1) };
    const line = '  not run  endpoints["PUT /notes/{id}"].does.where  x.md:13:47\n';
    expect(logged(puts, less, puts)).toBe(`${logged(puts)}501 PUT /notes/{id}\n${line}${logged(puts)}`);
  });

  it('prints none of the control characters of a document', () => {
    const of = specification(
      document({ endpoints: `GET /: { does: ${JSON.stringify('(open) \u001b[2Jred?')} }` }),
    );
    let text = '';
    const log = heldUpLog(of, (line) => {
      text += line;
    });
    for (const operation of of.operations) log({ operation, points: holds(of, operation) });
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text).toContain('asks:  [2Jred?');
  });
});

describe('credentials that are the operator’s to give', () => {
  const keyed = file(
    'keyed.md',
    document({
      resources,
      endpoints: reads,
      authentication:
        'schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: operator } }\notherwise: known',
    }),
  );
  const serving = (...more: string[]) =>
    tacet(['serve', keyed, '--port', '0', '--data', join(folder, 'keyed.sqlite'), ...more]);

  it('are named where they are missing, and read from a file', async () => {
    const lacking = await serving();
    expect(lacking.code).toBe(2);
    expect(lacking.error).toContain("the credentials of key are the operator's to give");
    const { code, error } = await serving('--credentials', file('keys.json', '{"key": {"ada": "s3cret"}}'));
    expect({ code, error }).toEqual({ code: 0, error: '' });
  });

  it('are made up and shown where only an assumption leaves them to the operator', async () => {
    const asked = file(
      'asked.md',
      readFileSync(keyed, 'utf8').replace('credentials: operator', 'credentials: (open)'),
    );
    const at = 'authentication.schemes.key.credentials';
    const ledger = file('asked.json', JSON.stringify([{ at, value: 'operator' }]));
    const words = ['serve', asked, '--assume', ledger, '--port', '0', '--data', join(folder, 'asked.sqlite')];
    const { code, out } = await tacet(words);
    expect([code, out]).toEqual([0, expect.stringMatching(/secret {3}key: curl -H 'x-key: [0-9a-f]{24}'/)]);
    const given = await tacet([...words, '--credentials', file('keys.json', '{"key": {"ada": "s3cret"}}')]);
    expect([given.code, given.out]).toEqual([0, expect.not.stringContaining('secret')]);
  });

  it('are refused in another form, and not told', async () => {
    for (const content of [
      '{"key": "s3cret"}',
      '["s3cret"]',
      '{"key": {"ada": 5, "eve": "s3cret"}}',
      's3cret',
    ]) {
      const { code, error } = await serving('--credentials', file('wrong.json', content));
      expect(code).toBe(2);
      expect(error).toContain('wrong.json');
      expect(error).not.toContain('s3cret');
    }
    expect((await serving('--credentials', join(folder, 'none.json'))).error).toContain('cannot be read');
  });
});

describe('the key that signs credentials', () => {
  const signed = file(
    'signed.md',
    document({
      resources,
      endpoints: reads,
      authentication:
        'schemes: { pass: { type: http, scheme: bearer, credentials: { issued: opaque }, actor: Note } }\notherwise: known',
    }),
  );
  const told =
    'credentials of pass, with a key that the store keeps unencrypted; TACET_SECRET_STORE encrypts it';
  const serving = (environment: Readonly<Record<string, string>>, data = 'signed.sqlite') =>
    tacet(['serve', signed, '--port', '0', '--data', join(folder, data)], { environment });
  const secret = { TACET_SECRET_STORE: 'more than 22 characters, at random'.replaceAll(' ', '-') };

  it('is told of where it is kept as it is, by serve and by check', async () => {
    expect((await serving({})).out).toContain(`  signs    ${told}\n`);
    expect((await tacet(['check', signed])).out).toMatch(
      new RegExp(`no error, .*\\n  the service signs ${told}\\n$`),
    );
    expect((await serving(secret)).out).not.toContain('  signs');
    expect((await tacet(['check', signed], { environment: secret })).out).not.toContain('signs');
  });

  it('is missed with what to do where the secret is not there', async () => {
    await serving(secret, 'secret.sqlite');
    const { code, error } = await serving({}, 'secret.sqlite');
    expect(code).toBe(2);
    expect(error).toContain('tacet: the store keeps the key that signs credentials encrypted, and');
    expect((await serving(secret, 'secret.sqlite')).code).toBe(0);
  });
});

describe('the log of what cannot be evaluated (language §H.3)', () => {
  const of = (error: CannotWorkOut | TooManySteps): typeof error => {
    const { operations } = specification(
      document({ endpoints: 'GET /: { does: (none), response: { status: 200, body: "${1 / 0}" } }' }),
    );
    const [answer] = stated((operations[0] as Operation).response) ?? [];
    const template = stated((answer as Answer).body)?.template as Extract<Template, { kind: 'expression' }>;
    error.expression = template.expression;
    return error;
  };
  const place = 'x.md:6:58: ${1 / 0} cannot be evaluated';

  it('names the expression, its place and the reason', () => {
    expect(told(of(new CannotWorkOut('the result is no number')))).toBe(
      `internal: ${place}: the result is no number`,
    );
    expect(told(of(new TooManySteps()))).toBe(
      `internal: ${place}: an expression takes more than 1000000 steps`,
    );
    const unsent = new Unsent('header field X not sent', of(new CannotWorkOut('why')));
    expect(told(unsent)).toBe(`header field X not sent: ${place}: why`);
    expect(told(new CannotWorkOut('no function is given for f'))).toBe(
      'internal: no function is given for f',
    );
  });
});
