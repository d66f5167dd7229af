import express, { type NextFunction, type Request, type Response } from 'express';

const fault = process.env['FAULT'];

interface Input {
  title: string;
  assignee: string | null;
  priority: string;
  dueOn: string | null;
}
interface Chore extends Input {
  id: number;
  done: boolean;
  createdAt: string;
}

const defaults = { assignee: null, priority: 'normal', dueOn: null };
let lastId = 1;
let chores: Chore[] = [
  { ...defaults, id: 1, title: 'Vacuum', assignee: 'mo', done: false, createdAt: '2030-05-01T10:00:00Z' },
];
let listed: Chore[] | undefined;

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const isText = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && [...value].length >= min && [...value].length <= max;
const isDate = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

function valid(body: unknown, isPatch: boolean): Partial<Input> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'send an object');
  const { title, assignee, priority, dueOn } = body as Record<string, unknown>;
  if (!(isPatch && title === undefined) && !isText(title, 1, 80))
    throw new Refusal(400, 'title is not valid');
  if (assignee != null && !isText(assignee, 1, Infinity)) throw new Refusal(400, 'assignee is not valid');
  if (priority !== undefined && !['low', 'normal', 'high'].includes(priority as string)) {
    throw new Refusal(400, 'priority is not valid');
  }
  if (dueOn != null && !isDate(dueOn)) throw new Refusal(400, 'dueOn is not valid');
  return JSON.parse(JSON.stringify({ title, assignee, priority, dueOn }));
}

const idOf = (request: Request): number => Number(request.params['id']);
const found = (request: Request): Chore => {
  const chore = chores.find(({ id }) => id === idOf(request));
  if (chore === undefined) throw new Refusal(404, 'no such chore');
  return chore;
};
const store = (chore: Chore): Chore => {
  chores = chores.map((each) => (each.id === chore.id ? chore : each));
  return chore;
};

const app = express();
app.use(express.json({ strict: false }));

app.get('/chores', (request, response) => {
  const { done, assignee } = request.query;
  if (done !== undefined && done !== 'true' && done !== 'false') throw new Refusal(400, 'done is not valid');
  if (fault === 'list-cached') listed ??= chores;
  response.json(
    (listed ?? chores)
      .filter(
        (chore) =>
          (fault === 'done-false-ignored' && done === 'false') ||
          done === undefined ||
          chore.done === (done === 'true'),
      )
      .filter((chore) => assignee === undefined || chore.assignee === assignee),
  );
});

app.post('/chores', (request, response) => {
  const input = valid(request.body, false) as Input;
  const id = fault === 'ids-reused' ? chores.length + 1 : ++lastId;
  const chore = { ...defaults, ...input, id, done: false, createdAt: new Date().toISOString() };
  // New ones first: the list has no order.
  chores = [chore, ...chores];
  response.status(201).json(chore);
});

app.get('/chores/:id', (request, response) => {
  response.json(found(request));
});

app.put('/chores/:id', (request, response) => {
  const before = found(request);
  const { id, done, createdAt } = before;
  const input = valid(request.body, false) as Input;
  const base = fault === 'put-merges' ? before : defaults;
  response.json(
    store({
      ...base,
      ...input,
      id,
      done: fault === 'put-resets-done' ? false : done,
      createdAt: fault === 'put-renews-created' ? new Date().toISOString() : createdAt,
    }),
  );
});

app.patch('/chores/:id', (request, response) => {
  const before = found(request);
  const changes = valid(request.body, true);
  const base = fault === 'patch-replaces' ? { ...before, ...defaults } : before;
  const after = { ...base, ...changes };
  if (fault === 'patch-null-ignored' && changes.assignee === null) after.assignee = before.assignee;
  response.json(fault === 'patch-not-stored' ? after : store(after));
});

app.delete('/chores/:id', (request, response) => {
  const chore = found(request);
  chores =
    fault === 'delete-takes-others'
      ? chores.filter(({ title }) => title !== chore.title)
      : fault === 'delete-by-place'
        ? chores.filter((_, index) => index !== chore.id - 1)
        : chores.filter(({ id }) => id !== chore.id);
  response.status(204).end();
});

app.post('/chores/:id/complete', (request, response) => {
  const chore = found(request);
  if (chore.done && fault !== 'complete-twice') throw new Refusal(409, 'done already');
  response.json(store({ ...chore, done: true }));
});

app.use((error: Error & { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
  response.status(error.status ?? 500).json({ error: error.message });
});

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
