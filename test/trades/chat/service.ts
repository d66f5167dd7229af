import { parseArgs } from 'node:util';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import {
  type Body,
  boolean,
  check,
  compare,
  decode,
  digits,
  integer,
  objectOf,
  oneOf,
  orNull,
  query,
  Refused,
  require,
  sorting,
  text,
  word,
} from './request.ts';
import { type Event, type Member, type Message, type Room, Rooms } from './rooms.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: string;
    token: string;
    content: Body;
  }
  interface FastifyContextConfig {
    /** Whether everybody may ask. */
    open?: boolean;
    /** Whether the content is read. */
    body?: boolean;
    isMethodNotAllowed?: boolean;
  }
}

interface Options {
  readonly port: number;
  readonly fault: string | null;
  readonly now?: () => number;
}

interface Context {
  readonly app: FastifyInstance;
  readonly rooms: Rooms;
  readonly broken: (fault: string) => boolean;
  readonly find: Finder;
}

const roles = ['owner', 'moderator', 'member'];
const emojis = ['like', 'laugh', 'sad'];
const roomRules = { name: text(1, 30), topic: text(0, 100), private: boolean };
const withBody = { config: { body: true } };

const param = (request: FastifyRequest, name: string): string =>
  (request.params as Record<string, string>)[name] ?? '';

/** Finds what a path names, as far as the client may see it and do what it asks for. */
class Finder {
  readonly #rooms: Rooms;
  readonly #broken: (fault: string) => boolean;

  constructor(rooms: Rooms, broken: (fault: string) => boolean) {
    this.#rooms = rooms;
    this.#broken = broken;
  }

