import { parseArgs } from 'node:util';
import { type ServerType, serve } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { parseJson } from '../json.ts';
import * as take from './request.ts';
import { type Body, Refused, refusals, type Sorting } from './request.ts';
import { Drive, type File, type Folder, quota } from './store.ts';

const tokens = new Map([
  ['ann-7f3c91d2', 'ann'],
  ['bob-5e08a4c6', 'bob'],
  ['eve-c2d94b17', 'eve'],
]);

type Env = { Variables: { actor: string; body: Body } };
type Call = Context<Env>;

interface Options {
  readonly port: number;
  readonly fault: string | null;
  readonly now?: () => number;
}

/** What the routes share. */
class Desk {
  readonly app = new Hono<Env>();
  readonly drive: Drive;
  readonly broken: (id: string) => boolean;

  constructor({ fault, now = Date.now }: Omit<Options, 'port'>) {
    this.broken = (id) => id === fault;
    this.drive = new Drive(this.broken, now);
  }

  visible(folder: Folder | undefined, actor: string): folder is Folder {
    return (
      folder !== undefined &&
      (folder.owner === actor || (this.broken('private-is-read') ? folder.name !== '' : folder.shared))
    );
  }

  /** The folder of the path, if the client may see it; and if `own`, only if it is the client's. */
  folderOf(c: Call, own: boolean): Folder {
    const folder = this.drive.folders.get(c.req.param('id') ?? '');
    const actor = c.get('actor');
    if (folder !== undefined && !this.visible(folder, actor) && this.broken('private-is-forbidden'))
      throw new Refused('not_yours');
    if (!this.visible(folder, actor)) throw new Refused('no_folder');
    if (own && folder.owner !== actor) throw new Refused('not_yours');
    return folder;
  }

  fileOf(c: Call, own: boolean): File {
    const file = this.drive.files.get(c.req.param('id') ?? '');
    const actor = c.get('actor');
    if (file === undefined || !this.visible(this.drive.folders.get(file.folder), actor))
      throw new Refused('no_file');
    if (own && file.owner !== actor) throw new Refused('not_yours');
    return file;
  }

  ownFolder(id: unknown, actor: string): Folder {
    const found = this.drive.folders.get(String(id));
    if (found === undefined || (found.owner !== actor && !this.broken('parent-of-others')))
      throw new Refused('invalid');
    return found;
  }

  /** Refuses what does not fit into the space of a member. */
  within(more: number, actor: string, folder: string): void {
    if (this.drive.fits(more, actor, folder)) return;
    throw new Refused('full', `You have used ${this.drive.used(actor, folder)} of ${quota} bytes`);
  }

  move(folder: Folder, parent: Folder): void {
    const { drive, broken } = this;
    if (!broken('move-to-taken-name') && drive.isFolderNameTaken(folder.name, parent.id))
      throw new Refused('taken');
    const path = [parent.id, ...(broken('circle-two-below') ? [parent.parent] : drive.above(parent))];
    if (path.includes(folder.id)) throw new Refused('circle');
    const height = broken('move-depth-of-itself') ? 0 : drive.height(folder.id);
    if (drive.isTooDeep(drive.depth(parent) + 1 + height)) throw new Refused('too_deep');
    folder.parent = parent.id;
    const touched = broken('move-without-changes-below') ? [folder] : [folder, ...drive.below(folder.id)];
    for (const one of touched) one.changes += 1;
  }

  /** What a file may hold. */
  get fileRules() {
    return {
      name: take.isName(60),
      size: take.isInteger(0, this.broken('size-bound') ? 4999 : 5000),
      tags: (value: unknown): boolean =>
        Array.isArray(value) &&
        value.length <= 5 &&
        value.every(take.isText(1, 20)) &&
        (this.broken('tags-twice') || new Set(value).size === value.length),
    };
  }
}

function unlocked(file: File): void {
  if (file.state === 'locked') throw new Refused('locked');
}

const refuse = (c: Call, { code, text }: Refused): Response => {
  const [status] = refusals[code];
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  return c.json({ error: code, message: text }, status as ContentfulStatusCode);
};

/** Who asks, and the body of the request. */
const known: MiddlewareHandler<Env> = async (c, next) => {
  const [scheme = '', token] = (c.req.header('Authorization') ?? '').split(/ +/);
  if (scheme.toLowerCase() !== 'bearer') throw new Refused('no_token');
  const actor = tokens.get(token ?? '');
  if (actor === undefined) throw new Refused('bad_token');
  c.set('actor', actor);
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  if (bytes.length > 4096) throw new Refused('too_large');
  if (!take.isReadable(new URL(c.req.url).pathname) || !take.isReadable(searchOf(c)))
    throw new Refused(hasBody(c) && bytes.length > 0 && !isJson(c) ? 'not_json' : 'unreadable');
  if (hasBody(c)) c.set('body', bodyOf(c, bytes));
  await next();
};

