import { createServer } from 'node:http';

/** The notes, on a server that does not listen yet. */
export function notes() {
  const all = new Map();
  let last = 0;
  const routes = {
    'POST /notes': async (request) => {
      if (request.headers['content-type'] !== 'application/json') return [415];
      const note = parsed(await textOf(request));
      if (note === undefined) return [400];
      if (!isNote(note)) return [422];
      last += 1;
      all.set(last, { id: last, text: note.text });
      return [201, all.get(last)];
    },
    'GET /notes': () => [200, [...all.values()]],
    'GET /notes/ID': (_, id) => (all.has(id) ? [200, all.get(id)] : [404]),
    'DELETE /notes/ID': (_, id) => [all.delete(id) ? 204 : 404],
  };
  return createServer(async (request, response) => {
    const [path, query] = request.url.split('?');
    const [, id] = /^\/notes\/([1-9]\d{0,14})$/.exec(path) ?? [];
    const place = /^\/notes\/[^/]+$/.test(path) ? '/notes/ID' : path;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const methods = ['GET', 'POST', 'DELETE'].filter((each) => routes[`${each} ${place}`]);
    const handle = routes[`${method} ${place}`];
    if (!handle) {
      if (methods.length > 0) response.setHeader('Allow', [...methods, 'HEAD'].join(', '));
      response.writeHead(methods.length > 0 ? 405 : 404).end();
      return;
    }
    const [status, body] = query ? [422] : await handle(request, Number(id));
    if (body === undefined) response.writeHead(status).end();
    else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
}

function isNote(note) {
  if (typeof note !== 'object' || note === null || Array.isArray(note)) return false;
  const { text } = note;
  const length = typeof text === 'string' ? [...text].length : 0;
  return Object.keys(note).length === 1 && length >= 1 && length <= 200;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
