import { describe, expect, it } from 'vitest';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { Unreadable } from '../../../src/interchange/openapi/unreadable.ts';
import { at } from '../../../src/source/text.ts';
import { readOutlined } from '../../../src/specification/read.ts';

const swagger = `swagger: "2.0"
info: { title: Petstore, version: "1" }
host: petstore.example
basePath: /v2
consumes: [application/json]
produces: [application/json]
paths:
  /pets:
    x-note: hello
    parameters: [{ name: X-Trace, in: header, type: string }]
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, type: integer, maximum: 50 }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: multi }
      responses: { "200": { description: pets, schema: { type: array, items: { $ref: "#/definitions/Pet" } } } }
    post:
      operationId: addPet
      parameters: [{ name: pet, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }]
      responses: { "201": { description: pet, schema: { $ref: "#/definitions/Pet" } } }
  /report:
    get: { operationId: readReport, produces: [text/csv], responses: { "200": { description: it, schema: { type: string } } } }
securityDefinitions: { key: { type: apiKey, in: header, name: X-Key } }
security: [{ key: [] }]
definitions:
  Pet:
    type: object
    required: [name]
    properties:
      name: { type: string, pattern: "^[a-z]+$" }
      tag: { type: string, x-nullable: true }
      born: { type: string, format: wrong }
`;

const made = importOpenApi('pets.yaml', swagger);

type Members = Record<string, Record<string, unknown>>;

const part = (name: 'resources' | 'endpoints' | 'authentication'): Members => {
  const piece = made.parts.get(name);
  return (piece ? jsonOf(piece) : {}) as Members;
};

describe('a description in OpenAPI 2.0', () => {
  it('has shapes, parameters, bodies and schemes as one in 3.0 has them', () => {
    expect(part('resources')['Pet']).toMatchObject({
      fields: { name: { type: 'string', pattern: '^[a-z]+$' }, tag: { type: ['string', 'null'] } },
      required: ['name'],
    });
    const endpoints = part('endpoints');
    expect(endpoints['base']).toBe('/v2');
    expect(endpoints['GET /pets']?.['request']).toMatchObject({
      query: { limit: { type: 'integer', maximum: 50 }, tags: { type: 'array' } },
      headers: { 'X-Trace': { type: 'string' } },
    });
    expect(endpoints['POST /pets']?.['request']).toMatchObject({ body: 'Pet' });
    expect(part('authentication')['schemes']).toEqual({
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    });
  });

  it('has the media types of the operation, else those of all', () => {
    const { 'GET /pets': list, 'GET /report': report } = part('endpoints');
    expect(list?.['response']).toMatchObject({ status: 200, shape: { type: 'array', items: 'Pet' } });
    expect(report?.['response']).toMatchObject({ status: 200 });
  });

  it('keeps the place of each value', () => {
    const { specification } = readOutlined('pets.yaml', outlined(made));
    const pet = specification.resourcesByName.get('Pet') ?? specification.resources;
    const places = specification.operations.map(({ at: place }) => (place ? at(place) : ''));
    expect(pet).toBeDefined();
    expect(places.every((place) => /^pets\.yaml:\d+:\d+$/.test(place))).toBe(true);
    const name = made.parts.get('resources');
    const field = name && 'entries' in name ? name.entries.get('Pet') : undefined;
    expect(field && at(field.at)).toBe('pets.yaml:27:5');
  });

  it('that the upgrader cannot read is refused', () => {
    const broken = swagger.replace('in: query, type: integer', 'type: integer');
    expect(() => importOpenApi('pets.yaml', broken)).toThrow(Unreadable);
  });
});
