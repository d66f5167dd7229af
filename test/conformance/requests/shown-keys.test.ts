import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { usualRequest } from '../../../src/conformance/requests/requests.ts';
import { ShownKeys } from '../../../src/conformance/requests/shown-keys.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import type { Answer } from '../../../src/semantics/judge/answer.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(`
complete: true
endpoints:
  GET /meeting-rooms: { operation: rooms, does: (open) which?, response: 200 }
  GET /categories: { operation: categories, does: (open) which?, response: 200 }
  POST /bookings: { operation: book, does: (none), request: { body: { fields: { meetingRoomId: { type: string } }, required: [meetingRoomId] } }, response: 204 }
  GET /rates/{category}: { operation: rate, does: (none), response: 204 }
authentication: (none)
`);

const operation = (name: string): Operation =>
  specification.operations.find((each) => each.name === name) as Operation;

const success = (body: Answer['body']): Answer => ({ status: 200, headers: {}, body });

/** What is known after an answer. */
function showing(name: string, answer: Answer): ShownKeys {
  const shown = new ShownKeys();
  shown.note(operation(name), answer);
  return shown;
}

describe('what answers showed', () => {
  it('is found by the name of the thing at the path, and by that of the member', () => {
    const shown = showing('rooms', success([{ id: 'hall', seats: 4 }, { id: 'attic' }]));
    expect(shown.valuesFor('meetingRoomId')).toEqual(['hall', 'attic']);
    expect(shown.valuesFor('meeting_room')).toEqual(['hall', 'attic']);
    expect(shown.valuesFor('meeting-room-seats')).toEqual([4]);
    expect(shown.valuesFor('seats')).toEqual([]);
  });

  it('is found in a member of the content that is a list, or in the whole', () => {
    expect(showing('rooms', success({ data: [{ id: 1 }], total: 7 })).valuesFor('meetingRoomId')).toEqual([
      1,
    ]);
    expect(showing('categories', success({ id: 'big' })).valuesFor('category')).toEqual(['big']);
  });

  it('is nothing, if the answer is a refusal', () => {
    const shown = showing('rooms', { ...success([{ id: 'hall' }]), status: 404 });
    expect(shown.valuesFor('meetingRoomId')).toEqual([]);
  });

  it('is given in the body and in the path of requests', () => {
    const shown = showing('rooms', success([{ id: 'hall' }]));
    shown.note(operation('categories'), success([{ id: 'big' }]));
    const pool = new Pool(specification, seeded(1), 0, shown);
    const made = (name: string) =>
      Array.from({ length: 30 }, () =>
        usualRequest(operation(name), begunWorld(specification), pool, 'http://localhost'),
      );
    expect(made('book').map(({ content }) => content)).toContainEqual({ meetingRoomId: 'hall' });
    expect(made('rate').map(({ path }) => path)).toContainEqual({ category: 'big' });
  });
});
