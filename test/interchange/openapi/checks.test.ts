import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/conformance/stream.ts';
import { load } from '../../../src/index.ts';
import { sampled } from '../../long.ts';
import { testedUntil } from '../../until.ts';

const description = `
openapi: 3.1.0
info: { title: Tasks, version: "1", description: Keep a list of tasks. }
paths:
  /tasks:
    get:
      operationId: listTasks
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }
      responses:
        "200":
          description: tasks
          headers: { X-Total: { required: true, schema: { type: integer, minimum: 0 } } }
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Task" } } } }
        "401": { $ref: "#/components/responses/Refused" }
        "422": { $ref: "#/components/responses/Refused" }
    post:
      operationId: addTask
      parameters:
        - { name: X-Client, in: header, required: true, schema: { type: string, minLength: 1 } }
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Task" } } }
      responses:
        "201":
          description: the task
          headers: { Location: { required: true, schema: { type: string, format: uri-reference } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Task" } } }
        "401": { $ref: "#/components/responses/Refused" }
        "422": { $ref: "#/components/responses/Refused" }
  /tasks/{taskId}:
    parameters: [{ name: taskId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readTask
      responses:
        "200":
          description: the task
          content: { application/json: { schema: { $ref: "#/components/schemas/Task" } } }
        "401": { $ref: "#/components/responses/Refused" }
        "404": { $ref: "#/components/responses/Refused" }
    delete:
      operationId: deleteTask
      responses:
        "204": { description: It is gone. }
        "401": { $ref: "#/components/responses/Refused" }
        "404": { $ref: "#/components/responses/Refused" }
security: [{ key: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  responses:
    Refused:
      description: It was refused.
      content:
        application/problem+json:
          schema: { type: object, required: [title], properties: { title: { type: string } } }
  schemas:
    Task:
      type: object
      required: [title]
      properties:
        id: { type: string, format: uuid, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 80 }
        done: { type: boolean, default: false }
`;

const folder = mkdtempSync(join(tmpdir(), 'tacet-checks-'));
const file = join(folder, 'openapi.yaml');
writeFileSync(file, description);
const specification = await load(file);
afterAll(() => rmSync(folder, { recursive: true }));

interface Task {
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (status: number, title: string): Answer => ({
  ...{ status, body: { title } },
  headers: { 'content-type': 'application/problem+json' },
});

/** A service as it is described, but for one fault: what a check of Schemathesis is about. */
class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #fault: string | null;

  constructor(fault: string | null) {
    this.#fault = fault;
  }

