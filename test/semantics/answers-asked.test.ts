import { expect, it } from 'vitest';
import { receivedAnswer } from '../../src/semantics/judge/answer.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { sometimesHeld } from '../../src/specification/openness/sometimes-held.ts';
import { answer, ask, specificationOf, start } from '../service/served.ts';

/** A document that asks when PUT answers 202. */
const asked = `
name: Notes
complete: true
resources: { Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } } }
endpoints:
  others: refuse
  GET /notes: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  PUT /notes/{id}:
    does: { create: Note, present: replace }
    request: { body: Note }
    response:
      - { when: created, status: 201 }
      - { when: (open) is it done later?, status: 202, body: { isDone: false } }
      - { status: 200, body: Note }
authentication: (none)
`;

it('the service answers 501 where it is asked which answer is sent, and changes nothing (language §H.3)', async () => {
  const service = await start(asked);
  expect(await ask(service, 'PUT /notes/a', { text: 'tea' })).toEqual(answer(201));
  expect(await ask(service, 'PUT /notes/a', { text: 'milk' })).toEqual(answer(501));
  expect((await ask(service, 'GET /notes')).body).toEqual([{ id: 'a', text: 'tea' }]);
});

it('it is told that some requests wait for the question', () => {
  const specification = specificationOf(asked);
  const [, put] = specification.operations as [Operation, Operation];
  expect(sometimesHeld(put, specification).map(({ address }) => address)).toEqual([
    'endpoints["PUT /notes/{id}"].response[1].when',
  ]);
});

it('the tester accepts this answer, and the one that comes after it', () => {
  const specification = specificationOf(asked);
  const request = (text: string): Request => ({
    operation: specification.operations[1] as Operation,
    ...{ path: { id: 'a' }, query: {}, headers: {}, credentials: [], url: 'http://a' },
    content: { text },
  });
  const made = judge(
    step(new World(specification), request('tea')),
    receivedAnswer(201, {}, new Uint8Array()),
  );
  expect(made.differences).toEqual([]);
  const wrong = (status: number, body: unknown): readonly string[] => {
    const content = new TextEncoder().encode(JSON.stringify(body));
    const steps = step(made.world as World, request('milk'));
    const received = receivedAnswer(status, { 'content-type': 'application/json' }, content);
    return judge(steps, received).differences.map(({ at, expected }) => `${at}: ${expected}`);
  };
  expect(wrong(202, { isDone: false })).toEqual([]);
  expect(wrong(200, { id: 'a', text: 'milk' })).toEqual([]);
  expect(wrong(200, { id: 'a', text: 'tea' })).toEqual(['body.text: "milk"']);
  expect(wrong(204, null)).not.toEqual([]);
});
