import { unseen } from '../../semantics/judge/answer.ts';
import {
  Collection,
  Item,
  isList,
  isObject,
  Links,
  Made,
  PageAddress,
  Range,
  Stretch,
  seen,
  Text,
  Unknown,
  type Value,
} from '../../semantics/value/value.ts';

/**
 * A value as a text: what is unknown is `?`, and what the service makes is `<Todo.id>`.
 *
 * @param indent how many spaces stand before the members of an object that takes several lines
 */
export function valueText(value: Value, indent: number): string {
  const found = seen(value);
  const [begin, end] = isObject(found) ? ['{', '}'] : ['[', ']'];
  const parts = partsOf(found, indent + 2);
  if (parts === null) return scalarText(found);
  const line = `${begin}${isObject(found) && parts.length > 0 ? ' ' : ''}${parts.join(', ')}${isObject(found) && parts.length > 0 ? ' ' : ''}${end}`;
  if (indent + line.length <= 90 && !line.includes('\n')) return line;
  const spaces = ' '.repeat(indent + 2);
  return `${begin}\n${parts.map((part) => `${spaces}${part}`).join(',\n')}\n${' '.repeat(indent)}${end}`;
}

/** The members or elements; null: there are none. */
function partsOf(value: Value, indent: number): readonly string[] | null {
  if (value instanceof Stretch) return partsOf(value.known, indent);
  if (value instanceof Collection)
    return [...value.items.map((item) => valueText(item, indent)), ...(value.closed ? [] : ['…'])];
  if (isList(value)) return value.map((item) => valueText(item, indent));
  if (!isObject(value)) return null;
  return Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${valueText(member, indent)}`,
  );
}

function scalarText(value: Value): string {
  if (value instanceof Unknown || value === unseen) return '?';
  if (value instanceof Made) return `<${value.series}>`;
  if (value instanceof Item) return valueText(value.key, 0);
  if (value instanceof PageAddress) return '<address of a page>';
  if (value instanceof Links) return '<links to pages>';
  if (value instanceof Range) return rangeText(value);
  if (value instanceof Text)
    return `"${value.pieces.map((piece) => (piece instanceof Made ? `<${piece.series}>` : piece)).join('')}"`;
  return JSON.stringify(value);
}

function rangeText({ least, most }: Range): string {
  const isBounded = most < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${least} to ${most}` : `${least} or more`;
}

/** Why something of a value is unknown: addresses of open points, or sentences. */
export function reasonsOf(value: Value): readonly string[] {
  const found = seen(value);
  if (found instanceof Unknown) return [...found.because];
  if (found instanceof Item) return reasonsOf(found.key);
  if (found instanceof Stretch) return reasonsOf(found.known);
  if (found instanceof Collection) return found.items.flatMap(reasonsOf);
  if (isList(found)) return found.flatMap(reasonsOf);
  return isObject(found) ? Object.values(found).flatMap(reasonsOf) : [];
}
