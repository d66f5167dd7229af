import { basename } from 'node:path';
import { Document, isMap, isScalar, visit, type Node as YamlNode } from 'yaml';
import type { Json } from '../../source/node.ts';
import { holdTooMuch, readerLimits } from '../../source/yaml.ts';
import { type Part, parts } from '../../specification/reading/address.ts';
import { headings } from '../../specification/reading/document.ts';
import type { Imported } from './import.ts';
import { jsonOf } from './piece.ts';
import { type LeftOut, leftOut, shortened } from './shortened.ts';

/** How the loss ends of what is left out of a document that would be too large. */
export const tooLargeFor = ', since the document would be too large';

/** The loss of a document that holds more than is read, whatever is left out. */
export const tooMuch = 'more keys and values than are read of a document';

/** A document of so many bytes holds no more keys and values than are read: it is not looked at. */
const surelyRead = 2 ** 18;

/** How many characters a map on one line has at the most; an entry of a part, which people look for, fewer. */
const [widest, widestEntry] = [100, 60];

/**
 * The document that an author goes on with: Markdown, with what is stated of each part in a block (language §A). Of what would be
 * larger than what is read, texts for people are left out, which is a loss.
 *
 * @param ledger the name of the ledger that answers what is asked; null: there is none
 */
export function documentText(imported: Imported, ledger: string | null): string {
  for (let count = 0; count <= leftOut.length; count++) {
    const without = leftOut.slice(0, count);
    const blocks = blocksWithout(imported, without);
    const written = textOf(imported, blocks, ledger);
    const size = Buffer.byteLength(written);
    if (size > readerLimits.bytes || (size > surelyRead && holdTooMuch([...blocks.values()]))) continue;
    for (const what of without) imported.losses.add('dropped', `${what}${tooLargeFor}`, '');
    return written;
  }
  const whole = blocksWithout(imported, []);
  if (holdTooMuch([...whole.values()])) imported.losses.add('gap', tooMuch, '');
  return textOf(imported, whole, ledger);
}

/** What is stated of each part, as YAML, without some of what people read. */
function blocksWithout({ parts: stated }: Imported, without: readonly LeftOut[]): ReadonlyMap<Part, string> {
  return new Map(
    [...stated].map(([part, piece]) => {
      const whole = jsonOf(piece);
      return [part, yaml(without.length > 0 ? shortened(whole, without) : whole).trimEnd()] as const;
    }),
  );
}

function textOf(
  { name, descriptions, head, prose }: Imported,
  blocks: ReadonlyMap<Part, string>,
  ledger: string | null,
): string {
  const answered = ledger === null ? '' : `, and answered for the time being in \`${ledger}\``;
  const named = descriptions
    .map(({ text: { file }, format, version }) => `\`${basename(file)}\` (${format} ${version})`)
    .join(' and ');
  const say = descriptions.length === 1 ? 'says' : 'say';
  const lines = [
    `# ${oneLine(name)}`,
    '',
    head === undefined
      ? `From ${named}, which ${say} what is sent, not what it does: that is asked here${answered}.`
      : `From ${named}.`,
    '',
    ...block(head === undefined ? 'tacet: 1' : yaml(jsonOf(head)).trimEnd()),
  ];
  for (const part of parts) {
    const content = blocks.get(part);
    if (content === undefined) continue;
    const said = prose.get(part) ?? [];
    lines.push('', `## ${headings[part]}`, ...(said.length > 0 ? ['', ...said] : []));
    lines.push('', ...block(content));
  }
  return `${lines.join('\n')}\n`;
}

/** A block of YAML. Its fence is longer than any in what people read, which would end it (CommonMark 0.31 §4.5). */
function block(content: string): readonly string[] {
  const longest = Math.max(
    2,
    ...[...content.matchAll(/^ *(`{3,})/gm)].map(([, ticks]) => (ticks ?? '').length),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}yaml`, content, fence];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** YAML with each entry on lines of its own, and what is short on one. */
function yaml(value: Json): string {
  const document = new Document(value, { version: '1.2', aliasDuplicateObjects: false });
  visit(document, {
    Collection: (_, node, path) => {
      // The entries of a part stand apart.
      const depth = path.filter((each) => isMap(each)).length;
      const most = depth === 1 ? widestEntry : widest - 2 * depth;
      if (depth > 0 && width(node as YamlNode) <= most) node.flow = true;
    },
  });
  if (isMap(document.contents))
    for (const { key } of document.contents.items.slice(1))
      if (isScalar(key) && document.contents.items.length > 1) key.spaceBefore = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** How many characters a node has on one line, about. A text of several lines has a block of its own. */
function width(node: YamlNode): number {
  const written = JSON.stringify(node.toJSON());
  return written.includes('\\n') ? Number.POSITIVE_INFINITY : written.replaceAll('"', '').length;
}
