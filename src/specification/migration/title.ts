import { get, json, type Mapping, type Node } from '../../source/node.ts';
import { type Span, span } from '../../source/text.ts';
import { find } from '../reading/address.ts';
import { added, type Edit, pair, removedEntry, reworded, rewordedWithin } from './edits.ts';
import { entriesOf, type Finder, type Removal, removal, scalars, spanOf } from './removal.ts';

/** A row's `title` was a second `message` (language §7.2). */
export const title: Finder = ({ tree, head, whole }) => {
  const member = hasMessages(whole, head) ? 'extra.title' : 'message';
  const rows = entriesOf(find(tree, ['errors', 'codes'])).flatMap(([, row]) =>
    row.kind === 'map' && row.entries.has('title') ? [inRow(row, member)] : [],
  );
  return [...rows, ...[get(tree, 'errors'), get(head, 'let')].flatMap((node) => inTexts(node, member))];
};

/** Whether the document has a message beside the title, so that the title must go elsewhere. */
function hasMessages(whole: Mapping, head: Mapping | undefined): boolean {
  const errors = get(whole, 'errors');
  const rows = entriesOf(get(errors, 'codes')).map(([, row]) => row);
  return (
    rows.some((row) => get(row, 'message') !== undefined) ||
    [errors, get(head, 'let')].some((node) =>
      scalars(node).some(({ written }) => /\berror\.(message|extra\.title)\b/.test(written)),
    )
  );
}

function inRow(row: Mapping, member: string): Removal {
  const key = row.entries.get('title')?.key as Span;
  const value = get(row, 'title') as Node;
  if (member === 'message') return removal(key, 'title', 'write message', [reworded(key, 'message')]);
  const instead = 'write message, or extra: { title: … }';
  const extra = get(row, 'extra');
  const written = pair('title', json(value), key);
  if (extra?.kind === 'map')
    return removal(key, 'title', instead, [removedEntry(row, 'title'), added(extra, written)]);
  return removal(
    key,
    'title',
    instead,
    extra ? null : [inPlace(row, pair('extra', { title: json(value) }, key))],
  );
}

function inPlace(row: Mapping, written: string): Edit {
  const { text, start, end } = spanOf(row, 'title');
  const content = text.content.slice(start, end).trimEnd();
  return { span: span(text, start, start + content.length), with: written };
}

/** `error.title` in the texts that part 7 sends. */
function inTexts(node: Node | undefined, member: string): Removal[] {
  return scalars(node).flatMap((of) =>
    [...of.written.matchAll(/\berror\.title\b/g)].flatMap(({ 0: { length }, index }) => {
      if (!of.written.includes('${')) return [];
      const { text } = of.span;
      const at = of.from === null ? of.span : span(text, of.from + index, of.from + index + length);
      const edit = rewordedWithin(of, index, length, `error.${member}`);
      return [removal(at, 'error.title', `write error.${member}`, [edit])];
    }),
  );
}
