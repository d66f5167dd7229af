import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differingExamples } from '../../src/load/examples.ts';
import { specificationOf } from '../service/served.ts';
import { tacet, temporaryFolder } from './terminal.ts';

const { file } = temporaryFolder();

const document = (examples: string): string => `tacet: 1
resources:
  Note:
    identifier: id
    fields: { id: { type: string, set: { create: "\${uuid()}" } }, title: { type: string, maxLength: 5 }, done: { type: boolean, default: false } }
    required: [title]
endpoints:
  POST /notes:
    operation: add
    does: create Note
    request: { body: Note }
    response: { status: 201, headers: { X-Kind: note }, body: Note }
    examples:
      milk: { request: { body: { title: Milk } }, response: { status: 201, body: { id: a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50, title: Milk } } }
${examples}
  GET /notes/{id}:
    operation: read
    does: read Note
    response: { status: 200, body: Note }
    examples:
      mine: { after: { note: add.milk }, request: { path: { id: "\${note.body.id}" } }, response: { status: 200, body: { id: a4c7b1de-0f5b-4f4e-9d3a-6b1c2d3e4f50, done: READ } } }
      other: { request: { path: { id: n7 } }, response: { status: 404 } }
  GET /notes:
    does: { list: Note, order: [title] }
    response: { status: 200, body: "\${Note(page.items)}" }
    examples:
      all: { request: {}, response: { status: 200, body: [{ title: Bread }, { title: Milk }] } }
authentication: (none)
limits: (none)
errors: { order: listed, codes: { unfit: { when: invalid, status: 422 }, none: { when: unknown Note, status: 404 } } }
`;

function warnings(examples: string, read = 'false'): readonly string[] {
  const specification = specificationOf(document(examples).replace('READ', read));
  return differingExamples(specification).map(({ message }) => message);
}

const says = (where: string, expected: string, found: string): string =>
  `the statements exclude this answer: ${where} is ${expected}, and the example shows ${found}`;

describe('tacet check', () => {
  it('warns of no example that a right service may answer so', () => {
    expect(warnings('')).toEqual([]);
    expect(
      warnings(
        '      any: { request: { body: { title: Tea } }, response: { status: 201, body: { id: (any) } } }',
      ),
    ).toEqual([]);
  });

  it.each([
    ['{ request: { body: { title: Tea } }, response: { status: 200 } }', says('status', '201', '200')],
    ['{ request: { body: { title: Butter } }, response: { status: 201 } }', says('status', '422', '201')],
    [
      '{ request: { body: { title: Tea } }, response: { body: { done: true } } }',
      says('body.done', 'false', 'true'),
    ],
    [
      '{ request: { body: { title: Tea } }, response: { headers: { X-Kind: tea } } }',
      says('headers.x-kind', '"note"', '"tea"'),
    ],
  ])('warns of %s', (example, message) => {
    expect(warnings(`      wrong: ${example}`)).toEqual([message]);
  });

  it('follows what the examples before made', () => {
    expect(warnings('', 'true')).toEqual([says('body.done', 'false', 'true')]);
  });

  it('prints the warning with its place, and what decides', async () => {
    const path = file(
      'wrong.yaml',
      document('      wrong: { request: { body: { title: Tea } }, response: { status: 200 } }').replace(
        'READ',
        'false',
      ),
    );
    const { code, out, error } = await tacet(['check', path]);
    expect(code).toBe(0);
    expect(out).toContain('no error, 3 operations, 1 warning');
    expect(error).toContain(`${path}:15:`);
    expect(error).toContain(
      `change the example, or what decides: endpoints["POST /notes"].response.status, ${path}:12:25`,
    );
  });

  it('finds each answer that an author might have got wrong in a real document, and none that is right', () => {
    const text = readFileSync('examples/directory.md', 'utf8');
    expect(differingExamples(specificationOf(text))).toEqual([]);
    const wrong = text.replaceAll(/(examples:[\s\S]*?status: )20[01]/g, '$1299');
    expect(differingExamples(specificationOf(wrong)).map(({ message }) => message)).toContain(
      says('status', '201', '299'),
    );
  });
});
