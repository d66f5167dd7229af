import { execFileSync } from 'node:child_process';
import { migrate } from '../specification/migration/migration.ts';
import { type Reader, read, readFolder, type Source } from '../specification/read.ts';
import { isDocument } from './files.ts';
import { Refused } from './refused.ts';

/** A document, or a folder of documents, as git keeps it: `REVISION:PATH`, as git spells it (gitrevisions(7)). */
export interface Revision {
  readonly revision: string;
  readonly path: string;
  /** The folder from which git is asked, and from which `./` in the path counts. */
  readonly folder: string;
  /** The name to show in messages. */
  readonly shown: string;
}

/** Reads a specification from git. Throws {@link Refused} where git, the revision or the path is not there. */
export function readRevision(of: Revision): Reader {
  const object = `${of.revision}:${of.path}`;
  if (of.revision === '' || of.revision.startsWith('-'))
    throw new Refused(`a revision stands before the colon of ${of.shown}`);
  const kind = git(of.folder, ['cat-file', '-t', object])?.toString().trim();
  if (kind === 'blob') {
    const source = { file: of.shown, content: content(of, object, of.shown) };
    const [now = source] = today([source]);
    return read(now.file, now.content);
  }
  if (kind !== 'tree') throw new Refused(whyNot(of));
  const names = (git(of.folder, ['ls-tree', '--name-only', '-z', object]) ?? '').toString().split('\0');
  const documents = names.filter(isDocument);
  if (documents.length === 0) throw new Refused(`${of.shown} holds no document: no .md, .yaml or .json file`);
  const slash = of.path === '' || of.path.endsWith('/') ? '' : '/';
  const sources = documents.map((name) => {
    const file = `${of.shown}${of.shown.endsWith(':') || of.shown.endsWith('/') ? '' : '/'}${name}`;
    return { file, content: content(of, `${object}${slash}${name}`, file) };
  });
  return readFolder(of.shown, today(sources));
}

/** What git keeps may be written in words that the language had then. */
function today(sources: readonly Source[]): readonly Source[] {
  return migrate(sources).texts;
}

function content(of: Revision, object: string, shown: string): string {
  const bytes = git(of.folder, ['cat-file', 'blob', object]);
  if (bytes === undefined) throw new Refused(whyNot(of));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused(`${shown} is not UTF-8 text`);
  }
}

function whyNot({ revision, folder, shown }: Revision): string {
  if (git(folder, ['rev-parse', '--git-dir']) === undefined) return 'this folder is in no git repository';
  const isThere = git(folder, ['rev-parse', '--verify', '--quiet', `${revision}^{tree}`]) !== undefined;
  return isThere
    ? `${revision} has no ${shown.slice(revision.length + 1)}`
    : `there is no revision ${revision}`;
}

const mostBytes = 64 * 1024 * 1024;

/** What git prints, undefined where it fails; it is run without a shell. */
function git(folder: string, args: readonly string[]): Buffer | undefined {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: mostBytes,
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Refused('git is not on the PATH, and a revision is asked for');
    return undefined;
  }
}
