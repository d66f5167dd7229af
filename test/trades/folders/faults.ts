import type { Fault, Pattern, Step, Trade } from '../witness.ts';
import { start } from './service.ts';

const home = '0f1d2c3b-0000-4000-8000-00000000000a';
const homeOfBob = '0f1d2c3b-0000-4000-8000-00000000000b';

/** Ann makes a folder, in her home or in one that was kept, and it is kept by its name. */
const folder = (name: string, parent: string = home, more: Record<string, boolean> = {}): Step => ({
  ask: 'POST /folders',
  as: 'ann',
  body: { name, parent, ...more },
  status: 201,
  keep: name,
});

/** Ann makes a file, and it is kept by its name. */
const file = (name: string, size: number, at: string = home, tags: readonly string[] = []): Step => ({
  ask: `POST /folders/${at}/files`,
  as: 'ann',
  body: { name, size, tags },
  status: 201,
  keep: name,
});

const sees = (path: string, shows: Pattern, as = 'ann'): Step => ({
  ask: `GET ${path}`,
  as,
  status: 200,
  shows,
});

const refused = (ask: string, status: number, error: string, body?: Step & object): Step => ({
  ask,
  as: 'ann',
  status,
  shows: { error },
  ...body,
});

const lock = (name: string): Step => ({ ask: `PUT /files/{${name}.id}/lock`, as: 'ann', status: 204 });

const shared: Step = folder('team', home, { shared: true });

const creating: readonly Fault[] = [
  {
    id: 'create-depth-bound',
    statement: 'resources.Folder.invariants["no folder is deeper than four levels below the home"]',
    what: 'A folder may be made five levels below the home.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      folder('c', '{b.id}'),
      folder('d', '{c.id}'),
      {
        ask: 'POST /folders',
        as: 'ann',
        body: { name: 'e', parent: '{d.id}' },
        status: 409,
        shows: { error: 'too_deep' },
      },
    ],
  },
  {
    id: 'create-name-everywhere',
    statement: 'resources.Folder.unique',
    what: 'A name of a folder is taken wherever the owner has a folder of this name.',
    witness: [folder('a'), folder('b'), { ...folder('a', '{b.id}'), keep: 'c' } as Step],
  },
  {
    id: 'parent-of-others',
    statement: 'resources.Folder.fields.parent.holds',
    what: 'A folder may be made in the folder of another member.',
    witness: [
      {
        ask: 'POST /folders',
        as: 'ann',
        body: { name: 'a', parent: homeOfBob },
        status: 422,
        shows: { error: 'invalid' },
      },
    ],
  },
  {
    id: 'shared-not-kept',
    statement: 'resources.Folder.fields.shared',
    what: 'A folder that is made as shared is not shared.',
    witness: [{ ...folder('a', home, { shared: true }), shows: { shared: true } } as Step],
  },
  {
    id: 'size-bound',
    statement: 'resources.File.fields.size.maximum',
    what: 'A file of the greatest size is refused.',
    witness: [file('a', 5000)],
  },
  {
    id: 'tags-twice',
    statement: 'resources.File.fields.tags.uniqueItems',
    what: 'A file may have one tag twice.',
    witness: [
      {
        ask: `POST /folders/${home}/files`,
        as: 'ann',
        body: { name: 'a', size: 1, tags: ['x', 'x'] },
        status: 422,
        shows: { error: 'invalid' },
      },
    ],
  },
  {
    id: 'copy-without-tags',
    statement: 'endpoints["POST /files/{id}/copies"].does.with.tags',
    what: 'A copy of a file has no tags.',
    witness: [
      file('a', 1, home, ['x']),
      {
        ask: 'POST /files/{a.id}/copies',
        as: 'ann',
        body: { name: 'b' },
        status: 201,
        shows: { tags: ['x'] },
      },
    ],
  },
];

