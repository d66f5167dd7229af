import { absent, type Fault, type Pattern, type Step } from '../witness.ts';
import {
  ann,
  annLogsIn,
  books,
  does,
  hour,
  kit,
  logsIn,
  opened,
  opens,
  patches,
  refused,
  sees,
  signsUp,
} from './steps.ts';

const rooms = (...names: readonly string[]): Pattern => ({
  rooms: names.map((name) => ({ name })),
});

const house: readonly Step[] = [...ann, kit];

/** What may go wrong with accounts and rooms. */
export const houseFaults: readonly Fault[] = [
  {
    id: 'phone-null',
    statement: 'endpoints["PATCH /me"].request.media',
    what: 'null in a merge patch is taken for a member that is not given',
    witness: [
      signsUp('ann', { phone: '+4930123456' }),
      annLogsIn,
      patches('ann', '/me', 200, { name: 'Anna' }, { shows: { name: 'Anna', phone: '+4930123456' } }),
      patches('ann', '/me', 200, { phone: null }, { shows: { phone: absent } }),
    ],
  },
  {
    id: 'token-slides',
    statement: 'authentication.schemes.token.credentials.life',
    what: 'each use of a token makes its life begin again',
    witness: [
      ...ann,
      { wait: 11 * hour },
      sees('ann', '/me', { name: 'ann' }),
      { wait: 2 * hour },
      refused('ann', 'GET /me', 401, 'session-over'),
    ],
  },
  {
    id: 'logout-all',
    statement: 'endpoints["DELETE /sessions"].does',
    what: 'logging out ends every session of the account',
    witness: [
      ...ann,
      logsIn('bob', 'ann@mail.example', 'ann-plays-loud'),
      does('bob', 'DELETE /sessions', 204),
      sees('ann', '/me', { name: 'ann' }),
    ],
  },
  {
    id: 'search-or',
    statement: 'endpoints["GET /rooms"].request.query.q.filter',
    what: 'a room is found if it has one of the words',
    witness: [
      ...house,
      opens('Red Cellar', { notes: 'with a vocal booth' }),
      opens('Blue Cellar'),
      sees('ann', '/rooms?q=cell', rooms('Blue Cellar', 'Red Cellar')),
      sees('ann', '/rooms?q=cellar%20VOC', rooms('Red Cellar')),
    ],
  },
  {
    id: 'total-page',
    statement: 'endpoints["GET /rooms"].response.body.total',
    what: 'the total is the number of rooms on the page',
    witness: [
      ...house,
      opens('a'),
      opens('b'),
      sees('ann', '/rooms', { total: 2 }),
      sees('ann', '/rooms?limit=1', { rooms: [{ name: 'a' }], total: 2 }),
    ],
  },
  {
    id: 'sort-ties',
    statement: 'endpoints["GET /rooms"].does.order',
    what: 'where rooms are sorted downwards, so are their names',
    witness: [
      ...house,
      opens('b'),
      opens('a'),
      opens('c', { rate: 2000 }),
      sees('ann', '/rooms?sort=rate', rooms('a', 'b', 'c')),
      sees('ann', '/rooms?sort=-rate', rooms('c', 'a', 'b')),
    ],
  },
  {
    id: 'archived-found',
    statement: 'endpoints["GET /rooms"].does.where',
    what: 'the search finds rooms that were archived',
    witness: [
      ...house,
      opens('attic'),
      does('kit', 'DELETE /rooms/{attic.id}', 204),
      sees('ann', '/rooms', { rooms: [], total: 0 }),
      sees('ann', '/rooms?q=attic', { rooms: [], total: 0 }),
    ],
  },
  {
    id: 'etag-bookings',
    statement: 'endpoints["GET /rooms/{id}"].conditional.etag',
    what: 'the tag does not tell how many bookings the room has',
    witness: [
      ...opened,
      sees('ann', '/rooms/{cellar.id}', { bookings: 0 }, { fields: { etag: /^"/ }, keep: 'seen' }),
      does('ann', 'GET /rooms/{cellar.id}', 304, { headers: { 'If-None-Match': '{seen#etag}' } }),
      books('ann', 'cellar', 'rehearsal'),
      sees(
        'ann',
        '/rooms/{cellar.id}',
        { bookings: 1 },
        {
          headers: { 'If-None-Match': '{seen#etag}' },
        },
      ),
    ],
  },
  {
    id: 'name-own',
    statement: 'resources.Room.fields.name.unique',
    what: 'a room is in the way of its own name',
    witness: [
      ...house,
      opens('attic'),
      sees('kit', '/rooms/{attic.id}', { name: 'attic' }, { keep: 'seen' }),
      patches(
        'kit',
        '/rooms/{attic.id}',
        200,
        { name: 'Attic' },
        {
          headers: { 'If-Match': '{seen#etag}' },
          shows: { name: 'Attic' },
        },
      ),
    ],
  },
  {
    id: 'euros-cut',
    statement: 'versioning.versions["1"].differs["resources.Room.fields.rate"].taken',
    what: 'the older version cuts cents off that a double does not hold exactly',
    witness: [
      kit,
      does('kit', 'POST /rooms', 201, {
        headers: { 'Studio-Version': '1' },
        body: { name: 'attic', floor: 3, capacity: 4, euros: 15.5 },
        shows: { euros: 15.5 },
      }),
      does('kit', 'POST /rooms', 201, {
        headers: { 'Studio-Version': '1' },
        body: { name: 'cellar', floor: -1, capacity: 4, euros: 19.99 },
        shows: { euros: 19.99 },
      }),
    ],
  },
];
