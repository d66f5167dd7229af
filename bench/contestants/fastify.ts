// The to-do service as it is written by hand with Fastify: the schemas that its documentation advises,
// prepared statements over columns, and a transaction for each change, or with --group-commit one for those
// of a turn of the event loop.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyError } from 'fastify';
import { commandLine } from './command-line.ts';
import { groupCommit, open } from './database.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly completed: number;
  readonly order: number | null;
}

interface Todo {
  readonly title: string;
  readonly completed: boolean;
  readonly order?: number;
  readonly url: string;
}

interface Given {
  readonly title: string;
  readonly completed: boolean;
  readonly order?: number;
}

const options = commandLine();
const address = `http://127.0.0.1:${options.port}`;

const database = open(options.data);
database.exec(
  `CREATE TABLE IF NOT EXISTS todo (
     place INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     title TEXT NOT NULL,
     completed INTEGER NOT NULL,
     "order" INTEGER
   ) STRICT`,
);
const columns = 'id, title, completed, "order"';
const find = database.prepare<[string], Row>(`SELECT ${columns} FROM todo WHERE id = ?`);
const list = database.prepare<[], Row>(`SELECT ${columns} FROM todo ORDER BY place`);
const insert = database.prepare(`INSERT INTO todo (${columns}) VALUES (?, ?, ?, ?)`);
const change = database.prepare(
  `UPDATE todo SET title = coalesce(?, title), completed = coalesce(?, completed), "order" = coalesce(?, "order")
   WHERE id = ? RETURNING ${columns}`,
);
const remove = database.prepare('DELETE FROM todo WHERE id = ?');
const clear = database.prepare('DELETE FROM todo');

const commit = groupCommit(database, 'savepoint each');
const kept: <T>(work: () => T) => T | Promise<T> = options.groupCommit
  ? (work) =>
      new Promise((resolve, reject) =>
        commit(work, (error, result) => (error === null ? resolve(result as never) : reject(error))),
      )
  : (work) => work();

const todoOf = ({ id, title, completed, order }: Row): Todo => ({
  title,
  completed: completed === 1,
  ...(order !== null && { order }),
  url: `${address}/${id}`,
});
const integer = (flag: boolean | undefined): number | null => (flag === undefined ? null : Number(flag));

const members = {
  title: { type: 'string', minLength: 1 },
  completed: { type: 'boolean' },
  order: { type: 'integer' },
};
const given = {
  type: 'object',
  properties: { ...members, completed: { type: 'boolean', default: false } },
  required: ['title'],
  additionalProperties: false,
};
const changed = { type: 'object', properties: members, additionalProperties: false };
const todo = {
  type: 'object',
  properties: { ...members, url: { type: 'string' } },
  required: ['title', 'completed', 'url'],
};

const service = Fastify({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
});

service.addHook('onRequest', (_request, reply, done) => {
  reply.header('access-control-allow-origin', '*');
  done();
});

service.setErrorHandler((error: FastifyError, _request, reply) => {
  if (error.validation !== undefined) {
    const fields = error.validation.map(
      ({ instancePath, params }) =>
        instancePath.slice(1) || params.missingProperty || params.additionalProperty,
    );
    return reply.code(422).send({ message: fields.join(', ') });
  }
  const unreadable = error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError;
  if (unreadable) return reply.code(400).send({ message: 'this cannot be read' });
  return reply.code(error.statusCode ?? 500).send();
});

const unknown = { message: 'there is no such to-do' };

service.options('*', (_request, reply) =>
  reply
    .code(204)
    .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    .header('access-control-allow-headers', 'Content-Type, Accept')
    .send(),
);

service.get('/', { schema: { response: { 200: { type: 'array', items: todo } } } }, (_request, reply) =>
  reply.send(list.all().map(todoOf)),
);

service.post<{ Body: Given }>(
  '/',
  { schema: { body: given, response: { 201: todo } } },
  async (request, reply) => {
    const { title, completed, order } = request.body;
    const row = { id: randomUUID(), title, completed: Number(completed), order: order ?? null };
    const result = kept(() => insert.run(row.id, row.title, row.completed, row.order));
    if (result instanceof Promise) await result;
    const made = todoOf(row);
    return reply.code(201).header('location', made.url).send(made);
  },
);

service.delete('/', async (_request, reply) => {
  await kept(() => clear.run());
  return reply.code(204).send();
});

service.get<{ Params: { id: string } }>('/:id', { schema: { response: { 200: todo } } }, (request, reply) => {
  const row = find.get(request.params.id);
  return row === undefined ? reply.code(404).send(unknown) : reply.send(todoOf(row));
});

service.patch<{ Params: { id: string }; Body: Partial<Given> }>(
  '/:id',
  { schema: { body: changed, response: { 200: todo } } },
  async (request, reply) => {
    const { title, completed, order } = request.body;
    const row = await kept(
      () =>
        change.get(title ?? null, integer(completed), order ?? null, request.params.id) as Row | undefined,
    );
    return row === undefined ? reply.code(404).send(unknown) : reply.send(todoOf(row));
  },
);

service.delete<{ Params: { id: string } }>('/:id', async (request, reply) => {
  const { changes } = await kept(() => remove.run(request.params.id));
  return changes === 0 ? reply.code(404).send(unknown) : reply.code(204).send();
});

await service.listen({ host: '127.0.0.1', port: options.port });
