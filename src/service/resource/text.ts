/** Told of a member, and from where to where its value stands in the text; true: that is all. */
type Visit = (name: string, from: number, to: number) => boolean;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Goes through the members of an object in JSON text, as `JSON.stringify` writes it, without making their values: most
 * that are shown are shown as they are kept. Throws `TypeError` where the text is another.
 */
export function eachMember(text: string, visit: Visit): void {
  if (text.charCodeAt(1) === closeObject) return;
  for (let from = 1; from < text.length; ) {
    const end = endOfText(text, from);
    if (text.charCodeAt(end) !== colon) throw new TypeError(`no object as JSON.stringify writes it: ${text}`);
    const to = endOfValue(text, end + 1);
    if (visit(textIn(text, from, end), end + 1, to)) return;
    from = to + 1;
  }
}

/** The value of a member; undefined where there is none. */
export function memberIn(text: string, name: string): unknown {
  const found = memberText(text, name);
  if (found === undefined) return undefined;
  return found.charCodeAt(0) === quote ? textIn(found, 0, found.length) : JSON.parse(found);
}

/** The value of a member as it stands in the text; undefined where there is none. */
export function memberText(text: string, name: string): string | undefined {
  let found: string | undefined;
  eachMember(text, (one, from, to) => {
    if (one === name) found = text.slice(from, to);
    return one === name;
  });
  return found;
}

/** The text that stands between quotation marks. */
function textIn(text: string, from: number, to: number): string {
  const plain = text.slice(from + 1, to - 1);
  return plain.includes('\\') ? (JSON.parse(text.slice(from, to)) as string) : plain;
}

/** Behind the closing quotation mark of a text. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end === -1) throw new TypeError(`a text that does not end: ${text}`);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === quote) return endOfText(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at) - 1;
    else if (code === openList || code === openObject) depth += 1;
    else if (depth === 0 && (code === comma || code === closeObject)) return at;
    else if (code === closeList || code === closeObject) depth -= 1;
  }
  throw new TypeError(`a value that does not end: ${text}`);
}
