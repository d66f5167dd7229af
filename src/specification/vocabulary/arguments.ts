/** Where the arguments of a call stand in a text of CEL, whose first parenthesis stands at or after this place. */
export function argumentsIn(text: string, after: number): (readonly [number, number])[] {
  const open = text.indexOf('(', after);
  const found: [number, number][] = [];
  let depth = 0;
  let start = open + 1;
  for (let i = open; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"' || character === "'") i = endOfText(text, i);
    else if (text.startsWith('//', i)) i = (text.indexOf('\n', i) + 1 || text.length + 1) - 1;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character) || (character === ',' && depth === 1)) {
      if (character !== ',') depth -= 1;
      if (depth > 0 && character !== ',') continue;
      found.push(trimmed(text, start, i));
      if (depth === 0) return found;
      start = i + 1;
    }
  }
  return found;
}

function trimmed(text: string, start: number, end: number): [number, number] {
  const own = text.slice(start, end);
  return [start + own.length - own.trimStart().length, start + own.trimEnd().length];
}

/** The place of the last quotation mark of a text that begins there; it was read before, so it is closed. */
function endOfText(text: string, start: number): number {
  const quote = text[start] as string;
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  let i = start + mark.length;
  while (i < text.length && !text.startsWith(mark, i)) i += text[i] === '\\' ? 2 : 1;
  return i + mark.length - 1;
}
