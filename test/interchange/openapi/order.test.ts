import { describe, expect, it } from 'vitest';
import { guessed, json, to } from './guessed.ts';

const texts = { name: { type: 'string' }, stars: { type: 'integer' } };
const times = {
  createdAt: { type: 'string', format: 'date-time' },
  startsAt: { type: 'string', format: 'date-time' },
};

interface Given {
  readonly key?: object;
  readonly members?: object;
  readonly parameters?: readonly object[];
}

/** The order that is guessed of a list of which people are told this, and how sure it is. */
function orderOf(
  summary: string,
  { key = { type: 'string' }, members = { ...texts, ...times }, parameters = [] }: Given = {},
): unknown {
  const { all, sure } = guessed(
    {
      '/entries': {
        get: { summary, parameters, responses: json({ type: 'array', items: to('Entry') }) },
      },
      '/entries/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: key }],
          responses: json(to('Entry')),
        },
      },
    },
    { Entry: { type: 'object', properties: { id: key, ...members } } },
  );
  const at = 'endpoints["GET /entries"].does.order';
  return all[at] && [...(all[at] as string[]), sure[at]];
}

describe('the order of a list, as its author tells people', () => {
  it.each([
    ['Entries, newest first', ['-createdAt', 'high']],
    ['All entries. Oldest entries first.', ['createdAt', 'high']],
    ['Entries in the order in which they were written', ['createdAt', 'high']],
    ['Sorted by `startsAt`, earliest first', ['startsAt', 'high']],
    ['Entries, ordered by stars (descending)', ['-stars', 'high']],
    ['Highest stars first', ['-stars', 'high']],
    ['Entries by stars, lowest first', ['stars', 'high']],
    ['Sorted by name', ['name', 'stand-in']],
  ])('%s', (summary, order) => {
    expect(orderOf(summary)).toEqual(order);
  });

  it('is that of numbers, if nothing else tells when an item was made', () => {
    expect(orderOf('Newest first', { key: { type: 'integer' }, members: texts })).toEqual(['-id', 'high']);
    expect(orderOf('Newest first', { members: texts })).toBeUndefined();
  });

  it.each(['Entries by author', 'Sorted by the time of day', 'The first entries', 'Order a pizza'])(
    'is not told by: %s',
    (summary) => {
      expect(orderOf(summary)).toBeUndefined();
    },
  );

  it('is not told where a parameter says it', () => {
    const sort = { name: 'sort', in: 'query', schema: { type: 'string' } };
    expect(orderOf('Newest first', { parameters: [sort] })).toBeUndefined();
  });
});
