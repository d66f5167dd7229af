import type { Fault, Json, Pattern, Step, Trade } from '../witness.ts';
import { start } from './service.ts';

type Members = Readonly<Record<string, Json>>;

const does = (
  as: string,
  ask: string,
  status: number,
  shows?: Pattern,
  body?: Json,
  keep?: string,
): Step => ({
  ask,
  as,
  status,
  ...(shows !== undefined && { shows }),
  ...(body !== undefined && { body }),
  ...(keep !== undefined && { keep }),
});
const sees = (as: string, path: string, shows: Pattern): Step => does(as, `GET ${path}`, 200, shows);
const refused = (as: string, ask: string, status: number, error: string, body?: Json): Step =>
  does(as, ask, status, { error }, body);

const password = 'correct horse';
/** People register and log in. */
const people = (...names: string[]): Step[] =>
  names.flatMap((name): Step[] => [
    { ask: 'POST /users', body: { name, password }, status: 201 },
    { ask: 'POST /sessions', body: { name, password }, status: 201, keep: name },
  ]);
/** Ann makes a room, which is kept as `r`, or by another name. */
const room = (more: Members = {}, keep = 'r'): Step =>
  does('ann', 'POST /rooms', 201, {}, { name: `Room ${keep}`, ...more }, keep);
const joins = (name: string, of = 'r'): Step =>
  does(name, `PUT /rooms/{${of}.id}/membership`, 201, { role: 'member' });
const moderates = (name: string): Step =>
  does('ann', `PATCH /rooms/{r.id}/members/${name}`, 200, {}, { role: 'moderator' });
/** A message that is kept by its text. */
const says = (as: string, text: string, more: Members = {}, of = 'r'): Step =>
  does(as, `POST /rooms/{${of}.id}/messages`, 201, {}, { text, ...more }, text);
const archives: Step = does('ann', 'POST /rooms/{r.id}/archive', 200, { status: 'archived' });
const marks = (as: string, upTo: number, shows: Pattern): Step =>
  does(as, 'PUT /rooms/{r.id}/read', 200, shows, { upTo });
const keyed = (step: Step): Step => ({ ...step, headers: { 'Idempotency-Key': 'k1' } }) as Step;

const sessions: readonly Fault[] = [
  {
    id: 'password-bound',
    statement: 'resources.User.fields.password.minLength',
    what: 'A password of seven characters is accepted.',
    witness: [
      {
        ask: 'POST /users',
        body: { name: 'ann', password: '7777777' },
        status: 422,
        shows: { error: 'invalid' },
      },
    ],
  },
  {
    id: 'logout-everywhere',
    statement: 'endpoints["DELETE /session"].does.revoke',
    what: 'Whoever logs out is logged out everywhere.',
    witness: [
      ...people('ann'),
      { ask: 'POST /sessions', body: { name: 'ann', password }, status: 201, keep: 'bob' },
      does('bob', 'DELETE /session', 204),
      sees('ann', '/me', { name: 'ann' }),
    ],
  },
  {
    id: 'session-forever',
    statement: 'authentication.schemes.session.credentials.life',
    what: 'A session does not end.',
    witness: [...people('ann'), { wait: 3601 }, refused('ann', 'GET /me', 401, 'bad_token')],
  },
];