function createFolders(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.post('/folders', known, (c) => {
    query(c);
    const body = c.get('body');
    const rules = { name: take.isName(40), parent: take.isKey, shared: take.isBoolean };
    take.check(body, rules, ['name', 'parent']);
    const actor = c.get('actor');
    const parent = desk.ownFolder(body['parent'], actor);
    const name = String(body['name']);
    if (drive.isFolderNameTaken(name, parent.id)) throw new Refused('taken');
    if (drive.isTooDeep(drive.depth(parent) + 1)) throw new Refused('too_deep');
    const shared = broken('shared-not-kept') ? false : body['shared'] === true;
    const folder = drive.addFolder({ name, parent: parent.id, owner: actor, shared });
    return c.json(drive.folder(folder), 201, { Location: `/folders/${folder.id}` });
  });
}

function listFolders(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.get('/folders', known, (c) => {
    const asked = query<{
      parent: string;
      depth: number;
      owner: string;
      shared: boolean;
      name: string;
      sort: Sorting;
      limit: number;
      offset: number;
    }>(c, {
      parent: take.word,
      depth: take.number(0),
      owner: take.word,
      shared: take.flag,
      name: take.word,
      sort: take.sorting('name', 'createdAt', 'changes'),
      limit: take.number(1, 50),
      offset: take.number(0),
    });
    const actor = c.get('actor');
    const lower = (text: string): string => (broken('name-filter-case') ? text : text.toLowerCase());
    const found = [...drive.folders.values()].filter(
      (one) =>
        (broken('list-without-shared') ? one.owner === actor : desk.visible(one, actor)) &&
        (asked.parent === undefined || one.parent === asked.parent) &&
        (asked.depth === undefined || drive.depth(one) === asked.depth) &&
        (asked.owner === undefined || one.owner === asked.owner) &&
        (asked.shared === undefined || broken('shared-filter-ignored') || one.shared === asked.shared) &&
        (asked.name === undefined || lower(one.name).includes(lower(asked.name))),
    );
    const order = [...(asked.sort ?? []), { field: 'name', down: false }, { field: 'id', down: false }];
    const { offset = 0, limit = 20 } = asked;
    const items = take.sorted(found, order).slice(offset, offset + limit);
    const end = offset + limit;
    const isMore = broken('next-after-full-page') ? end <= found.length : end < found.length;
    return c.json({
      items: items.map((one) => drive.folder(one)),
      total: broken('total-of-page') ? items.length : found.length,
      next: isMore
        ? `/folders?${broken('next-without-filters') ? `offset=${end}` : moved(searchOf(c), end)}`
        : null,
    });
  });

  app.all('/folders', only('GET, HEAD, POST'));
}

function routeFolder(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.get('/folders/:id', known, (c) => {
    const folder = desk.folderOf(c, false);
    query(c);
    return c.json(drive.folder(folder));
  });

  app.patch('/folders/:id', known, (c) => {
    const folder = desk.folderOf(c, !broken('shared-is-edited'));
    query(c);
    const body = c.get('body');
    take.check(body, { name: take.isName(40), shared: take.isBoolean }, []);
    if (Object.keys(body).length === 0) throw new Refused('invalid');
    const { name = folder.name, shared = folder.shared } = body as Partial<Folder>;
    const except = broken('rename-to-own-name') ? undefined : folder.id;
    if (drive.isFolderNameTaken(name, folder.parent, except)) throw new Refused('taken');
    const isSame = name === folder.name && shared === folder.shared;
    if (!isSame || broken('changes-without-change')) folder.changes += 1;
    folder.name = name;
    folder.shared = shared;
    return c.json(drive.folder(folder));
  });

  app.delete('/folders/:id', known, (c) => {
    const folder = desk.folderOf(c, true);
    const { recursive = false } = query<{ recursive: boolean }>(c, { recursive: take.flag });
    const files = broken('files-are-not-content') ? [] : drive.filesIn(folder.id);
    if (!recursive && (drive.children(folder.id).length > 0 || files.length > 0))
      throw new Refused('not_empty');
    if (folder.parent === null) throw new Refused('home');
    const held = broken('locked-below-is-deleted') ? drive.filesIn(folder.id) : drive.filesWithin(folder);
    for (const one of held) unlocked(one);
    drive.removeFolder(folder);
    return c.body(null, 204);
  });

  app.all('/folders/:id', only('DELETE, GET, HEAD, PATCH'));
}

