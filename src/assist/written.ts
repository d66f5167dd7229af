import type { Json } from '../source/node.ts';

/**
 * A value as YAML on one line, or as JSON.
 *
 * @param style `flow` stands within braces or brackets, where less may be written without quotation marks
 * @param isKey whether it is a key
 */
export function written(value: Json, style: 'block' | 'flow' | 'json', isKey = false): string {
  if (style === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return plainly(value, style, isKey) ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[${value.map((one) => written(one, 'flow')).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${written(name, 'flow', true)}: ${written(member, 'flow')}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** What YAML reads as something else than text (core schema), whatever its letters. */
const notText = /^(?:true|false|null|yes|no|on|off|~|[-+.\d].*)$/i;

/** Whether a text may stand without quotation marks: words, as people write them. */
function plainly(text: string, style: 'block' | 'flow', isKey: boolean): boolean {
  if (notText.test(text) || text !== text.trim() || text === '') return false;
  // A marker with its question: in flow, what ends a value there must be quoted.
  if (isKey)
    return (
      /^(?:[A-Za-z_$][\w$.-]*|[A-Z]+ \/[\w/.{}-]*)$/.test(text) && !(style === 'flow' && /[{}]/.test(text))
    );
  if (/: |:$| #|[\n\r\t]/.test(text)) return false;
  const plain = style === 'flow' ? /^[\p{L}(/][^,{}[\]"'`]*$/u : /^[\p{L}(/][^"'`]*$/u;
  return plain.test(text);
}
