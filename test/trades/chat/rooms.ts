import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { compare } from './request.ts';

export interface User {
  readonly name: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly joinedAt: string;
}

export interface Room {
  readonly id: string;
  name: string;
  topic: string;
  readonly private: boolean;
  status: 'active' | 'archived';
  readonly createdAt: string;
}

export interface Member {
  readonly room: string;
  readonly user: string;
  role: string;
  readUpTo: number;
  readonly joinedAt: string;
}

export interface Message {
  readonly id: string;
  readonly room: string;
  readonly number: number;
  readonly author: string;
  text: string;
  replyTo: string | null;
  readonly lifetime: number | null;
  readonly sentAt: string;
  editedAt: string | null;
  readonly vanishes: string | null;
}

interface Reaction {
  readonly message: string;
  readonly user: string;
  readonly emoji: string;
}

export interface Event {
  readonly id: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const hourMicros = 3_600_000_000;
const hashed = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, 32, { N: 1024 });
const fold = (name: string): string => name.toLowerCase();

/** Users, rooms and messages in memory. Whoever uses them settles first what is due. */
export class Rooms {
  readonly users = new Map<string, User>();
  readonly rooms = new Map<string, Room>();
  readonly messages = new Map<string, Message>();
  readonly events: Event[] = [];
  members: Member[] = [];
  reactions: Reaction[] = [];
  readonly #broken: (fault: string) => boolean;
  readonly #clock: () => number;
  readonly #sessions = new Map<string, { readonly name: string; readonly until: number }>();
  readonly #numbers = new Map<string, number>();
  readonly #listeners = new Set<(event: Event) => void>();
  #latest = 0;

  constructor(broken: (fault: string) => boolean, clock: () => number) {
    this.#broken = broken;
    this.#clock = clock;
  }

  /** Microseconds since 1970, later than ever before. */
  now(): number {
    this.#latest = Math.max(this.#clock() * 1000, this.#latest + 1);
    return this.#latest;
  }

