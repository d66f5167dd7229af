import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { importOpenApi } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { specificationOf } from '../../service/served.ts';

const description = (content: string): string => `
openapi: 3.1.0
info: { title: Rooms, version: "1" }
paths:
  /bookings:
    post:
      requestBody: { required: true, content: { application/json: ${content} } }
      responses: { "201": { description: booked } }
components:
  schemas:
    NewBooking:
      type: object
      properties:
        room: { type: string, examples: [attic] }
        tags: { type: array, items: { type: string } }
        by: { type: object, properties: { name: { type: string } } }
`;

/** The examples of each member of the body, as the document has them. */
function examplesIn(content: string): Readonly<Record<string, unknown>> {
  const resources = importOpenApi('rooms.yaml', description(content)).parts.get('resources');
  const { NewBooking } = (resources && jsonOf(resources)) as { NewBooking: { fields: object } };
  return Object.fromEntries(Object.entries(NewBooking.fields).map(([name, shape]) => [name, shape.examples]));
}

const schema = 'schema: { $ref: "#/components/schemas/NewBooking" }';

describe('the examples of a body', () => {
  it('are those of its members, after their own, but not of what objects hold', () => {
    const content = `{ ${schema}, example: { room: hall, tags: [big], by: { name: ann }, colour: red } }`;
    expect(examplesIn(content)).toEqual({ room: ['attic', 'hall'], tags: [['big']], by: undefined });
  });

  it('are looked for in all that have names, three of a member and each once', () => {
    const rooms = ['hall', 'hall', 'attic', 'cellar', 'roof', 'yard'];
    const all = rooms.map((room, place) => `e${place}: { value: { room: ${room} } }`).join(', ');
    const { room } = examplesIn(`{ ${schema}, examples: { ${all} } }`);
    expect(room).toEqual(['attic', 'hall', 'cellar']);
  });

  it('are left out if they are no objects', () => {
    expect(examplesIn(`{ ${schema}, example: [hall] }`)['room']).toEqual(['attic']);
  });
});

describe('a value of a request', () => {
  const specification = specificationOf('complete: true');
  const values = (schema: Record<string, never>): Set<unknown> => {
    const pool = new Pool(specification, seeded(1));
    return new Set(Array.from({ length: 40 }, () => pool.valueOf('room', schema, begunWorld(specification))));
  };

  it('is often an example of its shape', () => {
    expect(values({ type: 'string', examples: ['hall'] } as never)).toContain('hall');
  });

  it('is never an example that does not fit', () => {
    expect(values({ type: 'string', maxLength: 3, examples: ['hall'] } as never)).not.toContain('hall');
  });
});
