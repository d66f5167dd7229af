import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';

const fault = process.env['FAULT'];

interface Ticket {
  id: string;
  subject: string;
  email: string;
  priority: string;
  status: string;
  tags: string[];
  createdAt: string;
  updatedAt: string;
}
interface Comment {
  id: number;
  text: string;
  internal: boolean;
  createdAt: string;
}

const priorities = ['urgent', 'normal', 'low'];
const moves: Record<string, string[]> = {
  open: ['pending', 'solved'],
  pending: fault === 'pending-not-solved' ? ['open'] : ['open', 'solved'],
  solved: ['open', 'closed'],
  closed: [],
};
if (fault === 'open-to-closed') moves['open']!.push('closed');

const tickets = new Map<string, Ticket>();
const comments = new Map<string, Comment[]>();
const add = (ticket: Ticket): Ticket => {
  tickets.set(ticket.id, ticket);
  comments.set(ticket.id, []);
  return ticket;
};
const first = '2030-03-01T08:00:00.000Z';
add({
  id: 'T-1',
  subject: 'No light in the hall',
  email: 'jo@example.com',
  priority: 'normal',
  status: 'open',
  tags: ['building'],
  createdAt: first,
  updatedAt: first,
});
comments.get('T-1')!.push({ id: 1, text: 'Someone is on the way.', internal: false, createdAt: first });
let lastTicket = 1;
let lastComment = 1;

const refuse = (status: 400 | 401 | 404 | 409 | 422, message: string): never => {
  throw new HTTPException(status, { message });
};
const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const check = (isRight: boolean, name: string): void => {
  if (!isRight) refuse(422, `${name} is not valid`);
};
const address = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/;

function checkTicket({ subject, email, priority, tags }: Record<string, unknown>): void {
  check(subject === undefined || isText(subject, 3, fault === 'subject-121' ? 121 : 120), 'subject');
  check(email === undefined || (isText(email, 3, 200) && address.test(email as string)), 'email');
  check(priority === undefined || priorities.includes(priority as string), 'priority');
  if (tags === undefined) return;
  check(Array.isArray(tags) && tags.length <= 5 && tags.every((tag) => isText(tag, 1, 20)), 'tags');
}

const app = new Hono();
app.use(async (context, next) => {
  const isOpen = fault === 'auth-skipped-on-patch' && context.req.method === 'PATCH';
  if (context.req.header('x-api-key') !== 'desk-key' && !isOpen) refuse(401, 'wrong API key');
  await next();
});
app.onError((error, context) => {
  const status = error instanceof HTTPException ? error.status : 500;
  return context.json({ error: { code: String(status), message: error.message } }, status);
});
app.notFound((context) => context.json({ error: { code: '404', message: 'no such path' } }, 404));

const bodyOf = async (request: { json(): Promise<unknown> }): Promise<Record<string, unknown>> => {
  const body = await request.json().catch(() => refuse(400, 'the body is not JSON'));
  check(typeof body === 'object' && body !== null && !Array.isArray(body), 'body');
  return body as Record<string, unknown>;
};
const found = (id: string): Ticket => tickets.get(id) ?? refuse(404, 'no such ticket');

app.get('/tickets', (context) => {
  const { status, tag, sort = 'createdAt' } = context.req.query();
  if (status !== undefined && !(status in moves)) refuse(400, 'status');
  if (sort !== 'createdAt' && sort !== 'priority') refuse(400, 'sort');
  const data = [...tickets.values()]
    .filter((ticket) => status === undefined || ticket.status === status)
    .filter((ticket) => tag === undefined || fault === 'tag-ignored' || ticket.tags.includes(tag));
  if (sort === 'priority') {
    if (fault === 'priority-by-letter') data.sort((a, b) => (a.priority < b.priority ? -1 : 1));
    else data.sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority));
  }
  return context.json({ data, meta: { count: fault === 'count-of-all' ? tickets.size : data.length } });
});

app.post('/tickets', async (context) => {
  const body = await bodyOf(context.req);
  check('subject' in body && 'email' in body, 'body');
  checkTicket(body);
  const { subject, email, priority = 'normal', tags = [] } = body as Partial<Ticket>;
  lastTicket += 1;
  const at = new Date().toISOString();
  const ticket = {
    id: `T-${lastTicket}`,
    subject,
    email,
    priority,
    status: 'open',
    tags,
    createdAt: at,
    updatedAt: at,
  };
  add(ticket as Ticket);
  return context.json(fault === 'tags-null' && tags.length === 0 ? { ...ticket, tags: null } : ticket, 201);
});

app.get('/tickets/:id', (context) => context.json(found(context.req.param('id'))));

app.patch('/tickets/:id', async (context) => {
  const ticket = found(context.req.param('id'));
  const body = await bodyOf(context.req);
  checkTicket(body);
  const { subject, priority, status, tags } = body as Partial<Ticket>;
  check(status === undefined || status in moves, 'status');
  if (ticket.status === 'closed' && fault !== 'closed-changes') refuse(409, 'the ticket is closed');
  if (status !== undefined && status !== ticket.status && !moves[ticket.status]!.includes(status)) {
    refuse(409, `a ticket does not go from ${ticket.status} to ${status}`);
  }
  const added = fault === 'tags-merged' && tags ? [...new Set([...ticket.tags, ...tags])].slice(0, 5) : tags;
  const changes = Object.entries({ subject, priority, status, tags: added }).filter(
    ([, value]) => value !== undefined,
  );
  const changed = { ...ticket, ...Object.fromEntries(changes), updatedAt: new Date().toISOString() };
  tickets.set(ticket.id, changed);
  return context.json(changed);
});

app.get('/tickets/:id/comments', (context) => context.json(comments.get(found(context.req.param('id')).id)));

app.post('/tickets/:id/comments', async (context) => {
  const ticket = found(context.req.param('id'));
  const { text, internal = false } = await bodyOf(context.req);
  check(isText(text, 1, 2000), 'text');
  check(typeof internal === 'boolean', 'internal');
  if (ticket.status === 'closed' && fault !== 'closed-comments') refuse(409, 'the ticket is closed');
  lastComment += 1;
  const comment = { id: lastComment, text, internal, createdAt: new Date().toISOString() } as Comment;
  comments.get(ticket.id)!.push(comment);
  return context.json(comment, 201);
});

app.delete('/tickets/:id/comments/:commentId', (context) => {
  const own = comments.get(found(context.req.param('id')).id)!;
  const index = own.findIndex(({ id }) => String(id) === context.req.param('commentId'));
  if (index === -1) refuse(404, 'no such comment');
  own.splice(index, fault === 'comment-deletes-rest' ? Infinity : 1);
  return context.body(null, 204);
});

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 0), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
