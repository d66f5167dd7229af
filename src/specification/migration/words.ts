import { get, type Mapping, type Node, type Scalar } from '../../source/node.ts';
import { type Span, span } from '../../source/text.ts';
import { find } from '../reading/address.ts';
import { added, type Edit, flow, pair, removedEntry, removedItem, reworded } from './edits.ts';
import { entriesOf, type Finder, type Removal, removal, spanOf } from './removal.ts';

/** `issued: signed` was told from `opaque` by nobody outside (language §5.2). */
export const signed: Finder = ({ tree }) =>
  entriesOf(find(tree, ['authentication', 'schemes'])).flatMap(([, scheme]) => {
    const word = find(scheme, ['credentials', 'issued']);
    if (word?.kind !== 'scalar' || word.value !== 'signed') return [];
    return [removal(word.span, 'signed', 'write opaque', [reworded(word.span, 'opaque')])];
  });

/** A rule that lets nobody in (language §5.5). */
export const nobody: Finder = ({ tree }) => {
  const authentication = get(tree, 'authentication');
  const rules = [
    ...entriesOf(get(authentication, 'authorization')).map(([, rule]) => rule),
    get(authentication, 'otherwise'),
  ];
  return rules
    .flatMap((rule) => (rule?.kind === 'map' ? [get(rule, 'rule'), get(rule, 'items')] : [rule]))
    .flatMap((grants) => (grants ? inGrants(grants) : []));
};

function inGrants(grants: Node): Removal[] {
  const isWord = (node: Node): node is Scalar => node.kind === 'scalar' && node.value === 'nobody';
  const never = ({ span }: Node): Edit => ({ span, with: flow('${false}', span) });
  const instead = 'leave the operation out, or write "${false}" to refuse it to everybody';
  if (isWord(grants)) return [removal(grants.span, 'nobody', instead, [never(grants)])];
  if (grants.kind !== 'list') return [];
  const isAlone = grants.items.every(isWord);
  return grants.items.flatMap((item, index) => {
    if (!isWord(item)) return [];
    return isAlone
      ? [removal(item.span, 'nobody', instead, [never(item)])]
      : [removal(item.span, 'nobody', 'take it out of the list', [removedItem(grants, index)])];
  });
}

/** `fields: (none)` of a version, which is about header fields (language §9.2). */
export const versionFields: Finder = ({ tree }) =>
  entriesOf(find(tree, ['versioning', 'versions'])).flatMap(([, version]) => {
    const key = version.kind === 'map' ? version.entries.get('fields')?.key : undefined;
    return key ? [removal(key, 'fields', 'write headers', [reworded(key, 'headers')])] : [];
  });

/** A field that is unique by itself, among the lists of those that are unique together (language §2.1). */
export const uniqueAlone: Finder = ({ tree }) =>
  entriesOf(get(tree, 'resources')).flatMap(([, resource]) => {
    const lists = get(resource, 'unique');
    if (lists?.kind !== 'list' || resource.kind !== 'map') return [];
    return lists.items.flatMap((item, index) => {
      const names = item.kind === 'map' ? get(item, 'fields') : item;
      const [name] = names?.kind === 'list' ? names.items : [];
      if (names?.kind !== 'list' || names.items.length !== 1 || name?.kind !== 'scalar') return [];
      const isCaseless = (get(item, 'caseless') as Scalar | undefined)?.value === true;
      const word = isCaseless ? 'caseless' : true;
      const edits = [
        lists.items.length === 1 ? removedEntry(resource, 'unique') : removedItem(lists, index),
        ...uniqueField(find(resource, ['fields', name.written]), word),
      ];
      const instead = `write unique: ${word} at the field ${name.written}`;
      return [removal(item.span, `unique: [[${name.written}]]`, instead, edits)];
    });
  });

/** What makes a field unique that may be so already; an undefined edit where it cannot be done. */
function uniqueField(field: Node | undefined, word: true | 'caseless'): (Edit | undefined)[] {
  if (field?.kind !== 'map') return [undefined];
  const own = get(field, 'unique');
  if (own === undefined) return [added(field, pair('unique', word, field.span))];
  const isEnough = own.kind === 'scalar' && (own.value === word || (word === true && own.value === 'ever'));
  return isEnough ? [] : [undefined];
}

/** `sizes.R`, how many items of a resource there may be, and `too large R`, its condition (language §8.4). */
export const sizes: Finder = ({ tree, whole }) => [...bounds(tree, whole), ...refusals(tree, whole)];

function bounds(tree: Mapping, whole: Mapping): Removal[] {
  const limits = get(tree, 'limits');
  const sizes = get(limits, 'sizes');
  if (limits?.kind !== 'map' || sizes?.kind !== 'map') return [];
  return entriesOf(sizes).flatMap(([resource, allow, key]) => {
    if (!/^[A-Z]/.test(resource)) return [];
    const name = quotaName(resource, whole);
    const quota = { of: resource, allow: allow.kind === 'scalar' ? allow.value : null };
    const instead = `write quotas: { ${name}: { of: ${resource}, allow: … } } beside sizes`;
    const quotas = get(limits, 'quotas');
    const where = allow.span;
    if (allow.kind !== 'scalar' || (quotas && quotas.kind !== 'map'))
      return [removal(key, `sizes.${resource}`, instead, null)];
    const entry = quotas ? added(quotas, pair(name, quota, where)) : undefined;
    const whole_ = pair('quotas', { [name]: quota }, where);
    const isAlone = sizes.entries.size === 1;
    if (isAlone && !quotas) return [removal(key, `sizes.${resource}`, instead, [inPlace(limits, whole_)])];
    const without = isAlone ? removedEntry(limits, 'sizes') : removedEntry(sizes, resource);
    return [removal(key, `sizes.${resource}`, instead, [without, entry ?? added(limits, whole_)])];
  });
}

function inPlace(limits: Mapping, written: string): Edit | undefined {
  const { text, start, end } = spanOf(limits, 'sizes');
  const content = text.content.slice(start, end).trimEnd();
  return content.includes('#')
    ? undefined
    : { span: span(text, start, start + content.length), with: written };
}

function refusals(tree: Mapping, whole: Mapping): Removal[] {
  const rows = entriesOf(find(tree, ['errors', 'codes'])).map(([, row]) => row);
  const conditions = rows.flatMap((row) => {
    const when = get(row, 'when');
    return [...(when?.kind === 'list' ? when.items : [when]), get(row, 'as')];
  });
  return conditions.flatMap((node) => {
    const resource =
      node?.kind === 'scalar' ? /^too large ([A-Z]\w*)$/.exec(node.written.trim())?.[1] : undefined;
    if (node === undefined || resource === undefined) return [];
    const words = `quota exceeded ${quotaName(resource, whole)}`;
    const where: Span = node.span;
    return [removal(where, `too large ${resource}`, `write ${words}`, [reworded(where, words)])];
  });
}

/** The name of the quota that takes the place of `sizes.R`: one that is there for it, or a free one. */
function quotaName(resource: string, whole: Mapping): string {
  const quotas = find(whole, ['limits', 'quotas']);
  const isFree = (name: string): boolean => {
    const quota = get(quotas, name);
    const of = get(quota, 'of');
    return quota === undefined || (of?.kind === 'scalar' && of.value === resource);
  };
  const plain = `${resource.charAt(0).toLowerCase()}${resource.slice(1)}s`;
  return isFree(plain) ? plain : `all${resource}s`;
}