  answer({ url = '/', method, headers }: IncomingMessage, text: string): Answer {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, first, id, ...rest] = pathname.split('/');
    if (first !== 'tasks' || rest.length > 0) return refusal(404, 'no such path');
    if (headers['x-key'] !== 'secret' && this.#fault !== 'ignored_auth') return refusal(401, 'send a key');
    if (id === undefined && method === 'GET') return this.#list(searchParams.get('limit'));
    if (id === undefined && method === 'POST') return this.#add(headers['x-client'], text);
    const task = this.#tasks.get(id ?? '');
    if (id !== undefined && ['GET', 'DELETE'].includes(method ?? '')) {
      if (!task) return refusal(404, 'no such task');
      if (method === 'GET') return { status: 200, body: task };
      if (this.#fault !== 'use_after_free') this.#tasks.delete(id);
      return { status: 204 };
    }
    return this.#fault === 'unsupported_method' ? { status: 200, body: {} } : refusal(405, 'no such method');
  }

  #list(limit: string | null): Answer {
    const isOne = limit === null || /^([1-9]|[1-4]\d|50)$/.test(limit);
    if (!isOne && this.#fault !== 'negative_data_rejection') return refusal(422, 'limit');
    return {
      status: 200,
      body: [...this.#tasks.values()].slice(0, Number(limit ?? 20)),
      headers: { 'x-total': this.#fault === 'shape of a header field' ? 'many' : `${this.#tasks.size}` },
    };
  }

  #add(client: unknown, text: string): Answer {
    if (!client && this.#fault !== 'missing_required_header') return refusal(422, 'X-Client');
    let body: Partial<Task> | null;
    try {
      body = JSON.parse(text) as Partial<Task> | null;
    } catch {
      return refusal(this.#fault === 'status_code_conformance' ? 400 : 422, 'no JSON');
    }
    const { title, done = false } = body ?? {};
    if (Array.isArray(body) || typeof title !== 'string' || typeof done !== 'boolean')
      return refusal(422, 'invalid');
    const length = [...title].length;
    if (this.#fault === 'not_a_server_error' && title === 'null') return refusal(500, 'failed');
    const most = this.#fault === 'positive_data_acceptance' ? 40 : 80;
    if (length < 1 || length > most) return refusal(422, 'invalid');
    const task = { id: randomUUID(), title, done };
    if (this.#fault !== 'ensure_resource_availability') this.#tasks.set(task.id, task);
    const type = this.#fault === 'content_type_conformance' ? 'text/plain' : 'application/json';
    return {
      status: 201,
      body: this.#fault === 'response_schema_conformance' ? { ...task, done: 'no' } : task,
      headers: {
        'content-type': type,
        ...(this.#fault !== 'response_headers_conformance' && { location: `/tasks/${task.id}` }),
      },
    };
  }
}

/** What happens in a test until what is looked for is seen; nothing: all of it. */
async function tested(
  fault: string | null,
  isSought: (event: RunEvent) => boolean = () => false,
): Promise<readonly RunEvent[]> {
  const tasks = new Tasks(fault);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, headers } = tasks.answer(
      request,
      (await request.setEncoding('utf8').toArray()).join(''),
    );
    response.writeHead(status, {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = { key: { main: 'secret' } };
  try {
    const url = `http://127.0.0.1:${port}`;
    return await testedUntil(specification, { url, credentials, walks: 480 }, isSought);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The statements that are violated, and whether only guesses are. */
const violated = (events: readonly RunEvent[]): readonly (readonly [address: string, isGuessed: boolean])[] =>
  events.flatMap((event) =>
    event.kind === 'result' && event.result.verdict === 'violates'
      ? [[event.result.statement.address, event.result.assumed] as const]
      : [],
  );

const isStatedViolation = (event: RunEvent, statement: RegExp): boolean =>
  violated([event]).some(([address, isGuessed]) => statement.test(address) && !isGuessed);

/** Where it is shown: null for a check whose fault only a guess excludes. */
const faults: readonly (readonly [check: string, statement: RegExp, isStated: boolean])[] = [
  ['not_a_server_error', /POST \/tasks"\]\.response\.status$/, false],
  ['status_code_conformance', /unprocessable\.status$/, false],
  ['content_type_conformance', /POST \/tasks"\]\.response\.shape$/, true],
  ['response_schema_conformance', /POST \/tasks"\]\.response\.shape$/, true],
  ['response_headers_conformance', /POST \/tasks"\]\.response\.headers\.Location$/, true],
  ['negative_data_rejection', /query\.limit\.maximum$/, true],
  ['positive_data_acceptance', /POST \/tasks"\]\.response\.status$/, false],
  ['missing_required_header', /unprocessable\.status$/, true],
  ['use_after_free', /not_found\.status$/, true],
  ['ensure_resource_availability', /GET \/tasks"\]\.response\.body$/, false],
  ['ignored_auth', /not_authenticated\.status$/, true],
];

describe('a service of an OpenAPI description', () => {
  it('is blamed for nothing if it does what is described', async () => {
    expect(violated(await tested(null))).toEqual([]);
  });

  it.each(sampled(faults, 4))(
    'is blamed for what the check %s is about',
    async (check, statement, isStated) => {
      // Whether something stated is violated, too, only a whole test tells.
      const all = violated(await tested(check, (event) => isStated && isStatedViolation(event, statement)));
      const found = all.filter(([address]) => statement.test(address));
      expect(found.length, JSON.stringify(all)).toBeGreaterThan(0);
      expect(found.some(([, isGuessed]) => !isGuessed)).toBe(isStated);
      expect(all.some(([, isGuessed]) => !isGuessed)).toBe(isStated);
    },
  );

  it('is blamed for a header field that has another shape', async () => {
    const events = await tested('shape of a header field', (event) => isStatedViolation(event, /X-Total$/));
    expect(violated(events)).toContainEqual(['endpoints["GET /tasks"].response.headers.X-Total', false]);
  });

  it('has a method listed that nobody described', async () => {
    const isOne = (event: RunEvent): boolean =>
      event.kind === 'invention' && event.invention.kind === 'method';
    expect((await tested('unsupported_method', isOne)).filter(isOne)).not.toEqual([]);
  });

  it('has each check in the table of docs/openapi-test.md', () => {
    const page = readFileSync('docs/openapi-test.md', 'utf8');
    const others = ['unsupported_method', 'allow_header_conformance', 'max_response_time'];
    for (const check of [...faults.map(([name]) => name), ...others]) expect(page).toContain(`\`${check}\``);
  });
});
