import { createHash, randomUUID } from 'node:crypto';

export interface Folder {
  readonly id: string;
  name: string;
  parent: string | null;
  readonly owner: string;
  shared: boolean;
  readonly createdAt: string;
  changes: number;
}

export interface File {
  readonly id: string;
  name: string;
  folder: string;
  readonly owner: string;
  size: number;
  tags: readonly string[];
  state: 'open' | 'locked';
  readonly copied: string | null;
  readonly createdAt: string;
}

export const quota = 10_000;
const deepest = 4;

/** Folders and files in memory, and what can be asked about the tree. */
export class Drive {
  readonly folders = new Map<string, Folder>();
  readonly files = new Map<string, File>();
  readonly #broken: (fault: string) => boolean;
  readonly #now: () => number;

  constructor(broken: (fault: string) => boolean, now: () => number) {
    this.#broken = broken;
    this.#now = now;
    for (const [letter, owner] of [
      ['a', 'ann'],
      ['b', 'bob'],
      ['e', 'eve'],
    ] as const) {
      const id = `0f1d2c3b-0000-4000-8000-00000000000${letter}`;
      this.folders.set(id, {
        id,
        name: `home of ${owner}`,
        parent: null,
        owner,
        shared: false,
        createdAt: this.#time(),
        changes: 0,
      });
    }
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  addFolder(given: Pick<Folder, 'name' | 'owner' | 'shared'> & { parent: string }): Folder {
    const folder = { ...given, id: randomUUID(), createdAt: this.#time(), changes: 0 };
    this.folders.set(folder.id, folder);
    return folder;
  }

  addFile(given: Omit<File, 'id' | 'state' | 'createdAt'>): File {
    const file: File = { ...given, id: randomUUID(), state: 'open', createdAt: this.#time() };
    this.files.set(file.id, file);
    return file;
  }

  /** The identifiers of the folders above, the nearest first. */
  above(folder: Folder): string[] {
    const found: string[] = [];
    for (let at = folder.parent; at !== null; at = this.folders.get(at)?.parent ?? null) found.push(at);
    return found;
  }

  depth(folder: Folder): number {
    return this.above(folder).length;
  }

  children(id: string): Folder[] {
    return [...this.folders.values()].filter((one) => one.parent === id);
  }

  filesIn(id: string): File[] {
    return [...this.files.values()].filter((one) => one.folder === id);
  }

  /** All folders below, at any depth. */
  below(id: string): Folder[] {
    return this.children(id).flatMap((child) => [child, ...this.below(child.id)]);
  }

  /** How many levels there are below a folder. */
  height(id: string): number {
    return Math.max(0, ...this.children(id).map((child) => 1 + this.height(child.id)));
  }

  isTooDeep(depth: number): boolean {
    return this.#broken('create-depth-bound') ? depth > deepest + 1 : depth > deepest;
  }

  isFolderNameTaken(name: string, parent: string | null, except?: string): boolean {
    if (parent === null) return false;
    const others = this.#broken('create-name-everywhere')
      ? [...this.folders.values()].filter((one) => one.owner === this.folders.get(parent)?.owner)
      : this.children(parent);
    return others.some((one) => one.name === name && one.id !== except);
  }

  isFileNameTaken(name: string, folder: string, except?: string): boolean {
    return this.filesIn(folder).some((one) => one.name === name && one.id !== except);
  }

  /** The files that go when a folder goes. */
  filesWithin(folder: Folder): File[] {
    const ids = [folder.id, ...this.below(folder.id).map(({ id }) => id)];
    return [...this.files.values()].filter((one) => ids.includes(one.folder));
  }

  removeFolder(folder: Folder): void {
    const gone = this.#broken('delete-keeps-grandchildren')
      ? this.children(folder.id)
      : this.below(folder.id);
    const files = this.#broken('delete-keeps-files-below')
      ? this.filesIn(folder.id)
      : this.filesWithin(folder);
    for (const one of files) this.files.delete(one.id);
    for (const one of [...gone, folder]) this.folders.delete(one.id);
  }

  removeFile(file: File): void {
    this.files.delete(file.id);
  }

  used(owner: string, folder: string): number {
    const counted = [...this.files.values()].filter((one) =>
      this.#broken('quota-by-folder') ? one.folder === folder : one.owner === owner,
    );
    return counted.reduce((sum, one) => sum + one.size, 0);
  }

  fits(more: number, owner: string, folder: string): boolean {
    const total = this.used(owner, folder) + more;
    return this.#broken('quota-bound') ? total < quota : total <= quota;
  }

  /** A folder as answers show it. */
  folder(one: Folder): Record<string, unknown> {
    const files = this.filesIn(one.id);
    const counted = this.#broken('bytes-without-locked') ? files.filter((f) => f.state === 'open') : files;
    return {
      id: one.id,
      name: one.name,
      ...(one.parent !== null && { parent: one.parent }),
      owner: one.owner,
      shared: one.shared,
      depth: this.depth(one),
      folders: this.children(one.id).length,
      files: files.length,
      bytes: counted.reduce((sum, f) => sum + f.size, 0),
      createdAt: one.createdAt,
      changes: one.changes,
    };
  }

  /** A file as answers show it: all but its owner. */
  file({ owner: _, ...shown }: File): Record<string, unknown> {
    return shown;
  }

  tag(file: File): string {
    const { tags, ...rest } = this.file(file);
    const content = this.#broken('etag-without-tags') ? rest : { tags, ...rest };
    return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
  }
}
