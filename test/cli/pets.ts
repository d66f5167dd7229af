/** A description in which a pet is read by its key, so that what the operation does is guessed. */
export const petsDescription = `
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readPet
      responses: { '200': { description: it, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components: { schemas: { Pet: { type: object, properties: { id: { type: string } }, required: [id] } } }
`;
