import { expect, it } from 'vitest';
import { accepted } from '../../../src/conformance/play/accepted.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { judge } from '../../../src/semantics/judge/judge.ts';
import type { Request } from '../../../src/semantics/request/prediction.ts';
import { step } from '../../../src/semantics/request/request.ts';
import { seen } from '../../../src/semantics/value/value.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
resources:
  Note:
    identifier: id
    fields:
      id:   { type: string, format: uuid, set: { create: "\${uuid()}" } }
      text: { type: string, maxLength: 3 }
    required: [text]
endpoints:
  POST /notes:        { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
errors:
  codes: { invalid: { when: invalid, status: 422 }, none: { when: unknown Note, status: 404 } }
`);

const asked = (name: string, rest: Partial<Request>): Request => {
  const operation = specification.operations.find((each) => each.name === name);
  if (operation === undefined) throw new TypeError(`no operation ${name}`);
  return {
    ...{ operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://localhost' },
    ...{ content: undefined, ...rest },
  };
};

const id = '0b6d1a3c-1111-4222-8333-444455556666';

/** The world after an answer of 201 to a text that is too long. */
function afterTooLong(): World | null {
  const world = begunWorld(specification);
  const request = asked('add', { content: { text: 'long' } });
  const answer = {
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: { id, text: 'long' },
  };
  const steps = accepted(step(world, request), answer, world, request, world.received);
  const { differences, next } = judge(steps, answer);
  expect(differences.map(({ at }) => at)).toEqual(['status']);
  return next;
}

it('what was carried out in place of a refusal made an item that is known by its key', () => {
  const [item, ...others] = afterTooLong()?.items('Note') ?? [];
  expect(others).toEqual([]);
  expect(seen(item?.members.get('id') ?? null)).toBe(id);
});

it('so whatever is done to the item is done to no other', () => {
  const world = afterTooLong() as World;
  const steps = step(world, asked('remove', { path: { id } }));
  expect(steps.map(({ prediction }) => prediction.status)).toEqual([[204]]);
  expect(judge(steps, { status: 204, headers: {}, body: undefined }).next?.items('Note')).toEqual([]);
});
