import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Described } from '../../src/conformance/check.ts';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { changed, specificationOf } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-nows-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

const time = '{ type: string, format: date-time, set: { create: "${now}" } }';

/** Cases that are opened and closed, and calls about nothing. */
const document = `
name: cases
complete: true
resources:
  Case:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      opened: ${time}
      state: { type: string }
      closed: { type: string, format: date-time, readOnly: true }
  Call:
    identifier: id
    fields: { id: { type: string, format: uuid, set: { create: "\${uuid()}" } }, taken: ${time} }
endpoints:
  others: refuse
  POST /cases: { operation: open, does: create Case, response: { status: 201, body: Case } }
  POST /cases/{id}/closing: { operation: close, does: close Case, response: { status: 200, body: Case } }
  POST /calls: { operation: call, does: create Call, response: { status: 201, body: Call } }
states:
  Case.state:
    states: [open, closed]
    initial: open
    transitions: { close: { from: open, to: closed, set: { closed: "\${now}" } } }
authentication: (none)
events: (none)
errors: { payload: (none), codes: { unknown: { when: unknown, status: 404 }, wrong: { when: transition refused, status: 409 }, malformed: { when: malformed, status: 400 } } }
limits: (none)
versioning: (none)
`;

/** How the checks of what is set to `now` end against a service of a document, which may be another. */
async function found(served: string, said = document): Promise<readonly string[]> {
  files += 1;
  const service = await serve(specificationOf(served, 'cases.yaml'), { data: join(folder, `${files}`) });
  const only = ({ name }: Described): boolean => name === 'set.now';
  try {
    const of = specificationOf(said, 'cases.yaml');
    const { results } = await testService(of, { url: service.url, seed: 1, only });
    const own = results.filter(({ check }) => check === 'set.now');
    return own.map(({ verdict, statement }) => `${verdict} ${statement.address}`);
  } finally {
    await service.close();
  }
}

const opened = 'resources.Case.fields.opened.set.create';
const closed = 'states["Case.state"].transitions.close.set.closed';
const taken = 'resources.Call.fields.taken.set.create';

describe('what is set to `now`', () => {
  it.each<[string, string | RegExp, string, readonly string[]]>([
    [
      'goes on',
      'name: cases',
      'name: files',
      [`conforms ${opened}`, `conforms ${taken}`, `conforms ${closed}`],
    ],
    [
      'may go by any clock',
      /\$\{now\}/g,
      "$${now + duration('P1D')}",
      [`conforms ${opened}`, `conforms ${taken}`, `conforms ${closed}`],
    ],
    [
      'is not a day ahead of what is set after it',
      'opened: { type: string, format: date-time, set: { create: "${now}"',
      'opened: { type: string, format: date-time, set: { create: "$${now + duration(\'P1D\')}"',
      [`violates ${opened}`, `conforms ${taken}`, `conforms ${closed}`],
    ],
    [
      'is not a day behind what was set before it',
      'closed: "${now}"',
      'closed: "$${now - duration(\'P1D\')}"',
      [`conforms ${opened}`, `conforms ${taken}`, `violates ${closed}`],
    ],
  ])('%s', async (_, from, to, expected) => {
    expect(await found(changed(document, [from, to]))).toEqual(expected);
  });

  it.each<[string, readonly (readonly [string, string])[]]>([
    [
      'where the client may give it',
      [
        [`taken: ${time}`, `taken: ${time.replace('type', 'writable: true, type')}`],
        ['does: create Call,', 'does: create Call, request: { body: Call },'],
      ],
    ],
    [
      'where `with` gives it',
      [['create Call,', `{ create: Call, with: { taken: "$\{timestamp('2026-01-01T00:00:00Z')}" } },`]],
    ],
    [
      'where what is there is kept',
      [
        [
          'id: { type: string, format: uuid, set: { create: "${uuid()}" } }, taken',
          'id: { type: string, maxLength: 1, minLength: 1 }, taken',
        ],
        ['create Call,', '{ create: Call, present: keep }, request: { body: Call },'],
        ['status: 201, body: Call', 'when: [created, unchanged], status: 200, body: Call'],
      ],
    ],
  ])('may be something else %s', async (_, edits) => {
    const said = changed(document, ...edits);
    expect(await found(said, said)).toEqual([`conforms ${opened}`, `conforms ${closed}`]);
  });
});
