// The to-do service as it is written by hand with Fastify and node-postgres: the schemas that Fastify's documentation
// advises, a pool of connections, named prepared statements over columns, and a statement for each change.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyError } from 'fastify';
import pg from 'pg';
import { commandLine } from './command-line.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly completed: boolean;
  readonly order: number | null;
}

interface Given {
  readonly title: string;
  readonly completed: boolean;
  readonly order?: number;
}

const { port, data } = commandLine();
const address = `http://127.0.0.1:${port}`;

const place = new URL(data);
const schema = place.searchParams.get('schema') as string;
place.searchParams.delete('schema');
const pool = new pg.Pool({ connectionString: place.href, options: `-c search_path=${schema}` });
await pool.query(
  `CREATE TABLE IF NOT EXISTS todo (
     place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id uuid NOT NULL UNIQUE,
     title text NOT NULL,
     completed boolean NOT NULL,
     "order" integer
   )`,
);
const durable = await pool.query(
  "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
);
if (durable.rows[0].fsync !== 'on' || durable.rows[0].commit !== 'on')
  throw new Error('the server is not durable');

const columns = 'id, title, completed, "order"';
const statements = {
  find: `SELECT ${columns} FROM todo WHERE id = $1`,
  list: `SELECT ${columns} FROM todo ORDER BY place`,
  insert: `INSERT INTO todo (${columns}) VALUES ($1, $2, $3, $4)`,
  change: `UPDATE todo SET title = coalesce($1, title), completed = coalesce($2, completed), "order" = coalesce($3, "order")
    WHERE id = $4 RETURNING ${columns}`,
  remove: 'DELETE FROM todo WHERE id = $1',
  clear: 'DELETE FROM todo',
};
const run = (name: keyof typeof statements, values: readonly unknown[] = []): Promise<pg.QueryResult<Row>> =>
  pool.query<Row>({ name, text: statements[name], values: [...values] });

const todoOf = ({ id, title, completed, order }: Row) => ({
  title,
  completed,
  ...(order !== null && { order }),
  url: `${address}/${id}`,
});

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

service.get('/', { schema: { response: { 200: { type: 'array', items: todo } } } }, async () =>
  (await run('list')).rows.map(todoOf),
);

service.post<{ Body: Given }>(
  '/',
  { schema: { body: given, response: { 201: todo } } },
  async (request, reply) => {
    const { title, completed, order } = request.body;
    const row = { id: randomUUID(), title, completed, order: order ?? null };
    await run('insert', [row.id, row.title, row.completed, row.order]);
    const made = todoOf(row);
    return reply.code(201).header('location', made.url).send(made);
  },
);

service.delete('/', async (_request, reply) => {
  await run('clear');
  return reply.code(204).send();
});

service.get<{ Params: { id: string } }>(
  '/:id',
  { schema: { response: { 200: todo } } },
  async (request, reply) => {
    const [row] = (await run('find', [request.params.id])).rows;
    return row === undefined ? reply.code(404).send(unknown) : todoOf(row);
  },
);

service.patch<{ Params: { id: string }; Body: Partial<Given> }>(
  '/:id',
  { schema: { body: changed, response: { 200: todo } } },
  async (request, reply) => {
    const { title, completed, order } = request.body;
    const [row] = (await run('change', [title ?? null, completed ?? null, order ?? null, request.params.id]))
      .rows;
    return row === undefined ? reply.code(404).send(unknown) : todoOf(row);
  },
);

service.delete<{ Params: { id: string } }>('/:id', async (request, reply) => {
  const { rowCount } = await run('remove', [request.params.id]);
  return rowCount === 0 ? reply.code(404).send(unknown) : reply.code(204).send();
});

await service.listen({ host: '127.0.0.1', port });
