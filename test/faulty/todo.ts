import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening, type Running } from '../listening.ts';

/**
 * The service of `examples/todo.md` once more: bare `node:http` and a Map, written from the document alone and
 * sharing nothing with `src`. One fault can be planted in it at a time.
 */

/** A fault against what the document states. */
export const faults = [
  'create answers 200',
  'list answers 206',
  'read answers 203',
  'update answers 202',
  'remove answers 200',
  'clear answers 200',
  'an unknown item is 200',
  'an unknown item is 410',
  'an item that was removed is 200',
  'removing an unknown item is 204',
  'changing an unknown item makes it',
  'invalid is 400',
  'malformed is 422',
  'the default is missing',
  'the default is true',
  'the default is set again on change',
  'an empty title is taken',
  'a title of one character is refused',
  'an empty title is taken on change',
  'a title need not be given',
  'a number is taken for text',
  'text is taken for a number',
  'text is taken for true',
  'null is taken',
  'completed is forgotten without an order',
  'half numbers are taken',
  'half numbers are rounded',
  'an unknown member is taken',
  'an unknown member is taken on change',
  'an unknown member is kept',
  'an unknown query parameter is taken',
  'the client sets the identifier',
  'the client sets what is derived',
  'the identifier is shown',
  'the identifier is no UUID',
  'every item has one identifier',
  'url is relative',
  'url is of another item',
  'url is missing in the list',
  'order is dropped',
  'order 0 is dropped',
  'large numbers lose digits',
  'false is dropped',
  'a member is renamed',
  'text is trimmed',
  'text is escaped for HTML',
  'text is brought into a normal form',
  'characters past U+FFFF are lost',
  'text is evaluated',
  'line breaks are changed later',
  'change replaces',
  'change ignores completed',
  'change is not kept',
  'change touches another item',
  'nothing to change is refused',
  'remove does nothing',
  'remove takes another item too',
  'clear leaves one',
  'the list misses the last',
  'the list shows an item twice',
  'the list is wrapped',
  'the list is of old copies',
  'a refused creation is kept',
  'a refused change is made',
  'the error member has another name',
  'the error has one more member',
  'the error has no content',
  'the error is text',
  'the message is another',
  'the message names no field',
  'unknown goes before malformed',
  'invalid goes before unknown',
  'Location is relative',
  'Location is missing',
  'the content type is text',
  'the content is JSON in JSON',
  'other media types are taken',
  'no media type is taken',
  'an empty body is an empty object',
  'a list is taken for an object',
  'text that is none is taken',
  'an unknown path is the list',
  'an unlisted method is 404',
  'Allow is missing',
  'Allow misses HEAD',
  'HEAD is 405',
  'HEAD has another content type',
  'errors cannot be read across origins',
  'answers cannot be read across origins',
  'preflight is 405',
  'preflight misses PATCH',
  'preflight misses a header field',
  'preflight lets another origin in',
  'the connection is cut on hostile text',
  'everybody is asked who they are',
] as const;

/** What the document does not forbid of itself: it is wrong only because the document says that it is complete. */
export const inventions = [
  'titles end at 255',
  'titles end at 2000',
  'orders are not negative',
  'orders end at 32 bits',
  'created is shown',
  'order is null where none was given',
  'order is 0 where none was given',
  'title is in upper case',
  'duplicate titles are refused',
  'the list ends at two',
  'preflight allows PUT',
  'preflight echoes header fields',
  'completed cannot be undone',
  'PUT is an endpoint',
] as const;

/** What the language leaves to the service (§F.1), or HTTP does: no fault at all. */
export const choices = [
  'the list is in another order',
  'preflight is 200',
  'the identifier is of version 7',
  'Allow names OPTIONS',
  'the reason phrase is another',
  'members stand in another order',
  'answers carry further header fields',
  'content comes in chunks',
] as const;

/** No request can tell: the tester is not asked to find these. */
export const invisible = {
  'everything is lost when the process ends': 'nothing here ends the process; that is a test of its own',
  'one creation in a million is lost': 'a run makes some hundred items',
  'an item changes after a day': 'a run takes a second, and no clock of the service is within reach',
} as const;