const changing: readonly Fault[] = [
  {
    id: 'rename-to-own-name',
    statement: 'resources.Folder.unique',
    what: 'A folder that keeps its name while it is changed counts as taking it.',
    witness: [
      folder('a'),
      {
        ask: 'PATCH /folders/{a.id}',
        as: 'ann',
        body: { name: 'a', shared: true },
        status: 200,
        shows: { shared: true },
      },
    ],
  },
  {
    id: 'changes-without-change',
    statement: 'resources.Folder.fields.changes.set.update',
    what: 'A request that changes nothing counts as a change.',
    witness: [
      folder('a'),
      { ask: 'PATCH /folders/{a.id}', as: 'ann', body: { name: 'a' }, status: 200, shows: { changes: 0 } },
    ],
  },
  {
    id: 'move-to-taken-name',
    statement: 'resources.Folder.unique',
    what: 'A folder may be moved to where another folder has its name.',
    witness: [
      folder('a'),
      folder('b'),
      { ...folder('a', '{b.id}'), keep: 'inner' } as Step,
      {
        ask: 'POST /folders/{inner.id}/move',
        as: 'ann',
        body: { parent: home },
        status: 409,
        shows: { error: 'taken' },
      },
    ],
  },
  {
    id: 'circle-two-below',
    statement: 'resources.Folder.guards.update',
    what: 'Only the parent of the new place is looked at for a circle, and none of the folders above it.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      folder('c', '{b.id}'),
      {
        ask: 'POST /folders/{a.id}/move',
        as: 'ann',
        body: { parent: '{c.id}' },
        status: 409,
        shows: { error: 'circle' },
      },
    ],
  },
  {
    id: 'move-depth-of-itself',
    statement: 'resources.Folder.invariants["no folder is deeper than four levels below the home"]',
    what: 'When a folder moves, the depth of the folders below it is not looked at.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      folder('x'),
      folder('y', '{x.id}'),
      folder('z', '{y.id}'),
      {
        ask: 'POST /folders/{a.id}/move',
        as: 'ann',
        body: { parent: '{z.id}' },
        status: 409,
        shows: { error: 'too_deep' },
      },
    ],
  },
  {
    id: 'move-without-changes-below',
    statement: 'endpoints["POST /folders/{id}/move"].also',
    what: 'When a folder moves, the folders below it do not count the change.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      folder('c'),
      {
        ask: 'POST /folders/{a.id}/move',
        as: 'ann',
        body: { parent: '{c.id}' },
        status: 200,
        shows: { depth: 2 },
      },
      sees('/folders/{b.id}', { depth: 3, changes: 1 }),
    ],
  },
  {
    id: 'if-match-ignored',
    statement: 'endpoints["PATCH /files/{id}"].conditional.ifMatch',
    what: 'A file is changed although the client has seen another state of it.',
    witness: [
      file('a', 1),
      {
        ask: 'PATCH /files/{a.id}',
        as: 'ann',
        headers: { 'If-Match': '"other"' },
        body: { size: 2 },
        status: 412,
        shows: { error: 'changed' },
      },
    ],
  },
  {
    id: 'etag-without-tags',
    statement: 'endpoints["GET /files/{id}"].conditional.etag',
    what: 'The entity tag of a file stays the same when its tags change.',
    witness: [
      file('a', 1),
      { ...sees('/files/{a.id}', {}), keep: 'seen' } as Step,
      { ask: 'PATCH /files/{a.id}', as: 'ann', body: { tags: ['x'] }, status: 200, shows: { tags: ['x'] } },
      { ...sees('/files/{a.id}', { tags: ['x'] }), headers: { 'If-None-Match': '{seen#etag}' } } as Step,
    ],
  },
  {
    id: 'locked-is-moved',
    statement: 'resources.File.guards.update',
    what: 'A locked file may be moved.',
    witness: [
      folder('a'),
      file('f', 1),
      lock('f'),
      {
        ask: 'POST /files/{f.id}/move',
        as: 'ann',
        body: { folder: '{a.id}' },
        status: 423,
        shows: { error: 'locked' },
      },
    ],
  },
  {
    id: 'unlock-twice',
    statement: 'states["File.state"].transitions.unlock.from',
    what: 'A file that is not locked may be unlocked.',
    witness: [file('f', 1), refused('DELETE /files/{f.id}/lock', 409, 'lock_state')],
  },
];