const rooms: readonly Fault[] = [
  {
    id: 'room-exact-case',
    statement: 'resources.Room.fields.name.unique',
    what: 'Two rooms may have names that differ in letter case alone.',
    witness: [...people('ann'), room(), refused('ann', 'POST /rooms', 409, 'name_taken', { name: 'ROOM R' })],
  },
  {
    id: 'rename-to-itself',
    statement: 'resources.Room.fields.name.unique',
    what: 'A room that keeps its name while it is changed counts as taking it.',
    witness: [
      ...people('ann'),
      room(),
      does('ann', 'PATCH /rooms/{r.id}', 200, { topic: 'Tea' }, { name: 'Room r', topic: 'Tea' }),
    ],
  },
  {
    id: 'joined-false',
    statement: 'endpoints["GET /rooms"].request.query.joined.filter',
    what: 'The filter for rooms that the client has not joined shows all rooms.',
    witness: [...people('ann'), room(), sees('ann', '/rooms?joined=false', { total: 0 })],
  },
  {
    id: 'total-with-private',
    statement: 'endpoints["GET /rooms"].response.body.total',
    what: 'The total counts private rooms that the client may not see.',
    witness: [...people('ann', 'bob'), room({ private: true }), sees('bob', '/rooms', { total: 0 })],
  },
  {
    id: 'pages-overlap',
    statement: 'endpoints["GET /rooms"].request.query.page.page',
    what: 'A later page begins with the last room of the page before.',
    witness: [
      ...people('ann'),
      room({}, 'a'),
      room({}, 'b'),
      sees('ann', '/rooms?limit=1&page=2', { rooms: [{ name: 'Room b' }] }),
    ],
  },
  {
    id: 'messages-ever',
    statement: 'resources.Room.fields.messages.derived',
    what: 'A room still counts messages that were deleted.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one'),
      does('ann', 'DELETE /messages/{one.id}', 204),
      sees('ann', '/rooms/{r.id}', { messages: 0 }),
    ],
  },
  {
    id: 'edit-by-member',
    statement: 'authentication.authorization.editRoom.items',
    what: 'Every member may change the topic.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      refused('bob', 'PATCH /rooms/{r.id}', 403, 'not_yours', { topic: 'Tea' }),
    ],
  },
  {
    id: 'archive-twice',
    statement: 'states["Room.status"].transitions.archive.from',
    what: 'An archived room may be archived again.',
    witness: [
      ...people('ann'),
      room(),
      archives,
      refused('ann', 'POST /rooms/{r.id}/archive', 409, 'wrong_status'),
    ],
  },
  {
    id: 'restore-by-moderator',
    statement: 'authentication.authorization.restoreRoom.items',
    what: 'A moderator may restore a room.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      moderates('bob'),
      archives,
      refused('bob', 'DELETE /rooms/{r.id}/archive', 403, 'not_yours'),
    ],
  },
  {
    id: 'deleted-room-keeps-members',
    statement: 'resources.Member.fields.room.ifDeleted',
    what: 'The members of a room that was deleted still count it.',
    witness: [
      ...people('ann'),
      room(),
      does('ann', 'DELETE /rooms/{r.id}', 204),
      sees('ann', '/me', { rooms: 0 }),
    ],
  },
];

const members: readonly Fault[] = [
  {
    id: 'join-with-unread',
    statement: 'endpoints["PUT /rooms/{id}/membership"].does.with.readUpTo',
    what: 'For whoever joins, all messages are unread.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      says('ann', 'one'),
      does('bob', 'PUT /rooms/{r.id}/membership', 201, { unread: 0 }),
    ],
  },
  {
    id: 'join-again-reads',
    statement: 'endpoints["PUT /rooms/{id}/membership"].does.present',
    what: 'A member who joins again has read everything.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      says('ann', 'one'),
      does('bob', 'PUT /rooms/{r.id}/membership', 200, { unread: 1 }),
    ],
  },
  {
    id: 'owner-leaves',
    statement: 'errors.codes.owner_stays.operations',
    what: 'The owner may leave a room.',
    witness: [
      ...people('ann'),
      room(),
      refused('ann', 'DELETE /rooms/{r.id}/membership', 409, 'owner_stays'),
    ],
  },
  {
    id: 'fifth-seat',
    statement: 'limits.quotas.seats.allow',
    what: 'A room may have five members.',
    witness: [
      ...people('ann', 'bob', 'eve', 'joe', 'kim'),
      room(),
      joins('bob'),
      joins('eve'),
      joins('joe'),
      refused('kim', 'PUT /rooms/{r.id}/membership', 409, 'room_full'),
    ],
  },
  {
    id: 'role-by-moderator',
    statement: 'errors.codes.not_owner.when',
    what: 'A moderator may make other moderators.',
    witness: [
      ...people('ann', 'bob', 'eve'),
      room(),
      joins('bob'),
      joins('eve'),
      moderates('bob'),
      refused('bob', 'PATCH /rooms/{r.id}/members/eve', 403, 'not_owner', { role: 'moderator' }),
    ],
  },
  {
    id: 'removed-by-member',
    statement: 'errors.codes.not_moderator.when',
    what: 'Every member may remove other members.',
    witness: [
      ...people('ann', 'bob', 'eve'),
      room(),
      joins('bob'),
      joins('eve'),
      refused('bob', 'DELETE /rooms/{r.id}/members/eve', 403, 'not_moderator'),
    ],
  },
  {
    id: 'unread-own',
    statement: 'resources.Member.fields.unread.derived',
    what: 'The messages of a member count as unread for the member.',
    witness: [...people('ann'), room(), says('ann', 'one'), sees('ann', '/me/rooms', [{ unread: 0 }])],
  },
  {
    id: 'read-backwards',
    statement: 'endpoints["PUT /rooms/{id}/read"].does.with.readUpTo',
    what: 'The read mark goes back.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      says('ann', 'one'),
      marks('bob', 1, { unread: 0 }),
      marks('bob', 0, { readUpTo: 1, unread: 0 }),
    ],
  },
  {
    id: 'read-beyond',
    statement: 'errors.codes.not_written.when',
    what: 'The read mark may be set to messages that are not written yet.',
    witness: [
      ...people('ann'),
      room(),
      refused('ann', 'PUT /rooms/{r.id}/read', 409, 'not_written', { upTo: 1 }),
    ],
  },
];

