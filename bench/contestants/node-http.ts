// The to-do service as it is written by hand when speed is what counts, and the only service it will ever be:
// node:http alone, no router, no validator, to-dos kept as the text of their JSON, and group commit. It is the
// ceiling of what this Node and this database allow.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { commandLine } from './command-line.ts';
import { type Done, groupCommit, open } from './database.ts';

const options = commandLine();
const address = `http://127.0.0.1:${options.port}/`;
const longestBody = 1024 * 1024;

// `members` is the JSON text of a to-do up to the member `url`, whose address is known only here.
const database = open(options.data);
database.exec(
  'CREATE TABLE IF NOT EXISTS todo (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, members TEXT NOT NULL) STRICT',
);
const find = database.prepare<[string], string>('SELECT members FROM todo WHERE id = ?').pluck();
// SQLite joins faster than V8, where the pieces would have to cross over one by one.
const list = database
  .prepare<[string], string>(`SELECT members || ? || id || '"}' FROM todo ORDER BY place`)
  .pluck();
const insert = database.prepare<[string, string]>('INSERT INTO todo (id, members) VALUES (?, ?)');
const update = database.prepare<[string, string]>('UPDATE todo SET members = ? WHERE id = ?');
const remove = database.prepare<[string]>('DELETE FROM todo WHERE id = ?');
const clear = database.prepare('DELETE FROM todo');
const commit = groupCommit(database, 'one statement each');

interface Members {
  readonly title?: string;
  readonly completed?: boolean;
  readonly order?: number;
}

const textOf = ({ title, completed, order }: Members): string =>
  `{"title":${JSON.stringify(title)},"completed":${completed ?? false},${order === undefined ? '' : `"order":${order},`}"url":"`;
const shown = (id: string, members: string): string => `${members}${address}${id}"}`;

/** The names of the members that are not as they must be. */
function faults(body: unknown, required: boolean): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return ['body'];
  const { title, completed, order, ...others } = body as Record<string, unknown>;
  const failed: string[] = [];
  if (title === undefined ? required : typeof title !== 'string' || title === '') failed.push('title');
  if (completed !== undefined && typeof completed !== 'boolean') failed.push('completed');
  if (order !== undefined && !Number.isInteger(order)) failed.push('order');
  return [...failed, ...Object.keys(others)];
}

function send(response: ServerResponse, status: number, text: string, location?: string): void {
  const headers = [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(text)),
    'Access-Control-Allow-Origin',
    '*',
  ];
  if (location !== undefined) headers.push('Location', location);
  response.writeHead(status, headers).end(text);
}

function sendNothing(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Access-Control-Allow-Origin': '*', ...headers }).end();
}

const messageOf = (message: string): string => JSON.stringify({ message });
const unknown = messageOf('there is no such to-do');
const unreadable = messageOf('this cannot be read');
const sendUnknown = (response: ServerResponse): void => send(response, 404, unknown);

/** Reads the body and hands on what it says, if it is a to-do. */
function read(
  request: IncomingMessage,
  response: ServerResponse,
  required: boolean,
  use: (members: Members) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= longestBody) chunks.push(chunk);
  });
  request.on('end', () => {
    if (length > longestBody) return sendNothing(response, 413, { Connection: 'close' });
    let body: unknown;
    try {
      body = JSON.parse((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
    } catch {
      return send(response, 400, unreadable);
    }
    const failed = faults(body, required);
    if (failed.length > 0) return send(response, 422, messageOf(failed.join(', ')));
    use(body as Members);
  });
}

/** Answers after the COMMIT: 500 if it failed, otherwise what `answer` says. */
function after<T>(response: ServerResponse, answer: (result: T) => void): Done<T> {
  return (error, result) => (error === null ? answer(result as T) : sendNothing(response, 500));
}

function create(request: IncomingMessage, response: ServerResponse): void {
  read(request, response, true, (given) => {
    const id = randomUUID();
    const members = textOf(given);
    commit(
      () => insert.run(id, members),
      after(response, () => send(response, 201, shown(id, members), address + id)),
    );
  });
}

function change(request: IncomingMessage, response: ServerResponse, id: string): void {
  read(request, response, false, (given) => {
    commit(
      () => {
        const members = find.get(id);
        if (members === undefined) return undefined;
        const changed = textOf({ ...(JSON.parse(shown(id, members)) as Members), ...given });
        update.run(changed, id);
        return changed;
      },
      after(response, (members) =>
        members === undefined ? sendUnknown(response) : send(response, 200, shown(id, members)),
      ),
    );
  });
}

function sendList(response: ServerResponse): void {
  send(response, 200, `[${list.all(address).join(',')}]`);
}

function sendOne(response: ServerResponse, id: string): void {
  const members = find.get(id);
  if (members === undefined) sendUnknown(response);
  else send(response, 200, shown(id, members));
}

const preflight = {
  'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Content-Type, Accept',
};

const server = createServer((request, response) => {
  const id = (request.url as string).slice(1);
  switch (request.method) {
    case 'GET':
      return id === '' ? sendList(response) : sendOne(response, id);
    case 'POST':
      return id === ''
        ? create(request, response)
        : sendNothing(response, 405, { Allow: 'GET, PATCH, DELETE' });
    case 'PATCH':
      return id === ''
        ? sendNothing(response, 405, { Allow: 'GET, POST, DELETE' })
        : change(request, response, id);
    case 'DELETE':
      return commit(
        () => (id === '' ? clear.run() : remove.run(id)),
        after(response, ({ changes }) =>
          id === '' || changes > 0 ? sendNothing(response, 204) : sendUnknown(response),
        ),
      );
    case 'OPTIONS':
      return sendNothing(response, 204, preflight);
    default:
      return sendNothing(response, 501);
  }
});

server.listen(options.port, '127.0.0.1');