const deleting: readonly Fault[] = [
  {
    id: 'files-are-not-content',
    statement: 'errors.codes.not_empty',
    what: 'A folder that has files and no folders counts as empty.',
    witness: [folder('a'), file('f', 1, '{a.id}'), refused('DELETE /folders/{a.id}', 409, 'not_empty')],
  },
  {
    id: 'delete-keeps-grandchildren',
    statement: 'resources.Folder.fields.parent.ifDeleted',
    what: 'The folders two levels below a deleted folder stay.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      folder('c', '{b.id}'),
      { ask: 'DELETE /folders/{a.id}?recursive=true', as: 'ann', status: 204 },
      refused('GET /folders/{c.id}', 404, 'no_folder'),
    ],
  },
  {
    id: 'delete-keeps-files-below',
    statement: 'resources.File.fields.folder.ifDeleted',
    what: 'The files in folders below a deleted folder still use space.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      file('f', 7, '{b.id}'),
      { ask: 'DELETE /folders/{a.id}?recursive=true', as: 'ann', status: 204 },
      sees('/usage', { files: 0, bytes: 0 }),
    ],
  },
  {
    id: 'locked-below-is-deleted',
    statement: 'resources.File.guards.delete',
    what: 'A locked file does not keep the folders above its own from being deleted.',
    witness: [
      folder('a'),
      folder('b', '{a.id}'),
      file('f', 1, '{b.id}'),
      lock('f'),
      refused('DELETE /folders/{a.id}?recursive=true', 423, 'locked'),
    ],
  },
];

const access: readonly Fault[] = [
  {
    id: 'private-is-read',
    statement: 'endpoints["GET /folders/{id}"].does.where',
    what: 'Every member may read every folder.',
    witness: [
      folder('a'),
      { ask: 'GET /folders/{a.id}', as: 'bob', status: 404, shows: { error: 'no_folder' } },
    ],
  },
  {
    id: 'private-is-forbidden',
    statement: 'endpoints["DELETE /folders/{id}"].does.where',
    what: 'The refusal tells that a folder exists which the client may not see.',
    witness: [
      folder('a'),
      { ask: 'DELETE /folders/{a.id}', as: 'bob', status: 404, shows: { error: 'no_folder' } },
    ],
  },
  {
    id: 'shared-is-edited',
    statement: 'authentication.authorization.updateFolder.items',
    what: 'Whoever sees a shared folder may rename it.',
    witness: [
      shared,
      {
        ask: 'PATCH /folders/{team.id}',
        as: 'bob',
        body: { name: 'b' },
        status: 403,
        shows: { error: 'not_yours' },
      },
    ],
  },
  {
    id: 'lock-by-reader',
    statement: 'authentication.authorization.lockFile.items',
    what: 'Whoever sees a file may lock it.',
    witness: [
      shared,
      file('f', 1, '{team.id}'),
      { ask: 'PUT /files/{f.id}/lock', as: 'bob', status: 403, shows: { error: 'not_yours' } },
    ],
  },
];

