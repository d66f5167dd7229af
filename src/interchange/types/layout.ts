import { nameIn } from './schema.ts';

/** How wide a line may be, in characters. */
const widest = 100;

/** A type over several lines, where it is too wide for one: the members of its objects stand one below another. */
export function laidOut(type: string, indent: number): string {
  if (indent + type.length <= widest) return type;
  return pieces(type)
    .map((piece) => {
      if (!piece.startsWith('{ ')) return piece;
      const members = split(piece.slice(2, -2)).map(
        (member) => `${' '.repeat(indent + 2)}${laidOut(member, indent + 2)};\n`,
      );
      return `{\n${members.join('')}${' '.repeat(indent)}}`;
    })
    .join('');
}

/** The text in order: what stands outside of braces, and each outermost pair of them with what is within. */
function pieces(text: string): string[] {
  const found = [''];
  let depth = 0;
  for (const token of tokens(text)) {
    if (token === '{' && depth === 0) found.push('');
    if (token === '{') depth += 1;
    found[found.length - 1] += token;
    if (token === '}') depth -= 1;
    if (token === '}' && depth === 0) found.push('');
  }
  return found.filter((piece) => piece !== '');
}

/** The members of an object type, without the semicolons between them. */
function split(text: string): string[] {
  const found = [''];
  let depth = 0;
  for (const token of tokens(text)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (token === ';' && depth === 0) found.push('');
    else found[found.length - 1] += token;
  }
  return found.map((member) => member.trim());
}

/** Texts in quotation marks are one token each, so that no brace within them counts. */
function tokens(text: string): readonly string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[\s\S]/g) ?? [];
}

/** An interface in which each name has its type, in the order of the document. */
export function interfaceOf(
  name: string,
  about: string,
  entries: readonly (readonly [string, string])[],
): string {
  const members = entries.map(([each, type]) => `  ${nameIn(each)}: ${laidOut(type, 2)};\n`);
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`;
}