const messages: readonly Fault[] = [
  {
    id: 'text-bound',
    statement: 'resources.Message.fields.text.maxLength',
    what: 'A message of the greatest length is refused.',
    witness: [
      ...people('ann'),
      room(),
      does('ann', 'POST /rooms/{r.id}/messages', 201, {}, { text: 'x'.repeat(200) }),
    ],
  },
  {
    id: 'reply-elsewhere',
    statement: 'resources.Message.fields.replyTo.holds["the message is in the same room"]',
    what: 'A message may reply to one of another room.',
    witness: [
      ...people('ann'),
      room(),
      room({}, 'other'),
      says('ann', 'one', {}, 'other'),
      refused('ann', 'POST /rooms/{r.id}/messages', 422, 'invalid', { text: 'two', replyTo: '{one.id}' }),
    ],
  },
  {
    id: 'reply-to-nothing',
    statement: 'resources.Message.fields.replyTo.ifDeleted',
    what: 'A reply still names a message that vanished.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one', { lifetime: 2 }),
      says('ann', 'two', { replyTo: '{one.id}' }),
      { wait: 3 },
      sees('ann', '/messages/{two.id}', { replyTo: null }),
    ],
  },
  {
    id: 'private-message-read',
    statement: 'endpoints["GET /messages/{id}"].does.where',
    what: 'Whoever knows the identifier of a message reads it, also in a private room.',
    witness: [
      ...people('ann', 'bob'),
      room({ private: true }),
      says('ann', 'one'),
      refused('bob', 'GET /messages/{one.id}', 404, 'no_message'),
    ],
  },
  {
    id: 'archived-before-member',
    statement: 'errors.order',
    what: 'Whoever is no member learns that the room is archived before all else.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      archives,
      refused('bob', 'POST /rooms/{r.id}/messages', 403, 'not_member', { text: 'one' }),
    ],
  },
  {
    id: 'edit-by-moderator',
    statement: 'authentication.authorization.editMessage.items',
    what: 'A moderator may edit the messages of others.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      says('bob', 'one'),
      refused('ann', 'PATCH /messages/{one.id}', 403, 'not_yours', { text: 'two' }),
    ],
  },
  {
    id: 'edit-archived',
    statement: 'errors.codes.closed.when',
    what: 'A message in an archived room may be edited.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one'),
      archives,
      refused('ann', 'PATCH /messages/{one.id}', 409, 'archived', { text: 'two' }),
    ],
  },
  {
    id: 'edited-without-change',
    statement: 'endpoints["PATCH /messages/{id}"].does.with.editedAt',
    what: 'A message counts as edited although the text is the same.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one'),
      does('ann', 'PATCH /messages/{one.id}', 200, { editedAt: null }, { text: 'one' }),
    ],
  },
  {
    id: 'older-or-same',
    statement: 'endpoints["GET /rooms/{id}/messages"].request.query.olderThan.page',
    what: 'A page of older messages begins with the message that the client has already.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one'),
      says('ann', 'two'),
      sees('ann', '/rooms/{r.id}/messages?olderThan={two.id}', { messages: [{ text: 'one' }] }),
    ],
  },
  {
    id: 'newer-than-from-top',
    statement: 'endpoints["GET /rooms/{id}/messages"].request.query.newerThan.page',
    what: 'A page of newer messages shows the newest, and not those that come next.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one'),
      says('ann', 'two'),
      says('ann', 'three'),
      sees('ann', '/rooms/{r.id}/messages?newerThan={one.id}&limit=1', { messages: [{ text: 'two' }] }),
    ],
  },
];