const listing: readonly Fault[] = [
  {
    id: 'list-without-shared',
    statement: 'endpoints["GET /folders"].does.where',
    what: 'The list leaves out the folders that others share.',
    witness: [shared, sees('/folders?owner=ann', { items: [{ name: 'team' }] }, 'bob')],
  },
  {
    id: 'name-filter-case',
    statement: 'endpoints["GET /folders"].request.query.name.filter',
    what: 'The filter by name looks at the letter case.',
    witness: [sees('/folders?name=HOME', { total: 1 })],
  },
  {
    id: 'shared-filter-ignored',
    statement: 'endpoints["GET /folders"].request.query.shared.filter',
    what: 'The filter by what is shared is ignored.',
    witness: [sees('/folders?shared=true', { total: 0 })],
  },
  {
    id: 'total-of-page',
    statement: 'endpoints["GET /folders"].response.body.total',
    what: 'The total counts the folders of the page alone.',
    witness: [folder('a'), sees('/folders?limit=1', { total: 2 })],
  },
  {
    id: 'next-after-full-page',
    statement: 'endpoints["GET /folders"].response.body.next',
    what: 'A last page that is full names a next page.',
    witness: [sees('/folders?limit=1', { next: null })],
  },
  {
    id: 'next-without-filters',
    statement: 'endpoints["GET /folders"].response.body.next',
    what: 'The address of the next page lacks the filters.',
    witness: [
      folder('a'),
      sees('/folders?owner=ann&limit=1', { next: '/folders?owner=ann&limit=1&offset=1' }),
    ],
  },
  {
    id: 'tag-filter-part',
    statement: 'endpoints["GET /folders/{id}/files"].request.query.tag.filter',
    what: 'The filter by tag finds tags that contain the text.',
    witness: [file('f', 1, home, ['draft']), sees(`/folders/${home}/files?tag=raf`, { items: [] })],
  },
  {
    id: 'min-size-excluded',
    statement: 'endpoints["GET /folders/{id}/files"].request.query.minSize.filter',
    what: 'The filter by least size leaves out files of exactly this size.',
    witness: [file('f', 3), sees(`/folders/${home}/files?minSize=3`, { total: 1 })],
  },
  {
    id: 'sort-down-ignored',
    statement: 'endpoints["GET /folders/{id}/files"].request.query.sort.sort',
    what: 'Files are sorted in ascending order even where the client asks for descending order.',
    witness: [
      file('f', 1),
      file('g', 2),
      sees(`/folders/${home}/files?sort=-size`, { items: [{ name: 'g' }, { name: 'f' }] }),
    ],
  },
  {
    id: 'page-of-default-size',
    statement: 'endpoints["GET /folders/{id}/files"].request.query.page.page',
    what: 'The second page begins where it would begin with the default size.',
    witness: [
      file('f', 1),
      file('g', 2),
      sees(`/folders/${home}/files?per_page=1&page=2`, { items: [{ name: 'g' }] }),
    ],
  },
];

const counting: readonly Fault[] = [
  {
    id: 'bytes-without-locked',
    statement: 'resources.Folder.fields.bytes.derived',
    what: 'The bytes of a folder leave out locked files.',
    witness: [
      folder('a'),
      file('f', 7, '{a.id}'),
      lock('f'),
      sees('/folders/{a.id}', { files: 1, bytes: 7 }),
    ],
  },
  {
    id: 'quota-bound',
    statement: 'limits.quotas.space.allow',
    what: 'The last byte of the space cannot be used.',
    witness: [file('f', 5000), file('g', 5000)],
  },
  {
    id: 'quota-by-folder',
    statement: 'limits.quotas.space.per',
    what: 'The space counts for each folder by itself.',
    witness: [
      folder('a'),
      file('f', 5000),
      file('g', 5000),
      {
        ask: 'POST /folders/{a.id}/files',
        as: 'ann',
        body: { name: 'h', size: 1 },
        status: 507,
        shows: { error: 'full', message: 'You have used 10000 of 10000 bytes' },
      },
    ],
  },
  {
    id: 'quota-not-on-update',
    statement: 'limits.quotas.space',
    what: 'A file that grows is not held to the space.',
    witness: [
      file('f', 5000),
      file('g', 4999),
      file('h', 1),
      { ask: 'PATCH /files/{h.id}', as: 'ann', body: { size: 2 }, status: 507, shows: { error: 'full' } },
    ],
  },
  {
    id: 'quota-not-on-copy',
    statement: 'limits.quotas.space',
    what: 'A copy is not held to the space.',
    witness: [
      file('f', 4000),
      file('g', 4000),
      {
        ask: 'POST /files/{f.id}/copies',
        as: 'ann',
        body: { name: 'h' },
        status: 507,
        shows: { error: 'full' },
      },
    ],
  },
];

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export const folders: Trade = {
  name: 'folders',
  document: new URL('folders.md', import.meta.url),
  start: ({ fault, now }) => start({ port: 0, fault, now }),
  credentials: { ann: bearer('ann-7f3c91d2'), bob: bearer('bob-5e08a4c6'), eve: bearer('eve-c2d94b17') },
  faults: [...creating, ...changing, ...deleting, ...access, ...listing, ...counting],
};
