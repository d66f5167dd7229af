import { dirname } from 'node:path';
import type { Source } from '../specification/read.ts';
import { parts } from '../specification/reading/address.ts';
import { headings } from '../specification/reading/document.ts';

/** What stands in a file, as far as that tells whether it is a specification. */
interface Kind {
  /** Whether its head says `tacet`. */
  readonly hasHead: boolean;
  /** Whether it states a part. */
  readonly states: boolean;
}

/**
 * The files of the specification that a file belongs to: itself alone, or those of its folder, if one of these has the
 * head and another has none (language §A.2). Empty: it is no specification, such as a README.
 *
 * @param folder the documents in the folder of the file
 */
export function filesOfSpecification(source: Source, folder: () => readonly Source[]): readonly string[] {
  const own = kindOf(source);
  if (!own.hasHead && !own.states) return [];
  const others = folder().filter(({ file }) => file !== source.file);
  const kinds = others.map((other) => ({ file: other.file, ...kindOf(other) }));
  const heads = kinds.filter(({ hasHead }) => hasHead).length + (own.hasHead ? 1 : 0);
  const rest = kinds.filter(({ hasHead, states }) => !hasHead && states);
  const isFolder = heads === 1 && (own.hasHead ? rest.length > 0 : true);
  if (!isFolder) return isMarkdown(source.file) || own.hasHead ? [source.file] : [];
  return [
    source.file,
    ...kinds.filter(({ hasHead, states }) => hasHead || states).map(({ file }) => file),
  ].sort();
}

/** The name to show for them: the file, or its folder. */
export function nameOf(files: readonly string[]): string {
  const [first = ''] = files;
  return files.length === 1 ? first : dirname(first);
}

function isMarkdown(file: string): boolean {
  return !/\.(ya?ml|json)$/i.test(file);
}

const titles = new Set([...parts, ...Object.values(headings)].map((title) => title.toLowerCase()));

function kindOf({ file, content }: Source): Kind {
  if (/\.json$/i.test(file))
    return {
      hasHead: /^\s*\{[^[\]]*"tacet"\s*:/.test(content),
      states: keysOf(content, /^ {0,4}"(\w+)"\s*:/gm),
    };
  if (!isMarkdown(file))
    return { hasHead: /^tacet\s*:/m.test(content), states: keysOf(content, /^(\w+)\s*:/gm) };
  const hasFence = /^\s*(?:`{3,}|~{3,})ya?ml/m.test(content);
  const isPart = [...content.matchAll(/^##\s+(.+?)\s*#*\s*$/gm)].some(([, title = '']) =>
    titles.has(title.toLowerCase().replace(/\s+/g, ' ')),
  );
  return { hasHead: hasFence && /^tacet\s*:/m.test(content), states: isPart && hasFence };
}

function keysOf(content: string, key: RegExp): boolean {
  return [...content.matchAll(key)].some(([, name]) => parts.some((part) => part === name));
}