  written(micros = this.now()): string {
    const fraction = String(micros % 1_000_000).padStart(6, '0');
    return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${fraction}Z`;
  }

  micros(text: string): number {
    return Date.parse(`${text.slice(0, 19)}Z`) * 1000 + Number(text.slice(20, 26));
  }

  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #emit(kind: string, room: Room, data: Event['data']): void {
    if (room.private && !(this.#broken('event-of-private') && kind === 'message.posted')) return;
    const event = { id: this.events.length + 1, kind, data };
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  // Users and sessions

  register(name: string, password: string): User {
    const salt = randomBytes(16);
    const user = { name, salt, hash: hashed(password, salt), joinedAt: this.written() };
    this.users.set(name, user);
    return user;
  }

  logIn(name: string, password: string): { readonly token: string; readonly user: string } | null {
    const user = this.users.get(name);
    const salt = user?.salt ?? Buffer.alloc(16);
    const isRight = timingSafeEqual(hashed(password, salt), user?.hash ?? Buffer.alloc(32));
    if (user === undefined || !isRight) return null;
    const token = randomBytes(24).toString('base64url');
    this.#sessions.set(token, { name: user.name, until: this.now() + hourMicros });
    return { token, user: user.name };
  }

  logOut(token: string): void {
    const name = this.who(token);
    for (const [other, session] of this.#sessions)
      if (other === token || (this.#broken('logout-everywhere') && session.name === name))
        this.#sessions.delete(other);
  }

  who(token: string): string | null {
    const session = this.#sessions.get(token);
    const isOver = session !== undefined && session.until <= this.now();
    return session === undefined || (isOver && !this.#broken('session-forever')) ? null : session.name;
  }

  // Rooms and members

  roomNamed(name: string): Room | undefined {
    return [...this.rooms.values()].find((room) => fold(room.name) === fold(name));
  }

  createRoom(owner: string, name: string, topic: string, isPrivate: boolean): Room {
    const createdAt = this.written();
    const room: Room = { id: randomUUID(), name, topic, private: isPrivate, status: 'active', createdAt };
    this.rooms.set(room.id, room);
    this.members.push({ room: room.id, user: owner, role: 'owner', readUpTo: 0, joinedAt: createdAt });
    return room;
  }

  deleteRoom(room: Room): void {
    this.rooms.delete(room.id);
    if (!this.#broken('deleted-room-keeps-members'))
      this.members = this.members.filter((member) => member.room !== room.id);
    for (const message of this.messagesIn(room)) this.deleteMessage(message);
  }

  archive(room: Room): void {
    room.status = 'archived';
    this.#emit('room.archived', room, { room: room.id, name: room.name });
  }

  member(room: string, user: string | null): Member | undefined {
    return this.members.find((one) => one.room === room && one.user === user);
  }

  addMember(room: Room, user: string): Member {
    const readUpTo = this.#broken('join-with-unread') ? 0 : this.highest(room);
    const member = { room: room.id, user, role: 'member', readUpTo, joinedAt: this.written() };
    this.members.push(member);
    return member;
  }

  removeMember(member: Member): void {
    this.members = this.members.filter((one) => one !== member);
  }

  unread(member: Member): number {
    return [...this.messages.values()].filter(
      (message) =>
        message.room === member.room &&
        (message.author !== member.user || this.#broken('unread-own')) &&
        message.number > member.readUpTo,
    ).length;
  }

  // Messages

  messagesIn(room: Room): Message[] {
    return [...this.messages.values()].filter((message) => message.room === room.id);
  }

  highest(room: Room): number {
    return Math.max(0, ...this.messagesIn(room).map(({ number }) => number));
  }

  post(
    room: Room,
    author: string,
    { text, replyTo, lifetime }: Pick<Message, 'text' | 'replyTo' | 'lifetime'>,
  ): Message {
    const number = (this.#numbers.get(room.id) ?? 0) + 1;
    this.#numbers.set(room.id, number);
    const now = this.now();
    const vanishes = lifetime === null ? null : this.written(now + lifetime * 1_000_000);
    const sentAt = this.written(now);
    const message: Message = {
      ...{ id: randomUUID(), room: room.id, number, author, text, replyTo, lifetime },
      ...{ sentAt, editedAt: null, vanishes },
    };
    this.messages.set(message.id, message);
    this.#emit('message.posted', room, { room: room.id, number, author });
    return message;
  }

  deleteMessage(message: Message): void {
    this.messages.delete(message.id);
    this.reactions = this.reactions.filter((one) => one.message !== message.id);
    if (this.#broken('reply-to-nothing')) return;
    for (const other of this.messages.values()) if (other.replyTo === message.id) other.replyTo = null;
  }

  /** Removes the messages that vanish by now. */
  settle(): void {
    const now = this.now();
    for (const message of [...this.messages.values()])
      if (message.vanishes !== null && this.micros(message.vanishes) <= now) this.deleteMessage(message);
  }

  react(message: Message, user: string, emoji: string): boolean {
    const isSame = (one: Reaction): boolean =>
      one.message === message.id &&
      one.user === user &&
      (one.emoji === emoji || this.#broken('one-reaction-each'));
    if (this.reactions.some(isSame)) return false;
    this.reactions.push({ message: message.id, user, emoji });
    return true;
  }

  unreact(message: Message, user: string, emoji: string): void {
    this.reactions = this.reactions.filter(
      (one) =>
        one.message !== message.id ||
        one.emoji !== emoji ||
        (one.user !== user && !this.#broken('unreact-for-all')),
    );
  }

  // What is shown

  user({ name, joinedAt }: User): object {
    return { name, joinedAt, rooms: this.members.filter((one) => one.user === name).length };
  }

  room(room: Room, actor: string): object {
    return {
      ...room,
      members: this.members.filter((one) => one.room === room.id).length,
      messages: this.#broken('messages-ever')
        ? (this.#numbers.get(room.id) ?? 0)
        : this.messagesIn(room).length,
      joined: this.member(room.id, actor) !== undefined,
    };
  }

  seat({ user, role, joinedAt }: Member): object {
    return { user, role, joinedAt };
  }

  membership(member: Member): object {
    const { id, name, status } = this.rooms.get(member.room) as Room;
    const { role, readUpTo } = member;
    return { role, readUpTo, unread: this.unread(member), room: { id, name, status } };
  }

  message(message: Message): object {
    const emojis = this.reactions.filter((one) => one.message === message.id).map(({ emoji }) => emoji);
    const isReply = (other: Message): boolean => other.replyTo === message.id;
    return {
      ...message,
      replies: [...this.messages.values()].filter(isReply).length,
      reactions: (this.#broken('reactions-repeated') ? emojis : [...new Set(emojis)]).sort(compare),
    };
  }
}