const reactions: readonly Fault[] = [
  {
    id: 'one-reaction-each',
    statement: 'resources.Reaction.identifier',
    what: 'A user has one reaction to a message, and a second one is forgotten.',
    witness: [
      ...people('ann'),
      room(),
      says('ann', 'one'),
      does('ann', 'PUT /messages/{one.id}/reactions/like', 201),
      does('ann', 'PUT /messages/{one.id}/reactions/laugh', 201, { reactions: ['laugh', 'like'] }),
    ],
  },
  {
    id: 'reactions-repeated',
    statement: 'resources.Message.fields.reactions.derived',
    what: 'A message shows a reaction as often as users gave it.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      says('ann', 'one'),
      does('ann', 'PUT /messages/{one.id}/reactions/like', 201),
      does('bob', 'PUT /messages/{one.id}/reactions/like', 201, { reactions: ['like'] }),
    ],
  },
  {
    id: 'unreact-for-all',
    statement: 'endpoints["DELETE /messages/{id}/reactions/{emoji}"].does.where',
    what: 'Whoever takes a reaction back takes back those of others.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      says('ann', 'one'),
      does('ann', 'PUT /messages/{one.id}/reactions/like', 201),
      does('bob', 'DELETE /messages/{one.id}/reactions/like', 204),
      sees('ann', '/messages/{one.id}', { reactions: ['like'] }),
    ],
  },
];

const limits: readonly Fault[] = [
  {
    id: 'ninth-message',
    statement: 'limits.rates.posting.allow',
    what: 'A user may send nine messages at a time.',
    witness: [
      ...people('ann'),
      room(),
      ...Array.from({ length: 8 }, (_, index) => says('ann', `m${index}`)),
      refused('ann', 'POST /rooms/{r.id}/messages', 429, 'too_many', { text: 'm8' }),
    ],
  },
  {
    id: 'rate-of-all',
    statement: 'limits.rates.posting.per',
    what: 'The messages of all users are counted together.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      says('ann', 'one'),
      { ...says('bob', 'two'), fields: { 'x-posts-left': '7' } } as Step,
    ],
  },
  {
    id: 'key-of-everybody',
    statement: 'endpoints["POST /rooms/{id}/messages"].idempotency.per',
    what: 'Two users who send the same key share it.',
    witness: [
      ...people('ann', 'bob'),
      room(),
      joins('bob'),
      keyed(says('ann', 'one')),
      keyed(does('bob', 'POST /rooms/{r.id}/messages', 201, { author: 'bob' }, { text: 'one' })),
    ],
  },
  {
    id: 'key-without-body',
    statement: 'errors.codes.key_reused.when',
    what: 'Another message with the same key gets the first answer.',
    witness: [
      ...people('ann'),
      room(),
      keyed(says('ann', 'one')),
      keyed(refused('ann', 'POST /rooms/{r.id}/messages', 422, 'key_reused', { text: 'two' })),
    ],
  },
  {
    id: 'event-of-private',
    statement: 'events.kinds["message.posted"].when',
    what: 'The stream tells of messages in private rooms.',
    witness: [
      ...people('ann', 'bob'),
      room({ private: true }, 'secret'),
      room(),
      { opens: 'GET /events', as: 'bob', stream: 'live' },
      says('ann', 'one', {}, 'secret'),
      says('ann', 'two'),
      { hears: 'live', events: [{ event: 'message.posted', data: { room: '{r.id}', author: 'ann' } }] },
    ],
  },
];

const token = (name: string): Readonly<Record<string, string>> => ({
  Authorization: `Bearer {${name}.token}`,
});

export const chat: Trade = {
  name: 'chat',
  document: new URL('chat.md', import.meta.url),
  start: ({ fault, now }) => start({ port: 0, fault, now }),
  credentials: {
    ann: token('ann'),
    bob: token('bob'),
    eve: token('eve'),
    joe: token('joe'),
    kim: token('kim'),
  },
  faults: [...sessions, ...rooms, ...members, ...messages, ...reactions, ...limits],
};
