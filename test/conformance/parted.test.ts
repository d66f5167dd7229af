import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { testService } from '../../src/conformance/run.ts';
import { serve } from '../../src/service/service.ts';
import { changed, specificationOf, violations } from './documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-parted-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Slips are listed by their box, and by nothing else; only an open box takes any. */
const document = `
name: boxes
complete: true
resources:
  Box:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      state: { type: string }
      slips: { type: integer, derived: "\${Slip.filter(s, s.box == this).size()}" }
  Slip:
    identifier: [box, number]
    fields:
      box: { refers: Box, ifDeleted: delete, writable: false }
      number: { type: integer, set: { create: "\${sequence(this.box)}" } }
      text: { type: string, minLength: 1, maxLength: 20 }
    required: [text]
endpoints:
  others: refuse
  POST /boxes: { operation: make, does: create Box, response: { status: 201, body: Box } }
  GET /boxes/{id}: { operation: look, does: read Box, response: { status: 200, body: Box } }
  POST /boxes/{id}/opening:
    operation: open
    does: open Box
    also: [{ create: Slip, with: { box: "\${this}", text: "opened" } }]
    response: { status: 200, body: Box }
  POST /boxes/{id}/slips:
    operation: slip
    does: { create: Slip, with: ["\${request.body}", { box: "\${box}" }] }
    request: { path: { id: Box.id as box }, body: Slip }
    response: { status: 201, body: Slip }
  GET /boxes/{id}/slips:
    operation: slips
    does: { list: Slip, where: "\${this.box == box}", order: [number] }
    request:
      path: { id: Box.id as box }
      query: { skip: { page: offset, type: integer }, limit: { page: size, type: integer, minimum: 1 } }
    response: { status: 200, body: { slips: "\${Slip(page.items)}" } }
states:
  Box.state:
    states: [closed, open]
    initial: closed
    transitions: { open: { from: closed, to: open } }
authentication: (none)
events: (none)
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    malformed: { when: malformed, status: 400 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
    shut: { when: "\${box.state != 'open'}", operations: [slip], status: 409 }
    wrong: { when: transition refused Box, status: 409 }
limits: (none)
versioning: (none)
`;

/** What is found against a service of another document. */
async function found(served: string): Promise<readonly string[]> {
  files += 1;
  const service = await serve(specificationOf(served, 'boxes.yaml'), { data: join(folder, `${files}`) });
  try {
    const report = await testService(specificationOf(document, 'boxes.yaml'), { url: service.url, seed: 1 });
    return [
      ...new Set(violations(report).map(({ check, statement }) => `${check} ${statement.address}`)),
    ].sort();
  } finally {
    await service.close();
  }
}

const opening = 'endpoints["POST /boxes/{id}/opening"]';
const slips = 'endpoints["GET /boxes/{id}/slips"]';

describe('what is listed by what it refers to alone', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['is not blamed where it is kept to', 'name: boxes', 'name: crates', []],
    [
      'is seen to be made in what follows another request',
      '\n    also: [{ create: Slip, with: { box: "${this}", text: "opened" } }]',
      '',
      [`also ${opening}.also[0]`],
    ],
    [
      'is seen to be made as stated there',
      'text: "opened"',
      'text: "shut"',
      [`also ${opening}.also[0]`, `also.else ${opening}.does.open`],
    ],
    [
      'is missed in its list',
      '"${this.box == box}"',
      '"${this.box == box && this.text == \'opened\'}"',
      [`effect.list ${slips}.does.list`, `effect.listed ${slips}.does.list`, `where.all ${slips}.does.where`],
    ],
    [
      'is seen in the list of another',
      '"${this.box == box}"',
      '"${true}"',
      [`where.none ${slips}.does.where`, `where.only ${slips}.does.where`],
    ],
    [
      'is listed in the stated order',
      'order: [number]',
      'order: ["-number"]',
      [`order.list ${slips}.does.order`],
    ],
    [
      'is shown once, page by page',
      'page: offset',
      'page: start',
      [`page.whole ${slips}.request.query.skip`],
    ],
    [
      'is in no list of another that has none',
      'response: { status: 200, body: { slips: "${Slip(page.items)}" } }',
      'response: { status: 200, body: { slips: "${page.items == [] ? [{}] : Slip(page.items)}" } }',
      [`page.whole ${slips}.request.query.skip`, `where.none ${slips}.does.where`],
    ],
    [
      'is shown in pages of the size asked for',
      'limit: { page: size, type',
      'limit: { type',
      [`page.size ${slips}.request.query.limit`],
    ],
    [
      'is counted where another shows it',
      '.size()}',
      '.size() + 1}',
      ['derived.elsewhere resources.Box.fields.slips.derived'],
    ],
  ])('%s', async (_, from, to, expected) => {
    expect(await found(changed(document, [from, to]))).toEqual(expected);
  });
});