  isVisible(room: Room | undefined, actor: string): room is Room {
    return room !== undefined && (!room.private || this.#rooms.member(room.id, actor) !== undefined);
  }

  room(request: FastifyRequest): Room {
    const room = this.#rooms.rooms.get(param(request, 'id'));
    require(this.isVisible(room, request.actor), 'no_room');
    return room;
  }

  role(room: Room, actor: string): string | undefined {
    return this.#rooms.member(room.id, actor)?.role;
  }

  isModerator(room: Room, actor: string): boolean {
    return ['owner', 'moderator'].includes(this.role(room, actor) ?? '');
  }

  moderatedRoom(request: FastifyRequest, code: 'not_yours' | 'not_moderator'): Room {
    const room = this.room(request);
    require(this.isModerator(room, request.actor), code);
    return room;
  }

  ownedRoom(request: FastifyRequest, code: 'not_yours' | 'not_owner'): Room {
    const room = this.room(request);
    require(this.role(room, request.actor) === 'owner', code);
    return room;
  }

  memberOf(room: Room, user: string): Member {
    const member = this.#rooms.member(room.id, user);
    require(member !== undefined, 'no_member');
    return member;
  }

  message(request: FastifyRequest): { readonly message: Message; readonly room: Room } {
    const message = this.#rooms.messages.get(param(request, 'id'));
    require(message !== undefined, 'no_message');
    const room = this.#rooms.rooms.get(message.room);
    if (room === undefined || !this.#broken('private-message-read'))
      require(this.isVisible(room, request.actor), 'no_message');
    return { message, room };
  }
}

function addUsers({ app, rooms, broken }: Context): void {
  app.post('/users', { config: { open: true, body: true } }, (request, reply) => {
    query(request);
    const rules = {
      name: text(3, 16, /^[a-z][a-z0-9_]+$/),
      password: text(broken('password-bound') ? 7 : 8, 50),
    };
    check(request.content, rules, ['name', 'password']);
    const { name, password } = request.content as { name: string; password: string };
    require(rooms.users.get(name) === undefined, 'name_taken');
    return reply.code(201).send(rooms.user(rooms.register(name, password)));
  });

  app.post('/sessions', { config: { open: true, body: true } }, (request, reply) => {
    query(request);
    check(request.content, { name: word, password: word }, ['name', 'password']);
    const { name, password } = request.content as { name: string; password: string };
    const session = rooms.logIn(name, password);
    require(session !== null, 'wrong_password');
    return reply.code(201).send(session);
  });

  app.delete('/session', (request, reply) => {
    query(request);
    rooms.logOut(request.token);
    return reply.code(204).send();
  });

  app.get('/me', (request) => {
    query(request);
    return rooms.user(rooms.users.get(request.actor)!);
  });

  app.get('/me/rooms', (request) => {
    const { unread, role } = query(request, { unread: oneOf('true', 'false'), role: oneOf(...roles) });
    return rooms.members
      .filter((member) => member.user === request.actor)
      .filter((member) => unread === undefined || rooms.unread(member) > 0 === (unread === 'true'))
      .filter((member) => role === undefined || member.role === role)
      .map((member) => rooms.membership(member));
  });
}

function addRooms({ app, rooms, broken, find }: Context): void {
  const isFree = (name: string, than?: Room): boolean => {
    const other = rooms.roomNamed(name);
    if (broken('room-exact-case')) return other?.name !== name || other === than;
    return other === undefined || (other === than && !broken('rename-to-itself'));
  };

  app.post('/rooms', withBody, (request, reply) => {
    query(request);
    check(request.content, roomRules, ['name']);
    const { name, topic = '', private: isPrivate = false } = request.content as unknown as Room;
    require(isFree(name), 'name_taken');
    const room = rooms.createRoom(request.actor, name, topic, isPrivate);
    return reply.code(201).header('Location', `/rooms/${room.id}`).send(rooms.room(room, request.actor));
  });

  app.get('/rooms', (request) => listRooms(request));

  const listRooms = (request: FastifyRequest): object => {
    const asked = query(request, {
      ...{ q: text(1, Number.POSITIVE_INFINITY), status: oneOf('active', 'archived') },
      ...{ joined: oneOf('true', 'false'), sort: sorting('name', 'createdAt') },
      ...{ limit: digits(1, 30), page: digits(1) },
    });
    const { q, status = 'active', joined, sort = 'name' } = asked;
    const matches = [...rooms.rooms.values()].filter(
      (room) =>
        room.status === status &&
        (q === undefined || room.name.toLowerCase().includes(q.toLowerCase())) &&
        (joined === undefined ||
          (joined === 'false' && broken('joined-false')) ||
          (rooms.member(room.id, request.actor) !== undefined) === (joined === 'true')),
    );
    const found = matches.filter((room) => find.isVisible(room, request.actor));
    found.sort((a, b) => {
      for (const part of `${sort},name`.split(',')) {
        const field = part.replace(/^-/, '') as 'name' | 'createdAt';
        const order = compare(a[field], b[field]) * (part.startsWith('-') ? -1 : 1);
        if (order !== 0) return order;
      }
      return 0;
    });
    const [limit, page] = [Number(asked['limit'] ?? 10), Number(asked['page'] ?? 1)];
    const first = (page - 1) * limit - (broken('pages-overlap') && page > 1 ? 1 : 0);
    return {
      rooms: found.slice(first, first + limit).map((room) => rooms.room(room, request.actor)),
      total: (broken('total-with-private') ? matches : found).length,
      page,
    };
  };

  app.get('/rooms/:id', (request) => {
    const room = find.room(request);
    query(request);
    return rooms.room(room, request.actor);
  });

  app.patch('/rooms/:id', withBody, (request) => {
    const room = broken('edit-by-member') ? find.room(request) : find.moderatedRoom(request, 'not_yours');
    query(request);
    check(request.content, { name: roomRules.name, topic: roomRules.topic });
    require(Object.keys(request.content).length > 0, 'invalid');
    const { name = room.name, topic = room.topic } = request.content as unknown as Room;
    require(isFree(name, room), 'name_taken');
    Object.assign(room, { name, topic });
    return rooms.room(room, request.actor);
  });

  app.delete('/rooms/:id', (request, reply) => {
    const room = find.ownedRoom(request, 'not_yours');
    query(request);
    rooms.deleteRoom(room);
    return reply.code(204).send();
  });

  app.post('/rooms/:id/archive', (request) => {
    const room = find.moderatedRoom(request, 'not_yours');
    query(request);
    require(room.status === 'active' || broken('archive-twice'), 'wrong_status');
    rooms.archive(room);
    return rooms.room(room, request.actor);
  });

  app.delete('/rooms/:id/archive', (request) => {
    const room = broken('restore-by-moderator')
      ? find.moderatedRoom(request, 'not_yours')
      : find.ownedRoom(request, 'not_yours');
    query(request);
    require(room.status === 'archived', 'wrong_status');
    room.status = 'active';
    return rooms.room(room, request.actor);
  });
}

function addMembers({ app, rooms, broken, find }: Context): void {
  const hasSeat = (room: Room): boolean => {
    const taken = rooms.members.filter((one) => one.room === room.id).length;
    return broken('fifth-seat') ? taken <= 4 : taken < 4;
  };

  app.put('/rooms/:id/membership', (request, reply) => {
    const room = find.room(request);
    query(request);
    require(room.status === 'active', 'archived');
    const member = rooms.member(room.id, request.actor);
    if (member !== undefined) {
      if (broken('join-again-reads')) member.readUpTo = rooms.highest(room);
      return rooms.membership(member);
    }
    require(hasSeat(room), 'room_full');
    return reply.code(201).send(rooms.membership(rooms.addMember(room, request.actor)));
  });

  app.delete('/rooms/:id/membership', (request, reply) => {
    const member = find.memberOf(find.room(request), request.actor);
    query(request);
    require(member.role !== 'owner' || broken('owner-leaves'), 'owner_stays');
    rooms.removeMember(member);
    return reply.code(204).send();
  });

  app.get('/rooms/:id/members', (request) => {
    const room = find.room(request);
    const { role } = query(request, { role: oneOf(...roles) });
    return rooms.members
      .filter((member) => member.room === room.id && (role === undefined || member.role === role))
      .map((member) => rooms.seat(member));
  });

  app.post('/rooms/:id/members', withBody, (request, reply) => {
    const room = find.moderatedRoom(request, 'not_moderator');
    query(request);
    check(request.content, { user: word }, ['user']);
    const user = rooms.users.get(String(request.content['user']));
    require(user !== undefined, 'invalid');
    require(rooms.member(room.id, user.name) === undefined, 'member_already');
    require(hasSeat(room), 'room_full');
    return reply.code(201).send(rooms.seat(rooms.addMember(room, user.name)));
  });

  app.patch('/rooms/:id/members/:user', withBody, (request) => {
    const room = broken('role-by-moderator')
      ? find.moderatedRoom(request, 'not_moderator')
      : find.ownedRoom(request, 'not_owner');
    const member = find.memberOf(room, rooms.users.get(param(request, 'user'))?.name ?? '');
    query(request);
    check(request.content, { role: oneOf(...roles) }, ['role']);
    require(member.role !== 'owner', 'owner_stays');
    require(request.content['role'] !== 'owner', 'one_owner');
    member.role = String(request.content['role']);
    return rooms.seat(member);
  });

  app.delete('/rooms/:id/members/:user', (request, reply) => {
    const room = broken('removed-by-member')
      ? find.room(request)
      : find.moderatedRoom(request, 'not_moderator');
    const member = find.memberOf(room, rooms.users.get(param(request, 'user'))?.name ?? '');
    query(request);
    require(member.role !== 'owner', 'owner_stays');
    rooms.removeMember(member);
    return reply.code(204).send();
  });

  app.put('/rooms/:id/read', withBody, (request) => {
    const room = find.room(request);
    const member = find.memberOf(room, request.actor);
    query(request);
    check(request.content, { upTo: integer(0) }, ['upTo']);
    const upTo = Number(request.content['upTo']);
    require(upTo <= rooms.highest(room) || broken('read-beyond'), 'not_written');
    member.readUpTo = broken('read-backwards') ? upTo : Math.max(upTo, member.readUpTo);
    return rooms.membership(member);
  });
}

/** The answers that were given to a key of an actor, with the request that they were given to. */
class Repeats {
  readonly #given = new Map<
    string,
    { readonly request: string; readonly answer: object; readonly at: number }
  >();
  readonly #rooms: Rooms;
  readonly #broken: Context['broken'];

  constructor({ rooms, broken }: Context) {
    this.#rooms = rooms;
    this.#broken = broken;
  }

  #key(request: FastifyRequest): string {
    const who = this.#broken('key-of-everybody') ? '' : request.actor;
    return `${who} ${String(request.headers['idempotency-key'])}`;
  }

  #request({ url, content }: FastifyRequest): string {
    if (this.#broken('key-without-body')) return url;
    return JSON.stringify([url, Object.entries(content).sort(([a], [b]) => compare(a, b))]);
  }

  /** The answer to the same request; whether the key came with another one. */
  look(request: FastifyRequest): { readonly answer: object | null; readonly isReused: boolean } {
    const found = this.#given.get(this.#key(request));
    if (request.headers['idempotency-key'] === undefined || found === undefined)
      return { answer: null, isReused: false };
    if (this.#rooms.now() - found.at >= 3_600_000_000) return { answer: null, isReused: false };
    const isSame = found.request === this.#request(request);
    return { answer: isSame ? found.answer : null, isReused: !isSame };
  }

  keep(request: FastifyRequest, answer: object): void {
    if (request.headers['idempotency-key'] === undefined) return;
    this.#given.set(this.#key(request), { request: this.#request(request), answer, at: this.#rooms.now() });
  }
}

function addMessages(context: Context): void {
  const { app, rooms, broken, find } = context;
  const repeats = new Repeats(context);
  const isReplyIn = (room: Room, id: unknown): boolean =>
    id === null || id === undefined || rooms.messages.get(String(id))?.room === room.id;

  app.post('/rooms/:id/messages', { ...withBody, onRequest: limit(context) }, (request, reply) => {
    const room = find.room(request);
    const { answer, isReused } = repeats.look(request);
    const send = (message: object): FastifyReply =>
      reply
        .code(201)
        .header('Location', `/messages/${(message as Message).id}`)
        .send(message);
    if (answer !== null) {
      reply.header('Idempotent-Replayed', 'true');
      return send(answer);
    }
    if (broken('archived-before-member')) require(room.status === 'active', 'archived');
    require(rooms.member(room.id, request.actor) !== undefined, 'not_member');
    query(request);
    const most = broken('text-bound') ? 199 : 200;
    const rules = { text: text(1, most), replyTo: orNull(word), lifetime: orNull(integer(1, 3600)) };
    check(request.content, rules, ['text']);
    const { text: words = '', replyTo = null, lifetime = null } = request.content as unknown as Message;
    require(isReplyIn(room, replyTo) ||
      (broken('reply-elsewhere') && rooms.messages.has(String(replyTo))), 'invalid');
    require(!isReused, 'key_reused');
    require(room.status === 'active', 'archived');
    const shown = rooms.message(rooms.post(room, request.actor, { text: words, replyTo, lifetime }));
    repeats.keep(request, shown);
    return send(shown);
  });

  app.get('/rooms/:id/messages', (request) => {
    const room = find.room(request);
    return listMessages(room, request);
  });

  const listMessages = (room: Room, request: FastifyRequest): object => {
    const asked = query(request, {
      ...{ author: word, q: text(1, Number.POSITIVE_INFINITY), replyTo: word },
      ...{ olderThan: word, newerThan: word, limit: digits(1, 30) },
    });
    const numberOf = (id: string | undefined): number | null => {
      const message = id === undefined ? undefined : rooms.messages.get(id);
      require(id === undefined || message?.room === room.id, 'invalid');
      return message?.number ?? null;
    };
    const { author, q, replyTo } = asked;
    const whole = rooms
      .messagesIn(room)
      .filter((one) => author === undefined || one.author === author)
      .filter((one) => q === undefined || one.text.toLowerCase().includes(q.toLowerCase()))
      .filter((one) => replyTo === undefined || one.replyTo === replyTo)
      .sort((a, b) => b.number - a.number);
    const [older, newer] = [numberOf(asked['olderThan']), numberOf(asked['newerThan'])];
    const reach = broken('older-or-same') ? 1 : 0;
    const found = whole.filter(
      ({ number }) => (older === null || number < older + reach) && (newer === null || number > newer),
    );
    const limit = Number(asked['limit'] ?? 10);
    const isLast = newer !== null && older === null && !broken('newer-than-from-top');
    const page = isLast ? found.slice(-limit) : found.slice(0, limit);
    return { messages: page.map((one) => rooms.message(one)), total: whole.length };
  };

  app.get('/messages/:id', (request) => {
    const { message } = find.message(request);
    query(request);
    return rooms.message(message);
  });

  app.patch('/messages/:id', withBody, (request) => {
    const { message, room } = find.message(request);
    const isModerator = broken('edit-by-moderator') && find.isModerator(room, request.actor);
    require(message.author === request.actor || isModerator, 'not_yours');
    query(request);
    check(request.content, { text: text(1, 200) }, ['text']);
    require(room.status === 'active' || broken('edit-archived'), 'archived');
    require(rooms.now() - rooms.micros(message.sentAt) <= 60_000_000, 'too_old');
    const words = String(request.content['text']);
    if (words !== message.text || broken('edited-without-change')) message.editedAt = rooms.written();
    message.text = words;
    return rooms.message(message);
  });

  app.delete('/messages/:id', (request, reply) => {
    const { message, room } = find.message(request);
    require(message.author === request.actor || find.isModerator(room, request.actor), 'not_yours');
    query(request);
    rooms.deleteMessage(message);
    return reply.code(204).send();
  });

  app.put('/messages/:id/reactions/:emoji', (request, reply) => {
    const { message, room } = find.message(request);
    require(rooms.member(room.id, request.actor) !== undefined, 'not_member');
    query(request);
    require(emojis.includes(param(request, 'emoji')), 'invalid');
    const isNew = rooms.react(message, request.actor, param(request, 'emoji'));
    return reply.code(isNew ? 201 : 200).send(rooms.message(message));
  });

  app.delete('/messages/:id/reactions/:emoji', (request, reply) => {
    const { message } = find.message(request);
    query(request);
    require(emojis.includes(param(request, 'emoji')), 'invalid');
    rooms.unreact(message, request.actor, param(request, 'emoji'));
    return reply.code(204).send();
  });
}

/** Eight messages of a user in three seconds, in windows that begin with a message. */
function limit({ rooms, broken }: Context) {
  const windows = new Map<string, { readonly ends: number; count: number }>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const now = rooms.now();
    const key = broken('rate-of-all') ? '' : request.actor;
    let window = windows.get(key);
    if (window === undefined || window.ends <= now) {
      window = { ends: now + 3_000_000, count: 0 };
      windows.set(key, window);
    }
    const isOver = window.count >= (broken('ninth-message') ? 9 : 8);
    if (!isOver) window.count += 1;
    reply.header('X-Posts-Left', String(Math.max(0, 8 - window.count)));
    if (isOver) {
      reply.header('Retry-After', String(Math.ceil((window.ends - now) / 1_000_000)));
      throw new Refused('too_many');
    }
  };
}

function addEvents({ app, rooms }: Context): void {
  app.get('/events', (request, reply) => {
    query(request);
    reply.hijack();
    reply.raw.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    if (request.method === 'HEAD') {
      reply.raw.end();
      return;
    }
    reply.raw.flushHeaders();
    const send = ({ id, kind, data }: Event): void =>
      void reply.raw.write(`id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
    const last = request.headers['last-event-id'];
    if (last !== undefined) for (const event of rooms.events) if (event.id > Number(last)) send(event);
    reply.raw.on('close', rooms.listen(send));
  });
}

/** Answers 405 to the methods that a path does not have. */
function addOthers(app: FastifyInstance, methods: ReadonlyMap<string, readonly string[]>): void {
  for (const [url, allowed] of methods)
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (one) => !allowed.includes(one),
      ),
      url,
      config: { isMethodNotAllowed: true },
      handler: (_, reply) => reply.code(405).header('Allow', allowed.join(', ')).send(),
    });
}

function build(options: Options): { readonly app: FastifyInstance; readonly rooms: Rooms } {
  const broken = (id: string): boolean => id === options.fault;
  const rooms = new Rooms(broken, options.now ?? Date.now);
  const app = fastify({
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: true,
    // A path that cannot be decoded leads to no route. Only a client that is known is told so.
    frameworkErrors: (_, request, reply) => {
      const { status, ...body } = refusal(whyNot(request));
      reply.hijack();
      reply.raw.writeHead(status, {
        'Content-Type': 'application/json',
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      });
      reply.raw.end(JSON.stringify({ error: body.code, message: body.message }));
    },
  });
  const whyNot = (request: FastifyRequest): unknown => {
    try {
      identify(request);
      return new Refused('unreadable');
    } catch (error) {
      return error;
    }
  };

  const identify = (request: FastifyRequest): string | null => {
    const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(/ +/);
    if (scheme.toLowerCase() !== 'bearer') {
      require(request.routeOptions.config?.open === true, 'no_token');
      return null;
    }
    const actor = rooms.who(token);
    require(actor !== null, 'bad_token');
    request.token = token;
    return actor;
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler((error, _, reply) => {
    const { status, code, message } = refusal(error);
    if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
    return code === undefined ? reply.code(status).send() : reply.code(status).send({ error: code, message });
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send());
  app.decorateRequest('actor', '');
  app.decorateRequest('token', '');
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.isMethodNotAllowed === true) return;
    rooms.settle();
    request.actor = identify(request) ?? '';
  });
  app.addHook('preHandler', async (request) => {
    if (request.is404 || request.routeOptions.config.isMethodNotAllowed === true) return;
    if (request.routeOptions.config.body === true) request.content = objectOf(request);
    else decode(request);
  });

  const methods = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isMethodNotAllowed === true) return;
    methods.set(url, [...(methods.get(url) ?? []), ...[method].flat()]);
  });
  const context: Context = { app, rooms, broken, find: new Finder(rooms, broken) };
  for (const add of [addUsers, addRooms, addMembers, addMessages, addEvents]) add(context);
  addOthers(app, methods);
  return { app, rooms };
}

function refusal(error: unknown): {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
} {
  if (!(error instanceof Refused)) return { status: 500 };
  return { status: error.statusCode, code: error.code, message: error.message };
}

export async function start(options: Options): Promise<{ address: string; close: () => Promise<void> }> {
  const { app, rooms } = build(options);
  const address = await app.listen({ port: options.port, host: '127.0.0.1' });
  const sweep = setInterval(() => rooms.settle(), 200);
  return {
    address,
    close: async () => {
      clearInterval(sweep);
      await app.close();
    },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, fault: { type: 'string' } } });
  const { address } = await start({ port: Number(values.port ?? 0), fault: values.fault ?? null });
  console.log(address);
}