export type Fault = (typeof faults)[number] | (typeof inventions)[number] | (typeof choices)[number];

interface Todo {
  id: string;
  title: string;
  completed?: boolean | null;
  order?: number | null;
  [member: string]: unknown;
}

const methods: Readonly<Record<string, readonly string[]>> = {
  list: ['GET', 'HEAD', 'POST', 'DELETE'],
  item: ['GET', 'HEAD', 'PATCH', 'DELETE'],
};

export async function startTodo(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const todos = new Map<string, Todo>();
  const removed = new Set<string>();
  let url = '';

  const show = (todo: Todo, where = ''): Record<string, unknown> => {
    const shown: Record<string, unknown> = {};
    if (has('the identifier is shown')) shown['id'] = todo.id;
    shown[has('a member is renamed') ? 'name' : 'title'] = has('title is in upper case')
      ? todo.title.toUpperCase()
      : todo.title;
    if (todo.completed !== undefined && !(has('false is dropped') && todo.completed === false))
      shown['completed'] = todo.completed;
    if (
      todo.order !== undefined &&
      !(has('order is dropped') || (has('order 0 is dropped') && todo.order === 0))
    )
      shown['order'] = todo.order;
    else if (has('order is null where none was given')) shown['order'] = null;
    else if (has('order is 0 where none was given')) shown['order'] = 0;
    const other = [...todos.keys()].find((id) => id !== todo.id);
    shown['url'] = `${url}/${todo.id}`;
    if (has('url is relative')) shown['url'] = `/${todo.id}`;
    if (has('url is of another item') && other !== undefined) shown['url'] = `${url}/${other}`;
    if (has('url is missing in the list') && where === 'list') delete shown['url'];
    if (has('created is shown')) shown['created'] = '2024-01-01T00:00:00Z';
    for (const [name, value] of Object.entries(todo))
      if (!['id', 'title', 'completed', 'order', 'url'].includes(name)) shown[name] = value;
    if (has('the client sets what is derived') && todo['url'] !== undefined) shown['url'] = todo['url'];
    if (has('line breaks are changed later') && where === 'read')
      shown['title'] = todo.title.replaceAll('\r\n', '\n');
    if (!has('members stand in another order')) return shown;
    return Object.fromEntries(Object.entries(shown).reverse());
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
  });

  const answer = (request: IncomingMessage, response: ServerResponse, content: string): unknown => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    const isPage = request.headers.origin !== undefined;
    const send = (status: number, body?: unknown, headers: Record<string, string> = {}): unknown => {
      const readable =
        isPage &&
        !has('answers cannot be read across origins') &&
        !(status >= 400 && has('errors cannot be read across origins'));
      const all: Record<string, string> = {
        ...(readable && { 'Access-Control-Allow-Origin': '*' }),
        ...headers,
      };
      if (has('answers carry further header fields')) all['X-Powered-By'] = 'something';
      if (has('the reason phrase is another')) response.statusMessage = 'As You Like It';
      if (body === undefined) {
        response.writeHead(status, all).end();
        return;
      }
      const json = JSON.stringify(
        has('the content is JSON in JSON') && status < 400 ? JSON.stringify(body) : body,
      );
      const text =
        has('the content type is text') || (has('HEAD has another content type') && method === 'HEAD');
      const type = text ? 'text/plain' : 'application/json; charset=utf-8';
      response
        .writeHead(status, {
          'Content-Type': type,
          ...(!has('content comes in chunks') && { 'Content-Length': String(Buffer.byteLength(json)) }),
          ...all,
        })
        .end(json);
    };
    const refuse = (status: number, message: string): unknown => {
      if (has('the error has no content')) return send(status);
      const name = has('the error member has another name') ? 'error' : 'message';
      const body: Record<string, unknown> = {
        [name]: has('the message is another') ? 'something went wrong' : message,
      };
      if (has('the error has one more member')) body['code'] = status;
      if (has('the error is text')) {
        response
          .writeHead(status, {
            'Content-Type': 'text/plain',
            ...(isPage && { 'Access-Control-Allow-Origin': '*' }),
          })
          .end(message);
        return;
      }
      send(status, body);
    };
    if (has('everybody is asked who they are')) return send(401, undefined, { 'WWW-Authenticate': 'Bearer' });

    const segments = pathname.split('/').slice(1);
    const [id = ''] = segments;
    const place = pathname === '/' ? 'list' : segments.length === 1 && id !== '' ? 'item' : null;
    if (place === null && !has('an unknown path is the list')) return send(404);
    if (method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      if (has('preflight is 405'))
        return send(405, undefined, { Allow: (methods[place ?? 'list'] ?? []).join(', ') });
      const allowed = ['GET', 'POST', 'PATCH', 'DELETE', ...(has('preflight allows PUT') ? ['PUT'] : [])];
      const asked = String(request.headers['access-control-request-headers'] ?? '');
      const fields = has('preflight misses a header field') ? 'Accept' : 'Content-Type, Accept';
      return send(has('preflight is 200') ? 200 : 204, undefined, {
        'Access-Control-Allow-Methods': allowed
          .filter((one) => one !== 'PATCH' || !has('preflight misses PATCH'))
          .join(', '),
        'Access-Control-Allow-Headers': has('preflight echoes header fields') ? asked : fields,
        ...(has('preflight lets another origin in') && {
          'Access-Control-Allow-Origin': 'https://another.example',
        }),
      });
    }
    const known = [...(methods[place ?? 'list'] ?? []), ...(has('PUT is an endpoint') ? ['PUT'] : [])];
    if (!known.includes(method) || (method === 'HEAD' && has('HEAD is 405'))) {
      if (has('an unlisted method is 404')) return send(404);
      if (has('Allow names OPTIONS')) known.push('OPTIONS');
      const allow = known.filter((one) => one !== 'HEAD' || !has('Allow misses HEAD')).join(', ');
      return send(405, undefined, has('Allow is missing') ? {} : { Allow: allow });
    }
    if (method === 'PUT') return send(200);
    const unknownQuery =
      searchParams.size > 0 && !has('an unknown query parameter is taken')
        ? [...new Set(searchParams.keys())]
        : [];
    if (place === 'item') return item(method, id, unknownQuery);
    return list(method, unknownQuery);

    /** The members, or how the content is refused. */
    function read(): { readonly members: Record<string, unknown> } | { readonly refused: () => unknown } {
      const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
      const unlike =
        type === ''
          ? !has('no media type is taken')
          : type !== 'application/json' && !has('other media types are taken');
      if (unlike) return { refused: () => send(415) };
      const unreadable = {
        refused: () => refuse(has('malformed is 422') ? 422 : 400, 'this cannot be read'),
      };
      if (content === '' && has('an empty body is an empty object')) return { members: {} };
      let value: unknown;
      try {
        value = JSON.parse(content);
      } catch {
        return unreadable;
      }
      if (Array.isArray(value) && has('a list is taken for an object')) return { members: {} };
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return unreadable;
      if (hasTwice(content)) return unreadable;
      if (!canKeep(value) && !has('text that is none is taken')) return unreadable;
      return { members: value as Record<string, unknown> };
    }

    /** The fields that are not as stated, each once. */
    function faultsIn(members: Record<string, unknown>, isNew: boolean): string[] {
      const found: string[] = [];
      const bad = (name: string, fits: (value: unknown) => boolean): void => {
        const value = members[name];
        if (value !== undefined && !fits(value) && !(value === null && has('null is taken')))
          found.push(name);
      };
      if (isNew && members['title'] === undefined && !has('a title need not be given')) found.push('title');
      const least = has('a title of one character is refused') ? 2 : 1;
      const lenient = has('an empty title is taken') || (has('an empty title is taken on change') && !isNew);
      const most = has('titles end at 255')
        ? 255
        : has('titles end at 2000')
          ? 2000
          : Number.POSITIVE_INFINITY;
      bad('title', (value) => {
        if (typeof value === 'number' && has('a number is taken for text')) return true;
        return (
          typeof value === 'string' && ([...value].length >= least || lenient) && [...value].length <= most
        );
      });
      bad(
        'completed',
        (value) =>
          typeof value === 'boolean' ||
          (has('text is taken for true') && (value === 'true' || value === 'false')),
      );
      bad('order', (value) => {
        if (typeof value === 'string' && has('text is taken for a number')) return /^\d+$/.test(value);
        if (has('orders are not negative') && Number(value) < 0) return false;
        if (has('orders end at 32 bits') && Math.abs(Number(value)) > 2 ** 31) return false;
        return (
          typeof value === 'number' &&
          (Number.isInteger(value) || has('half numbers are taken') || has('half numbers are rounded'))
        );
      });
      const open =
        has('an unknown member is taken') ||
        has('an unknown member is kept') ||
        (has('an unknown member is taken on change') && !isNew);
      for (const name of Object.keys(members)) {
        if (['title', 'completed', 'order'].includes(name) || open) continue;
        if (name === 'id' && has('the client sets the identifier')) continue;
        if (name === 'url' && has('the client sets what is derived')) continue;
        found.push(name);
      }
      return found;
    }

    function invalid(fields: readonly string[]): unknown {
      return refuse(
        has('invalid is 400') ? 400 : 422,
        has('the message names no field') ? 'invalid' : fields.join(', '),
      );
    }

    /** What is kept of what was given. */
    function taken(members: Record<string, unknown>): Partial<Todo> {
      const kept: Record<string, unknown> = {};
      for (const name of [
        'title',
        'completed',
        'order',
        ...(has('the client sets what is derived') ? ['url'] : []),
      ])
        if (members[name] !== undefined) kept[name] = members[name];
      if (has('an unknown member is kept'))
        for (const [name, value] of Object.entries(members)) kept[name] ??= value;
      if (has('completed is forgotten without an order') && kept['title'] && kept['order'] === undefined)
        delete kept['completed'];
      if (typeof kept['title'] === 'number') kept['title'] = String(kept['title']);
      if (typeof kept['title'] === 'string') kept['title'] = altered(kept['title']);
      if (typeof kept['completed'] === 'string') kept['completed'] = kept['completed'] === 'true';
      if (typeof kept['order'] === 'string') kept['order'] = Number(kept['order']);
      if (typeof kept['order'] === 'number' && has('half numbers are rounded'))
        kept['order'] = Math.round(kept['order']);
      if (typeof kept['order'] === 'number' && has('large numbers lose digits'))
        kept['order'] = Math.fround(kept['order']);
      return kept as Partial<Todo>;
    }

    function altered(text: string): string {
      if (has('text is trimmed')) return text.trim();
      if (has('text is escaped for HTML')) return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      if (has('text is brought into a normal form')) return text.normalize('NFC');
      if (has('characters past U+FFFF are lost')) return text.replace(/[\u{10000}-\u{10ffff}]/gu, '?');
      if (has('text is evaluated')) return text.replace('${7*7}', '49');
      return text;
    }

    function list(method: string, unknownQuery: readonly string[]): unknown {
      const all = [...todos.values()];
      if (method === 'GET' || method === 'HEAD') {
        if (unknownQuery.length > 0) return invalid(unknownQuery);
        let shown = all.map((todo) => show(todo, 'list'));
        if (has('the list is in another order')) shown.reverse();
        if (has('the list misses the last')) shown = shown.slice(0, -1);
        if (has('the list shows an item twice') && shown[0])
          shown = [...shown, shown.at(-1) as Record<string, unknown>];
        if (has('the list is of old copies')) shown = shown.map((one) => ({ ...one, completed: false }));
        if (has('the list ends at two')) shown = shown.slice(-2);
        return send(
          has('list answers 206') ? 206 : 200,
          has('the list is wrapped') ? { items: shown } : shown,
        );
      }
      if (method === 'DELETE') {
        if (unknownQuery.length > 0) return invalid(unknownQuery);
        const [kept] = all;
        for (const todo of all) removed.add(todo.id);
        todos.clear();
        if (has('clear leaves one') && kept) todos.set(kept.id, kept);
        return send(has('clear answers 200') ? 200 : 204);
      }
      const content = read();
      if ('refused' in content) return content.refused();
      const { members } = content;
      if (has('the connection is cut on hostile text') && String(members['title']).includes('DROP TABLE'))
        return void request.socket.destroy();
      const made: Todo = {
        title: '',
        ...taken(members),
        id: has('the identifier is no UUID')
          ? `t${todos.size + removed.size + 1}`
          : has('the identifier is of version 7')
            ? randomUUID().replace(/-4/, '-7')
            : randomUUID(),
      };
      if (has('the client sets the identifier') && typeof members['id'] === 'string') made.id = members['id'];
      if (has('every item has one identifier')) made.id = '2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d';
      if (made.completed === undefined && !has('the default is missing'))
        made.completed = has('the default is true');
      const wrong = [...unknownQuery, ...faultsIn(members, true)];
      if (has('duplicate titles are refused') && all.some((todo) => todo.title === made.title))
        wrong.push('title');
      if (wrong.length > 0) {
        if (has('a refused creation is kept')) todos.set(made.id, { ...made, title: String(made.title) });
        return invalid(wrong);
      }
      todos.set(made.id, made);
      const location = has('Location is relative') ? `/${made.id}` : `${url}/${made.id}`;
      return send(
        has('create answers 200') ? 200 : 201,
        show(made),
        has('Location is missing') ? {} : { Location: location },
      );
    }

    function item(method: string, id: string, unknownQuery: readonly string[]): unknown {
      let todo = todos.get(id);
      const missing = (): unknown => {
        if (has('an unknown item is 200') || (has('an item that was removed is 200') && removed.has(id)))
          return send(200, show({ id, title: 'gone', completed: false }));
        refuse(has('an unknown item is 410') ? 410 : 404, 'there is no such to-do');
      };
      if (method === 'PATCH') {
        if (todo === undefined && has('unknown goes before malformed')) return missing();
        const content = read();
        if ('refused' in content) return content.refused();
        const { members } = content;
        const wrong = [...unknownQuery, ...faultsIn(members, false)];
        if (has('completed cannot be undone') && todo?.completed === true && members['completed'] === false)
          wrong.push('completed');
        if (has('nothing to change is refused') && Object.keys(members).length === 0) wrong.push('$');
        if (wrong.length > 0 && has('invalid goes before unknown')) return invalid(wrong);
        if (todo === undefined && has('changing an unknown item makes it'))
          todo = { id, title: 'new', completed: false };
        if (todo === undefined) return missing();
        const changed: Todo = has('change replaces')
          ? { title: todo.title, completed: false, ...taken(members), id }
          : { ...todo, ...taken(members), id };
        if (has('the default is set again on change') && members['completed'] === undefined)
          changed.completed = false;
        if (has('change ignores completed')) changed.completed = todo.completed ?? false;
        if (wrong.length > 0) {
          if (has('a refused change is made')) todos.set(id, { ...todo, order: 77 });
          return invalid(wrong);
        }
        const [other] = [...todos.values()].filter((one) => one.id !== id);
        if (has('change touches another item') && other) todos.set(other.id, { ...other, ...taken(members) });
        if (!has('change is not kept')) todos.set(id, changed);
        return send(has('update answers 202') ? 202 : 200, show(changed));
      }
      if (todo === undefined) {
        if (method === 'DELETE' && has('removing an unknown item is 204')) return send(204);
        return missing();
      }
      if (unknownQuery.length > 0) return invalid(unknownQuery);
      if (method === 'DELETE') {
        const [other] = [...todos.keys()].filter((one) => one !== id);
        if (!has('remove does nothing')) todos.delete(id);
        removed.add(id);
        if (has('remove takes another item too') && other !== undefined) todos.delete(other);
        return send(has('remove answers 200') ? 200 : 204);
      }
      return send(has('read answers 203') ? 203 : 200, show(todo, 'read'));
    }
  };

  const running = await listening(server);
  url = running.url;
  return running;
}

/** Whether an object of the content has a member twice; the document's members are flat. */
function hasTwice(content: string): boolean {
  const names = [...content.matchAll(/(?<=[{,]\s*)"((?:[^"\\]|\\.)*)"\s*:/g)].map((match) => match[1]);
  return new Set(names).size < names.length;
}

/** Whether each text of an object is Unicode without U+0000, and each whole number exact. */
function canKeep(value: object): boolean {
  return Object.values(value).every((one: unknown) => {
    if (typeof one === 'string') return !/[\0\p{Cs}]/u.test(one);
    return !Number.isInteger(one) || Number.isSafeInteger(one);
  });
}
