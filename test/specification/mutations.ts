import { markdownBlocks, whole } from '../../src/source/markdown.ts';
import type { Node } from '../../src/source/node.ts';
import { type Span, text } from '../../src/source/text.ts';
import { readYaml } from '../../src/source/yaml.ts';

/** A document to begin from, and where its keys and values stand in it. */
export interface Stock {
  readonly file: string;
  readonly content: string;
  readonly places: readonly Place[];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

type Random = () => number;

export function stock(file: string, content: string): Stock {
  const places: Place[] = [];
  const note = ({ start, end }: Span): void => void (end > start && places.push({ start, end }));
  const visit = (node: Node | undefined): void => {
    if (node === undefined) return;
    note(node.span);
    if (node.kind === 'list') node.items.forEach(visit);
    if (node.kind === 'map')
      for (const { key, value } of node.entries.values()) {
        note(key);
        visit(value);
        note({ ...key, end: value.span.end });
      }
  };
  const source = text(file, content);
  if (!file.endsWith('.md')) visit(readYaml(whole(source)).node);
  else
    for (const block of markdownBlocks(source)) {
      note(block.span);
      if (block.kind === 'yaml') visit(readYaml(block.source).node);
    }
  return { file, content, places };
}

/** What is put in the place of something else: marks of YAML and Markdown, and what only looks like a value. */
const hostile: readonly string[] = [
  ...[
    '(none)',
    '(open)',
    '(open) why?',
    '(any)',
    '${',
    '}',
    '$${',
    '${this}',
    '${actor.x.y}',
    '${Todo(this)}',
  ],
  ...[
    '${1/0}',
    '${request.body.a}',
    '${this.all(x, x)}',
    '${"',
    '${now - now}',
    '${[1, "a"]}',
    '${page.items}',
  ],
  ...[
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ': ',
    '- ',
    '? ',
    '\n',
    '\t',
    '  ',
    '#',
    '&a ',
    '*a',
    '!!x ',
    '<<',
    '|',
    '>',
  ],
  ...[
    '---\n',
    '%',
    ',',
    '```',
    '```yaml\n',
    '```\n',
    '## ',
    '# ',
    '> ',
    '\r',
    '\0',
    '\uFEFF',
    '\ud800',
    '𝒳',
    '\\',
  ],
  ...[
    '\u2028',
    '\u001b[2J',
    '\u202e',
    'é',
    'e\u0301',
    'İ',
    '-0',
    '0',
    '-1',
    '1e999',
    '0o17',
    '9007199254740993',
  ],
  ...[
    '.inf',
    '.nan',
    '1.10',
    '~',
    'null',
    'true',
    'no',
    '[]',
    '{}',
    '[[[]]]',
    '{a: {b: {c: {}}}}',
    '""',
    '" "',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '2023-02-29',
    '2026-11-01T00:00:00Z',
    'P-1D',
    'PT',
  ],
  ...[
    'every ',
    'this',
    'that',
    'any',
    'item',
    '204',
    '99',
    '600',
    '200.5',
    'GET /',
    'GET',
    '/{id}',
    '{id}',
    '{}/{',
  ],
  ...[
    'complete: true',
    'open:',
    'limits.defaults',
    'resources.*',
    'pattern: "(a+)+$"',
    'pattern: "("',
    '(?=a)',
  ],
  ...[
    'a'.repeat(300),
    '('.repeat(100),
    '['.repeat(70),
    '9'.repeat(40),
    '../../etc/passwd',
    'http://[::1',
    '%zz',
  ],
];

/** A document that is a little, or very, unlike one that is right. */
export function mutated(of: Stock, others: readonly Stock[], random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const someText = (): string => {
    if (random() < 0.4) return pick(hostile);
    const { content, places } = random() < 0.5 ? of : pick(others);
    const { start, end } = pick(places) ?? { start: 0, end: 40 };
    return content.slice(start, end);
  };
  const edits = Array.from(
    { length: Math.floor(random() * 4) },
    () => pick(of.places) ?? { start: 0, end: 0 },
  );
  let content = of.content;
  for (const place of apart(edits)) content = edited(content, place, someText, random);
  for (let count = Math.floor(random() ** 3 * 4); count > 0; count--)
    content = disturbed(content, someText, random);
  return content;
}

/** From the end of the text to its beginning, without those that overlap. */
function apart(places: readonly Place[]): Place[] {
  let from = Number.POSITIVE_INFINITY;
  return [...places]
    .sort((a, b) => b.start - a.start)
    .filter(({ start, end }) => {
      const fits = end <= from;
      if (fits) from = start;
      return fits;
    });
}

/** A key, a value, an entry or a block: taken out, put in twice, or replaced. */
function edited(content: string, { start, end }: Place, someText: () => string, random: Random): string {
  const [before, it, after] = [content.slice(0, start), content.slice(start, end), content.slice(end)];
  const indent = ' '.repeat(start - content.lastIndexOf('\n', start - 1) - 1);
  switch (Math.floor(random() * 6)) {
    case 0:
      return before + after;
    case 1:
      return `${before}${it}\n${indent}${it}${after}`;
    case 2:
      return `${before}${it}, ${it}${after}`;
    case 3:
      return `${before}[${it}]${after}`;
    default:
      return before + someText() + after;
  }
}

/** What happens to a text whatever it is: it is cut, a bit of it turns, lines move. */
function disturbed(content: string, someText: () => string, random: Random): string {
  const at = Math.floor(random() * (content.length + 1));
  const to = Math.min(content.length, at + Math.floor(random() ** 3 * 200));
  const lines = content.split('\n');
  const line = Math.floor(random() * lines.length);
  switch (Math.floor(random() * 7)) {
    case 0:
      return content.slice(0, at);
    case 1:
      return content.slice(0, at) + content.slice(to);
    case 2:
      return content.slice(0, at) + someText() + content.slice(random() < 0.5 ? at : to);
    case 3: {
      const turned = (content.charCodeAt(at) || 0) ^ (1 << Math.floor(random() * 8));
      return content.slice(0, at) + String.fromCharCode(turned) + content.slice(at + 1);
    }
    case 4:
      return lines.toSpliced(line, 1).join('\n');
    case 5:
      return lines.toSpliced(line, 0, lines[Math.floor(random() * lines.length)] as string).join('\n');
    default:
      return lines
        .with(line, (random() < 0.5 ? '  ' : '') + (lines[line] as string).replace(/^ {2}/, ''))
        .join('\n');
  }
}
