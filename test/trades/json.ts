/**
 * Reads JSON as strictly as the specifications ask for: UTF-8, no member twice, no U+0000, no half of a surrogate pair,
 * and no integer that a number cannot hold. Throws a `SyntaxError` otherwise.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SyntaxError('this is no UTF-8');
  }
  const value: unknown = JSON.parse(text);
  scan(text);
  return value;
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\]]/g;

/** Looks for what `JSON.parse` puts up with, in text that it has read. */
function scan(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(null);
    else if (found === '}' || found === ']') open.pop();
    else if (found.startsWith('"')) {
      const value = JSON.parse(found) as string;
      if (!value.isWellFormed() || value.includes('\0')) throw new SyntaxError('a text has a bad character');
      const members = open.at(-1);
      const isName = /^\s*:/.test(text.slice(index + found.length, index + found.length + 50));
      if (members && isName && members.has(value)) throw new SyntaxError(`${value} occurs twice`);
      if (members && isName) members.add(value);
    } else if (
      !Number.isFinite(Number(found)) ||
      (Number.isInteger(Number(found)) && !Number.isSafeInteger(Number(found)))
    )
      throw new SyntaxError(`${found} cannot be kept exactly`);
  }
}
