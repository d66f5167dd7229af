import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { holds } from '../../../src/specification/openness/holds.ts';
import { readOutlined } from '../../../src/specification/read.ts';

/** The guesses of a description, by their addresses. */
export interface Guessed {
  readonly all: Readonly<Record<string, unknown>>;
  /** How sure each is. */
  readonly sure: Readonly<Record<string, string>>;
  /** The operations that do not run with them. */
  readonly waiting: readonly string[];
}

export function guessed(paths: object, schemas: object): Guessed {
  const content = JSON.stringify({
    ...{ openapi: '3.1.0', info: { title: 'Rooms', version: '1' } },
    ...{ paths, components: { schemas } },
  });
  const imported = importOpenApi('x.json', content);
  const entries = imported.guesses.map(({ at, value, why }) => ({ at, value, why }));
  const { specification } = readOutlined('x.json', outlined(imported), entries);
  const waiting = specification.operations.filter((each) => holds(specification, each).length > 0);
  return {
    all: Object.fromEntries(imported.guesses.map(({ at, value }) => [at, value])),
    sure: Object.fromEntries(imported.guesses.map(({ at, confidence }) => [at, confidence])),
    waiting: waiting.map(({ key }) => key),
  };
}

/** An answer of JSON. */
export function json(schema: object, status = '200', example?: object): object {
  return {
    [status]: { description: 'it', content: { 'application/json': { schema, ...(example && { example }) } } },
  };
}

export function to(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

export function body(name: string): object {
  return { required: true, content: { 'application/json': { schema: to(name) } } };
}

/** Objects with a key that the service makes, and some texts. */
export function object(members: readonly string[]): object {
  return {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      ...Object.fromEntries(members.map((name) => [name, { type: 'string' }])),
    },
  };
}
