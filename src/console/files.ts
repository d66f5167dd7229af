import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { carried } from '../load/carried.ts';
import { tokens } from '../report/look.ts';

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  /** The same, compressed by gzip; null: it is not sent so. */
  readonly zipped: (() => Buffer) | null;
  /** Whether its name changes with its content, so that it may be kept for good. */
  readonly isHashed: boolean;
}

/** Where the page lies once it is built, from the package. */
const folder = 'console';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the page by their paths, `/` for the page itself; null: it is not built. The style sheet `/look.css` is
 * that of all pages of ours.
 */
export function pageFiles(): ReadonlyMap<string, PageFile> | null {
  const root = fileURLToPath(carried(folder));
  if (!existsSync(join(root, 'index.html'))) return null;
  const found = new Map<string, PageFile>([['/look.css', fileOf('.css', Buffer.from(tokens), false)]]);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const ending = extname(name);
    if (!Object.hasOwn(types, ending)) continue;
    const path = name === 'index.html' ? '/' : `/${name.replaceAll('\\', '/')}`;
    found.set(path, fileOf(ending, readFileSync(join(root, name)), path.startsWith('/assets/')));
  }
  return found;
}

function fileOf(ending: string, content: Buffer, isHashed: boolean): PageFile {
  // The page has a number of its own in each answer.
  if (ending === '.html') return { type: types[ending] as string, content, zipped: null, isHashed };
  let kept: Buffer | undefined;
  const zipped = (): Buffer => {
    kept ??= gzipSync(content);
    return kept;
  };
  return { type: types[ending] as string, content, zipped, isHashed };
}
