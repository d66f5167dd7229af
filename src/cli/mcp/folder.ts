import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isDocument } from '../../load/files.ts';
import { ledgerBeside } from '../../load/ledger.ts';
import { UsageError } from '../usage.ts';

/** The one folder in which an agent may name documents. */
export interface Folder {
  readonly path: string;
  /**
   * The path of a document from the working folder.
   *
   * @throws UsageError if it, its ledger, or a document of a folder lies elsewhere, links followed
   */
  readonly documentOf: (named: string) => string;
}

export function folderAt(path: string): Folder {
  const root = realpathSync(path);
  const isWithin = (file: string): boolean => {
    const real = existsSync(file) ? realpathSync(file) : resolve(file);
    return real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  };
  return {
    path: root,
    documentOf: (named) => {
      const file = resolve(root, named);
      if (!isWithin(file))
        throw new UsageError(`${named} lies outside of the folder that tacet mcp was started in`);
      if (!existsSync(file)) throw new UsageError(`there is no file ${named}`);
      const others = statSync(file).isDirectory()
        ? readdirSync(file)
            .filter(isDocument)
            .map((name) => join(file, name))
        : [];
      const outside = [ledgerBeside(file), ...others].find((one) => !isWithin(one));
      if (outside !== undefined)
        throw new UsageError(
          `${relative(root, outside)} leads outside of the folder that tacet mcp was started in`,
        );
      return relative(process.cwd(), file) || '.';
    },
  };
}
