import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from './terminal.ts';

const { file } = temporaryFolder();

const document = file(
  'notes.yaml',
  `tacet: 1
complete: true
resources:
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string }, pinned: { type: boolean, default: false } }
    required: [text]
endpoints:
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  PUT /notes/{id}: { does: replace Note, request: { body: Note }, response: { status: 200, body: Note } }
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
authentication: (none)
limits: (none)
states: (none)
versioning: (none)
events: (none)
errors:
  codes:
    none: { when: unknown Note, status: 404, body: { code: none } }
    unfit: { when: invalid, status: 422, body: { code: unfit } }
`,
);

type Entry = readonly [
  method: string,
  path: string,
  body: object | null,
  status: number,
  answer: object | null,
];

/** A recording in which each request takes 10 ms, and is sent when the one before it is answered, or at these times. */
function har(name: string, entries: readonly Entry[], times?: readonly number[]): string {
  const all = entries.map(([method, path, body, status, answer], place) => ({
    startedDateTime: new Date(
      Date.parse('2026-05-01T10:00:00Z') + (times?.[place] ?? place * 10),
    ).toISOString(),
    time: 10,
    request: {
      method,
      url: `http://notes.test${path}`,
      headers: body ? [{ name: 'Content-Type', value: 'application/json' }] : [],
      ...(body && { postData: { text: JSON.stringify(body) } }),
    },
    response: { status, headers: [], content: answer ? { text: JSON.stringify(answer) } : {} },
  }));
  return file(name, JSON.stringify({ log: { version: '1.2', entries: all } }));
}

const made: Entry = [
  'POST',
  '/notes',
  { text: 'milk' },
  201,
  { id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'milk', pinned: false },
];
const read = (note: object): Entry => ['GET', '/notes/a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', null, 200, note];

describe('tacet judge', () => {
  it('finds no violation where every answer is as stated', async () => {
    const traffic = har('right.har', [
      made,
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'milk', pinned: false }),
      ['POST', '/notes', { text: 1 }, 422, { code: 'unfit' }],
      ['GET', '/elsewhere', null, 200, null],
    ]);
    expect(await tacet(['judge', document, traffic])).toEqual({
      code: 0,
      error: '',
      out: `${document}
${document}: 4 exchanges with http://notes.test

determined: 100 % of what the judged answers show
not judged: 1 exchange
     1  no operation of the document has this path

no violation
`,
    });
  });

  it('shows violations by their statement, with the answer and a curl line', async () => {
    const traffic = har('wrong.har', [
      made,
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'milk', pinned: true }),
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'milk', pinned: true }),
      ['POST', '/notes', {}, 201, { id: 'b4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', pinned: false }],
    ]);
    const { code, out } = await tacet(['judge', document, traffic]);
    expect(code).toBe(1);
    expect(out).toContain(`endpoints["GET /notes/{id}"].response.body  ${document}:10:`);
    expect(out).toContain(`  2 times
  GET /notes/{id}: body.pinned
    expected  false
    found     true
    answer    200 {"id":"a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50","text":"milk","pinned":true}
    again     curl -sS -i -X GET --path-as-is 'http://notes.test/notes/a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50'
`);
    expect(out).toContain('  POST /notes: status\n    expected  status 422\n    found     status 201\n');
    expect(out).toMatch(/2 violations\n$/);
  });

  it('knows nothing of what was there before, and with --closed that nothing was', async () => {
    const traffic = har('before.har', [
      made,
      [
        'GET',
        '/notes',
        null,
        200,
        [{ id: 'c4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'old', pinned: false }, made[4] as object],
      ],
    ]);
    expect((await tacet(['judge', document, traffic])).code).toBe(0);
    const closed = await tacet(['judge', document, traffic, '--closed']);
    expect(closed.code).toBe(1);
    expect(closed.out).toContain('GET /notes: body');
  });

  it('tells with exit code 3 that nothing was determined', async () => {
    const traffic = har('none.har', [['GET', '/elsewhere', null, 200, null]]);
    const { code, out } = await tacet(['judge', document, traffic]);
    expect(code).toBe(3);
    expect(out).toMatch(/nothing was determined\n$/);
  });

  it('takes any order of requests that were under way together, and none that explains no answer', async () => {
    const put = (text: string): Entry => [
      'PUT',
      '/notes/a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50',
      { text },
      200,
      { id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text, pinned: false },
    ];
    const note = (text: string): Entry =>
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text, pinned: false });
    const both = [made, put('first'), put('second')];
    const codeOf = async (...args: Parameters<typeof har>): Promise<number> =>
      (await tacet(['judge', document, har(...args)])).code;
    const together = [0, 10, 11, 30];
    expect(await codeOf('first.har', [...both, note('first')], together)).toBe(0);
    expect(await codeOf('second.har', [...both, note('second')], together)).toBe(0);
    expect(await codeOf('third.har', [...both, note('third')], together)).toBe(1);
    expect(await codeOf('apart.har', [...both, note('first')])).toBe(1);
  });

  it('writes the reports of tacet test', async () => {
    const traffic = har('reported.har', [
      made,
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'tea', pinned: false }),
    ]);
    const { code, out } = await tacet(['judge', document, traffic, '--report', 'json-full']);
    expect(code).toBe(1);
    const report = JSON.parse(out) as { readonly results: readonly Record<string, unknown>[] };
    expect(report).toMatchObject({ url: 'http://notes.test', requests: 2, inOrder: false });
    expect(report.results.filter(({ verdict }) => verdict === 'violates')).toMatchObject([
      { check: 'answer.permitted', says: 'GET /notes/{id}: body.text', expected: '"milk"', found: '"tea"' },
    ]);
    const again = har('again.har', [
      made,
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'tea', pinned: false }),
      read({ id: 'a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50', text: 'tea', pinned: false }),
    ]);
    const summary = JSON.parse((await tacet(['judge', document, again, '--json'])).out) as object;
    // The violation is told of once, and was seen twice.
    expect(summary).toMatchObject({
      causes: [{ operations: ['GET /notes/{id}'], violations: 1, exchanges: 2 }],
      outcome: 'violated',
    });
  });

  it.each([
    [[], 'name the document'],
    [[document], 'name the recording, a HAR file'],
    [[document, document], 'is no HAR file: it is no JSON'],
    [[document, 'none.har'], 'none.har cannot be read'],
  ])('refuses %j', async (argv, message) => {
    const { code, error } = await tacet(['judge', ...argv]);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  it('runs as a command', () => {
    const traffic = har('command.har', [made]);
    const printed = execFileSync(process.execPath, ['bin/tacet.js', 'judge', document, traffic], {
      encoding: 'utf8',
    });
    expect(printed).toMatch(/no violation\n$/);
  });
});