function moveFolders(desk: Desk): void {
  const { app, drive } = desk;
  app.post('/folders/:id/move', known, (c) => {
    const folder = desk.folderOf(c, true);
    query(c);
    const body = c.get('body');
    take.check(body, { parent: take.isKey }, ['parent']);
    const parent = desk.ownFolder(body['parent'], c.get('actor'));
    if (parent.id !== folder.parent) desk.move(folder, parent);
    return c.json(drive.folder(folder));
  });

  app.all('/folders/:id/move', only('POST'));
}

function listFiles(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.get('/folders/:id/files', known, (c) => {
    const folder = desk.folderOf(c, false);
    const asked = query<{
      tag: string;
      state: string;
      minSize: number;
      sort: Sorting;
      per_page: number;
      page: number;
    }>(c, {
      tag: take.word,
      state: take.choice('open', 'locked'),
      minSize: take.number(0),
      sort: take.sorting('name', 'size', 'createdAt'),
      per_page: take.number(1, 50),
      page: take.number(1),
    });
    const { tag, state, minSize, page = 1, per_page: size = 20 } = asked;
    const found = drive
      .filesIn(folder.id)
      .filter(
        (one) =>
          (tag === undefined || (broken('tag-filter-part') ? one.tags.join() : one.tags).includes(tag)) &&
          (state === undefined || one.state === state) &&
          (minSize === undefined || (broken('min-size-excluded') ? one.size > minSize : one.size >= minSize)),
      );
    const sort = (asked.sort ?? []).map((one) =>
      broken('sort-down-ignored') ? { ...one, down: false } : one,
    );
    const first = (page - 1) * (broken('page-of-default-size') ? 20 : size);
    const items = take.sorted(found, [...sort, { field: 'name', down: false }]).slice(first, first + size);
    return c.json({ items: items.map((one) => drive.file(one)), page, total: found.length });
  });
}

function addFiles(desk: Desk): void {
  const { app, drive } = desk;
  app.post('/folders/:id/files', known, (c) => {
    const folder = drive.folders.get(c.req.param('id'));
    const actor = c.get('actor');
    if (folder?.owner !== actor) throw new Refused('no_folder');
    query(c);
    const body = c.get('body');
    take.check(body, desk.fileRules, ['name', 'size']);
    const { name, size, tags = [] } = body as unknown as File;
    if (drive.isFileNameTaken(name, folder.id)) throw new Refused('taken');
    desk.within(size, actor, folder.id);
    const file = drive.addFile({ name, size, tags, folder: folder.id, owner: actor, copied: null });
    return c.json(drive.file(file), 201, { Location: `/files/${file.id}` });
  });

  app.all('/folders/:id/files', only('GET, HEAD, POST'));
}

function routeFile(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.get('/files/:id', known, (c) => {
    const file = desk.fileOf(c, false);
    query(c);
    const tag = drive.tag(file);
    const unless = c.req.header('If-None-Match');
    if (unless !== undefined && names(unless, tag, true)) return c.body(null, 304, { ETag: tag });
    return c.json(drive.file(file), 200, { ETag: tag });
  });

  app.patch('/files/:id', known, (c) => {
    const file = desk.fileOf(c, true);
    query(c);
    const body = c.get('body');
    take.check(body, desk.fileRules, []);
    if (Object.keys(body).length === 0) throw new Refused('invalid');
    const condition = c.req.header('If-Match');
    const meets = condition === undefined || names(condition, drive.tag(file), false);
    if (!meets && !broken('if-match-ignored')) throw new Refused('changed');
    const { name = file.name, size = file.size, tags = file.tags } = body as Partial<File>;
    if (drive.isFileNameTaken(name, file.folder, file.id)) throw new Refused('taken');
    const isSame = name === file.name && size === file.size && String(tags) === String(file.tags);
    if (!isSame) unlocked(file);
    if (size > file.size && !broken('quota-not-on-update'))
      desk.within(size - file.size, file.owner, file.folder);
    Object.assign(file, { name, size, tags });
    return c.json(drive.file(file), 200, { ETag: drive.tag(file) });
  });

  app.delete('/files/:id', known, (c) => {
    const file = desk.fileOf(c, true);
    query(c);
    unlocked(file);
    drive.removeFile(file);
    return c.body(null, 204);
  });

  app.all('/files/:id', only('DELETE, GET, HEAD, PATCH'));
}

function moveFiles(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.post('/files/:id/move', known, (c) => {
    const file = desk.fileOf(c, true);
    query(c);
    const body = c.get('body');
    take.check(body, { folder: take.isKey }, ['folder']);
    const folder = desk.ownFolder(body['folder'], c.get('actor'));
    if (folder.id !== file.folder) {
      if (drive.isFileNameTaken(file.name, folder.id)) throw new Refused('taken');
      if (!broken('locked-is-moved')) unlocked(file);
      file.folder = folder.id;
    }
    return c.json(drive.file(file));
  });

  app.all('/files/:id/move', only('POST'));
}

