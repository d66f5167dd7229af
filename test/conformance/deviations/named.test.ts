import { expect, it } from 'vitest';
import { deviationsOf } from '../../../src/conformance/deviations/deviations.ts';
import { Explorer } from '../../../src/conformance/explore/explorer.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { specificationOf } from '../../service/served.ts';

/** Words that are keys of the language somewhere, and names that a document may give to what is its own. */
const keys = [
  ...['per', 'when', 'where', 'status', 'order', 'media', 'default', 'type', 'unique', 'holds', 'set'],
  ...['allow', 'every', 'of', 'to', 'from', 'with', 'also', 'does', 'body', 'headers', 'page', 'sort'],
  ...['filter', 'life', 'code', 'message', 'items', 'required', 'enum', 'refers', 'derived', 'version'],
];

const document = `
complete: true
resources:
  Note:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
${keys.map((key) => `      ${key}: { type: string, maxLength: 9, default: x }`).join('\n')}
endpoints:
  others: refuse
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes:
    operation: all
    does: { list: Note, order: [id] }
    request: { query: { ${keys.map((key) => `${key}: { type: string, filter: ${key} }`).join(', ')} } }
    response: { status: 200, body: "\${Note(page.items)}" }
errors: { codes: { ${keys.map((key) => `${key}: { when: "\${request.body.${key} == 'no'}", operations: [make], status: 409 }`).join(', ')} } }
authentication: (none)
`;

it('names of fields, parameters and codes may be those of keywords', () => {
  const specification = specificationOf(document);
  const begun = begunWorld(specification);
  const explorer = new Explorer(new Pool(specification, seeded(1)), 'http://a', specification.operations);
  const requests = specification.operations.map(
    (operation) => explorer.usual(begun, begun.received, [operation]).request,
  );
  const all = deviationsOf(specification);
  const failing = all.filter((deviation) => {
    try {
      for (const request of requests) deviation.implementation()(begun, request);
      return false;
    } catch {
      return true;
    }
  });
  expect(all.length).toBeGreaterThan(keys.length);
  expect(failing.map(({ said, says }) => `${said.address}: ${says}`)).toEqual([]);
});
