import { expect, it } from 'vitest';
import { messageOf } from '../../src/conformance/requests/message.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { type PathSpelling, spellingsOf } from '../../src/specification/model/path-spelling.ts';
import { specificationOf } from '../service/served.ts';
import { asking } from './asking.ts';

const specification = specificationOf(`
tacet: 1
complete: true
endpoints:
  protocol: RFC 9110
  GET /notes: { operation: loose, matching: [caseless, slash], paths: [/all/Notes], does: (none), response: 200 }
  GET /marks: { operation: strict, does: (none), response: 200 }
errors: { codes: { lost: { when: unknown path, status: 404 } } }
authentication: (none)
`);

function operationNamed(name: string): Operation {
  return specification.operations.find((each) => each.name === name) as Operation;
}

it('a request spells a path in each way that is stated', () => {
  expect([spellingsOf(operationNamed('loose')), spellingsOf(operationNamed('strict'))]).toEqual([
    ['case', 'slash', 1],
    [],
  ]);
  const pathOf = (spelling: PathSpelling): string =>
    messageOf(
      {
        operation: operationNamed('loose'),
        path: {},
        query: {},
        headers: {},
        credentials: [],
        content: undefined,
        url: 'http://a',
        spelling,
      },
      specification,
    ).path;
  expect((['case', 'slash', 1] as const).map(pathOf)).toEqual(['/NOTES', '/notes/', '/all/Notes']);
});

it.each([
  ['loose', 'case', 200],
  ['loose', 'slash', 200],
  ['loose', 1, 200],
  ['strict', 'case', 404],
  ['strict', 'slash', 404],
  ['strict', 1, 404],
] as const)('%s, spelled by %s, is answered %i', (name, spelling, status) => {
  expect(asking(specification)(name, { spelling }, { status })).toEqual([]);
});