function copyFiles(desk: Desk): void {
  const { app, drive, broken } = desk;
  app.post('/files/:id/copies', known, (c) => {
    const actor = c.get('actor');
    const source = drive.files.get(c.req.param('id'));
    if (source?.owner !== actor) throw new Refused('no_file');
    query(c);
    const body = c.get('body');
    take.check(body, { name: take.isName(60) }, ['name']);
    const name = String(body['name']);
    if (drive.isFileNameTaken(name, source.folder)) throw new Refused('taken');
    if (!broken('quota-not-on-copy')) desk.within(source.size, actor, source.folder);
    const { folder, size } = source;
    const tags = broken('copy-without-tags') ? [] : source.tags;
    const file = drive.addFile({ name, folder, size, tags, owner: actor, copied: source.id });
    return c.json(drive.file(file), 201, { Location: `/files/${file.id}` });
  });

  app.all('/files/:id/copies', only('POST'));
}

function lockFiles(desk: Desk): void {
  const { app, broken } = desk;
  app.put('/files/:id/lock', known, (c) => {
    const file = desk.fileOf(c, !broken('lock-by-reader'));
    query(c);
    if (file.state === 'locked') throw new Refused('lock_state');
    file.state = 'locked';
    return c.body(null, 204);
  });

  app.delete('/files/:id/lock', known, (c) => {
    const file = desk.fileOf(c, true);
    query(c);
    if (file.state === 'open' && !broken('unlock-twice')) throw new Refused('lock_state');
    file.state = 'open';
    return c.body(null, 204);
  });

  app.all('/files/:id/lock', only('DELETE, PUT'));
}

function readUsage(desk: Desk): void {
  const { app, drive } = desk;
  app.get('/usage', known, (c) => {
    query(c);
    const actor = c.get('actor');
    const files = [...drive.files.values()].filter((one) => one.owner === actor);
    return c.json({ files: files.length, bytes: drive.used(actor, ''), limit: quota });
  });

  app.all('/usage', only('GET, HEAD'));
}

/** The service as an application of Hono, with one planted fault or none. */
export function application(options: Omit<Options, 'port'>): Hono<Env> {
  const desk = new Desk(options);
  desk.app.onError((error, c) => (error instanceof Refused ? refuse(c, error) : c.body(null, 500)));
  desk.app.notFound((c) => c.body(null, 404));
  for (const route of [
    createFolders,
    listFolders,
    routeFolder,
    moveFolders,
    listFiles,
    addFiles,
    routeFile,
    moveFiles,
    copyFiles,
    lockFiles,
    readUsage,
  ])
    route(desk);
  return desk.app;
}

/** Refuses every other method of a path. */
function only(allow: string) {
  return (c: Call): Response => c.body(null, 405, { Allow: allow });
}

function searchOf(c: Call): string {
  return new URL(c.req.url).search.slice(1);
}

function query<T>(c: Call, readers: Parameters<typeof take.query>[1] = {}): Partial<T> {
  return take.query<T>(searchOf(c), readers);
}

/** The same query, from another offset on. */
function moved(search: string, offset: number): string {
  const part = `offset=${offset}`;
  if (/(^|&)offset=/.test(search)) return search.replace(/(^|&)offset=[^&]*/, `$1${part}`);
  return search === '' ? part : `${search}&${part}`;
}

function hasBody(c: Call): boolean {
  return c.req.method === 'POST' || c.req.method === 'PATCH';
}

function isJson(c: Call): boolean {
  return /^application\/json *(;|$)/i.test(c.req.header('Content-Type') ?? '');
}

function bodyOf(c: Call, bytes: Uint8Array): Body {
  if (bytes.length > 0 && !isJson(c)) throw new Refused('not_json');
  try {
    const body = parseJson(bytes);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Refused('unreadable');
}

/** Whether `If-Match` or `If-None-Match` names a tag. */
function names(field: string, tag: string, weakly: boolean): boolean {
  const tags = field.split(',').map((one) => one.trim());
  return tags.some((one) => one === '*' || one === tag || (weakly && one === `W/${tag}`));
}

export function start({
  port,
  ...options
}: Options): Promise<{ address: string; close: () => Promise<void> }> {
  const app = application(options);
  return new Promise((resolve) => {
    const server: ServerType = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (info) =>
      resolve({
        address: `http://127.0.0.1:${info.port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
          }),
      }),
    );
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string' }, fault: { type: 'string' } } });
  const { address } = await start({ port: Number(values.port ?? 0), fault: values.fault ?? null });
  console.log(address);
}
